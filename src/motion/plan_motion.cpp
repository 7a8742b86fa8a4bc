#include "plan_motion.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

#include "core/radix_sort.hpp"

namespace wherry {
namespace {

template <int N> visit_order<N> columns() {
  visit_order<N> result{};
  std::iota(result.begin(), result.end(), std::size_t{0});
  return result;
}

template <int N> std::int64_t wire_bytes(const detail::array_shape<N>& source, index_t points) {
  constexpr detail::checked bytes{"array", "number of bytes"};
  return bytes.product(bytes.product(points, index_t{source.components}), source.element);
}

}  // namespace

/// The relation between the two sections of an entry, computed once for each entry.
template <int N> struct motion_inspector<N>::correspondence {
  bool keeps_axes = true, same_shape = true;

  [[gnu::always_inline]] inline explicit correspondence(const motion<N>& e) {
    const auto length = [](const box<N>& b, std::size_t d) {
      return static_cast<std::uint64_t>(b.upper[d]) - static_cast<std::uint64_t>(b.lower[d]);
    };
    for (std::size_t d = 0; d < N; ++d) {
      keeps_axes = keeps_axes && e.axes[d] == static_cast<std::int8_t>(d);
      same_shape = same_shape && length(e.source, d) == length(e.destination, d);
    }
    if (keeps_axes && same_shape) return;
    same_shape = true;
    for (std::size_t d = 0; d < N; ++d)
      same_shape = same_shape && e.axes[d] >= 0 && e.axes[d] < N &&
                   e.destination.extent(static_cast<int>(d)) == e.source.extent(e.axes[d]);
  }
  bool plain() const { return keeps_axes && same_shape; }
};

template <int N>
motion_inspector<N>::boxes_of::boxes_of(const detail::array_shape<N>& side)
    : cells(side.plan->boxes().data()),
      owners(side.plan->owners().data()),
      partial(side.plan->complete() ? nullptr : side.plan.get()),
      size(side.plan->size()),
      around(side.ghost_width) {
  for (std::size_t d = 0; d < N; ++d) around.plus[d] += side.centring.planes()[d];
}

template <int N>
motion_inspector<N>::carried::carried(const motion_sides<N>& sides, bool is_alone)
    : source(*sides.source),
      how(sides.how),
      usual(by_strides(source.layout)),
      converts(source.element != sides.destination->element),
      from(source, how.source_field, 0, usual, how.into),
      alone(is_alone) {
  const auto& destination = *sides.destination;
  if (sides.source == sides.destination && how.source_field == how.destination_field) return;
  other.emplace(destination, how.destination_field, converts ? source.element : 0, usual, how.into);
}

template <int N>
motion_inspector<N>::motion_inspector(const std::vector<motion_sides<N>>& alike)
    : source_(*alike.front().source), destination_(*alike.front().destination), how_(alike.front().how) {
  carried_.reserve(alike.size());
  for (const auto& sides : alike) carried_.emplace_back(sides, alike.size() == 1);
}

template <int N> void motion_inspector<N>::run(const plans::motion_builder<motion_plan<N>>& motions) {
  const auto expect = [this](std::size_t entries) { how_.into.reserve_copies(entries * carried_.size()); };
  entries_stay_ = motions.list() != nullptr;
  if (entries_stay_) {
    expect(motions.list()->size());
    for (const auto& e : *motions.list()) add(e);
  } else {
    motions.for_each(how_.rank, {[this](const motion<N>& e) { add(e); }, expect});
  }
  for (auto& c : carried_) c.add_waiting();
  sort();
  const auto crossing =
      std::partition_point(parts_.begin(), parts_.end(), [](const part& p) { return p.what() == role::copy; });
  how_.into.reserve_messages(static_cast<std::size_t>(parts_.end() - crossing) * carried_.size());
  // All data for one rank, array by array, which is the order of the message's blocks.
  for (auto first = parts_.begin(), last = first; first != parts_.end(); first = last) {
    while (last != parts_.end() && last->role_and_peer == first->role_and_peer) ++last;
    for (auto& c : carried_) {
      for (auto one = first; one != last; ++one) give(*one, c);
      c.add_waiting();
    }
  }
  parts_.clear();
  kept_.clear();
}

/// The place of a box among those that this rank knows; -1 if it does not know the box.
template <int N>
[[gnu::always_inline]] inline int motion_inspector<N>::place(const boxes_of& side, int number,
                                                             const motion<N>& e) const {
  if (number < 0 || number >= side.size) fail(e, detail::text("box ", number, " of ", side.size, " does not exist"));
  return side.place_of(number);
}

template <int N>
[[gnu::always_inline]] inline void motion_inspector<N>::check(const motion<N>& e, int source, int destination,
                                                              const correspondence& sections) const {
  const bool good = source >= 0 && destination >= 0 && sections.plain() && source_.hold(source, e.source) &&
                    destination_.hold(destination, e.destination);
  if (!good) look_closer(e, source, destination, sections);
}

/// Checks an entry that is not plain, and throws if it is wrong.
template <int N>
void motion_inspector<N>::look_closer(const motion<N>& e, int source, int destination,
                                      const correspondence& sections) const {
  if (source < 0 || destination < 0)
    fail(e, detail::text("box ", source < 0 ? e.from : e.to, " is not known to this rank's part of the floor plan"));
  if (!sections.plain() && e.source.size() != e.destination.size())
    fail(e, detail::text("the source section has ", e.source.size(), " points, and the destination section has ",
                         e.destination.size()));
  if (!source_.hold(source, e.source)) fail(e, detail::text("the source section is not inside grid ", e.from));
  if (!destination_.hold(destination, e.destination))
    fail(e, detail::text("the destination section is not inside grid ", e.to));
  if (sections.keeps_axes) return;
  auto sorted = e.axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != same_axes<N>()) fail(e, "the axes are not a permutation of the dimensions");
  if (!sections.same_shape) fail(e, "the axes are exchanged but the extents do not correspond");
}

