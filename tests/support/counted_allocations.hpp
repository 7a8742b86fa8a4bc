// Counts what this thread allocates by operator new, for tests that say "allocates nothing". To be included by one file
// of a program: it replaces the program's operators.
#pragma once

#include <cstdlib>
#include <new>

namespace wherry_test {

inline thread_local long allocations = 0;

inline void* counted(void* memory) {
  ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace wherry_test

void* operator new(std::size_t bytes) { return wherry_test::counted(std::malloc(bytes == 0 ? 1 : bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto line = static_cast<std::size_t>(alignment);
  return wherry_test::counted(std::aligned_alloc(line, (bytes + line - 1) / line * line));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++wherry_test::allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
