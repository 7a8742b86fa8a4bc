#include "fake_memory.hpp"

#include <fcntl.h>
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
constexpr int unwritten = 0xa5;  // fresh memory must not look like zeros

struct sigaction before{};

/// Says what happened, and restores the handler that was there before: the access then faults again.
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

[[noreturn]] void fail(const char* call) {
  throw error(error_kind::resource, "fake device", detail::text(call, " failed: ", std::strerror(errno)));
}

/// The content of a ticket.
struct lent {
  int process, file;
  std::uint64_t offset;
};

}  // namespace

memory& memory::instance() {
  static auto* const all = new memory;  // objects that are destroyed when the process ends may still use it
  return *all;
}

memory::memory() {
  // The file stays open, because other processes open it through this process's descriptor.
  file_ = memfd_create("wherry_fake_device", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(size)) != 0) fail("memfd_create");
  fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  own_ = map(file_);
  free_[0] = size;
  name_faults();
}

memory::region memory::map(int file) {
  void* const guarded = mmap(nullptr, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  void* const open = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (guarded == MAP_FAILED || open == MAP_FAILED) fail("mmap");
  return {reinterpret_cast<std::uintptr_t>(guarded), reinterpret_cast<std::uintptr_t>(open)};
}

bool memory::owns(const void* place) const {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  return open_place(at) != at;
}

std::uintptr_t memory::open_place(std::uintptr_t place) const {
  if (own_.has(place)) return place - own_.guarded + own_.open;
  const std::shared_lock lock(borrowing_);
  for (const auto& [name, other] : others_)
    if (other.has(place)) return place - other.guarded + other.open;
  return place;
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
    std::memset(reinterpret_cast<void*>(own_.open + offset), unwritten, bytes);
    return reinterpret_cast<void*>(own_.guarded + offset);
  }
  return nullptr;
}

void memory::release(void* piece) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(reinterpret_cast<std::uintptr_t>(piece) - own_.guarded);
  if (found == taken_.end())
    throw error(error_kind::argument, "fake device", "'piece' is memory that this device has not allocated");
  const auto [offset, bytes] = *found;
  taken_.erase(found);
  // Overwrites the piece, so that tests notice a read after the release.
  std::memset(reinterpret_cast<void*>(own_.open + offset), unwritten, bytes);
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

std::string memory::lend(void* piece, detail::device_ticket& ticket) const {
  const lent what{getpid(), file_, reinterpret_cast<std::uintptr_t>(piece) - own_.guarded};
  std::memcpy(ticket.bytes.data(), &what, sizeof what);
  return {};
}

std::string memory::borrow(const detail::device_ticket& ticket, void*& piece) {
  lent what{};
  std::memcpy(&what, ticket.bytes.data(), sizeof what);
  const std::lock_guard lock(borrowing_);
  auto& other = others_[{what.process, what.file}];
  if (other.borrowed == 0) {
    const auto name = detail::text("/proc/", what.process, "/fd/", what.file);
    const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) {
      others_.erase({what.process, what.file});
      return detail::text(name, ": ", std::strerror(errno));
    }
    try {
      other = map(file);
    } catch (const error& failure) {
      close(file);
      others_.erase({what.process, what.file});
      return std::string(failure.text());
    }
    close(file);
  }
  ++other.borrowed;
  piece = reinterpret_cast<void*>(other.guarded + what.offset);
  return {};
}

void memory::give_back(void* borrowed) {
  const std::lock_guard lock(borrowing_);
  const auto place = reinterpret_cast<std::uintptr_t>(borrowed);
  const auto found = std::find_if(others_.begin(), others_.end(), [&](const auto& o) { return o.second.has(place); });
  if (found == others_.end())
    throw error(error_kind::argument, "fake device", "'borrowed' is memory that this device has not borrowed");
  if (--found->second.borrowed > 0) return;
  munmap(reinterpret_cast<void*>(found->second.guarded), size);
  munmap(reinterpret_cast<void*>(found->second.open), size);
  others_.erase(found);
}

}  // namespace wherry::fake
