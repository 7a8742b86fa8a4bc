/// @file
/// Options of deep copies between ranks, to files and from packed bytes, and the communicators that copies between two
/// ranks accept. The headers with these calls include this one.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "wherry/core/communicator.hpp"
#include "wherry/deep/arena.hpp"

namespace wherry::deep {

/// The last argument of every call between ranks. Each call ignores the options that have no meaning for it.
struct options {
  /// Distinguishes streams between two ranks; both sides must give the same tag. Every MPI allows tags from 0 to
  /// 12,287; present ones allow half a billion and more. Collective calls ignore it.
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

/// Options of `write`, `read`, `save_all` and `load_all`.
struct file_options {
  /// Reading: the arena in which the structure is made. Null: each object is made by itself, for `delete`.
  deep::arena* arena = nullptr;
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

/// The communicator of a call between two ranks: an MPI_Comm or a wherry::communicator.
///
/// A wherry::communicator is several times faster inside a node, because its ranks share memory. A plain MPI_Comm is
/// used directly, because a wherry::communicator can only be made by all ranks together; the program must then have no
/// pending receive with MPI_ANY_TAG on it. An MPI_Comm for which a wherry::communicator has been made before, or on
/// which a collective call of Wherry has run, is as fast as that communicator.
///
/// The first such communicator, and the first collective call of Wherry, must not come between the `send` and the
/// `receive` of a message on a plain MPI_Comm: the two sides would then use different communicators, and the receiver
/// would not find the message. A program that makes a wherry::communicator at its start has nothing to think about.
struct pair_communicator {
  pair_communicator(MPI_Comm users) : comm(communicator::for_messages(users)) {}
  pair_communicator(const communicator& ours) : comm(ours) {}
  communicator comm;
};

}  // namespace wherry::deep
