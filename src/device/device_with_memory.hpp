// The device in whose memory a pointer may lie.
#pragma once

#include "wherry/device/device.hpp"

namespace wherry {

/// The device in use; null also while nothing can lie in its memory: nobody starts a driver only to hear that.
const device* device_with_memory();

}  // namespace wherry