template <int N>
[[gnu::always_inline]] inline bool motion_inspector<N>::carried::copy(const motion<N>& e, std::size_t from_place,
                                                                      std::size_t to_place, bool overlaps) {
  if (alone && waiting_count == 0 && from.is_near() && to().is_near()) {
    typename section_rows<N>::asked_section asked;
    if (!from.ask(from_place, e.source, asked)) return false;
    const auto place = to().ask_like(asked, to_place, e.destination);
    const auto row = from.row_of(asked);
    how.into.copy(row, other ? other->row_of(asked, place) : from.row_of(row, asked, place), overlaps, !converts);
    return true;
  }
  auto& next = waiting[waiting_count];
  if (!from.ask(from_place, e.source, next.from)) return false;
  next.to = to().ask_like(next.from, to_place, e.destination);
  next.overlaps = overlaps;
  if (++waiting_count == (alone ? waiting.size() : 2)) add_waiting();
  return true;
}

/// The fast path of most entries: plain and correct copies between grids of this rank, recognised by the two grids
/// alone. False if the entry needs a closer look.
template <int N> [[gnu::always_inline]] inline bool motion_inspector<N>::copy_own(const motion<N>& e) {
  auto& first = carried_.front();
  const auto from = first.from.likely_place_of(e.from), to = first.to().likely_place_of(e.to);
  constexpr auto nowhere = section_rows<N>::nowhere;
  if (from == nowhere || to == nowhere || !first.from.holds(from, e.source) || !first.to().holds(to, e.destination) ||
      !correspondence(e).plain())
    return false;
  const bool overlap = overlaps(e);
  for (auto& c : carried_)
    if (!c.copy(e, from, to, overlap)) return false;  // the arrays are alike, so the first one has refused it too
  return true;
}

template <int N> [[gnu::flatten]] void motion_inspector<N>::add(const motion<N>& e) {
  if (how_.combines || !copy_own(e)) look_up(e);
}

template <int N> void motion_inspector<N>::look_up(const motion<N>& e) {
  const int source = place(source_, e.from, e), destination = place(destination_, e.to, e);
  const int from = source_.owner(source), to = destination_.owner(destination);
  if (from != how_.rank && to != how_.rank) return;
  const correspondence sections(e);
  check(e, source, destination, sections);
  if (e.source.empty()) return;
  if (from != to)
    keep(from == how_.rank ? role::send : role::receive, from == how_.rank ? to : from, e);
  else if (how_.combines)
    keep(role::copy, how_.rank, e);
  else
    for (auto& c : carried_) copy(e, sections, c);
}

template <int N> void motion_inspector<N>::keep(role what, int peer, const motion<N>& e) {
  parts_.emplace_back(what, peer, entries_stay_ ? e : kept_.push_back(e));
}

template <int N> void motion_inspector<N>::give(const part& one, carried& c) {
  const auto& e = *one.entry;
  const correspondence sections(e);
  if (one.what() == role::copy)
    copy(e, sections, c);
  else if (how_.packet_bytes > 0 && sections.same_shape)
    cut(one.what(), one.peer(), e, sections, c);
  else
    cross(one.what(), one.peer(), e, sections, c);
}

template <int N> void motion_inspector<N>::copy(const motion<N>& e, const correspondence& sections, carried& c) {
  if (sections.plain() && c.copy(e, c.from.place_of(e.from), c.to().place_of(e.to), overlaps(e))) return;
  c.add_waiting();  // keeps the order of the entries
  const auto from = source_row(e, sections, c);
  how_.into.copy(from, destination_row(e, sections, c), overlaps(e), !c.converts);
}

template <int N> void motion_inspector<N>::carried::add_waiting() {
  for (std::size_t i = 0; i < waiting_count; ++i) {
    const auto& copy = waiting[i];
    const auto row = from.row_of(copy.from);
    how.into.copy(row, other ? other->row_of(copy.from, copy.to) : from.row_of(row, copy.from, copy.to), copy.overlaps,
                  !converts);
  }
  waiting_count = 0;
}

