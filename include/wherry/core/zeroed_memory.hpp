/// @file
/// Memory that begins as zeros, for large tables.
#pragma once

#include <cstddef>
#include <utility>

namespace wherry {

/// From 2 MiB on it comes in large pages where the system has them: the first touches of many small pages cost more
/// than what is done with them.
class zeroed_memory {
 public:
  zeroed_memory() = default;
  /// Aligned for every type. @throws std::bad_alloc
  explicit zeroed_memory(std::size_t bytes);
  zeroed_memory(zeroed_memory&& other) noexcept { swap(other); }
  zeroed_memory& operator=(zeroed_memory&& other) noexcept {
    zeroed_memory(std::move(other)).swap(*this);
    return *this;
  }
  ~zeroed_memory();

  std::byte* data() const { return data_; }

 private:
  void swap(zeroed_memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
  }

  std::byte* data_ = nullptr;
  void* mapped_ = nullptr;  // null: from the heap
  std::size_t mapped_bytes_ = 0;
};

}  // namespace wherry
