/// @file
/// Arrays in memory that the host may not touch, `m.owned(p, n, memory_space::device)`: they travel through staging
/// buffers on the host. Include this header only to reach memory that the device in use (`wherry/device/device.hpp`)
/// does not reach.
#pragma once

#include <cstddef>

namespace wherry::deep {

/// The functions through which the host reaches device memory. All four return when their work is done; `allocate` may
/// throw, and may return null.
struct device_hooks {
  void* (*allocate)(std::size_t bytes, std::size_t alignment) = nullptr;
  void (*free)(void* memory) = nullptr;
  void (*copy_to_host)(void* host, const void* device, std::size_t bytes) = nullptr;
  void (*copy_to_device)(void* device, const void* host, std::size_t bytes) = nullptr;
};

/// Sets the functions that reach the memory of `m.owned(p, n, memory_space::device)`, for all threads of this process,
/// in place of the device in use. Local; not while a deep copy runs.
void set_device_hooks(const device_hooks& hooks);

/// The functions that were set if all four are there, else the functions of the device in use.
/// @throws wherry::error (state) if none were set and there is no device
const device_hooks& the_device_hooks();

/// The length of one staging buffer in bytes.
constexpr std::size_t device_staging_bytes = std::size_t{256} << 10;

}  // namespace wherry::deep
