// The device in whose memory a pointer may lie.
#pragma once

#include "wherry/device/device.hpp"

namespace wherry {

/// The device in use. Also null while no memory of a device can exist in this process, so that a question about a
/// pointer does not start a driver.
const device* device_with_memory();

}  // namespace wherry
