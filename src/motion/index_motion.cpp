#include "index_motion.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "wherry/plan/schedule_builder.hpp"

#include "regular_runs.hpp"

namespace wherry {
namespace {

using detail::section_places;

/// The greatest number of points that divides all runs, so that they can be cut into pieces of this length.
index_t common_length(const section_places& places) {
  index_t length = 0;
  for (std::size_t i = 0; i < places.size() && length != 1; ++i) length = std::gcd(length, places[i].count);
  return length;
}

/// The range from the lowest to the highest place, gaps included.
std::pair<index_t, index_t> range_of(const section_places& places) {
  std::pair<index_t, index_t> range{std::numeric_limits<index_t>::max(), std::numeric_limits<index_t>::min()};
  for (std::size_t i = 0; i < places.size(); ++i)
    range = {std::min(range.first, places[i].first), std::max(range.second, places[i].first + places[i].count)};
  return range;
}

std::vector<detail::index_run> ascending(const section_places& places) {
  std::vector<detail::index_run> runs(places.size());
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = places[i];
  std::sort(runs.begin(), runs.end(),
            [](const detail::index_run& x, const detail::index_run& y) { return x.first < y.first; });
  return runs;
}

/// True if the two lists have a place in common. The ranges are compared first, because externals mostly follow a
/// rank's own elements.
bool meet(const section_places& one, const section_places& other) {
  const auto [a_begin, a_end] = range_of(one);
  const auto [b_begin, b_end] = range_of(other);
  if (a_end <= b_begin || b_end <= a_begin) return false;
  const auto a = ascending(one), b = ascending(other);
  for (auto i = a.begin(), k = b.begin(); i != a.end() && k != b.end();) {
    if (i->first < k->first + k->count && k->first < i->first + i->count) return true;
    i->first < k->first ? ++i : ++k;
  }
  return false;
}

class inspector {
 public:
  inspector(const detail::index_array_shape& source, const detail::index_array_shape& destination,
            const detail::inspection& how)
      : source_(source),
        destination_(destination),
        how_(how),
        component_by_component_(!source.interleaved && !destination.interleaved) {}

  /// Adds entries. The rank takes part in all of them.
  void run(const std::vector<const detail::placed_motion*>& entries) {
    const index_t point_bytes = source_.components * source_.element;
    const index_t most = how_.packet_bytes > 0 ? std::max<index_t>(1, how_.packet_bytes / point_bytes) : 0;
    for (const auto* entry : entries) {
      const auto& e = *entry;
      if (e.source_rank == e.destination_rank) {
        copy(e);
        continue;
      }
      if (e.points == 0) continue;
      const bool sends = e.source_rank == how_.rank;
      const plans::wire_key key{
          how_.number, std::uint64_t{static_cast<std::uint32_t>(e.to)} << 32 | static_cast<std::uint32_t>(e.from)};
      const auto add = [&](const section_places& places) {
        if (sends)
          for (const auto& b : source_blocks(e.from, places)) how_.into.send(e.destination_rank, b, key);
        else
          for (const auto& b : destination_blocks(e.to, places)) how_.into.receive(e.source_rank, b, key);
      };
      const auto& all = sends ? e.source : e.destination;
      if (most == 0 || e.points <= most) {
        add(all);
        continue;
      }
      for (index_t first = 0; first < e.points; first += most) add(all.part(first, std::min(e.points, first + most)));
    }
  }

 private:
  void copy(const detail::placed_motion& e) {
    const auto from = source_blocks(e.from, e.source), to = destination_blocks(e.to, e.destination);
    const bool overlaps = how_.endogenous && e.from == e.to && meet(e.source, e.destination);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (to[i].bytes() > 0) how_.into.copy(how_.into.row_of(from[i]), how_.into.row_of(to[i]), overlaps);
  }

  std::vector<plans::block> source_blocks(int number, const section_places& places) {
    return make_blocks(source_, how_.source_field, *source_.find(number), places);
  }
  std::vector<plans::block> destination_blocks(int number, const section_places& places) {
    auto blocks = make_blocks(destination_, how_.destination_field, *destination_.find(number), places);
    if (source_.element != destination_.element)
      for (auto& b : blocks) b.wire_element = source_.element;
    return blocks;
  }

  /// One block, or one for each component.
  std::vector<plans::block> make_blocks(const detail::index_array_shape& side, int first_field,
                                        const detail::placed_part& part, const section_places& places) {
    const int field = first_field + part.field;
    std::vector<plans::block> blocks;
    if (!component_by_component_) return {make_block(side, field, part, places, part.offset, side.components)};
    for (int c = 0; c < side.components; ++c)
      blocks.push_back(make_block(side, field, part, places, part.offset + c * side.component_stride(part), 1));
    return blocks;
  }

  /// A block of `components` components of each point, which are adjacent on the wire.
  /// @param offset the byte of the first of these components of place 0
  plans::block make_block(const detail::index_array_shape& side, int field, const detail::placed_part& part,
                          const section_places& places, index_t offset, int components) {
    const index_t point = side.stride, component = side.component_stride(part);
    if (const auto loops = regular_loops(places)) {
      std::vector<std::int64_t> extents{components}, strides{component};
      for (const auto& loop : *loops) {
        extents.push_back(loop.extent);
        strides.push_back(loop.stride * point);
      }
      const auto first = places.empty() ? 0 : places[0].first;
      return plans::strided_block(field, side.element, offset + first * point, extents, strides);
    }
    // A place in the list is a point or, if the components of a point are apart, one component of it.
    const bool together = side.interleaved || components == 1;
    const index_t points = together && point == components * side.element ? common_length(places) : 1;
    const index_t unit = together ? point : side.element;
    std::span<const std::int64_t> all = places.single();
    if (!together || all.empty()) {
      listed_.clear();
      const auto add = [&](index_t place) {
        if (together) return listed_.push_back(place);
        for (int c = 0; c < components; ++c) listed_.push_back((place * point + c * component) / unit);
      };
      for (std::size_t i = 0; i < places.size(); ++i)
        for (index_t at = places[i].first, end = at + places[i].count; at < end; at += points) add(at);
      all = listed_;
    }
    auto result = plans::indexed_block(field, together ? points * components * side.element : side.element,
                                       how_.into.indices().add(all), std::ssize(all), unit);
    result.offset = offset;
    result.element = side.element;
    return result;
  }

  const detail::index_array_shape &source_, &destination_;
  const detail::inspection& how_;
  bool component_by_component_;
  std::vector<std::int64_t> listed_;  // reused for the places of each list
};

}  // namespace

void plan_index_motion(const std::vector<detail::placed_motion>& entries, const detail::index_array_shape& source,
                       const detail::index_array_shape& destination, const detail::inspection& how) {
  // The order of copies must not depend on how the plan was built, so that sums have the same bits.
  std::vector<const detail::placed_motion*> sorted;
  for (const auto& e : entries) sorted.push_back(&e);
  std::stable_sort(sorted.begin(), sorted.end(), [](const detail::placed_motion* a, const detail::placed_motion* b) {
    return std::tie(a->to, a->from) < std::tie(b->to, b->from);
  });
  inspector(source, destination, how).run(sorted);
}

}  // namespace wherry