template <int N>
void motion_inspector<N>::cross(role what, int peer, const motion<N>& e, const correspondence& sections, carried& c) {
  const plans::wire_key key{c.how.number, part::joined(e.to, e.from)};
  if (what == role::send)
    how_.into.send(peer, source_row(e, sections, c), key);
  else
    how_.into.receive(peer, destination_row(e, sections, c), key);
}

/// Cuts sections of the same shape that are larger than a packet into layers of the dimension that is visited last.
template <int N>
void motion_inspector<N>::cut(role what, int peer, const motion<N>& e, const correspondence& sections, carried& c) {
  std::optional<std::size_t> last;
  for (const auto d : c.usual)
    if (e.source.extent(static_cast<int>(d)) > 1) last = d;
  if (wire_bytes(c.source, e.source.size()) <= how_.packet_bytes || !last) return cross(what, peer, e, sections, c);
  const auto from = *last;
  const auto to = static_cast<std::size_t>(std::find(e.axes.begin(), e.axes.end(), static_cast<std::int8_t>(from)) -
                                           e.axes.begin());
  const index_t layers = e.source.extent(static_cast<int>(from));
  const index_t at_once = std::max<index_t>(1, how_.packet_bytes / wire_bytes(c.source, e.source.size() / layers));
  for (index_t first = 0; first < layers; first += at_once) {
    auto piece = e;
    piece.source.lower[from] += first;
    piece.destination.lower[to] += first;
    const index_t count = std::min(at_once, layers - first);
    piece.source.upper[from] = piece.source.lower[from] + count;
    piece.destination.upper[to] = piece.destination.lower[to] + count;
    cut(what, peer, piece, sections, c);
  }
}

// Sections of the same shape are visited in the source's memory order, other sections in column-major order.
template <int N>
plans::block_row motion_inspector<N>::source_row(const motion<N>& e, const correspondence& sections, carried& c) {
  if (sections.same_shape) return c.from.row_of(e.from, e.source);
  return c.how.into.row_of(c.from.block_of(e.from, e.source, columns<N>()));
}

template <int N>
plans::block_row motion_inspector<N>::destination_row(const motion<N>& e, const correspondence& sections, carried& c) {
  if (sections.plain()) return c.to().row_of(e.to, e.destination);
  axis_permutation<N> along{};  // the destination dimension that runs along each source dimension
  for (std::size_t d = 0; d < N; ++d) along[static_cast<std::size_t>(e.axes[d])] = static_cast<std::int8_t>(d);
  auto order = sections.same_shape ? c.usual : columns<N>();
  for (auto& d : order) d = static_cast<std::size_t>(along[d]);
  return c.how.into.row_of(c.to().block_of(e.to, e.destination, order));
}

/// Sorts the entries, so that their order does not depend on how the plan was built. Both sides of a message must have
/// the same order, and sums of floating-point numbers must have the same bits. Copies that store need no order.
template <int N> void motion_inspector<N>::sort() {
  const auto before = [](const part& a, const part& b) {
    if (a.role_and_peer != b.role_and_peer) return a.role_and_peer < b.role_and_peer;
    if (a.to_and_from != b.to_and_from) return a.to_and_from < b.to_and_from;
    const auto rest = [](const part& p) {
      const auto& e = *p.entry;
      return std::tie(e.destination.lower, e.source.lower, e.destination.upper, e.source.upper, e.axes);
    };
    return rest(a) < rest(b);
  };
  if (std::is_sorted(parts_.begin(), parts_.end(), before)) return;
  constexpr std::size_t many = 1000;
  if (parts_.size() < many) return std::sort(parts_.begin(), parts_.end(), before);
  radix_sort(parts_, [](const part& p) { return p.to_and_from; });
  radix_sort(parts_, [](const part& p) { return p.role_and_peer; });
  for (auto first = parts_.begin(), last = first; first != parts_.end(); first = last) {
    while (last != parts_.end() && last->role_and_peer == first->role_and_peer &&
           last->to_and_from == first->to_and_from)
      ++last;
    std::sort(first, last, before);
  }
}

template <int N> void motion_inspector<N>::fail(const motion<N>& e, std::string_view what) const {
  throw error(
      error_kind::argument, how_.into.pattern(),
      detail::text(how_.whose, how_.whose.empty() ? "" : ", ", "entry box ", e.from, " → box ", e.to, ": ", what),
      how_.rank);
}

#define WHERRY_MOTION_INSPECTOR(N) template class motion_inspector<N>;
WHERRY_MOTION_INSPECTOR(1)
WHERRY_MOTION_INSPECTOR(2)
WHERRY_MOTION_INSPECTOR(3)
WHERRY_MOTION_INSPECTOR(4)
WHERRY_MOTION_INSPECTOR(5)
WHERRY_MOTION_INSPECTOR(6)
#undef WHERRY_MOTION_INSPECTOR

}  // namespace wherry
