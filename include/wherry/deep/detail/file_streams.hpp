/// @file
/// The streams of bytes with checksums that carry deep copies to and from files. Users call `file.hpp` and
/// `checkpoint.hpp`.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "wherry/deep/options.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

namespace detail {

/// `fill` packs and finishes the sink, or abandons it and throws; `drain` unpacks and finishes the source.
using fill = std::function<void(byte_sink&)>;
using drain = std::function<void(byte_source&)>;

void write_file(const std::string& to, std::uint64_t type, const file_options& options, const fill& pack);
void write_file(std::ostream& to, std::uint64_t type, const file_options& options, const fill& pack);
void write_file(MPI_File to, std::uint64_t type, const file_options& options, const fill& pack);
void read_file(const std::string& from, std::uint64_t type, const file_options& options, const drain& unpack);
void read_file(std::istream& from, std::uint64_t type, const file_options& options, const drain& unpack);
void read_file(MPI_File from, std::uint64_t type, const file_options& options, const drain& unpack);

}  // namespace detail

}  // namespace wherry::deep
