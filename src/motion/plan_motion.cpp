#include "plan_motion.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <tuple>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

#include "section_rows.hpp"

namespace wherry {
namespace {

template <int N> class inspector {
 public:
  inspector(const array_shape<N>& source, const array_shape<N>& destination, const detail::inspection& how)
      : source_(source),
        destination_(destination),
        how_(how),
        usual_(by_strides(source.order)),
        from_(source, how.source_field, 0, usual_, how.into),
        to_(destination, how.destination_field, source.element == destination.element ? 0 : source.element, usual_,
            how.into) {}

  void run(const motion_builder<motion_plan<N>>& motions) {
    motions.for_each(how_.rank, {[this](const motion<N>& e) { add(e); },
                                 [this](std::size_t entries) { how_.into.reserve_copies(entries); }});
    sort();
    for (const auto& one : parts_) {
      const auto& e = *one.entry;
      const correspondence sections(e);
      const wire_key key{how_.number, one.to_and_from};
      if (one.what() == role::copy)
        copy(e, sections);
      else if (one.what() == role::send)
        how_.into.send(one.peer(), source_row(e, sections), key);
      else
        how_.into.receive(one.peer(), destination_row(e, sections), key);
    }
  }

 private:
  enum class role : std::uint32_t { copy, send, receive };
  /// What is sorted most often by is at hand, as two integers.
  struct part {
    std::uint64_t role_and_peer, to_and_from;
    const motion<N>* entry;

    part(role what, int peer, const motion<N>* e)
        : role_and_peer(joined(static_cast<int>(what), peer)), to_and_from(joined(e->to, e->from)), entry(e) {}
    role what() const { return static_cast<role>(role_and_peer >> 32); }
    int peer() const { return static_cast<int>(role_and_peer & 0xffffffffu); }
    static std::uint64_t joined(int high, int low) {
      return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
    }
  };

  /// How the two sections of an entry lie to each other. Nearly all are plain: worked out once for each.
  struct correspondence {
    bool keeps_axes = true, same_shape = true;

    explicit correspondence(const motion<N>& e) {
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

  void add(const motion<N>& e) {
    const int source = place(source_, e.from, e), destination = place(destination_, e.to, e);
    const int from = owner(source_, source), to = owner(destination_, destination);
    if (from != how_.rank && to != how_.rank) return;
    const correspondence sections(e);
    check(e, source, destination, sections);
    if (e.source.empty()) return;
    if (from != to)
      add_cut(from == how_.rank ? role::send : role::receive, from == how_.rank ? to : from, e, sections);
    else if (how_.combines)
      keep(role::copy, how_.rank, e);
    else
      copy(e, sections);
  }

  /// What must be sorted before it is bound.
  void keep(role what, int peer, const motion<N>& e) { parts_.emplace_back(what, peer, &kept_.emplace_back(e)); }

  void copy(const motion<N>& e, const correspondence& sections) {
    const bool overlaps = how_.endogenous && e.from == e.to && !intersection(e.source, e.destination).empty();
    how_.into.copy(source_row(e, sections), destination_row(e, sections), overlaps);
  }

  // Sections of one shape are visited as the source lies in memory, others in column-major order.
  block_row source_row(const motion<N>& e, const correspondence& sections) {
    if (sections.same_shape) return from_.row_of(e.from, e.source);
    return how_.into.row_of(from_.block_of(e.from, e.source, columns()));
  }
  block_row destination_row(const motion<N>& e, const correspondence& sections) {
    if (sections.plain()) return to_.row_of(e.to, e.destination);
    axis_permutation<N> along{};  // the destination dimension that runs along each source dimension
    for (std::size_t d = 0; d < N; ++d) along[static_cast<std::size_t>(e.axes[d])] = static_cast<std::int8_t>(d);
    auto order = sections.same_shape ? usual_ : columns();
    for (auto& d : order) d = static_cast<std::size_t>(along[d]);
    return how_.into.row_of(to_.block_of(e.to, e.destination, order));
  }

  std::int64_t wire_bytes(index_t points) const {
    constexpr checked bytes{"array", "number of bytes"};
    return bytes.product(bytes.product(points, index_t{source_.components}), source_.element);
  }

  void add_cut(role what, int peer, const motion<N>& e, const correspondence& sections) {
    const bool whole = how_.packet_bytes <= 0 || !sections.same_shape;
    if (whole || wire_bytes(e.source.size()) <= how_.packet_bytes) {
      keep(what, peer, e);
      return;
    }
    std::vector<motion<N>> pieces;
    cut(e, pieces);
    for (const auto& piece : pieces) keep(what, peer, piece);
  }

  /// Sections of one shape that are larger than a packet, in layers of the dimension that is visited last.
  void cut(const motion<N>& e, std::vector<motion<N>>& pieces) const {
    std::optional<std::size_t> last;
    for (const auto d : usual_)
      if (e.source.extent(static_cast<int>(d)) > 1) last = d;
    if (wire_bytes(e.source.size()) <= how_.packet_bytes || !last) {
      pieces.push_back(e);
      return;
    }
    const auto from = *last;
    const auto to = static_cast<std::size_t>(std::find(e.axes.begin(), e.axes.end(), static_cast<std::int8_t>(from)) -
                                             e.axes.begin());
    const index_t layers = e.source.extent(static_cast<int>(from));
    const index_t at_once = std::max<index_t>(1, how_.packet_bytes / wire_bytes(e.source.size() / layers));
    for (index_t first = 0; first < layers; first += at_once) {
      auto piece = e;
      piece.source.lower[from] += first;
      piece.destination.lower[to] += first;
      const index_t count = std::min(at_once, layers - first);
      piece.source.upper[from] = piece.source.lower[from] + count;
      piece.destination.upper[to] = piece.destination.lower[to] + count;
      cut(piece, pieces);
    }
  }

  /// In an order that does not depend on how the plan was built: both sides of a message must have the same, and sums
  /// of floats come out identical. Copies that store need none.
  void sort() {
    const auto before = [](const part& a, const part& b) {
      if (a.role_and_peer != b.role_and_peer) return a.role_and_peer < b.role_and_peer;
      if (a.to_and_from != b.to_and_from) return a.to_and_from < b.to_and_from;
      const auto rest = [](const part& p) {
        const auto& e = *p.entry;
        return std::tie(e.destination.lower, e.source.lower, e.destination.upper, e.source.upper, e.axes);
      };
      return rest(a) < rest(b);
    };
    if (!std::is_sorted(parts_.begin(), parts_.end(), before)) std::sort(parts_.begin(), parts_.end(), before);
  }

  /// Among the boxes that this rank's part of the floor plan knows; -1 for one that it does not.
  int place(const array_shape<N>& side, int number, const motion<N>& e) const {
    const auto& plan = *side.plan;
    if (number < 0 || number >= plan.size()) fail(e, text("box ", number, " of ", plan.size(), " does not exist"));
    return plan.complete() ? number : plan.place_of(number);
  }

  static int owner(const array_shape<N>& side, int place) {
    return place < 0 ? -1 : side.plan->owners()[static_cast<std::size_t>(place)];
  }

  void check(const motion<N>& e, int source, int destination, const correspondence& sections) const {
    if (source < 0 || destination < 0)
      fail(e, text("box ", source < 0 ? e.from : e.to, " is not known to this rank's part of the floor plan"));
    if (!sections.plain() && e.source.size() != e.destination.size())
      fail(e,
           text("the source section has ", e.source.size(), " points, the destination section ", e.destination.size()));
    if (!inside(source_, source, e.source)) fail(e, text("the source section is not inside grid ", e.from));
    if (!inside(destination_, destination, e.destination))
      fail(e, text("the destination section is not inside grid ", e.to));
    if (sections.keeps_axes) return;
    auto sorted = e.axes;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != same_axes<N>()) fail(e, "the axes are not a permutation of the dimensions");
    if (!sections.same_shape) fail(e, "the axes are exchanged but the extents do not correspond");
  }

  static bool inside(const array_shape<N>& side, int place, const box<N>& section) {
    const auto& cells = side.plan->boxes()[static_cast<std::size_t>(place)];
    bool in = true;
    for (std::size_t d = 0; d < N; ++d)
      in = in && section.lower[d] >= cells.lower[d] - side.ghost.minus[d] &&
           section.upper[d] <= cells.upper[d] + side.ghost.plus[d];
    return in || section.empty();
  }

  [[noreturn]] void fail(const motion<N>& e, std::string_view what) const {
    throw error(error_kind::argument, how_.into.pattern(),
                text(how_.whose, "entry box ", e.from, " → box ", e.to, ": ", what), how_.rank);
  }

  static visit_order<N> columns() {
    visit_order<N> result{};
    std::iota(result.begin(), result.end(), std::size_t{0});
    return result;
  }

  const array_shape<N>&source_, &destination_;
  const detail::inspection& how_;
  visit_order<N> usual_;
  section_rows<N> from_, to_;
  std::vector<part> parts_;
  std::deque<motion<N>> kept_;  // stay where they are
};

}  // namespace

template <int N>
void plan_motion(const motion_builder<motion_plan<N>>& motions, const array_shape<N>& source,
                 const array_shape<N>& destination, const detail::inspection& how) {
  inspector<N>(source, destination, how).run(motions);
}

#define WHERRY_PLAN_MOTION(N)                                                                                    \
  template void plan_motion(const motion_builder<motion_plan<N>>&, const array_shape<N>&, const array_shape<N>&, \
                            const detail::inspection&);
WHERRY_PLAN_MOTION(1)
WHERRY_PLAN_MOTION(2)
WHERRY_PLAN_MOTION(3)
WHERRY_PLAN_MOTION(4)
WHERRY_PLAN_MOTION(5)
WHERRY_PLAN_MOTION(6)
#undef WHERRY_PLAN_MOTION

}  // namespace wherry
