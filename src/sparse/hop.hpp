// One hop of a sparse exchange: this rank sends a list to some ranks, and receives one from each of some ranks, which
// it knows. Lists travel through cells in node-shared memory, or as messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "communicator_state.hpp"
#include "messages.hpp"

namespace wherry::sparse {

class hop {
 public:
  static constexpr std::int64_t nothing = -1;  ///< the bytes of a list that is not there: only its word travels

  struct incoming {
    int from;
    std::uint64_t word = 0;         ///< in which the ranks' calls must agree
    std::int64_t bytes = nothing;   ///< of elements
    const std::byte* at = nullptr;  ///< the elements, until the call has ended; null: `receive` them
    std::size_t message = 0;        ///< their place among the messages
  };

  /// @param cells for ranks of this node; null: messages go to them, too
  void begin(communicator_state& on, const communicator_state::hop_cells* cells, int tag);
  /// Says that `from` sends a list.
  void expect(int from) { coming_.push_back({from}); }
  /// Says that this rank sends a list: `bytes` elements behind room for a head. It stays until the call has ended.
  void give(int to, std::byte* list, std::int64_t bytes) { leaving_.push_back({to, list, bytes}); }
  /// Starts to send and receive. @param buffer has all lists; null: there are none
  void start(std::uint64_t word, const send_buffer* buffer);

  /// True if the word and the number of bytes of each list are here.
  bool heads_have_come();
  /// The lists that come, in the order in which they were expected.
  std::span<const incoming> lists() const { return coming_; }
  /// Copies or receives the elements of a list.
  void receive(const incoming& list, std::byte* to);
  /// Receives the elements of a list without keeping them.
  void drop(const incoming& list);
  /// Begins to bring the elements of lists to memory; `at` is set. Those that come as messages are here when
  /// `has_received()`.
  /// @param is_wanted says of a list whether it is brought
  template <class IsWanted> void fetch(std::vector<std::byte>& kept, IsWanted&& is_wanted);
  bool has_received() { return messages_.received(); }
  bool has_sent() { return messages_.sent(); }

  /// True if MPI still uses memory of this object, or of the lists.
  bool under_way() const { return messages_.under_way(); }
  void append_missing(std::vector<int>& ranks) const;

 private:
  struct outgoing {
    int to;
    std::byte* list;
    std::int64_t bytes;
  };
  void clear();
  /// The memory for a list that comes as a message. Lists begin at multiples of 16 bytes.
  static std::size_t room_for(const incoming& list) {
    constexpr std::size_t alignment = 16;
    if (list.at != nullptr || list.bytes <= 0) return 0;
    return (static_cast<std::size_t>(list.bytes) + alignment - 1) / alignment * alignment;
  }
  bool uses_cell(int rank) const { return by_cells_ && on_->has_cell(rank); }
  void start_messages();
  /// Returns false if the reader has not finished the call that had the cell before.
  bool write_cell(const outgoing& one);
  bool cells_are_written();
  bool cells_have_come();

  communicator_state* on_ = nullptr;
  const send_buffer* buffer_ = nullptr;
  std::uint64_t word_ = 0;
  communicator_state::hop_cells cells_;
  int tag_ = 0;
  bool by_cells_ = false;
  std::vector<incoming> coming_;
  std::vector<outgoing> leaving_;
  std::vector<outgoing> cells_to_write_;
  std::vector<std::size_t> cells_to_come_;  // places in `coming_`
  std::vector<int> by_message_;             // ranks
  std::vector<std::size_t> places_;         // in `coming_`, of each of them
  std::vector<message_head> bare_heads_;    // of lists that are not there
  list_messages messages_;
};

template <class IsWanted> void hop::fetch(std::vector<std::byte>& kept, IsWanted&& is_wanted) {
  std::size_t all = 0;
  for (const auto& list : coming_)
    if (is_wanted(list)) all += room_for(list);
  if (kept.size() < all) kept.resize(all);
  auto* to = kept.data();
  for (auto& list : coming_) {
    const auto bytes = room_for(list);
    if (bytes == 0 || !is_wanted(list)) continue;
    receive(list, to);
    list.at = to;
    to += bytes;
  }
}

}  // namespace wherry::sparse
