/// @file
/// What carries a deep copy to and from files: streams of bytes under checksums. `file.hpp` has what users call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

class arena;

/// How files are written and read.
struct file_options {
  /// Reading: where the structure lives; null: each object can be freed by itself.
  class arena* arena = nullptr;
  /// Writing: packs everything into memory first. Reading: verifies everything first, so that nothing is built of a
  /// file that is damaged anywhere. Both need memory for all bytes; otherwise one frame is enough.
  bool buffered = false;
  /// Writing: bytes of a frame, 4 KiB to 1 MiB; 0: ours. With `buffered`: of the structure's stream (`packed_bytes`),
  /// packing more is an error; 0: as much as it takes. Reading: of no effect.
  std::size_t buffer_bytes = 0;
  /// Writing to a path: returns when the file is on the disk, so that it outlives the machine's end, too. Without, the
  /// file outlives the end of the program at any moment. Costs what the disk costs.
  bool sync = true;
  /// Checkpoints: hints for MPI_File_open ("striping_factor", …).
  MPI_Info hints = MPI_INFO_NULL;
};

namespace detail {

/// Packs and finishes, or abandons the sink and throws; unpacks and finishes.
using fill = std::function<void(byte_sink&)>;
using drain = std::function<void(byte_source&)>;

void write_file(const std::string& to, std::uint64_t type, const file_options& how, const fill& pack);
void write_file(std::ostream& to, std::uint64_t type, const file_options& how, const fill& pack);
void write_file(MPI_File to, std::uint64_t type, const file_options& how, const fill& pack);
void read_file(const std::string& from, std::uint64_t type, const file_options& how, const drain& unpack);
void read_file(std::istream& from, std::uint64_t type, const file_options& how, const drain& unpack);
void read_file(MPI_File from, std::uint64_t type, const file_options& how, const drain& unpack);

}  // namespace detail

}  // namespace wherry::deep
