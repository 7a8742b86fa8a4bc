/// @file
/// The operations of a program on a packed buffer: to broadcast, send, write or read it.
#pragma once

#include <mpi.h>

#include <string>

#include "deep/packed_bytes.hpp"

namespace bench::deep {

enum class operation { broadcast, send, write, read };

/// "broadcast", … @throws std::invalid_argument
operation operation_named(const std::string& name);
std::string name_of(operation what);

/// Carries rank 0's bytes to all ranks (broadcast) or to rank 1 (send), in a buffer that is made for them.
void carry(operation what, MPI_Comm comm, packed_bytes& bytes);

/// True if data arrives on this rank.
bool receives(operation what, MPI_Comm comm);

/// These functions write and read a whole file. @throws std::runtime_error
void write_file(const std::string& path, const packed_bytes& bytes);
packed_bytes read_file(const std::string& path);

/// Converts a number of bytes to a count for MPI. @throws std::overflow_error
int count_of(std::size_t bytes);

int rank_in(MPI_Comm comm);

}  // namespace bench::deep
