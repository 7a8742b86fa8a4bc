/// @file
/// Everything for collectives: it includes all headers of this module for users.
///
/// `typed.hpp` is for C++ values and ranges. `call.hpp` and `operation.hpp` have MPI's own arguments. In both, each
/// collective runs by any of several implementations (`choice.hpp`), blocking or split-phase.
#pragma once

#include "wherry/collective/call.hpp"
#include "wherry/collective/choice.hpp"
#include "wherry/collective/memory.hpp"
#include "wherry/collective/mpi_operations.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/collective/tuning.hpp"
#include "wherry/collective/typed.hpp"
#include "wherry/collective/typed_parts.hpp"
#include "wherry/collective/typed_start.hpp"
#include "wherry/collective/usage.hpp"
