#include "fake_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iterator>

#include "wherry/core/error.hpp"

namespace wherry::fake {
namespace {

constexpr std::size_t alignment = 256;
constexpr int unwritten = 0xa5;  // what nobody has written should not look like zeros

struct sigaction before{};

/// Says what happened, and leaves the rest to whoever was there before: the access faults again.
void on_fault(int, siginfo_t* what, void*) {
  if (memory::instance().owns(what->si_addr)) {
    const char said[] = "wherry: the host has touched memory of the (fake) device\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, said, sizeof said - 1);
  }
  sigaction(SIGSEGV, &before, nullptr);
}

void name_faults() {
  struct sigaction ours{};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &ours, &before);
}

}  // namespace

memory& memory::instance() {
  static auto* const all = new memory;  // whatever is destroyed when the process ends may still ask
  return *all;
}

memory::memory() {
  const auto fail = [](const char* call) {
    throw error(error_kind::resource, "fake device", text(call, " failed: ", std::strerror(errno)));
  };
  const int file = memfd_create("wherry_fake_device", MFD_CLOEXEC);
  if (file < 0) fail("memfd_create");
  if (ftruncate(file, static_cast<off_t>(size)) != 0) fail("ftruncate");
  void* const guarded = mmap(nullptr, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  void* const open = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  close(file);
  if (guarded == MAP_FAILED || open == MAP_FAILED) fail("mmap");
  guarded_ = reinterpret_cast<std::uintptr_t>(guarded);
  open_ = reinterpret_cast<std::uintptr_t>(open);
  free_[0] = size;
  name_faults();
}

bool memory::owns(const void* place) const {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  return at >= guarded_ && at < guarded_ + size;
}

void* memory::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > size) return nullptr;
  const auto whole = std::max((bytes + alignment - 1) / alignment, std::size_t{1}) * alignment;
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [offset, room] = *at;
    if (room < whole) continue;
    free_.erase(at);
    if (room > whole) free_[offset + whole] = room - whole;
    taken_[offset] = whole;
    std::memset(reinterpret_cast<void*>(open_ + offset), unwritten, bytes);
    return reinterpret_cast<void*>(guarded_ + offset);
  }
  return nullptr;
}

void memory::release(void* piece) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(reinterpret_cast<std::uintptr_t>(piece) - guarded_);
  if (found == taken_.end()) throw error(error_kind::argument, "fake device", "this memory was not allocated");
  const auto [offset, bytes] = *found;
  taken_.erase(found);
  auto here = free_.emplace(offset, bytes).first;
  if (const auto next = std::next(here); next != free_.end() && here->first + here->second == next->first) {
    here->second += next->second;
    free_.erase(next);
  }
  if (here == free_.begin()) return;
  if (const auto last = std::prev(here); last->first + last->second == here->first) {
    last->second += here->second;
    free_.erase(here);
  }
}

}  // namespace wherry::fake
