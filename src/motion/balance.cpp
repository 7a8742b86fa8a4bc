#include "wherry/motion/balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <tuple>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

namespace wherry {
namespace {

void check(std::string_view where, std::span<const double> weights, int ranks) {
  if (ranks < 1) throw error(error_kind::argument, where, detail::text("'ranks' is ", ranks, ", expected 1 or more"));
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw error(
          error_kind::argument, where,
          detail::text("'weights' has ", weights[i], " for box ", i, ", expected a finite number of 0 or more"));
}

/// As a floating-point number, because a box may have more cells than an integer can count.
template <int N> double cells_of(const box<N>& b) {
  double cells = 1;
  for (int d = 0; d < N; ++d) cells *= static_cast<double>(b.extent(d));
  return cells;
}

template <int N>
std::vector<double> weights_of(std::string_view where, const floor_plan<N>& plan, std::span<const double> given) {
  if (!plan.complete())
    throw error(error_kind::argument, where, "'plan' is partial, and this rank does not know all its boxes");
  if (!given.empty() && given.size() != plan.boxes().size())
    throw error(error_kind::argument, where,
                detail::text("'weights' has ", given.size(), " entries, expected ", plan.size(), ", one for each box"));
  if (!given.empty()) return {given.begin(), given.end()};
  std::vector<double> cells;
  cells.reserve(plan.boxes().size());
  for (const auto& b : plan.boxes()) cells.push_back(cells_of(b));
  return cells;
}

/// Cuts a list into runs that are not heavier than a limit.
class run_cutter {
 public:
  explicit run_cutter(std::span<const double> weights) : before_(weights.size() + 1, 0) {
    std::inclusive_scan(weights.begin(), weights.end(), before_.begin() + 1);
  }

  std::size_t size() const { return before_.size() - 1; }
  double total() const { return before_.back(); }
  double weight_before(std::size_t i) const { return before_[i]; }
  bool fits(std::size_t begin, std::size_t end, double limit) const { return before_[end] <= before_[begin] + limit; }

