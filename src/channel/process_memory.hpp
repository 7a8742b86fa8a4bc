// Memory of another process of this machine, through the kernel (Linux's process_vm_readv and process_vm_writev): one
// copy, which needs no call of the other process's and is done when the call returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// What a process tells others of itself; as numbers, to be sent.
struct process_mark {
  std::uint64_t process = 0;
  std::uint64_t token_at = 0, token = 0;  ///< what is found there by whoever reaches the right process
};

process_mark mark_of_this_process();

/// Whether its memory can be read and written: the system may forbid it, and a number may mean another process here.
bool can_reach(const process_mark& other);

/// All of it, or the system's reason why not; "" if done.
/// @param address in the other process
[[nodiscard]] const char* write_to_process(std::uint64_t process, std::uint64_t address,
                                           std::span<const std::byte> data);
[[nodiscard]] const char* read_from_process(std::uint64_t process, std::uint64_t address, std::span<std::byte> into);

}  // namespace wherry
