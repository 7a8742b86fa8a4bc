#include "node_relay.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry::sparse {
namespace {

/// The elements of a longer row go straight to their rank: three copies would cost more than a message of their own.
constexpr std::int64_t most_in_row = 4096;  // bytes

/// The beginning of a row in a list.
struct row_head {
  std::int32_t from, to;
  std::int64_t bytes;
};
static_assert(sizeof(row_head) == 16);

/// The bytes of a row's elements in a list; they end where the next row may begin.
std::size_t room_of(std::int64_t bytes) {
  if (bytes > most_in_row) return 0;
  return (static_cast<std::size_t>(bytes) + sizeof(row_head) - 1) / sizeof(row_head) * sizeof(row_head);
}

std::int64_t length_of(const node_relay::row& one) {
  return static_cast<std::int64_t>(sizeof(row_head) + room_of(one.bytes));
}

std::size_t place_in(std::span<const int> ascending, int one) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ascending, one) - ascending.begin());
}

std::byte* write(std::byte* to, const node_relay::row& one) {
  const row_head head{one.from, one.to, one.bytes};
  std::memcpy(to, &head, sizeof head);
  to += sizeof head;
  if (one.bytes > 0 && one.bytes <= most_in_row) std::memcpy(to, one.at, static_cast<std::size_t>(one.bytes));
  return to + room_of(one.bytes);
}

/// The rank of `node` that sends to `other`, and receives from it, for all ranks of its node.
int gate(const node_map& map, int node, int other) {
  const auto ranks = map.members(node);
  return ranks[static_cast<std::size_t>(other) % ranks.size()];
}

/// The lowest bit of a word is set by ranks that have heard of a disagreement. They still pass rows on.
constexpr std::uint64_t disagreement = 1;

}  // namespace

void node_relay::begin(communicator_state& on, std::span<const communicator_state::hop_cells, 2> cells, int tag,
                       int long_tag) {
  on_ = &on;
  own_.clear();
  arrived_.clear();
  gather_number_ = cells[0].number;
  spread_number_ = cells[1].number;
  const auto& map = on.nodes;
  const int me = on.comm.rank();
  my_node_ = node_of(me);
  gates_.clear();
  partners_.clear();
  for (int other = 0; other < map.nodes(); ++other) {
    if (other == my_node_) continue;
    gates_.push_back(gate(map, my_node_, other));
    if (gates_.back() == me) partners_.push_back(other);
  }
  std::ranges::sort(gates_);
  gates_.erase(std::ranges::unique(gates_).begin(), gates_.end());
  is_gate_ = !partners_.empty();
  gather_.begin(on, &cells[0], tag);
  between_.begin(on, nullptr, tag);
  spread_.begin(on, &cells[1], tag);
  long_rows_.begin(on.comm, long_tag, {});
}

void node_relay::start(std::uint64_t word, bool takes_part) {
  word_ = word;
  all_agree_ = takes_part;
  fetching_ = false;
  for (const auto& one : own_)
    if (one.bytes > most_in_row) long_rows_.send_elements(one.to, one.at, static_cast<std::size_t>(one.bytes));
  give_gathered();
  now_ = stage::gather;
}

// Lists begin behind room for a message's head.
void node_relay::give(hop& by, lists& made, std::span<const int> ranks, std::span<const placed_row> rows) {
  made.bytes.assign(ranks.size(), 0);
  made.next.assign(ranks.size(), 0);
  for (const auto& [one, list] : rows) made.bytes[list] += length_of(*one);
  std::size_t all = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    made.next[i] = all;
    all += sizeof(message_head) + static_cast<std::size_t>(made.bytes[i]);
  }
  if (all > 0) made.memory = &on_->take_buffer(all);
  for (std::size_t i = 0; i < ranks.size(); ++i) by.give(ranks[i], made.memory->data + made.next[i], made.bytes[i]);
  for (const auto& [one, list] : rows) {
    auto* const at = made.memory->data + made.next[list] + sizeof(message_head);
    made.next[list] += static_cast<std::size_t>(write(at, *one) - at);
  }
  by.start(all_agree_ ? word_ : word_ | disagreement, made.memory);
}

// A rank without other nodes has no gates.
void node_relay::give_gathered() {
  const auto& map = on_->nodes;
  const int me = on_->comm.rank();
  targets_.clear();
  for (const int one : gates_)
    if (one != me) targets_.push_back(one);
  placed_.clear();
  crossing_.clear();
  for (const auto& one : own_) {
    const int by = gate(map, my_node_, node_of(one.to));
    if (by == me)
      crossing_.push_back(one);
    else
      placed_.push_back({&one, place_in(targets_, by)});
  }
  if (is_gate_)
    for (const int rank : map.members(my_node_))
      if (rank != me) gather_.expect(rank);
  give(gather_, gathered_, targets_, placed_);
}

