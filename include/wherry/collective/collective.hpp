/// @file
/// All of the collective module: MPI's collectives by interchangeable implementations, at once or in two phases.
#pragma once

#include "wherry/collective/call.hpp"
#include "wherry/collective/choice.hpp"
#include "wherry/collective/memory.hpp"
#include "wherry/collective/operation.hpp"
#include "wherry/collective/tuning.hpp"
#include "wherry/collective/typed.hpp"
#include "wherry/collective/typed_begin.hpp"
#include "wherry/collective/typed_parts.hpp"
#include "wherry/collective/usage.hpp"
