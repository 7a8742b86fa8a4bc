/// @file
/// Includes the support for all standard containers and smart pointers. `pack.hpp` includes this header, so that users
/// need not.
#pragma once

#include "wherry/deep/detail/containers/adaptors.hpp"
#include "wherry/deep/detail/containers/associative.hpp"
#include "wherry/deep/detail/containers/sequences.hpp"
#include "wherry/deep/detail/containers/storage.hpp"
#include "wherry/deep/detail/containers/string.hpp"
#include "wherry/deep/detail/containers/sums.hpp"
#include "wherry/deep/detail/containers/vector.hpp"
#include "wherry/deep/detail/smart_pointers.hpp"
