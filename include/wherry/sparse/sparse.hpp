/// @file
/// Everything for sparse exchanges: it includes all headers of this module for users.
#pragma once

#include "wherry/sparse/arrivals.hpp"
#include "wherry/sparse/arriving.hpp"
#include "wherry/sparse/options.hpp"
#include "wherry/sparse/plan.hpp"
#include "wherry/sparse/send_to.hpp"
