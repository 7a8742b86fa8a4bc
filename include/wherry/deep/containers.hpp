/// @file
/// All that a deep copy knows by itself.
#pragma once

#include "wherry/deep/containers/adaptors.hpp"
#include "wherry/deep/containers/associative.hpp"
#include "wherry/deep/containers/sequences.hpp"
#include "wherry/deep/containers/string.hpp"
#include "wherry/deep/containers/sums.hpp"
#include "wherry/deep/containers/vector.hpp"
#include "wherry/deep/smart_pointers.hpp"
