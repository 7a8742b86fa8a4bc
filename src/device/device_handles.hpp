// Streams, events and memory of a device, owned.
#pragma once

#include <cstddef>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"

namespace wherry {

class owned_stream {
 public:
  explicit owned_stream(const device& by) : by_(&by), stream_(by.make_stream()) {}
  ~owned_stream() { by_->end_stream(stream_); }
  owned_stream(const owned_stream&) = delete;
  owned_stream& operator=(const owned_stream&) = delete;
  operator device_stream() const { return stream_; }

 private:
  const device* by_;
  device_stream stream_;
};

class owned_event {
 public:
  explicit owned_event(const device& by) : by_(&by), event_(by.make_event()) {}
  ~owned_event() { by_->end_event(event_); }
  owned_event(const owned_event&) = delete;
  owned_event& operator=(const owned_event&) = delete;
  operator device_event() const { return event_; }

 private:
  const device* by_;
  device_event event_;
};

/// Bytes on a device, or pinned on its host.
class device_bytes {
 public:
  enum class where { on_device, pinned };

  device_bytes() = default;
  device_bytes(const device& by, where space, std::size_t bytes)
      : release_(space == where::pinned ? by.release_pinned : by.release), bytes_(bytes) {
    if (bytes == 0) return;
    memory_ = static_cast<std::byte*>(space == where::pinned ? by.allocate_pinned(bytes) : by.allocate(bytes));
    if (memory_ == nullptr)
      throw error(
          error_kind::resource, "device",
          text("'", by.name, "' has no ", bytes, space == where::pinned ? " bytes of pinned memory" : " bytes"));
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
