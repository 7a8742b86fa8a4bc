#include "wherry/core/zeroed_memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "large_page.hpp"

namespace wherry {
detail::zeroed_memory::zeroed_memory(std::size_t bytes) {
  if (bytes < large_page) {
    data_ = static_cast<std::byte*>(std::calloc(bytes, 1));
    if (data_ == nullptr) throw std::bad_alloc();
    return;
  }
  // The bytes that only the alignment needs are never touched.
  mapped_bytes_ = bytes + large_page;
  mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) {
    mapped_ = nullptr;
    throw std::bad_alloc();
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped_);
  data_ = static_cast<std::byte*>(mapped_) + (large_page - begin % large_page) % large_page;
  static_cast<void>(madvise(data_, bytes, MADV_HUGEPAGE));
}

detail::zeroed_memory::~zeroed_memory() {
  if (mapped_ == nullptr)
    std::free(data_);
  else
    munmap(mapped_, mapped_bytes_);
}

}  // namespace wherry
