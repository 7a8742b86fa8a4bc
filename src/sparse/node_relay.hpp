// Brings elements to ranks of other nodes by three hops: each rank gives its rows to the gates of its node, each gate
// exchanges one message with the gate of another node, and the gates spread what has come in their own node. A row is
// the elements of one rank for one other rank. The elements of a long row go straight to their rank; the row announces
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "communicator_state.hpp"
#include "hop.hpp"
#include "messages.hpp"

namespace wherry::sparse {

class node_relay {
 public:
  /// The elements that a rank sends to this one.
  struct row {
    int from, to;
    std::int64_t bytes;
    const std::byte* at;  ///< valid until the call has ended; null for a long row, which is received
  };

  /// @param cells of the first and the last hop
  /// @param tag the tag of all three hops: their messages between two ranks arrive in order
  /// @param long_tag the tag of long rows
  void begin(communicator_state& on, std::span<const communicator_state::hop_cells, 2> cells, int tag, int long_tag);
  /// Adds the elements of this rank for a rank of another node; they stay until the end.
  void add(row mine) { own_.push_back(mine); }
  /// @param word an even number in which all ranks must agree
  /// @param takes_part false if this rank cannot take part; it has no rows then
  /// @throws error(resource)
  void start(std::uint64_t word, bool takes_part);

  /// Returns true when all rows for this rank are here. @throws error(resource)
  bool rows_have_come();
  /// The rows for this rank, in no order.
  std::span<const row> rows() const { return arrived_; }
  /// True if all ranks that this rank has heard of take part, with the same word.
  bool all_agree() const { return all_agree_; }
  /// Copies the elements of a row, or begins to receive them.
  void receive(const row& one, std::byte* to);
  void drop(const row& one);
  bool has_received();
  bool has_sent();
  /// Gives the memory of the lists back, when all has been sent.
  void give_memory_back();

  /// True if MPI still uses memory of this object.
  bool under_way() const;
  /// Appends the ranks of this node that have not come, if this rank is a gate.
  void append_missing(std::vector<int>& ranks) const;

 private:
  enum class stage { gather, between, spread, done };

  /// The lists that this rank sends in a hop.
  struct lists {
    send_buffer* memory = nullptr;
    std::vector<std::int64_t> bytes;
    std::vector<std::size_t> next;
  };
  struct placed_row {
    const row* one;
    std::size_t list;
  };

  void give(hop& by, lists& made, std::span<const int> ranks, std::span<const placed_row> rows);
  int node_of(int rank) const { return on_->nodes.node_of[static_cast<std::size_t>(rank)]; }
  void give_gathered();
  void give_crossing();
  void give_spread();
  void compare(const hop& with);
  void append_rows(const hop& of, std::vector<row>& rows) const;
  bool is_readable(const hop::incoming& list) const;
  bool lists_have_come(hop& of, std::vector<std::byte>& kept);

  communicator_state* on_ = nullptr;
  std::uint64_t word_ = 0, gather_number_ = 0, spread_number_ = 0;
  bool all_agree_ = true;
  stage now_ = stage::done;
  bool fetching_ = false, is_gate_ = false;
  int my_node_ = 0;
  std::vector<int> gates_;     // the ranks of this node that exchange with other nodes, ascending
  std::vector<int> partners_;  // the nodes whose gate this rank is
  std::vector<int> targets_;
  std::vector<placed_row> placed_;
  hop gather_, between_, spread_;
  lists gathered_, crossed_, spreading_;
  std::vector<std::byte> from_node_, from_gates_, from_members_;  // lists that came as messages
  std::vector<row> own_, crossing_, arrived_;
  list_messages long_rows_;
};

}  // namespace wherry::sparse
