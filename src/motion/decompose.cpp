#include "wherry/motion/decompose.hpp"

#include <algorithm>
#include <numeric>

#include "wherry/core/allocation.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

#include "even_cut.hpp"

namespace wherry {
namespace {

[[noreturn]] void fail(std::string_view where, std::string_view what) {
  throw error(error_kind::argument, where, what);
}

index_t ceiling(index_t value, index_t divisor) { return value / divisor + (value % divisor > 0 ? 1 : 0); }

constexpr detail::checked box_count{"decompose", "number of boxes"};

/// The number of boxes, which must fit in an int.
template <int N> std::size_t count_of(const point<N>& pieces) {
  return static_cast<std::size_t>(box_count.cast<int>(box_of_extents<N>(pieces).size()));
}

owner_map one_each(std::size_t boxes) {
  owner_map owners(boxes);
  std::iota(owners.begin(), owners.end(), 0);
  return owners;
}

template <int N> double with_one_more_layer(const point<N>& extents) {
  double cells = 1;
  for (const auto extent : extents) cells *= static_cast<double>(extent) + 2;
  return cells;
}

std::vector<index_t> divisors_of(index_t number) {
  std::vector<index_t> divisors;
  for (index_t d = 1; d <= number; ++d)
    if (number % d == 0) divisors.push_back(d);
  return divisors;
}

/// Searches all ways to write a number as a product of one factor for each dimension, beginning with few pieces in the
/// first dimensions.
template <int N> struct best_factors {
  point<N> extents;
  std::vector<index_t> divisors;
  point<N> trial = filled<N>(1), found{};
  double least = 0;

  void search(std::size_t dimension, index_t left) {
    if (dimension == N - 1) {
      trial[dimension] = left;
      point<N> largest{};
      for (std::size_t d = 0; d < N; ++d) largest[d] = ceiling(extents[d], trial[d]);
      const double cost = with_one_more_layer<N>(largest);
      if (found[0] == 0 || cost < least) {
        least = cost;
        found = trial;
      }
      return;
    }
    for (const auto factor : divisors)
      if (left % factor == 0) {
        trial[dimension] = factor;
        search(dimension + 1, left / factor);
      }
  }
};

template <int N> void bisect(const box<N>& cells, int ranks, std::vector<box<N>>& blocks) {
  if (ranks == 1) {
    blocks.push_back(cells);
    return;
  }
  // Among equally long dimensions the last one is cut, so that rows along dimension 0 stay long.
  std::size_t longest = N - 1;
  for (std::size_t d = N - 1; d-- > 0;)
    if (cells.extent(static_cast<int>(d)) > cells.extent(static_cast<int>(longest))) longest = d;
  const int first_ranks = ranks / 2;
  const index_t extent = cells.extent(static_cast<int>(longest));
  box<N> first = cells, second = cells;
  // Rounds without a product that might overflow.
  const index_t whole = extent / ranks * first_ranks, rest = (extent % ranks * first_ranks + ranks / 2) / ranks;
  first.upper[longest] = second.lower[longest] = cells.lower[longest] + whole + rest;
  bisect(first, first_ranks, blocks);
  bisect(second, ranks - first_ranks, blocks);
}

template <int N> double largest_of(const floor_plan<N>& plan) {
  double largest = 0;
  for (const auto& b : plan.boxes()) largest = std::max(largest, with_one_more_layer<N>(b.extents()));
  return largest;
}

template <int N> floor_plan<N> one_block_a_rank(const box<N>& cells, int ranks) {
  auto grid = even_blocks(cells, detail::pieces_for(cells, ranks));
  auto halves = bisected_blocks(cells, ranks);
  // In a regular grid blocks have fewer neighbours, so bisection must gain clearly to be chosen.
  return largest_of(halves) < 0.9 * largest_of(grid) ? halves : grid;
}

/// As few pieces as `largest` allows, but at least one for every rank if there are enough cells.
template <int N> point<N> pieces_of_at_most(const box<N>& cells, const point<N>& largest, int ranks) {
  point<N> pieces = filled<N>(1);
  const auto extents = cells.extents();
  for (std::size_t d = 0; d < N; ++d)
    if (largest[d] > 0) pieces[d] = std::max<index_t>(1, ceiling(extents[d], largest[d]));
  const auto count = [&] { return static_cast<index_t>(count_of<N>(pieces)); };
  // Counts cells only up to the number of ranks, because the full count might overflow.
  index_t enough = cells.empty() ? 0 : 1;
  for (const auto extent : extents)
    enough = enough * std::min<index_t>(extent, ranks) >= ranks ? ranks : enough * extent;
  while (count() < enough) {
    std::size_t longest = N - 1;
    for (std::size_t d = N - 1; d-- > 0;)
      if (ceiling(extents[d], pieces[d]) > ceiling(extents[longest], pieces[longest])) longest = d;
    ++pieces[longest];
  }
  return pieces;
}

}  // namespace

std::vector<index_t> detail::even_cuts(index_t lower, index_t upper, index_t pieces) {
  if (pieces < 1) fail("even_cuts", detail::text("'pieces' is ", pieces, ", expected 1 or more"));
  const index_t extent = box<1>{{lower}, {upper}}.extent(0);
  const auto places = static_cast<std::size_t>(box_count.cast<int>(pieces)) + 1;
  auto cuts = detail::allocating("even_cuts", "the cuts of a dimension", places * sizeof(index_t),
                                 [&] { return std::vector<index_t>(places, lower); });
  for (index_t i = 1; i <= pieces; ++i) cuts[static_cast<std::size_t>(i)] = lower + even_cut(extent, pieces, i);
  return cuts;
}

template <int N> point<N> detail::pieces_for(const box<N>& cells, int pieces) {
  if (pieces < 1) fail("pieces_for", detail::text("'pieces' is ", pieces, ", expected 1 or more"));
  best_factors<N> best{cells.extents(), divisors_of(pieces)};
  best.search(0, pieces);
  return best.found;
}

template <int N> floor_plan<N> cut_blocks(const block_cuts<N>& cuts, const owner_map& owners) {
  point<N> pieces{};
  for (std::size_t d = 0; d < N; ++d) {
    if (cuts[d].size() < 2)
      fail("cut_blocks",
           detail::text("'cuts' has ", cuts[d].size(), " entries in dimension ", d, ", expected 2 or more"));
    if (!std::is_sorted(cuts[d].begin(), cuts[d].end()))
      fail("cut_blocks", detail::text("'cuts' does not ascend in dimension ", d));
    pieces[d] = static_cast<index_t>(cuts[d].size()) - 1;
  }
  std::vector<box<N>> blocks;
  const auto boxes = count_of<N>(pieces);
  detail::allocating("cut_blocks", "the boxes", boxes * sizeof(box<N>), [&] { blocks.reserve(boxes); });
  for_each_point(box_of_extents<N>(pieces), [&](const point<N>& place) {
    box<N> b;
    for (std::size_t d = 0; d < N; ++d) {
      b.lower[d] = cuts[d][static_cast<std::size_t>(place[d])];
      b.upper[d] = cuts[d][static_cast<std::size_t>(place[d]) + 1];
    }
    blocks.push_back(b);
  });
  const auto count = blocks.size();
  return {std::move(blocks), owners.empty() ? one_each(count) : owners};
}

template <int N> floor_plan<N> even_blocks(const box<N>& cells, const point<N>& pieces, const owner_map& owners) {
  block_cuts<N> cuts;
  for (std::size_t d = 0; d < N; ++d) cuts[d] = detail::even_cuts(cells.lower[d], cells.upper[d], pieces[d]);
  return cut_blocks<N>(cuts, owners);
}

template <int N>
floor_plan<N> block_cyclic(const box<N>& cells, const point<N>& block, const point<N>& process_grid,
                           const owner_map& ranks) {
  block_cuts<N> cuts;
  const auto places = count_of<N>(process_grid);
  for (std::size_t d = 0; d < N; ++d) {
    if (block[d] < 1)
      fail("block_cyclic", detail::text("'block' has extent ", block[d], " in dimension ", d, ", expected 1 or more"));
    if (process_grid[d] < 1)
      fail("block_cyclic",
           detail::text("'process_grid' has extent ", process_grid[d], " in dimension ", d, ", expected 1 or more"));
    if (cells.empty()) return {};
    const index_t pieces = box_count.cast<int>(ceiling(cells.extent(static_cast<int>(d)), block[d]));
    for (index_t i = 0; i < pieces; ++i) cuts[d].push_back(cells.lower[d] + i * block[d]);
    cuts[d].push_back(cells.upper[d]);
  }
  if (!ranks.empty() && ranks.size() != places)
    fail("block_cyclic", detail::text("'ranks' has ", ranks.size(), " entries, expected ", places,
                                      ", one for each place of the process grid"));
  point<N> pieces{};
  for (std::size_t d = 0; d < N; ++d) pieces[d] = static_cast<index_t>(cuts[d].size()) - 1;
  owner_map owners;
  owners.reserve(count_of<N>(pieces));
  for_each_point(box_of_extents<N>(pieces), [&](const point<N>& place) {
    index_t at = 0;
    for (std::size_t d = N; d-- > 0;) at = at * process_grid[d] + place[d] % process_grid[d];
    owners.push_back(ranks.empty() ? static_cast<int>(at) : ranks[static_cast<std::size_t>(at)]);
  });
  return cut_blocks<N>(cuts, owners);
}

template <int N> floor_plan<N> bisected_blocks(const box<N>& cells, int ranks) {
  if (ranks < 1) fail("bisected_blocks", detail::text("'ranks' is ", ranks, ", expected 1 or more"));
  std::vector<box<N>> blocks;
  blocks.reserve(static_cast<std::size_t>(ranks));
  bisect(cells, ranks, blocks);
  return {std::move(blocks), one_each(static_cast<std::size_t>(ranks))};
}

namespace {

/// Decomposes the coarse box of which each cell stands for `multiple_of` cells.
template <int N>
floor_plan<N> decompose_in_multiples(const box<N>& cells, int ranks, const decompose_options<N>& options) {
  decompose_options<N> coarse{.owners = options.owners};
  for (std::size_t d = 0; d < N; ++d) {
    const auto unit = options.multiple_of[d], largest = options.largest[d];
    if (unit < 1)
      fail("decompose", detail::text("'multiple_of' is ", unit, " in dimension ", d, ", expected 1 or more"));
    if (largest > 0 && largest < unit)
      fail("decompose", detail::text("'largest' is ", largest, " in dimension ", d, ", below 'multiple_of', ", unit));
    for (const auto corner : {cells.lower[d], cells.upper[d]})
      if (!cells.empty() && corner % unit != 0)
        fail("decompose", detail::text("the box has a corner at ", corner, " in dimension ", d,
                                       ", which is not a multiple of ", unit));
    coarse.largest[d] = largest / unit;
  }
  const auto plan = decompose(coarsen<N>(cells, options.multiple_of), ranks, coarse);
  std::vector<box<N>> blocks;
  blocks.reserve(static_cast<std::size_t>(plan.size()));
  for (const auto& b : plan.boxes()) blocks.push_back(refine<N>(b, options.multiple_of));
  return {std::move(blocks), owner_map(plan.owners().begin(), plan.owners().end())};
}

}  // namespace

template <int N> floor_plan<N> decompose(const box<N>& cells, int ranks, const decompose_options<N>& options) {
  if (ranks < 1) fail("decompose", detail::text("'ranks' is ", ranks, ", expected 1 or more"));
  for (std::size_t d = 0; d < N; ++d)
    if (options.largest[d] < 0)
      fail("decompose", detail::text("'largest' is ", options.largest[d], " in dimension ", d, ", expected 0 or more"));
  if (options.multiple_of != filled<N>(1)) return decompose_in_multiples(cells, ranks, options);
  if (options.largest == point<N>{}) return one_block_a_rank(cells, ranks);
  return balance(even_blocks(cells, pieces_of_at_most(cells, options.largest, ranks)), ranks, options.owners);
}

#define WHERRY_DECOMPOSE(N)                                                                               \
  template point<N> detail::pieces_for(const box<N>&, int);                                               \
  template floor_plan<N> decompose(const box<N>&, int, const decompose_options<N>&);                      \
  template floor_plan<N> even_blocks(const box<N>&, const point<N>&, const owner_map&);                   \
  template floor_plan<N> cut_blocks<N>(const block_cuts<N>&, const owner_map&);                           \
  template floor_plan<N> block_cyclic(const box<N>&, const point<N>&, const point<N>&, const owner_map&); \
  template floor_plan<N> bisected_blocks(const box<N>&, int);
WHERRY_DECOMPOSE(1)
WHERRY_DECOMPOSE(2)
WHERRY_DECOMPOSE(3)
WHERRY_DECOMPOSE(4)
WHERRY_DECOMPOSE(5)
WHERRY_DECOMPOSE(6)
#undef WHERRY_DECOMPOSE

}  // namespace wherry
