/// @file
/// What a program does with a packed buffer: broadcasts, sends, writes or reads it.
#pragma once

#include <mpi.h>

#include <string>

#include "deep/packed_bytes.hpp"

namespace bench::deep {

enum class operation { broadcast, send, write, read };

/// "broadcast", … @throws std::invalid_argument
operation operation_named(const std::string& name);
std::string name_of(operation what);

/// Rank 0's bytes arrive on all ranks (broadcast) or on rank 1 (send), in a buffer made for them.
void carry(operation what, MPI_Comm comm, packed_bytes& bytes);

/// Whether something arrives on this rank.
bool receives(operation what, MPI_Comm comm);

/// A whole file. @throws std::runtime_error
void write_file(const std::string& path, const packed_bytes& bytes);
packed_bytes read_file(const std::string& path);

/// For MPI's counts. @throws std::overflow_error
int count_of(std::size_t bytes);

int rank_in(MPI_Comm comm);

}  // namespace bench::deep
