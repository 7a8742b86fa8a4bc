/// @file
/// A space in which each rank makes its parts of segments on its own, and ranks get to know each other's parts one by
/// one. GASPI's segment_alloc, segment_bind and segment_register (GASPI 17.1, section 7) need this, because they are
/// calls of one rank. If all ranks make the segment together, use a `byte_segment` or `segment` without a space.
#pragma once

#include <memory>
#include <string>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {
class byte_segment;
}

namespace wherry::channels {

struct space_options {
  std::string name{};  ///< a name of your choice, for errors; ranks may choose different names
};

/// The space is made once, collectively. Segments in it are then local, and so are all their calls:
///
///     wherry::channels::segment_space space(comm);                  // collective
///     wherry::byte_segment halo(space);                             // local: it has no parts yet
///     wherry::channels::segment_ticket mine = halo.offer(1 << 20);  // local: this rank has a part
///     ...                                                           // send `mine` from rank 0 to rank 3
///     halo.meet(0, theirs);                                         // local, on rank 3: it can write to rank 0
///
/// Parts that all ranks see in the node's arena need no window. Other parts are attached to one dynamic window of the
/// space. (Open MPI 4 attaches at most 32 pieces, unless OMPI_MCA_osc_rdma_max_attach sets more before MPI_Init.)
class segment_space {
 public:
  /// Collective over `comm`. @throws error on all ranks alike
  explicit segment_space(const communicator& comm, const space_options& options = {});

  // There are no moves, so that no object is ever without its state.
  segment_space(const segment_space&) = default;
  segment_space& operator=(const segment_space&) = default;

  const communicator& comm() const;
  /// True if all ranks share one arena.
  bool is_one_node() const;

 private:
  friend class wherry::byte_segment;
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace wherry::channels
