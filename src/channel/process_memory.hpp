// Memory of another process of this machine, reached through the kernel (Linux's process_vm_readv and
// process_vm_writev): one copy that needs no call of the other process and is complete when the call returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// Identifies a process to others, as numbers that can be sent.
struct process_mark {
  std::uint64_t process = 0;
  std::uint64_t token_at = 0, token = 0;  ///< a value at an address, by which the right process is recognised
};

process_mark mark_of_this_process();

/// True if the memory of the process can be read and written: the system may forbid it, and its number may mean another
/// process here.
bool can_reach(const process_mark& other);

/// Copies everything; returns "" if done, or the system's reason.
/// @param address in the other process
[[nodiscard]] const char* write_to_process(std::uint64_t process, std::uint64_t address,
                                           std::span<const std::byte> data);
[[nodiscard]] const char* read_from_process(std::uint64_t process, std::uint64_t address, std::span<std::byte> into);

}  // namespace wherry
