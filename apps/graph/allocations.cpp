// Replaces the program's operator new and delete by operators that count their calls; the other forms of new and delete
// call these.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long live = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++live;
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory != nullptr) --live;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(std::malloc(bytes == 0 ? 1 : bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (bytes / unit + 1) * unit));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

long graph::live_allocations() { return live; }
