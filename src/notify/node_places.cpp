#include "node_places.hpp"

#include <algorithm>
#include <functional>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/core/node_arena.hpp"

#include "channel/window_parts.hpp"

namespace wherry {
namespace {

// A place has a number (0 for the arena, from 1 on for the windows) and an offset in bytes.
constexpr int offset_bits = 48;
constexpr std::uint64_t place_in(std::size_t whose, std::uint64_t offset) {
  return (static_cast<std::uint64_t>(whose) << offset_bits) | offset;
}

}  // namespace

node_places::node_places(const communicator& comm, std::span<const MPI_Win> windows, std::string_view where)
    : comm_(comm), mine_(static_cast<std::size_t>(std::max(comm.node_index(comm.rank()), 0))) {
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const auto argument = detail::text("window ", w);
    const auto parts = parts_of_window(comm, windows[w], where, argument);
    auto& all = windows_.emplace_back();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!parts[i])
        throw error(error_kind::argument, where,
                    detail::text(argument, " has no part of rank ", comm.node_ranks()[i], ", which is on this node"),
                    comm.rank());
      all.push_back(*parts[i]);
    }
  }
}

std::uint64_t node_places::of(const void* memory) const {
  if (const auto* arena = comm_.arena(); arena != nullptr)
    if (const auto offset = arena->offset_of(memory)) return place_in(0, *offset);
  const auto* const place = static_cast<const std::byte*>(memory);
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const auto part = windows_[w][mine_];
    if (std::less_equal()(part.data(), place) && std::less()(place, part.data() + part.size()))
      return place_in(w + 1, static_cast<std::uint64_t>(place - part.data()));
  }
  return nowhere;
}

std::uint64_t node_places::sizes_of(int node_index) const {
  shape_hash all;
  for (const auto& parts : windows_) all.add(parts[static_cast<std::size_t>(node_index)].size());
  return all.value();
}

void* node_places::at(int node_index, std::uint64_t place) const {
  if (place == nowhere) return nullptr;
  const auto whose = static_cast<std::size_t>(place >> offset_bits);
  const auto offset = static_cast<std::size_t>(place & ((std::uint64_t{1} << offset_bits) - 1));
  if (whose == 0) return comm_.arena()->address(node_index, offset);
  return windows_[whose - 1][static_cast<std::size_t>(node_index)].data() + offset;
}

}  // namespace wherry
