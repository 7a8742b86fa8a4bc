// Memory that calls need for a while, kept for the next ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace wherry::collective {

class scratch_pool;

/// For a few instructions, so that nobody sleeps over it.
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

/// Some of it, not initialised. Aligned to cache lines.
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

/// Of one communicator. Whoever drives a call may ask, the progress thread as well.
class scratch_pool {
 public:
  scratch_pool() = default;
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

}  // namespace wherry::collective
