/// @file
/// How a structure travels between ranks.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "wherry/core/communicator.hpp"
#include "wherry/deep/arena.hpp"

namespace wherry::deep {

/// The last argument of every call between ranks. What a call has no use for it does not look at.
struct options {
  /// Tells streams between two ranks apart: 0 … 12,287 everywhere, with today's MPIs half a billion and more. The two
  /// sides must agree. Collective calls need none.
  int tag = 0;
  /// False: the structure streams, in a fixed number of windows; both sides work at the same time. True: the writer
  /// packs all of it first, and the reader has all of it before it begins. Each side chooses for itself.
  bool buffered = false;
  /// With `buffered`, and of what is in flight: packing more is an error; 0: as much as it takes.
  std::size_t buffer_bytes = 0;
  /// On the reading side: where objects behind raw pointers are made; null: each by itself, for `delete`.
  deep::arena* arena = nullptr;
};

/// Of a call between two ranks: an MPI_Comm, of which nothing is asked that other ranks would have to take part in, or
/// a wherry::communicator. Inside a node the latter is several times faster: its ranks share memory. An MPI_Comm from
/// which a wherry::communicator, or anything collective of Wherry, has been made before is as good; do not make one
/// between the two ends' calls. Without, receives of the user's with MPI_ANY_TAG must not be pending meanwhile.
struct pair_communicator {
  pair_communicator(MPI_Comm users) : comm(communicator::for_messages(users)) {}
  pair_communicator(const communicator& ours) : comm(ours) {}
  communicator comm;
};

}  // namespace wherry::deep