void node_relay::give_crossing() {
  const auto& map = on_->nodes;
  append_rows(gather_, crossing_);
  targets_.clear();
  for (const int other : partners_) {
    targets_.push_back(gate(map, other, my_node_));
    between_.expect(targets_.back());
  }
  placed_.clear();
  for (const auto& one : crossing_) placed_.push_back({&one, place_in(partners_, node_of(one.to))});
  give(between_, crossed_, targets_, placed_);
}

void node_relay::give_spread() {
  const auto& map = on_->nodes;
  const int me = on_->comm.rank();
  for (const int one : gates_)
    if (one != me) spread_.expect(one);
  targets_.clear();
  if (is_gate_)
    for (const int rank : map.members(my_node_))
      if (rank != me) targets_.push_back(rank);
  crossing_.clear();
  append_rows(between_, crossing_);
  placed_.clear();
  for (const auto& one : crossing_)
    if (one.to == me)
      arrived_.push_back(one);
    else
      placed_.push_back({&one, place_in(targets_, one.to)});
  give(spread_, spreading_, targets_, placed_);
}

void node_relay::compare(const hop& with) {
  for (const auto& list : with.lists()) all_agree_ = all_agree_ && list.word == word_;
}

/// A list of a rank that makes another call has another form, and is not looked at.
bool node_relay::is_readable(const hop::incoming& list) const { return (list.word & ~disagreement) == word_; }

void node_relay::append_rows(const hop& of, std::vector<row>& rows) const {
  for (const auto& list : of.lists()) {
    if (!is_readable(list)) continue;
    const auto* at = list.at;
    const auto* const end = at + std::max<std::int64_t>(list.bytes, 0);
    while (at < end) {
      row_head head;
      std::memcpy(&head, at, sizeof head);
      at += sizeof head;
      rows.push_back({head.from, head.to, head.bytes, head.bytes <= most_in_row ? at : nullptr});
      at += room_of(head.bytes);
    }
  }
}

/// True if all lists of a hop are here.
bool node_relay::lists_have_come(hop& of, std::vector<std::byte>& kept) {
  if (!fetching_) {
    if (!of.heads_have_come()) return false;
    compare(of);
    of.fetch(kept, [this](const auto& list) { return is_readable(list); });
    fetching_ = true;
  }
  if (!of.has_received()) return false;
  fetching_ = false;
  return true;
}

bool node_relay::rows_have_come() {
  if (now_ == stage::gather) {
    if (!lists_have_come(gather_, from_node_)) return false;
    give_crossing();
    now_ = stage::between;
  }
  if (now_ == stage::between) {
    if (!lists_have_come(between_, from_gates_)) return false;
    give_spread();
    now_ = stage::spread;
  }
  if (now_ == stage::spread) {
    if (!lists_have_come(spread_, from_members_)) return false;
    append_rows(spread_, arrived_);
    now_ = stage::done;
  }
  return true;
}

void node_relay::receive(const row& one, std::byte* to) {
  const auto bytes = static_cast<std::size_t>(one.bytes);
  if (one.at == nullptr)
    long_rows_.receive_elements(one.from, bytes, to);
  else if (bytes > 0)
    std::memcpy(to, one.at, bytes);
}

void node_relay::drop(const row& one) {
  if (one.at == nullptr) long_rows_.drop_elements(one.from, static_cast<std::size_t>(one.bytes));
}

bool node_relay::has_received() { return long_rows_.received(); }

bool node_relay::has_sent() {
  const bool long_rows = long_rows_.sent(), gathered = gather_.has_sent();
  const bool crossed = between_.has_sent(), spread = spread_.has_sent();
  return long_rows && gathered && crossed && spread;
}

void node_relay::give_memory_back() {
  const auto give = [&](lists& one, std::uint64_t number) {
    if (one.memory != nullptr) on_->give_back(*std::exchange(one.memory, nullptr), number);
  };
  give(gathered_, gather_number_);
  give(crossed_, 0);
  give(spreading_, spread_number_);
}

bool node_relay::under_way() const {
  return gather_.under_way() || between_.under_way() || spread_.under_way() || long_rows_.under_way();
}

void node_relay::append_missing(std::vector<int>& ranks) const {
  if (now_ == stage::gather) gather_.append_missing(ranks);
}

}  // namespace wherry::sparse