  /// The end of the longest run from `begin` that fits. Searches in doubling steps, because the end is near.
  std::size_t longest_from(std::size_t begin, double limit) const {
    std::size_t step = 1;
    while (begin + step < size() && fits(begin, begin + step, limit)) step *= 2;
    const auto place = [&](std::size_t i) { return before_.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto last = std::partition_point(place(begin + step / 2), place(std::min(size(), begin + step) + 1),
                                           [&](double sum) { return sum <= before_[begin] + limit; });
    return std::max(begin, static_cast<std::size_t>(last - before_.begin()) - 1);
  }
  /// The begin of the longest run up to `end` that fits.
  std::size_t longest_to(std::size_t end, double limit) const {
    return static_cast<std::size_t>(std::partition_point(before_.begin(),
                                                         before_.begin() + static_cast<std::ptrdiff_t>(end),
                                                         [&](double sum) { return sum + limit < before_[end]; }) -
                                    before_.begin());
  }

  bool possible(int runs, double limit) const {
    std::size_t begin = 0;
    for (int r = 0; r < runs && begin < size(); ++r) {
      const auto end = longest_from(begin, limit);
      if (end == begin) return false;
      begin = end;
    }
    return begin == size();
  }

  /// The smallest limit for which `runs` runs are enough, up to rounding.
  double least_limit(int runs) const {
    double impossible = total() / runs, enough = total();
    if (possible(runs, impossible)) return impossible;
    for (int turn = 0; turn < 64 && enough - impossible > 1e-13 * enough; ++turn) {
      const double middle = impossible + (enough - impossible) / 2;
      (possible(runs, middle) ? enough : impossible) = middle;
    }
    return enough;
  }

  /// The cut for which the weight before it is nearest to `wanted`.
  std::size_t nearest(double wanted) const {
    const auto above =
        static_cast<std::size_t>(std::lower_bound(before_.begin(), before_.end(), wanted) - before_.begin());
    if (above == 0) return 0;
    if (above > size()) return size();
    return wanted - before_[above - 1] < before_[above] - wanted ? above - 1 : above;
  }

 private:
  std::vector<double> before_;  // before_[i] is the weight of all entries before i
};

template <int N> owner_map along(const std::vector<int>& order, const std::vector<double>& weights, int ranks) {
  std::vector<double> in_order;
  in_order.reserve(weights.size());
  for (const int number : order) in_order.push_back(weights[static_cast<std::size_t>(number)]);
  const auto runs = detail::contiguous_runs(in_order, ranks);
  owner_map owners(weights.size());
  for (std::size_t place = 0; place < order.size(); ++place)
    owners[static_cast<std::size_t>(order[place])] = runs[place];
  return owners;
}

template <int N>
owner_map dealt(const floor_plan<N>& plan, const std::vector<double>& weights, int ranks, assignment method) {
  switch (method) {
    case assignment::round_robin:
      return round_robin(plan.size(), ranks);
    case assignment::along_morton_curve:
      return along<N>(detail::morton_order<N>(plan.boxes()), weights, ranks);
    case assignment::along_hilbert_curve:
      return along<N>(detail::hilbert_order<N>(plan.boxes()), weights, ranks);
    case assignment::heaviest_first:
      return heaviest_first(weights, ranks);
    case assignment::in_order:
      return detail::contiguous_runs(weights, ranks);
  }
  throw error(error_kind::argument, "balance", "'how' is not one of the methods of balancing");
}

}  // namespace

owner_map round_robin(int boxes, int ranks) {
  check("round_robin", {}, ranks);
  if (boxes < 0)
    throw error(error_kind::argument, "round_robin", detail::text("'boxes' is ", boxes, ", expected 0 or more"));
  owner_map owners(static_cast<std::size_t>(boxes));
  for (int i = 0; i < boxes; ++i) owners[static_cast<std::size_t>(i)] = i % ranks;
  return owners;
}

owner_map heaviest_first(std::span<const double> weights, int ranks) {
  check("heaviest_first", weights, ranks);
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  // Among equal loads, the rank with fewer boxes comes first, so that boxes without weight are spread too.
  using rank_load = std::tuple<double, int, int>;  // load, boxes, rank
  std::priority_queue<rank_load, std::vector<rank_load>, std::greater<>> lightest;
  for (int r = 0; r < ranks; ++r) lightest.emplace(0.0, 0, r);
  owner_map owners(weights.size());
  for (const auto i : order) {
    const auto [load, boxes, rank] = lightest.top();
    lightest.pop();
    owners[i] = rank;
    lightest.emplace(load + weights[i], boxes + 1, rank);
  }
  return owners;
}

owner_map detail::contiguous_runs(std::span<const double> weights, int ranks) {
  check("contiguous_runs", weights, ranks);
  const run_cutter list(weights);
  const double limit = list.least_limit(ranks);
  // earliest[r]: the earliest begin for the last r ranks.
  std::vector<std::size_t> earliest(static_cast<std::size_t>(ranks), list.size());
  for (std::size_t r = 1; r < earliest.size(); ++r) earliest[r] = list.longest_to(earliest[r - 1], limit);
  owner_map owners(weights.size());
  std::size_t begin = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const int ranks_left = ranks - rank;
    // An even share of the remaining weight, within the limit.
    const double share = (list.total() - list.weight_before(begin)) / ranks_left;
    auto end = std::min(list.nearest(list.weight_before(begin) + share), list.longest_from(begin, limit));
    end = std::max({end, begin, earliest[static_cast<std::size_t>(ranks_left - 1)]});
    for (; begin < end; ++begin) owners[begin] = rank;
  }
  return owners;
}

template <int N> owner_map row_major(const point<N>& process_grid) {
  constexpr detail::checked places{"row_major", "number of places"};
  for (const index_t extent : process_grid)
    if (extent < 1)
      throw error(error_kind::argument, "row_major",
                  detail::text("'process_grid' has the extent ", extent, ", expected 1 or more"));
  owner_map ranks;
  ranks.reserve(static_cast<std::size_t>(places.cast<int>(box_of_extents<N>(process_grid).size())));
  for_each_point(box_of_extents<N>(process_grid), [&](const point<N>& place) {
    index_t rank = 0;
    for (std::size_t d = 0; d < N; ++d) rank = rank * process_grid[d] + place[d];
    ranks.push_back(static_cast<int>(rank));
  });
  return ranks;
}

template <int N> floor_plan<N> balance(const floor_plan<N>& plan, int ranks, const balance_options& how) {
  const auto weights = weights_of("balance", plan, how.weights);
  check("balance", weights, ranks);
  return {{plan.boxes().begin(), plan.boxes().end()}, dealt(plan, weights, ranks, how.method)};
}

template <int N> load_balance loads_of(const floor_plan<N>& plan, int ranks, std::span<const double> weights) {
  const auto each = weights_of("loads_of", plan, weights);
  check("loads_of", each, ranks);
  load_balance result;
  result.loads.assign(static_cast<std::size_t>(ranks), 0);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const int owner = plan.owners()[i];
    if (owner >= ranks)
      throw error(error_kind::argument, "loads_of",
                  detail::text("box ", i, " has owner ", owner, ", expected a rank from 0 to ", ranks - 1));
    result.loads[static_cast<std::size_t>(owner)] += each[i];
  }
  result.mean = std::accumulate(result.loads.begin(), result.loads.end(), 0.0) / ranks;
  result.largest = *std::max_element(result.loads.begin(), result.loads.end());
  return result;
}

#define WHERRY_BALANCE(N)                                                             \
  template floor_plan<N> balance(const floor_plan<N>&, int, const balance_options&);  \
  template load_balance loads_of(const floor_plan<N>&, int, std::span<const double>); \
  template owner_map row_major<N>(const point<N>&);
WHERRY_BALANCE(1)
WHERRY_BALANCE(2)
WHERRY_BALANCE(3)
WHERRY_BALANCE(4)
WHERRY_BALANCE(5)
WHERRY_BALANCE(6)
#undef WHERRY_BALANCE

}  // namespace wherry
