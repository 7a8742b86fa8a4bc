#include "harness/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> new_calls{0}, malloc_calls{0};

void count(std::atomic<std::uint64_t>& calls) { calls.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

namespace bench {

allocation_counts allocations() { return {new_calls.load(), malloc_calls.load()}; }

}  // namespace bench

#if !defined(WHERRY_SANITIZED)

#if defined(__GLIBC__)
// The program's malloc goes before the C library's for every library it loads.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) {
  count(malloc_calls);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t elements, std::size_t bytes) {
  count(malloc_calls);
  return __libc_calloc(elements, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  count(malloc_calls);
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count(malloc_calls);
  return __libc_memalign(alignment, bytes);
}
}
#endif

void* operator new(std::size_t bytes) {
  count(new_calls);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  count(new_calls);
  const auto line = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(line, (bytes + line - 1) / line * line)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif
