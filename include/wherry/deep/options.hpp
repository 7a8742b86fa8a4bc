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

/// An MPI_Comm or a wherry::communicator. The first call with an MPI_Comm is collective over all its ranks, because
/// Wherry makes its private duplicate then: where the first call is a `send`, say `wherry::communicator(comm)` on all
/// ranks before.
struct any_communicator {
  any_communicator(MPI_Comm users) : comm(users) {}
  any_communicator(const communicator& ours) : comm(ours) {}
  communicator comm;
};

}  // namespace wherry::deep
