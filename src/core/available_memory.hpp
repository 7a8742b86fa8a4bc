// Asks for the free memory before some of it is taken, because the system kills a process that touches more than there
// is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wherry {

/// The files in which the system gives the figures; tests use others.
struct memory_sources {
  std::string proc = "/proc", control_groups = "/sys/fs/cgroup", shared = "/dev/shm";
};

/// The reason why `bytes` more bytes are not available, in words; empty if they are, or if the system does not say. It
/// looks at the machine, and at all control groups (version 1 and 2) of the process.
std::string memory_shortage(std::size_t bytes, const memory_sources& from = {});

/// The same for memory that MPI shares inside a node. It lies in files of a file system that is often small in
/// containers, and a process that touches more than there is gets killed.
std::string shared_memory_shortage(std::size_t bytes, const memory_sources& from = {});

/// To be called before memory is taken that the system would promise without having it. Small amounts are not checked.
/// @throws error(resource) with the number of bytes, the purpose `what`, and the figures of the machine
void require_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank);

}  // namespace wherry
