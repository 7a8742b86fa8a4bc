// The memory of the fake device: pages mapped twice, once where nobody may touch them, which is what programs hold, and
// once where its kernels find them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace wherry::fake {

class memory {
 public:
  static memory& instance();

  /// Null where there is no room.
  void* allocate(std::size_t bytes);
  void release(void* piece);
  bool owns(const void* place) const;

  /// Where the fake device's own code reaches it; what is not its own stays as it is.
  template <class T> T* reach(T* place) const {
    if (!owns(place)) return place;
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(place) - guarded_ + open_);
  }

  static constexpr std::size_t size = std::size_t{1} << 34;  // of address space; memory is what has been written

 private:
  memory();

  std::uintptr_t guarded_ = 0, open_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> free_, taken_;  // bytes by offset
};

}  // namespace wherry::fake
