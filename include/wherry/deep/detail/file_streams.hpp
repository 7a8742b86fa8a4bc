/// @file
/// Options of deep copies in files, and the streams of bytes with checksums that carry them. Users call `file.hpp` and
/// `checkpoint.hpp`.
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

/// Options of `write`, `read`, `save_all` and `load_all`.
struct file_options {
  /// Reading: the arena in which the structure is made. Null: each object is made by itself, for `delete`.
  class arena* arena = nullptr;
  /// Writing: packs the whole structure into memory first. Reading: verifies the whole file first, so that nothing is
  /// built from a file that is damaged anywhere. Both need memory for all bytes; without this option one frame is
  /// enough.
  bool buffered = false;
  /// Writing: bytes of a frame, 4 KiB to 1 MiB; 0: chosen by the library. With `buffered`: the most bytes that the
  /// stream of the structure may have (`packed_bytes`), more is an error; 0: no limit. Reading: no effect.
  std::size_t buffer_bytes = 0;
  /// Writing to a path: true: the call returns when the file is on the disk, so that it survives a crash of the
  /// machine, too, at the cost of a disk access. False: the file survives the end of the program at any moment.
  bool sync = true;
  /// Checkpoints: hints for MPI_File_open ("striping_factor", …).
  MPI_Info hints = MPI_INFO_NULL;
};

namespace detail {

/// `fill` packs and finishes the sink, or abandons it and throws; `drain` unpacks and finishes the source.
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
