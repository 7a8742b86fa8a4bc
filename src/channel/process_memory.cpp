#include "process_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace wherry {
namespace {

using transfer = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

/// Repeats the call, because it may move fewer bytes than it was asked to.
const char* move(transfer call, std::uint64_t process, std::uint64_t address, std::byte* here, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const iovec mine{here + done, bytes - done};
    const iovec theirs{reinterpret_cast<void*>(address + done), bytes - done};
    const auto moved = call(static_cast<pid_t>(process), &mine, 1, &theirs, 1, 0);
    if (moved <= 0) return moved == 0 ? "nothing was moved" : std::strerror(errno);
    done += static_cast<std::size_t>(moved);
  }
  return "";
}

}  // namespace

process_mark mark_of_this_process() {
  // A number that is unlikely to stand at the same address of another process.
  static const std::uint64_t token =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) * 0x9E3779B97F4A7C15u ^
      static_cast<std::uint64_t>(getpid());
  return {static_cast<std::uint64_t>(getpid()), reinterpret_cast<std::uint64_t>(&token), token};
}

bool can_reach(const process_mark& other) {
  std::uint64_t found = 0;
  const auto* const problem =
      read_from_process(other.process, other.token_at, std::as_writable_bytes(std::span(&found, 1)));
  return *problem == '\0' && found == other.token;
}

const char* write_to_process(std::uint64_t process, std::uint64_t address, std::span<const std::byte> data) {
  return move(process_vm_writev, process, address, const_cast<std::byte*>(data.data()), data.size());
}

const char* read_from_process(std::uint64_t process, std::uint64_t address, std::span<std::byte> into) {
  return move(process_vm_readv, process, address, into.data(), into.size());
}

}  // namespace wherry
