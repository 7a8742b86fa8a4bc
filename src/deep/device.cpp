#include "wherry/deep/device.hpp"

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"

namespace wherry::deep {
namespace {

device_hooks current;

const device& in_use() { return *device_in_use(); }

/// Allocations of a device are aligned for any type; some devices return null for 0 bytes.
void* allocate(std::size_t bytes, std::size_t) { return in_use().allocate(bytes > 0 ? bytes : 1); }

const device_hooks hooks_of_device{.allocate = allocate,
                                   .free = [](void* memory) { in_use().release(memory); },
                                   .copy_to_host = copy_on_device,
                                   .copy_to_device = copy_on_device};

}  // namespace

void set_device_hooks(const device_hooks& hooks) { current = hooks; }

const device_hooks& the_device_hooks() {
  if (current.allocate == nullptr || current.free == nullptr || current.copy_to_host == nullptr ||
      current.copy_to_device == nullptr) {
    if (device_in_use() != nullptr) return hooks_of_device;
    throw error(
        error_kind::state, "deep copy",
        "an array is in device memory, which cannot be reached: there is no device (wherry/device/device.hpp), and "
        "deep::set_device_hooks was not called");
  }
  return current;
}

}  // namespace wherry::deep
