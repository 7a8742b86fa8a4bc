// One rank's arena as the processes of its node see it: a sparse file in memory that each process maps once. No MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "wherry/core/error.hpp"

namespace wherry {

/// Tells another process of the node how to open a rank's arena. It is sent as bytes.
struct arena_ticket {
  char path[64] = "";
  std::uint64_t nonce = 0;      // proves that the file behind the path is the right one; its name on this node
  std::uint64_t bytes = 0;      // size of the arena; 0: there is none
  std::uint64_t departure = 0;  // offset of the word that counts the ranks that have left the communicator
  std::byte* base = nullptr;    // the owner's mapping, for ranks of the same process
};

/// The kind of file that holds an arena.
enum class arena_file {
  anonymous,  ///< independent of the size of /dev/shm, which is often 64 MiB in containers; cannot be left behind
  named       ///< in /dev/shm, for systems on which /proc does not show the files of other processes
};

/// How far an attempt got. The worst result among the node's ranks decides what is tried next.
enum class arena_success : int { done, too_large, impossible };

/// A mapping that goes with its last owner. A child of fork() sees the same memory.
class arena_mapping {
 public:
  /// @param adopted the mapping belongs to another rank of this process
  arena_mapping(std::byte* base, std::size_t bytes, bool adopted) noexcept;
  arena_mapping(const arena_mapping&) = delete;
  arena_mapping& operator=(const arena_mapping&) = delete;
  ~arena_mapping();

  std::byte* base() const noexcept { return base_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::byte* base_;
  std::size_t bytes_;
};

/// A file of this process, enlarged by truncation, with its first page committed and mapped. It owns the descriptor,
/// through which memory is committed and other processes map the file. There is one for each process, not for each
/// communicator.
class arena_owned_file {
 public:
  /// Throws nothing: `success()` gives the result, and `failure()` the reason. The file is never larger than
  /// RLIMIT_FSIZE allows, since even an attempt would end the program.
  arena_owned_file(arena_file form, std::size_t bytes);
  arena_owned_file(const arena_owned_file&) = delete;
  arena_owned_file& operator=(const arena_owned_file&) = delete;
  ~arena_owned_file();

  arena_success success() const noexcept { return success_; }
  const std::string& failure() const noexcept { return failure_; }
  arena_file form() const noexcept { return form_; }
  int descriptor() const noexcept { return file_; }
  const arena_ticket& ticket() const noexcept { return ticket_; }
  const std::shared_ptr<const arena_mapping>& mapping() const noexcept { return mapping_; }
  /// Removes the name, once all processes that need it have opened the file.
  void forget_name() noexcept;

 private:
  const char* open_and_map(std::size_t bytes);

  arena_file form_;
  int file_ = -1;
  arena_ticket ticket_;
  arena_success success_ = arena_success::impossible;
  std::string failure_;
  std::shared_ptr<const arena_mapping> mapping_;
};

/// The arena behind a neighbour's ticket. Each arena is mapped at most once in this process.
struct mapped_neighbor {
  std::shared_ptr<const arena_mapping> mapping;
  arena_success success = arena_success::impossible;
  std::string failure;
};
mapped_neighbor map_ticket(const arena_ticket& theirs);

}  // namespace wherry
