// MPI-IO, with exceptions for errors and 64-bit byte counts.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// One file that all ranks of a communicator have open. Reads and writes are local: each of them is long and
/// contiguous, so that collective buffering would find nothing to merge; and if the disk of one rank is full, the
/// others do not wait inside a collective.
class mpi_file {
 public:
  mpi_file() = default;
  /// Collective. `where` is the public call in errors. @throws error on all ranks alike
  mpi_file(const communicator& comm, const std::string& path, int mode, MPI_Info hints, const char* where);
  mpi_file(mpi_file&& other) noexcept { swap(other); }
  mpi_file& operator=(mpi_file&& other) noexcept {
    swap(other);
    return *this;
  }
  /// Does not close the file, because closing is collective and an exception is not. A file that was not closed stays
  /// open.
  ~mpi_file() = default;

  /// Local. @throws error(argument) at the end of the file; error(mpi)
  void read(std::int64_t offset, std::span<std::byte> bytes) const;
  /// Local. Starts to write at most 2^31 - 1 bytes.
  MPI_Request start_write(std::int64_t offset, std::span<const std::byte> bytes) const;
  /// True when a request that writes `bytes` bytes is over; with `block` it waits until then.
  /// @throws error(resource) for a full disk; error(mpi). The request is over then, too
  bool finished(MPI_Request& request, std::int64_t bytes, bool block) const;
  void write(std::int64_t offset, std::span<const std::byte> bytes) const;

  /// Local. Returns when everything that this rank has written is on the disk.
  void sync() const;
  /// Collective. Closes the file.
  void close() noexcept;

  const std::string& path() const { return path_; }

 private:
  void swap(mpi_file& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(path_, other.path_);
    std::swap(where_, other.where_);
    std::swap(handle_, other.handle_);
  }
  void check(int status, std::string_view call) const;
  void require_room(std::int64_t end) const;
  void check_written(int status, const MPI_Status& outcome, std::int64_t bytes) const;

  std::optional<communicator> comm_;
  std::string path_;
  const char* where_ = "";
  MPI_File handle_ = MPI_FILE_NULL;
};

}  // namespace wherry
