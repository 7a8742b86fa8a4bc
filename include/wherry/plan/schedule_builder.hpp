/// @file
/// Makes a schedule from blocks that are added in any order: it sorts them into messages by role, peer and key, turns
/// messages to the rank itself into copies, and keeps the stages apart. All patterns use it. Local, no MPI.
///
///     wherry::plans::schedule_builder builder("ring", comm.rank());
///     const auto u = builder.add_field({.name = "u", .element = sizeof(double)});
///     builder.send(right, wherry::plans::strided_block(u, sizeof(double), last, extents, strides));
///     builder.receive(left, wherry::plans::strided_block(u, sizeof(double), first, extents, strides));
///     wherry::exchange exchange(comm, builder.finish());
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry::plans {

/// The key by which both sides sort the blocks of a message. Blocks with equal keys stay in the order in which they
/// were added, so both sides must then add them in the same order.
struct wire_key {
  std::uint64_t first = 0, second = 0;
  auto operator<=>(const wire_key&) const = default;
};

/// Collects the blocks of one schedule. `finish` returns the schedule and ends the builder.
class schedule_builder {
 public:
  struct options {
    int operation = detail::store;  ///< the operation on arrival, on both sides, unless `arrives_by` changes it
    /// If there are several operations: the operation of messages whose blocks arrive in different ways (see
    /// `typed_reduction::by_block`). `store`: there is only one operation.
    int mixture = detail::store;
  };

  schedule_builder(std::string_view pattern, int rank) : schedule_builder(pattern, rank, options{}) {}
  schedule_builder(std::string_view pattern, int rank, const options& how);

  std::string_view pattern() const { return plan_.pattern; }
  /// Adds a field and returns its number.
  std::int32_t add_field(field_shape shape);
  /// The table of index lists. An indexed block names a list that was added to it.
  index_table& indices() { return plan_.indices; }
  /// The table of shapes, for callers that make rows themselves.
  shape_table& shapes() { return plan_.shapes; }
  block_row row_of(const block& b);

  /// Begins the next stage: blocks that are added from now on move when all earlier ones have arrived. The first stage
  /// needs no call.
  /// @throws error(argument) as `finish`, for the stage that ends
  void next_stage();

  /// Sets the operation on arrival of all rows that are made or added from now on.
  void arrives_by(int operation);

  // Adds a block to the message to or from `peer` in this stage. Empty blocks are dropped. If the peer is the rank
  // itself, the k-th block that it sends is copied to the k-th block that it receives.
  void send(int peer, const block& b, const wire_key& key = {}) { add(role::send, peer, b, key); }
  void receive(int peer, const block& b, const wire_key& key = {}) { add(role::receive, peer, b, key); }
  // Adds a row in the same way. The row's block must not be empty.
  void send(int peer, const block_row& row, const wire_key& key = {}) { add(role::send, peer, row, key); }
  void receive(int peer, const block_row& row, const wire_key& key = {}) { add(role::receive, peer, row, key); }

  /// Copies a block of this rank to another one in this stage.
  void copy(const block& from, const block& to);
  /// @param overlaps the two sides share bytes, so that the copy needs a buffer
  /// @param inspected the caller has checked that both sides have the same number of bytes, lie inside their fields,
  ///   and need no conversion: see `copy_list`
  void copy(const block_row& from, const block_row& to, bool overlaps = false, bool inspected = false) {
    if (copies_.overlaps != overlaps || copies_.inspected != inspected) end_copies();
    copies_.overlaps = overlaps;
    copies_.inspected = inspected;
    plan_.copies.push_back({from, to});
    ++copies_.count;
  }
  /// Reserves memory for `count` more copies.
  void reserve_copies(std::size_t count) { reserve_more(plan_.copies, count); }
  /// Reserves memory for `count` more blocks of this stage, sent and received ones together.
  void reserve_messages(std::size_t count) { reserve_more(parts_, count); }

  /// Returns the schedule. The builder must not be used afterwards.
  /// @throws error(argument) if the rank sends another number of blocks to itself than it receives from itself
  schedule finish();

 private:
  enum class role : std::uint16_t { send, receive };
  struct part {
    role what;
    std::int16_t operation;
    std::int32_t peer;
    wire_key key;
    block_row row;
  };
  static bool before(const part& a, const part& b);

  /// At least doubles the list, so that many small reservations do not copy it each time.
  template <class T> static void reserve_more(std::vector<T>& list, std::size_t count) {
    if (const auto wanted = list.size() + count; wanted > list.capacity())
      list.reserve(list.empty() ? wanted : std::max(wanted, 2 * list.capacity()));
  }

  void add(role what, int peer, const block& b, const wire_key& key);
  void add(role what, int peer, const block_row& row, const wire_key& key);
  void end_copies();
  void end_stage();
  void copy_own();

  int rank_;
  options how_;
  schedule plan_;
  std::vector<part> parts_;  // the blocks of this stage
  bool sorted_ = true, to_itself_ = false;
  copy_list copies_;  // the last list of copies, which can still grow
};

}  // namespace wherry::plans
