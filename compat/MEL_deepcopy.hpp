/// @file
/// MEL's deep copies under the original's header name; see mel/mel.hpp.
#pragma once

#include "MEL.hpp"
#include "mel/mel.hpp"
