/// @file
/// MEL's shallow calls under the original's own name, for programs that say `#include "MEL.hpp"`: all of them, a file
/// for each kind of handle. What they do about errors is said in mel/call.hpp. The deep copies are in MEL_deepcopy.hpp,
/// as they are there.
#pragma once

// The original brings these along, too.
#include <cstring>
#include <functional>

#include "mel/call.hpp"
#include "mel/collective.hpp"
#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/error.hpp"
#include "mel/file.hpp"
#include "mel/file_access.hpp"
#include "mel/group.hpp"
#include "mel/memory.hpp"
#include "mel/mutex.hpp"
#include "mel/one_sided.hpp"
#include "mel/operation.hpp"
#include "mel/point_to_point.hpp"
#include "mel/request.hpp"
#include "mel/runtime.hpp"
#include "mel/shared.hpp"
#include "mel/topology.hpp"
#include "mel/window.hpp"
