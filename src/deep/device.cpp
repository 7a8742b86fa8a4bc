#include "wherry/deep/device.hpp"

#include "wherry/core/error.hpp"

namespace wherry::deep {
namespace {

device_hooks current;

}  // namespace

void set_device_hooks(const device_hooks& hooks) { current = hooks; }

const device_hooks& the_device_hooks() {
  if (current.allocate == nullptr || current.free == nullptr || current.copy_to_host == nullptr ||
      current.copy_to_device == nullptr)
    throw error(error_kind::state, "deep copy", "an array in device memory, and no deep::set_device_hooks to reach it");
  return current;
}

}  // namespace wherry::deep
