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

  void clear();
  /// @param cells of the first and the last hop
  /// @param tag of the hops, which follow one another
  /// @param long_tag of long rows; messages inside a node may have it, too
  void begin(communicator_state& on, std::span<const communicator_state::hop_cells, 2> cells, int tag, int long_tag);
  /// Adds the elements of this rank for a rank of another node; they stay until the end.
  void add(row mine) { own_.push_back(mine); }
  /// @param word in which all ranks must agree. @throws error(resource)
  void start(std::uint64_t word);

  /// Returns true when all rows for this rank are here. @throws error(resource)
  bool rows_have_come();
  /// The rows for this rank, in no order.
  std::span<const row> rows() const { return arrived_; }
  /// True if the words of all ranks that this rank has heard of are the same.
  bool all_agree() const { return word_ != 0; }
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
  void give_gathered();
  void give_crossing();
  void give_spread();
  void compare(const hop& with);
  bool lists_have_come(hop& of, std::vector<std::byte>& kept);

  communicator_state* on_ = nullptr;
  std::uint64_t word_ = 0, gather_call_ = 0, spread_call_ = 0;
  stage now_ = stage::done;
  bool fetching_ = false, is_gate_ = false;
  int my_node_ = 0;
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
