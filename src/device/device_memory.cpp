// Allocates and copies memory of the device in use.
#include <memory>

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"

#include "device_handles.hpp"

namespace wherry {
namespace {

const device& needed(const char* what) {
  const auto* here = device_in_use();
  if (here == nullptr) throw error(error_kind::state, what, detail::text("there is no device: ", why_no_device()));
  return *here;
}

}  // namespace

std::shared_ptr<std::byte> detail::allocate_on_device(std::size_t bytes) {
  const auto& by = needed("allocate_on_device");
  auto piece = std::make_shared<device_bytes>(by, device_bytes::where::on_device, bytes);
  auto* first = piece->get();
  return {std::move(piece), first};
}

void copy_on_device(void* to, const void* from, std::size_t bytes) {
  const auto& by = needed("copy_on_device");
  if (bytes == 0) return;
  by.copy({}, to, from, bytes);
  by.finish({});
}

}  // namespace wherry
