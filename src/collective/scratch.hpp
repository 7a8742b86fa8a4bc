// Temporary memory of calls, kept for later calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace wherry::collective {

class scratch_pool;

/// A spin lock for a few instructions, for which no thread should sleep.
class brief_lock {
 public:
  void lock() noexcept {
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() noexcept { busy_.clear(std::memory_order_release); }

 private:
  std::atomic_flag busy_;
};

/// A piece of temporary memory, not initialised, aligned to cache lines.
class scratch {
 public:
  scratch() = default;
  scratch(scratch&& other) noexcept { swap(other); }
  scratch& operator=(scratch&& other) noexcept {
    swap(other);
    return *this;
  }
  ~scratch();

  std::byte* data() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  friend scratch_pool;
  template <class T> friend class scratch_list;
  explicit scratch(scratch_pool& from) : pool_(&from) {}
  scratch(scratch_pool& from, std::byte* memory, std::size_t bytes) : pool_(&from), memory_(memory), bytes_(bytes) {}
  void swap(scratch& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }

  scratch_pool* pool_ = nullptr;
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The temporary memory of one communicator. Any thread that drives a call may use it, the progress thread included.
class scratch_pool {
 public:
  scratch_pool();
  scratch_pool(const scratch_pool&) = delete;
  scratch_pool& operator=(const scratch_pool&) = delete;
  ~scratch_pool();

  scratch take(std::size_t bytes);

 private:
  friend scratch;
  void give_back(std::byte* memory, std::size_t bytes) noexcept;

  struct piece {
    std::byte* memory;
    std::size_t bytes;
  };
  brief_lock guard_;
  std::vector<piece> free_;
};

inline scratch::~scratch() {
  if (memory_ != nullptr) pool_->give_back(memory_, bytes_);
}

/// A list in temporary memory. It grows without allocating if the pool has pieces for it. An empty list takes no
/// memory.
template <class T> class scratch_list {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);

 public:
  explicit scratch_list(scratch_pool& pool) : memory_(pool) {}
  scratch_list(scratch_pool& pool, std::size_t size, T value) : memory_(pool) { resize(size, value); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void clear() { size_ = 0; }
  void resize(std::size_t size, T value = {}) {
    reserve(size);
    for (auto i = size_; i < size; ++i) new (data() + i) T(value);
    size_ = size;
  }
  void push_back(T value) {
    if ((size_ + 1) * sizeof(T) > memory_.bytes()) reserve(2 * size_ + 1);
    new (data() + size_++) T(value);
  }

 private:
  void reserve(std::size_t size) {
    if (size * sizeof(T) <= memory_.bytes()) return;
    auto larger = memory_.pool_->take(size * sizeof(T));
    if (size_ > 0) std::memcpy(larger.data(), memory_.data(), size_ * sizeof(T));
    memory_ = std::move(larger);
  }

  scratch memory_;  // memory_ also holds the pool
  std::size_t size_ = 0;
};

}  // namespace wherry::collective
