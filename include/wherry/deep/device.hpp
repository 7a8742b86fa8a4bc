/// @file
/// Arrays in memory that the host may not touch: they travel through staging buffers on the host.
#pragma once

#include <cstddef>

namespace wherry::deep {

/// How the host reaches device memory. All four block until they are done; `allocate` may throw and may return null.
struct device_hooks {
  void* (*allocate)(std::size_t bytes, std::size_t alignment) = nullptr;
  void (*free)(void* memory) = nullptr;
  void (*copy_to_host)(void* host, const void* device, std::size_t bytes) = nullptr;
  void (*copy_to_device)(void* device, const void* host, std::size_t bytes) = nullptr;
};

/// Sets how `m.owned(p, n, memory_space::device)` reaches its memory, for all threads, where that is not the device in
/// use (wherry/device/device.hpp). Not while a copy runs.
void set_device_hooks(const device_hooks& hooks);

/// Those, or of the device in use. @throws wherry::error (state) when nobody has set them, and there is no device
const device_hooks& the_device_hooks();

/// Bytes of one staging buffer.
constexpr std::size_t device_staging_bytes = std::size_t{256} << 10;

}  // namespace wherry::deep
