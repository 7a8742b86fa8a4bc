#include "harness/allocations.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> new_calls{0}, malloc_calls{0};

std::atomic<std::size_t> bytes_now{0}, bytes_peak{0};

void count(std::atomic<std::uint64_t>& calls) { calls.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

namespace bench {

allocation_counts allocations() { return {new_calls.load(), malloc_calls.load()}; }

heap_bytes heap() { return {bytes_now.load(), bytes_peak.load()}; }
void reset_peak() { bytes_peak = bytes_now.load(); }

}  // namespace bench

#if !defined(WHERRY_SANITIZED)

#if defined(__GLIBC__)
namespace {

void* taken(void* memory) {
  if (memory == nullptr) return memory;
  const auto bytes = malloc_usable_size(memory);
  const auto now = bytes_now.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  // If two threads allocate at once, the peak may lack the bytes of one of them.
  if (now > bytes_peak.load(std::memory_order_relaxed)) bytes_peak.store(now, std::memory_order_relaxed);
  return memory;
}
void given_back(void* memory) {
  if (memory != nullptr) bytes_now.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
}

}  // namespace

// Every library that the program loads uses the program's malloc instead of the C library's.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t bytes) {
  count(malloc_calls);
  return taken(__libc_malloc(bytes));
}
void* calloc(std::size_t elements, std::size_t bytes) {
  count(malloc_calls);
  return taken(__libc_calloc(elements, bytes));
}
void* realloc(void* old, std::size_t bytes) {
  count(malloc_calls);
  const std::size_t before = old == nullptr ? 0 : malloc_usable_size(old);
  void* const memory = __libc_realloc(old, bytes);
  if (memory == nullptr && bytes != 0) return memory;
  bytes_now.fetch_sub(before, std::memory_order_relaxed);
  return taken(memory);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count(malloc_calls);
  return taken(__libc_memalign(alignment, bytes));
}
void* memalign(std::size_t alignment, std::size_t bytes) { return aligned_alloc(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = aligned_alloc(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  given_back(memory);
  __libc_free(memory);
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
