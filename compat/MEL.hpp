/// @file
/// MEL's shallow calls under the original's own name, for programs that say `#include "MEL.hpp"`. The deep copies are
/// in MEL_deepcopy.hpp, as they are there.
#pragma once

#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/file.hpp"
#include "mel/memory.hpp"
#include "mel/runtime.hpp"
#include "mel/window.hpp"
