// All messages of one direction of one stage, packed in one buffer, which the transports that use collectives pass to
// MPI.
#pragma once

#include <cstddef>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

/// MPI's counts and displacements are ints, so they count units of several bytes. (The variants with wide
/// displacements, such as MPI_Ineighbor_alltoallw, were seen to lose one-way messages in MPICH 4.0.2.)
class packed_side {
 public:
  static constexpr std::size_t least_unit = 16;

  packed_side(const std::vector<plans::message>& list, const transports::bind_request& request);

  bool empty() const { return peers_.empty(); }
  const std::vector<int>& peers() const { return peers_; }
  std::size_t bytes() const;
  /// The units of the longest and of the shortest message.
  std::size_t longest(std::size_t unit) const;
  std::size_t shortest(std::size_t unit) const;

  /// Places message i in slot `slot_of[i]` of `slots` pieces of the buffer. Slots without a message are empty.
  /// @param equal true: all slots, also those without a message, get the space of the longest message
  void lay_out(std::size_t unit, const std::vector<int>& slot_of, std::size_t slots, bool equal = false);

  void pack(plans::field_table fields);
  /// Unpacks in the order of the messages.
  void unpack(plans::field_table fields) const;

  /// Writes a mark at the end of every message, which the arriving message overwrites.
  void mark();
  /// Appends the peers whose messages still have their mark. Data that equals the mark may add a peer wrongly.
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
  std::vector<int> counts_, displacements_;  // for each slot, in units
};

}  // namespace wherry
