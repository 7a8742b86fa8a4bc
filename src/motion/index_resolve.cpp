#include "wherry/motion/index_resolve.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <map>
#include <tuple>

#include "wherry/motion/index_motions.hpp"

#include "core/collective.hpp"
#include "core/sparse_exchange.hpp"
#include "core/terms.hpp"
#include "meet.hpp"

namespace wherry::detail {
namespace {

constexpr const char* in_index_resolve = "index floor plan";

/// Precedes the bytes of a domain in a message.
struct part_header {
  std::int32_t number = 0, side = 0;
};

/// The covers of the parts of one side. `part_covers::part` is an index into `list`.
template <int N> part_covers<N> covers_of_side(const std::vector<announced_part<N>>& list, int side) {
  part_covers<N> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].side != side) continue;
    result.boxes.insert(result.boxes.end(), list[i].boxes.begin(), list[i].boxes.end());
    result.part.resize(result.boxes.size(), static_cast<int>(i));
  }
  return result;
}

/// The learned boxes, grouped by part, each box once.
template <int N> std::vector<announced_part<N>> by_part(std::vector<known_box<N>> boxes) {
  const auto key = [](const known_box<N>& b) { return std::tie(b.side, b.number, b.cells.lower, b.cells.upper); };
  std::sort(boxes.begin(), boxes.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  boxes.erase(std::unique(boxes.begin(), boxes.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
              boxes.end());
  std::vector<announced_part<N>> result;
  for (const auto& b : boxes) {
    if (result.empty() || result.back().number != b.number || result.back().side != b.side)
      result.push_back({b.number, b.owner, b.side, {}, {}});
    result.back().boxes.push_back(b.cells);
  }
  return result;
}

/// Sends the bytes of each of this rank's parts to the owners of the parts that it touches, and receives theirs. Both
/// sides know of each other, so no further agreement is needed.
template <int N>
void exchange_bytes(const communicator& comm, const std::vector<announced_part<N>>& mine, bool two_sides,
                    std::size_t domain_bytes, std::vector<announced_part<N>>& learned) {
  std::vector<std::pair<int, int>> goes;  // (rank, index in `mine` of a part that it gets)
  for (const int side : {0, 1}) {
    const auto others = covers_of_side(learned, two_sides ? 1 - side : side);
    for (const auto& [i, j] : touching_parts(covers_of_side(mine, side), others))
      goes.emplace_back(learned[static_cast<std::size_t>(j)].owner, i);
  }
  std::sort(goes.begin(), goes.end());
  goes.erase(std::unique(goes.begin(), goes.end()), goes.end());
  bytes_by_peer outgoing;
  for (const auto& [peer, i] : goes) {
    const auto& part = mine[static_cast<std::size_t>(i)];
    const auto header = to_bytes(std::vector<part_header>{{part.number, part.side}});
    auto& list = outgoing[peer];
    list.insert(list.end(), header.begin(), header.end());
    list.insert(list.end(), part.bytes.begin(), part.bytes.end());
  }
  std::map<std::pair<int, int>, announced_part<N>*> by_number;
  for (auto& part : learned) by_number[{part.side, part.number}] = &part;
  for (const auto& [peer, list] : exchange_sparsely(comm, std::move(outgoing), in_index_resolve))
    for (auto at = list.begin(); at != list.end(); at += static_cast<std::ptrdiff_t>(domain_bytes)) {
      part_header header;
      std::memcpy(&header, &*at, sizeof header);
      at += sizeof header;
      by_number.at({header.side, header.number})->bytes.assign(at, at + static_cast<std::ptrdiff_t>(domain_bytes));
    }
}

}  // namespace

std::vector<numbered_part> in_order(const std::vector<int>& known, const std::vector<int>& announced) {
  std::vector<numbered_part> all;
  for (std::size_t place = 0; place < known.size(); ++place) all.push_back({known[place], true, place});
  for (std::size_t place = 0; place < announced.size(); ++place)
    if (announced[place] >= 0) all.push_back({announced[place], false, place});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number == b.number; }),
            all.end());
  return all;
}

std::pair<int, int> number_parts(const communicator& comm, std::size_t mine) {
  const auto count = static_cast<std::int64_t>(mine);
  const auto [first, total] = patient::shares(comm, in_index_resolve, {count})[0];
  if (total > INT_MAX)
    throw error(error_kind::argument, in_index_resolve,
                text("all ranks together have ", total, " parts, expected at most 2^31 - 1"), comm.rank());
  return {static_cast<int>(first), static_cast<int>(total)};
}

template <int N>
std::vector<announced_part<N>> resolve_parts(const communicator& comm, const std::vector<announced_part<N>>& mine,
                                             bool two_sides, std::size_t domain_bytes, std::pair<int, int> sizes) {
  const terms agreed([&](auto& say) {
    say(sizes.first, "the numbers of parts: that of the first plan");
    say(sizes.second, "the numbers of parts: that of the second plan");
  });
  agree_on(comm, in_index_resolve, nullptr, agreed);
  std::vector<known_box<N>> boxes;
  for (const auto& part : mine)
    for (const auto& b : part.boxes)
      if (!b.empty()) boxes.push_back({part.number, part.owner, part.side, 0, b});
  auto learned = by_part(meet<N>(comm, boxes, two_sides, halo_widths<N>(0), domain<N>{}));
  if (domain_bytes > 0) exchange_bytes(comm, mine, two_sides, domain_bytes, learned);
  return learned;
}

#define WHERRY_RESOLVE_PARTS(N)                                                                                     \
  template std::vector<announced_part<N>> resolve_parts(const communicator&, const std::vector<announced_part<N>>&, \
                                                        bool, std::size_t, std::pair<int, int>);
WHERRY_RESOLVE_PARTS(1)
WHERRY_RESOLVE_PARTS(2)
WHERRY_RESOLVE_PARTS(3)
WHERRY_RESOLVE_PARTS(4)
WHERRY_RESOLVE_PARTS(5)
WHERRY_RESOLVE_PARTS(6)
#undef WHERRY_RESOLVE_PARTS

}  // namespace wherry::detail
