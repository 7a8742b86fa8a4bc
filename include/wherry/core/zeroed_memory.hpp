/// @file
/// Memory for large tables, filled with zeros.
#pragma once

#include <cstddef>
#include <utility>

namespace wherry::detail {

/// A movable block of zeroed memory. From 2 MiB on it lies in large pages if the system has them, because the first
/// touches of many small pages would cost more than the work on them.
class zeroed_memory {
 public:
  zeroed_memory() = default;
  /// Local. Aligned for every type. @throws std::bad_alloc
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
  void* mapped_ = nullptr;  // null: the memory is from the heap
  std::size_t mapped_bytes_ = 0;
};

}  // namespace wherry::detail
