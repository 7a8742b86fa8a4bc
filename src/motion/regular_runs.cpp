#include "regular_runs.hpp"

#include <cstdint>
#include <cstdlib>

namespace wherry {
namespace {

using detail::section_places;

constexpr std::size_t most_loops = 5;  // a block has at most 7 dimensions, and components need some

/// The longest loop over every `every`-th run for which these runs begin at equal distances.
plans::block_loop longest_loop(const section_places& places, std::size_t every) {
  const auto first = [&](std::size_t i) { return places[i * every].first; };
  const std::size_t size = places.size() / every;
  const index_t stride = first(1) - first(0);
  std::size_t extent = 2;
  while (extent < size && first(extent) - first(extent - 1) == stride) ++extent;
  return {static_cast<std::int64_t>(extent), stride};
}

/// True if each group of `loop.extent` such runs repeats the first group.
bool repeats(const section_places& places, std::size_t every, const plans::block_loop& loop) {
  const auto together = static_cast<std::size_t>(loop.extent) * every;
  if (places.size() % together != 0) return false;
  for (std::size_t begin = 0; begin < places.size(); begin += together)
    for (std::size_t i = begin + every; i < begin + together; i += every)
      if (places[i].first - places[i - every].first != loop.stride) return false;
  return true;
}

}  // namespace

std::optional<std::vector<plans::block_loop>> regular_loops(const section_places& places) {
  std::vector<plans::block_loop> loops;
  if (places.empty()) return std::vector<plans::block_loop>{{0, 1}};
  const auto points = places[0].count;
  if (places.single().empty())
    for (std::size_t i = 1; i < places.size(); ++i)
      if (places[i].count != points) return std::nullopt;
  loops.push_back({points, 1});
  for (std::size_t every = 1; every < places.size(); every *= static_cast<std::size_t>(loops.back().extent)) {
    const auto loop = longest_loop(places, every);
    // Rows must not share places, which would be written or combined at the same time.
    const bool apart = every > 1 || std::abs(loop.stride) >= points;
    if (!apart || loops.size() == most_loops || !repeats(places, every, loop)) return std::nullopt;
    loops.push_back(loop);
  }
  return loops;
}

}  // namespace wherry
