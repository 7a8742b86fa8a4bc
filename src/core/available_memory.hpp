// How much memory there still is, before it is taken: whoever takes more than there is, is killed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wherry {

/// Where the system says it; others for tests.
struct memory_sources {
  std::string proc = "/proc", control_groups = "/sys/fs/cgroup", shared = "/dev/shm";
};

/// Why `bytes` more are not to be had, in words; empty where they are, or where the system does not say. Looks at the
/// machine and at the process's control groups (version 1 and 2), all the way up.
std::string memory_shortage(std::size_t bytes, const memory_sources& from = {});

/// The same for memory that MPI shares inside a node: files of a file system which containers often have small. Whoever
/// touches more than there is, is killed.
std::string shared_memory_shortage(std::size_t bytes, const memory_sources& from = {});

/// Before memory is taken that the system would give away without having it. Small amounts are not asked for.
/// @throws error(resource): "`bytes` bytes for `what` are not to be had", and the figures of what there is
void require_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank);

}  // namespace wherry
