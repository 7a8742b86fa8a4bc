// One rank's arena as the processes of its node see it: a sparse file in memory, mapped once a process. No MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "wherry/core/error.hpp"

namespace wherry {

/// How another process of the node opens a rank's arena. Travels as bytes between the node's ranks.
struct arena_ticket {
  char path[64] = "";
  std::uint64_t nonce = 0;      // proof that the file behind the path is the one meant; its name in this node
  std::uint64_t bytes = 0;      // of the arena; 0: there is none
  std::uint64_t departure = 0;  // offset of the word that counts who has left the communicator
  std::byte* base = nullptr;    // where the owner has mapped it, for ranks of the same process
};

/// What kind of file an arena lies in.
enum class arena_file {
  anonymous,  ///< not bound by the size of /dev/shm (containers often give it 64 MiB); cannot be left behind
  named       ///< in /dev/shm: where /proc does not show the files of other processes
};

/// How far one got: the worst of the node's ranks decides what is tried next.
enum class arena_success : int { done, too_large, impossible };

/// A mapping that goes with its last owner. A child of fork() sees the same memory.
class arena_mapping {
 public:
  /// @param adopted is the mapping of another rank of this process
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

/// A file of its own, truncated up, with its first page committed and mapped. Owns the descriptor, by which memory is
/// committed and other processes come in later: one a process, not one a communicator.
class arena_owned_file {
 public:
  /// Throws nothing: `success()` tells, and `failure()` in words. Never larger than RLIMIT_FSIZE allows, since the
  /// attempt alone would end the program.
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
  /// Takes the name away, once all who need it have come in.
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

/// The arena behind a neighbour's ticket, mapped at most once in this process.
struct mapped_neighbor {
  std::shared_ptr<const arena_mapping> mapping;
  arena_success success = arena_success::impossible;
  std::string failure;
};
mapped_neighbor map_ticket(const arena_ticket& theirs);

}  // namespace wherry
