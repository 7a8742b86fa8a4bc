/// @file
/// All that a deep copy knows by itself.
#pragma once

#include "wherry/deep/containers/string.hpp"
#include "wherry/deep/containers/vector.hpp"
