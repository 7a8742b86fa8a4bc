#include "plan_motion.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <tuple>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

#include "packets.hpp"

namespace wherry {
namespace {

/// Dimensions in the order in which both sides visit them.
template <int N> using visit_order = std::array<std::size_t, static_cast<std::size_t>(N)>;

template <int N> visit_order<N> by_strides(const layout<N>& order) {
  visit_order<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[static_cast<std::size_t>(order.place[d])] = d;
  return result;
}

template <int N> class inspector {
 public:
  inspector(const array_shape<N>& source, const array_shape<N>& destination, bool endogenous, int operation,
            std::int64_t packet_bytes, int rank)
      : source_(source),
        destination_(destination),
        destination_field_(endogenous ? 0 : static_cast<int>(source.bytes.size())),
        endogenous_(endogenous),
        operation_(operation),
        packet_bytes_(packet_bytes),
        rank_(rank),
        source_order_(by_strides(source.order)) {}

  schedule run(const motion_plan<N>& plan) {
    schedule result;
    result.pattern = "mover";
    add_fields(result, source_);
    if (!endogenous_) add_fields(result, destination_);
    result.stages.emplace_back();
    packets packet(packet_bytes_);
    const auto parts = parts_of(plan);
    result.stages[0].copies.reserve(parts_with(part(role::copy, rank_), parts));
    for (const auto& one : parts) {
      const auto& e = *one.entry;
      const auto what = one.what();
      const int peer = one.peer();
      if (what == role::copy) {
        const bool overlaps = endogenous_ && e.from == e.to && !intersection(e.source, e.destination).empty();
        result.stages[0].copies.push_back({source_block(e), destination_block(e), operation_, overlaps});
        continue;
      }
      auto& stage = packet.next(result, what == role::send, peer, wire_bytes(e.source.size()));
      auto& blocks = message_to(what == role::send ? stage.sends : stage.receives, peer, operation_).blocks;
      if (blocks.empty() && packet_bytes_ == 0) blocks.reserve(parts_with(one, parts));
      blocks.push_back(what == role::send ? source_block(e) : destination_block(e));
    }
    return result;
  }

 private:
  enum class role : std::uint32_t { copy, send, receive };
  /// What is sorted most often by is at hand, as two integers.
  struct part {
    std::uint64_t role_and_peer, to_and_from;
    const motion<N>* entry;

    part(role what, int peer, const motion<N>* e = nullptr)
        : role_and_peer(joined(static_cast<int>(what), peer)),
          to_and_from(e == nullptr ? 0 : joined(e->to, e->from)),
          entry(e) {}
    role what() const { return static_cast<role>(role_and_peer >> 32); }
    int peer() const { return static_cast<int>(role_and_peer & 0xffffffffu); }
    static std::uint64_t joined(int high, int low) {
      return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
    }
  };

  /// How many parts have the role and the peer of `like`.
  static std::size_t parts_with(const part& like, const std::vector<part>& parts) {
    const auto before = [](const part& a, const part& b) { return a.role_and_peer < b.role_and_peer; };
    const auto [first, last] = std::equal_range(parts.begin(), parts.end(), like, before);
    return static_cast<std::size_t>(last - first);
  }

  std::int64_t wire_bytes(index_t points) const {
    constexpr checked bytes{"mover", "number of bytes"};
    return bytes.product(bytes.product(points, index_t{source_.components}), source_.element);
  }

  void add_cut(role what, int peer, const motion<N>& e, std::vector<part>& parts) {
    if (packet_bytes_ == 0 || wire_bytes(e.source.size()) <= packet_bytes_) {
      parts.emplace_back(what, peer, &e);
      return;
    }
    std::vector<motion<N>> pieces;
    cut(e, pieces);
    for (const auto& piece : pieces) parts.emplace_back(what, peer, &pieces_.emplace_back(piece));
  }

  /// Sections that are larger than a packet, in layers of the dimension that is visited last.
  void cut(const motion<N>& e, std::vector<motion<N>>& pieces) const {
    std::optional<std::size_t> last;
    for (const auto d : order_of(e))
      if (e.source.extent(static_cast<int>(d)) > 1) last = d;
    if (wire_bytes(e.source.size()) <= packet_bytes_ || !last || !same_shape(e)) {
      pieces.push_back(e);
      return;
    }
    const auto from = *last;
    const auto to = static_cast<std::size_t>(std::find(e.axes.begin(), e.axes.end(), static_cast<std::int8_t>(from)) -
                                             e.axes.begin());
    const index_t layers = e.source.extent(static_cast<int>(from));
    const index_t at_once = std::max<index_t>(1, packet_bytes_ / wire_bytes(e.source.size() / layers));
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

  /// In an order that does not depend on how the plan was built: both sides of a message must have the same.
  std::vector<part> parts_of(const motion_plan<N>& plan) {
    std::vector<part> parts;
    parts.reserve(plan.size());
    for (const auto& e : plan) {
      const int from = owner(source_, e.from, e), to = owner(destination_, e.to, e);
      if (from != rank_ && to != rank_) continue;
      check(e, from, to);
      if (e.source.empty()) continue;
      if (from == to)
        parts.emplace_back(role::copy, rank_, &e);
      else
        add_cut(from == rank_ ? role::send : role::receive, from == rank_ ? to : from, e, parts);
    }
    const auto before = [](const part& a, const part& b) {
      if (a.role_and_peer != b.role_and_peer) return a.role_and_peer < b.role_and_peer;
      if (a.to_and_from != b.to_and_from) return a.to_and_from < b.to_and_from;
      const auto rest = [](const part& p) {
        const auto& e = *p.entry;
        return std::tie(e.destination.lower, e.source.lower, e.destination.upper, e.source.upper, e.axes);
      };
      return rest(a) < rest(b);
    };
    if (!std::is_sorted(parts.begin(), parts.end(), before)) std::sort(parts.begin(), parts.end(), before);
    return parts;
  }

  /// -1 for a box that this rank's part of the floor plan does not know.
  int owner(const array_shape<N>& side, int number, const motion<N>& e) const {
    if (number < 0 || number >= side.plan->size())
      fail(e, text("box ", number, " of ", side.plan->size(), " does not exist"));
    const int place = side.plan->place_of(number);
    return place < 0 ? -1 : side.plan->owners()[static_cast<std::size_t>(place)];
  }

  void check(const motion<N>& e, int from, int to) const {
    if (from < 0 || to < 0)
      fail(e, text("box ", from < 0 ? e.from : e.to, " is not known to this rank's part of the floor plan"));
    if (e.source.size() != e.destination.size())
      fail(e,
           text("the source section has ", e.source.size(), " points, the destination section ", e.destination.size()));
    if (!source_.whole(e.from).contains(e.source)) fail(e, text("the source section is not inside grid ", e.from));
    if (!destination_.whole(e.to).contains(e.destination))
      fail(e, text("the destination section is not inside grid ", e.to));
    if (keeps_axes(e)) return;
    auto sorted = e.axes;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != same_axes<N>()) fail(e, "the axes are not a permutation of the dimensions");
    if (!same_shape(e)) fail(e, "the axes are exchanged but the extents do not correspond");
  }

  [[noreturn]] void fail(const motion<N>& e, std::string_view what) const {
    throw error(error_kind::argument, "mover", text("entry box ", e.from, " → box ", e.to, ": ", what), rank_);
  }

  static bool keeps_axes(const motion<N>& e) {
    bool result = true;
    for (std::size_t d = 0; d < N; ++d) result = result && e.axes[d] == static_cast<std::int8_t>(d);
    return result;
  }

  static bool same_shape(const motion<N>& e) {
    for (std::size_t d = 0; d < N; ++d)
      if (e.destination.extent(static_cast<int>(d)) != e.source.extent(e.axes[d])) return false;
    return true;
  }

  /// Sections of one shape are visited as the source lies in memory, others in column-major order.
  visit_order<N> order_of(const motion<N>& e) const {
    if (same_shape(e)) return source_order_;
    visit_order<N> columns{};
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
  }

  block source_block(const motion<N>& e) const { return make_block(source_, 0, e.from, e.source, order_of(e)); }
  block destination_block(const motion<N>& e) const {
    auto order = order_of(e);
    if (!keeps_axes(e)) {
      axis_permutation<N> along{};  // the destination dimension that runs along each source dimension
      for (std::size_t d = 0; d < N; ++d) along[static_cast<std::size_t>(e.axes[d])] = static_cast<std::int8_t>(d);
      for (auto& d : order) d = static_cast<std::size_t>(along[d]);
    }
    auto result = make_block(destination_, destination_field_, e.to, e.destination, order);
    if (source_.element != destination_.element) result.wire_element = source_.element;
    return result;
  }

  static block make_block(const array_shape<N>& side, int first_field, int number, const box<N>& section,
                          const visit_order<N>& order) {
    const auto& grid = *side.find(number);
    std::array<std::int64_t, static_cast<std::size_t>(N + 1)> extents{}, strides{};
    index_t offset = grid.offset;
    for (std::size_t place = 0; place < N; ++place) {
      const auto d = order[place];
      extents[place] = section.extent(static_cast<int>(d));
      strides[place] = grid.strides[d];
      constexpr checked bytes{"mover", "place of a cell in bytes"};
      offset = bytes.sum(offset, bytes.product(section.lower[d] - grid.whole.lower[d], grid.strides[d]));
    }
    extents[N] = side.components;
    strides[N] = grid.component_stride;
    return strided_block(first_field + grid.field, side.element, offset, extents, strides);
  }

  static void add_fields(schedule& plan, const array_shape<N>& side) {
    for (const auto bytes : side.bytes)
      plan.fields.push_back({side.name, side.element, 0, bytes, side.space, side.type});
  }

  const array_shape<N>&source_, &destination_;
  int destination_field_;
  bool endogenous_;
  int operation_;
  std::int64_t packet_bytes_;
  int rank_;
  visit_order<N> source_order_;
  std::deque<motion<N>> pieces_;  // of entries that were cut; stay where they are
};

}  // namespace

template <int N>
schedule plan_motion(const motion_plan<N>& plan, const array_shape<N>& source, const array_shape<N>& destination,
                     bool endogenous, int operation, std::int64_t packet_bytes, int rank) {
  return inspector<N>(source, destination, endogenous, operation, packet_bytes, rank).run(plan);
}

#define WHERRY_PLAN_MOTION(N)                                                                                   \
  template schedule plan_motion(const motion_plan<N>&, const array_shape<N>&, const array_shape<N>&, bool, int, \
                                std::int64_t, int);
WHERRY_PLAN_MOTION(1)
WHERRY_PLAN_MOTION(2)
WHERRY_PLAN_MOTION(3)
WHERRY_PLAN_MOTION(4)
WHERRY_PLAN_MOTION(5)
WHERRY_PLAN_MOTION(6)
#undef WHERRY_PLAN_MOTION

}  // namespace wherry
