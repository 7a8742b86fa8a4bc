// Owners of a device's streams, events and memory.
#pragma once

#include <cstddef>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"

namespace wherry {

/// Owns a stream or an event.
template <class Handle, Handle (*device::*Make)(), void (*device::*End)(Handle)> class owned_handle {
 public:
  explicit owned_handle(const device& by) : by_(&by), handle_((by.*Make)()) {}
  ~owned_handle() { (by_->*End)(handle_); }
  owned_handle(const owned_handle&) = delete;
  owned_handle& operator=(const owned_handle&) = delete;
  operator Handle() const { return handle_; }

 private:
  const device* by_;
  Handle handle_;
};
using owned_stream = owned_handle<device_stream, &device::make_stream, &device::end_stream>;
using owned_event = owned_handle<detail::device_event, &device::make_event, &device::end_event>;

/// Owns bytes on a device, or pinned bytes on its host.
class device_bytes {
 public:
  enum class where { on_device, pinned };

  device_bytes() = default;
  device_bytes(const device& by, where space, std::size_t bytes)
      : release_(space == where::pinned ? by.release_pinned : by.release), bytes_(bytes) {
    if (bytes == 0) return;
    memory_ = static_cast<std::byte*>(space == where::pinned ? by.allocate_pinned(bytes) : by.allocate(bytes));
    if (memory_ == nullptr)
      throw error(error_kind::resource, "device",
                  detail::text("device '", by.name, "' cannot allocate ", bytes,
                               space == where::pinned ? " bytes of pinned memory" : " bytes"));
  }
  ~device_bytes() {
    if (memory_ != nullptr) release_(memory_);
  }
  device_bytes(device_bytes&& other) noexcept { swap(other); }
  device_bytes& operator=(device_bytes&& other) noexcept {
    swap(other);
    return *this;
  }

  std::byte* get() const { return memory_; }
  std::size_t size() const { return bytes_; }

 private:
  void swap(device_bytes& other) noexcept {
    std::swap(release_, other.release_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }

  void (*release_)(void*) = nullptr;
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace wherry
