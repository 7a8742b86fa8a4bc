/// @file
/// The way from blocks to a schedule, for all patterns: role, peer, key and block in any order → sorted → messages,
/// copies to oneself, stages. No MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// What both sides of a message sort its blocks by; blocks of equal keys stay in the order in which they came.
struct wire_key {
  std::uint64_t first = 0, second = 0;
  auto operator<=>(const wire_key&) const = default;
};

class schedule_builder {
 public:
  struct options {
    int operation = detail::store;  ///< what happens on arrival, there and here, unless `arrives_by` says otherwise
    /// Where there are several operations: that of messages whose blocks arrive in different ways (see
    /// `reduction::by_block`). `store`: there is but one.
    int mixture = detail::store;
  };

  schedule_builder(std::string_view pattern, int rank) : schedule_builder(pattern, rank, options{}) {}
  schedule_builder(std::string_view pattern, int rank, const options& how);

  std::string_view pattern() const { return plan_.pattern; }
  /// The number of the field.
  std::int32_t add_field(field_shape shape);
  /// For indexed blocks, which name a list of it.
  index_table& indices() { return plan_.indices; }
  /// Also for those who make the rows themselves.
  shape_table& shapes() { return plan_.shapes; }
  block_row row_of(const block& b);

  /// What is added from now on moves when all before has arrived. The first stage needs no call.
  void next_stage();

  /// What happens on arrival to what is made and added from now on.
  void arrives_by(int operation);

  // Empty blocks are dropped. What goes from the rank to itself is paired in order and copied.
  void send(int peer, const block& b, const wire_key& key = {}) { add(role::send, peer, b, key); }
  void receive(int peer, const block& b, const wire_key& key = {}) { add(role::receive, peer, b, key); }
  // The same for blocks that are not empty.
  void send(int peer, const block_row& row, const wire_key& key = {}) { add(role::send, peer, row, key); }
  void receive(int peer, const block_row& row, const wire_key& key = {}) { add(role::receive, peer, row, key); }

  void copy(const block& from, const block& to);
  /// @param inspected as many bytes on both sides, inside their fields, without conversion: see `copy_list`
  void copy(const block_row& from, const block_row& to, bool overlaps = false, bool inspected = false) {
    if (copies_.overlaps != overlaps || copies_.inspected != inspected) end_copies();
    copies_.overlaps = overlaps;
    copies_.inspected = inspected;
    plan_.copies.push_back({from, to});
    ++copies_.count;
  }
  /// So many more.
  void reserve_copies(std::size_t count) { reserve_more(plan_.copies, count); }
  /// For so many more blocks, sent and received together, in this stage.
  void reserve_messages(std::size_t count) { reserve_more(parts_, count); }

  /// @throws error(argument) when what goes from the rank to itself does not fit what it receives from itself.
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

  /// Many who reserve a little each do not have the list copied each time.
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
  std::vector<part> parts_;  // of this stage
  bool sorted_ = true, to_itself_ = false;
  copy_list copies_;  // the last one, to which more may come
};

}  // namespace wherry
