#include "neighborhood.hpp"

#include <algorithm>
#include <utility>

namespace wherry {
namespace {

template <int N> class explorer {
 public:
  explorer(const regular_floor_plan& cells, const std::vector<int>& subdomains, const field_reach<N>& reach)
      : cells_(cells), subdomains_(subdomains), reach_(reach) {}

  floor_plan<N> explore() {
    for (const int mine : subdomains_) {
      const auto here = cells_.coordinates(mine);
      known_.emplace_back(mine, cells_.box_at<N>(here));
      if (cells_.empty(here)) continue;
      box<N> around;
      around.lower.fill(-1);
      around.upper.fill(2);
      for_each_point(around, [&](const point<N>& way) { look(here, way); });
    }
    std::sort(known_.begin(), known_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    known_.erase(std::unique(known_.begin(), known_.end(), same), known_.end());
    std::vector<int> numbers;
    std::vector<box<N>> boxes;
    owner_map owners;
    for (const auto& [number, cells] : known_) {
      numbers.push_back(number);
      boxes.push_back(cells);
      owners.push_back(cells_.owner(number));
    }
    return {cells_.subdomains(), std::move(numbers), std::move(boxes), std::move(owners)};
  }

 private:
  void look(const subdomain_coordinates& here, const point<N>& at) {
    cell_direction way{};
    auto there = here;
    for (std::size_t a = 0; a < N; ++a) {
      way[a] = static_cast<int>(at[a]);
      if (way[a] != 0 && (there[a] = cells_.neighbor(static_cast<int>(a), here[a], way[a])) < 0) return;
    }
    const int number = cells_.number(there);
    known_.emplace_back(number, cells_.box_at<N>(there));
    if (way != cell_direction{} && reach_.stencil.contains(way)) check(way, there, number);
  }

  void check(const cell_direction& way, const subdomain_coordinates& there, int number) const {
    for (std::size_t a = 0; a < N; ++a) {
      if (way[a] == 0) continue;
      const index_t width = (way[a] < 0 ? reach_.widths.minus : reach_.widths.plus)[a],
                    core = cells_.size(static_cast<int>(a), there[a]);
      if (width > core)
        fail(text("dimension ", a, ": the ", way[a] < 0 ? "minus" : "plus", " halo of ", width,
                  " cells is wider than the neighbour's core of ", core));
    }
    if (cells_.owner(number) == reach_.rank && !std::binary_search(subdomains_.begin(), subdomains_.end(), number))
      fail(text("subdomain ", number, " belongs to this rank but was not given to it"));
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw error(error_kind::argument, "halo_exchange", text("field ", reach_.field, ", ", what), reach_.rank);
  }

  const regular_floor_plan& cells_;
  const std::vector<int>& subdomains_;
  const field_reach<N>& reach_;
  std::vector<std::pair<int, box<N>>> known_;  // some often
};

}  // namespace

template <int N>
floor_plan<N> neighborhood(const regular_floor_plan& cells, const std::vector<int>& subdomains,
                           const field_reach<N>& reach) {
  return explorer<N>(cells, subdomains, reach).explore();
}

template <int N> domain<N> space_of(const regular_floor_plan& cells) {
  domain<N> space;
  for (int a = 0; a < N; ++a) {
    space.cells.upper[static_cast<std::size_t>(a)] = cells.cells(a);
    space.periodic[static_cast<std::size_t>(a)] = cells.periodic(a);
  }
  return space;
}

#define WHERRY_NEIGHBORHOOD(N)                                                                                    \
  template floor_plan<N> neighborhood(const regular_floor_plan&, const std::vector<int>&, const field_reach<N>&); \
  template domain<N> space_of(const regular_floor_plan&);
WHERRY_NEIGHBORHOOD(1)
WHERRY_NEIGHBORHOOD(2)
WHERRY_NEIGHBORHOOD(3)
WHERRY_NEIGHBORHOOD(4)
#undef WHERRY_NEIGHBORHOOD

}  // namespace wherry
