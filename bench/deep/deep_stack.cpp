#include "deep/deep_stack.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <exception>
#include <new>

namespace bench::deep {
namespace {

constexpr std::size_t stack_bytes = std::size_t{16} << 30;

struct call {
  const std::function<void()>* work;
  std::exception_ptr failure;
  ucontext_t caller{};
};
call* current = nullptr;  // makecontext passes nothing but ints

void enter() {
  try {
    (*current->work)();
  } catch (...) {
    current->failure = std::current_exception();
  }
}

void* stack() {
  static void* const memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

void on_deep_stack(const std::function<void()>& work) {
  call mine{&work, nullptr};
  ucontext_t there{};
  getcontext(&there);
  there.uc_stack.ss_sp = stack();
  there.uc_stack.ss_size = stack_bytes;
  there.uc_link = &mine.caller;
  current = &mine;
  makecontext(&there, enter, 0);
  swapcontext(&mine.caller, &there);
  if (mine.failure) std::rethrow_exception(mine.failure);
}

}  // namespace bench::deep
