/// @file
/// What lets ranks make their parts of segments each on its own, and get to know each other's one by one: GASPI's
/// segment_alloc, segment_bind and segment_register (GASPI 17.1, section 7) are calls of one rank.
#pragma once

#include <memory>
#include <string>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {

struct space_options {
  std::string name{};  ///< what you call it, for its errors; ranks may call it differently
};

/// Made once; then `byte_segment segment(space)` is local, and so is all that is done with it:
///
///     wherry::segment_space space(comm);                  // collective
///     wherry::byte_segment halo(space);                   // local: nobody's part is known
///     wherry::segment_ticket mine = halo.offer(1 << 20);  // local: this rank has a part
///     ...                                                 // `mine` gets to rank 3, by a message, a word, a file
///     halo.meet(0, theirs);                               // local, on rank 3: rank 0's part can be written to
///
/// Parts that all ranks see in the node's arena cost no window; the others are attached to one dynamic window that the
/// space has. (Open MPI 4 attaches 32 pieces at most, unless OMPI_MCA_osc_rdma_max_attach says more before MPI_Init.)
class segment_space {
 public:
  /// Collective. @throws error on all ranks alike
  explicit segment_space(const communicator& comm, const space_options& options = {});

  // No moves, so that none is ever without its state.
  segment_space(const segment_space&) = default;
  segment_space& operator=(const segment_space&) = default;

  const communicator& comm() const;
  /// Whether all ranks share one arena.
  bool is_one_node() const;

 private:
  friend class byte_segment;
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace wherry
