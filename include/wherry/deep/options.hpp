/// @file
/// Options of the deep copies between ranks, and the communicators that they accept. `communicate.hpp`, `in_flight.hpp`
/// and `collect.hpp` include this header.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "wherry/core/communicator.hpp"
#include "wherry/deep/arena.hpp"

namespace wherry::deep {

/// The last argument of every call between ranks. Each call ignores the options that have no meaning for it.
struct options {
  /// Distinguishes streams between two ranks; both sides must give the same tag. Tags from 0 to 12,287 are valid with
  /// every MPI, and up to half a billion or more with today's. Collective calls ignore it.
  int tag = 0;
  /// False: the structure streams through a fixed number of windows, and both sides work at the same time. True: the
  /// writer packs the whole structure first, and the reader has received all of it before it begins. Each side chooses
  /// for itself.
  bool buffered = false;
  /// With `buffered` and for copies in flight: the most bytes that may be packed; a larger structure is an error. 0: no
  /// limit.
  std::size_t buffer_bytes = 0;
  /// On the reading side: the arena in which objects behind raw pointers are made. Null: each is made by itself, for
  /// `delete`.
  deep::arena* arena = nullptr;
};

/// The communicator of a call between two ranks: an MPI_Comm or a wherry::communicator.
///
/// A wherry::communicator is several times faster inside a node, because its ranks share memory. A plain MPI_Comm is
/// used directly, because a wherry::communicator can only be made by all ranks together; the program must then have no
/// pending receive with MPI_ANY_TAG on it. An MPI_Comm for which a wherry::communicator has been made before, or on
/// which a collective call of Wherry has run, is as fast as that communicator. Do not make one between the calls of the
/// two ends: they would use different communicators, and the receiver would not find the message.
struct pair_communicator {
  pair_communicator(MPI_Comm users) : comm(communicator::for_messages(users)) {}
  pair_communicator(const communicator& ours) : comm(ours) {}
  communicator comm;
};

}  // namespace wherry::deep
