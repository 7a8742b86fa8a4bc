// The memory of the fake device. Its pages are mapped twice: programs hold addresses of a mapping that nobody may
// touch, and the device's kernels use the other one. Memory that another process lends is mapped in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>

#include "wherry/device/device.hpp"

namespace wherry::fake {

class memory {
 public:
  static memory& instance();

  /// Null if there is no room.
  void* allocate(std::size_t bytes);
  void release(void* piece);
  bool owns(const void* place) const;

  /// The address by which the fake device's own code reaches this memory. Other addresses stay as they are.
  template <class T> T* reach(T* place) const {
    return reinterpret_cast<T*>(open_place(reinterpret_cast<std::uintptr_t>(place)));
  }

  // As device::lend, borrow and give_back.
  std::string lend(void* piece, detail::device_ticket& ticket) const;
  std::string borrow(const detail::device_ticket& ticket, void*& piece);
  void give_back(void* borrowed);

  static constexpr std::size_t size = std::size_t{1} << 34;  // of address space; unwritten pages take no memory

 private:
  memory();

  /// A file of pages, of this process or of another one, and the two places at which it is mapped here.
  struct region {
    std::uintptr_t guarded = 0, open = 0;
    int borrowed = 0;  // how many times
    bool has(std::uintptr_t place) const { return place >= guarded && place < guarded + size; }
  };
  using file_of_process = std::pair<int, int>;  // process and descriptor
  static region map(int file);
  std::uintptr_t open_place(std::uintptr_t place) const;

  int file_ = -1;
  region own_;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> free_, taken_;  // bytes by offset
  mutable std::shared_mutex borrowing_;
  std::map<file_of_process, region> others_;
};

}  // namespace wherry::fake
