/// @file
/// All of MEL's shallow calls under the original's header name, for programs that say `#include "MEL.hpp"`: one header
/// for each kind of handle. mel/call.hpp says how they report errors. MEL_deepcopy.hpp has the deep copies, as in the
/// original.
#pragma once

// The original includes these, too.
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
