#include "wherry/halo/layered_field.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "wherry/core/settings.hpp"
#include "wherry/device/field_memory.hpp"

#include "core/xxhash3.hpp"
#include "layer_core.hpp"

namespace wherry {

using detail::layer_core;

namespace {

constexpr const char* in_layered_field = "layered_field";

}  // namespace

detail::layer_marks& detail::live(const std::shared_ptr<layer_marks>& marks) {
  if (marks == nullptr) throw error(error_kind::state, in_layered_field, "this field was moved from");
  return *marks;
}

bool detail::mark_written(layer_marks& marks, int depth) {
  const auto& core = *marks.layers;
  if (depth < 0 || depth > core.depth())
    throw error(error_kind::argument, in_layered_field,
                text("'depth' of mark_written is ", depth, ", expected 0 to ", core.depth()), core.comm.rank());
  ++marks.writes;
  marks.clean = depth;
  const bool wanted = depth > 0 && current_settings().check;
  marks.hash = wanted ? first_hash : 0;
  return wanted;
}

void detail::add_to_hash(layer_marks& marks, const erased_array& array) {
  marks.hash = marks.layers->hash_of_owned(array, marks.hash);
}

void layer_core::inspect() {
  const auto fail = [&](std::size_t layer, const auto&... words) {
    throw error(error_kind::argument, in_ghost_layers, text("layer ", layer + 1, ": ", words...), comm.rank());
  };
  std::vector<std::pair<index_t, std::size_t>> ghosts;  // with their layers
  index_t needed = 0;
  elements.assign(1, 0);
  for (std::size_t d = 0; d < layers.size(); ++d) {
    for (const auto* side : {&layers[d].sends, &layers[d].receives})
      for (const auto& list : *side) {
        if (list.peer < 0 || list.peer >= comm.size())
          fail(d, "a list is for rank ", list.peer, ", expected 0 to ", comm.size() - 1);
        for (const auto at : list.at) {
          if (at < 0 || at == std::numeric_limits<index_t>::max())
            fail(d, "an index for rank ", list.peer, " is ", at, ", expected 0 to the largest index_t less 1");
          needed = std::max(needed, at + 1);
          if (side == &layers[d].receives) ghosts.emplace_back(at, d);
        }
      }
    elements.push_back(needed);
  }
  std::sort(ghosts.begin(), ghosts.end());
  index_t next = 0;
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    const auto [at, layer] = ghosts[i];
    if (i > 0 && ghosts[i - 1].first == at)
      fail(layer, "element ", at, " is received twice, the first time in layer ", ghosts[i - 1].second + 1);
    if (next < at) owned.push_back({next, at});
    next = at + 1;
  }
  if (next < needed) owned.push_back({next, needed});
}

index_lists layer_core::lists_from(int first, int last) const {
  index_lists joined;
  for (auto d = first; d <= last; ++d) {
    const auto& one = layers[static_cast<std::size_t>(d - 1)];
    joined.sends.insert(joined.sends.end(), one.sends.begin(), one.sends.end());
    joined.receives.insert(joined.receives.end(), one.receives.begin(), one.receives.end());
  }
  return joined;
}

std::uint64_t layer_core::hash_of_owned(const erased_array& array, std::uint64_t before) const {
  if (space_of(array.data, array.space) == memory_space::device) return before;
  const auto* const first = static_cast<const std::byte*>(array.data);
  const auto add = [&](index_t at, index_t bytes) {
    before = xxhash3({first + at * array.stride, static_cast<std::size_t>(bytes)}, before);
  };
  for (const auto& range : owned) {
    const auto end = std::min(range.end, array.count);
    if (array.stride == array.element && range.begin < end)
      add(range.begin, (end - range.begin) * array.element);
    else
      for (auto at = range.begin; at < end; ++at) add(at, array.element);
  }
  return before == 0 ? first_hash : before;
}

}  // namespace wherry
