/// @file
/// MEL's deep copies under the original's own name; see mel/mel.hpp.
#pragma once

#include "MEL.hpp"
#include "mel/mel.hpp"
