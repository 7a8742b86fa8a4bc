// All messages of one direction of one stage, packed in one buffer: what the transports that use collectives hand to
// MPI.
#pragma once

#include <cstddef>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

/// Counts and displacements are ints, so they count units of bytes. (The variants with wide displacements, as
/// MPI_Ineighbor_alltoallw, were seen to lose one-way messages in MPICH 4.0.2.)
class packed_side {
 public:
  static constexpr std::size_t least_unit = 16;

  packed_side(const std::vector<message>& list, const bind_request& request);

  bool empty() const { return peers_.empty(); }
  const std::vector<int>& peers() const { return peers_; }
  std::size_t bytes() const;
  /// Units of the longest and of the shortest message.
  std::size_t longest(std::size_t unit) const;
  std::size_t shortest(std::size_t unit) const;

  /// Message i becomes the `slot_of[i]`th of `slots` pieces of the buffer; what no message has stays empty.
  /// @param equal all slots get the space of the longest message, also those without one
  void lay_out(std::size_t unit, const std::vector<int>& slot_of, std::size_t slots, bool equal = false);

  void pack(field_table fields);
  /// In the order of the messages.
  void unpack(field_table fields) const;

  /// Puts a mark at the end of every message, which arrival overwrites.
  void mark();
  /// Appends the peers of messages that still have theirs. Real data may look the same: then it is one too many.
  void append_marked(std::vector<int>& peers) const;

  std::byte* wire() { return wire_.data(); }
  const int* counts() const { return counts_.data(); }
  const int* displacements() const { return displacements_.data(); }

 private:
  std::size_t place_of(std::size_t message) const;
  std::size_t mark_of(std::size_t message) const;

  std::vector<int> peers_, slot_of_;
  std::vector<detail::message_packing> packings_;
  std::vector<std::byte> wire_;
  std::size_t unit_ = least_unit;
  std::vector<int> counts_, displacements_;  // of the slots, in units
};

}  // namespace wherry
