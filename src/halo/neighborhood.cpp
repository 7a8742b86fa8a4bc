#include "neighborhood.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "motion/partial_floor_plan.hpp"

namespace wherry {
namespace {

template <int N> class explorer {
 public:
  explorer(const regular_floor_plan& cells, const std::vector<int>& subdomains, const field_reach<N>& reach)
      : cells_(cells), subdomains_(subdomains), reach_(reach) {}

  floor_plan<N> explore() {
    box<N> around;
    around.lower.fill(-1);
    around.upper.fill(2);
    known_.reserve(subdomains_.size() * static_cast<std::size_t>(around.size()));
    for (const int mine : subdomains_) {
      const auto here = cells_.coordinates(mine);
      first_around_ = std::ssize(known_);
      know(mine, here);
      if (cells_.empty(here)) continue;
      const auto near = pieces_around(here);
      for_each_point(around, [&](const point<N>& way) { look(near, way); });
    }
    return partial_floor_plan<N>(cells_.subdomains(), std::move(known_));
  }

 private:
  struct known_subdomain {
    int number, owner;
    box<N> cells;
  };

  /// For each dimension the piece below, this piece, and the piece above; -1 if there is none.
  using nearby = std::array<std::array<int, 3>, static_cast<std::size_t>(N)>;

  nearby pieces_around(const subdomain_coordinates& here) const {
    nearby result{};
    for (std::size_t a = 0; a < N; ++a) {
      const int axis = static_cast<int>(a);
      result[a] = {cells_.neighbor(axis, here[a], -1), here[a], cells_.neighbor(axis, here[a], 1)};
    }
    return result;
  }

  void know(int number, const subdomain_coordinates& at) {
    known_.push_back({number, cells_.owner_at(number, at), cells_.box_at<N>(at)});
  }

  void look(const nearby& near, const point<N>& at) {
    cell_direction way{};
    subdomain_coordinates there{};
    for (std::size_t a = 0; a < N; ++a) {
      way[a] = static_cast<int>(at[a]);
      if ((there[a] = near[a][static_cast<std::size_t>(at[a] + 1)]) < 0) return;
    }
    const int number = cells_.number(there);
    // If there are few pieces, the same piece lies in several directions.
    if (std::none_of(known_.begin() + first_around_, known_.end(), [&](const auto& k) { return k.number == number; }))
      know(number, there);
    if (way != cell_direction{} && reach_.stencil.contains(way)) check(way, there, number);
  }

  void check(const cell_direction& way, const subdomain_coordinates& there, int number) const {
    for (std::size_t a = 0; a < N; ++a) {
      if (way[a] == 0) continue;
      const index_t width = (way[a] < 0 ? reach_.widths.minus : reach_.widths.plus)[a],
                    core = cells_.size(static_cast<int>(a), there[a]);
      if (width > core)
        fail(detail::text("dimension ", a, ": the ", way[a] < 0 ? "minus" : "plus", " halo of ", width,
                          " cells is wider than the neighbour's core of ", core));
    }
    if (cells_.owner(number) == reach_.rank && !std::binary_search(subdomains_.begin(), subdomains_.end(), number))
      fail(detail::text("subdomain ", number, " belongs to this rank but was not given to it"));
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw error(error_kind::argument, "halo_exchange", detail::text("field ", reach_.field, ", ", what), reach_.rank);
  }

  const regular_floor_plan& cells_;
  const std::vector<int>& subdomains_;
  const field_reach<N>& reach_;
  std::vector<known_subdomain> known_;  // may contain a subdomain several times
  std::ptrdiff_t first_around_ = 0;     // index in `known_` of the first neighbour of the current subdomain
};

}  // namespace

template <int N>
floor_plan<N> neighborhood(const regular_floor_plan& cells, const std::vector<int>& subdomains,
                           const field_reach<N>& reach) {
  return explorer<N>(cells, subdomains, reach).explore();
}

template <int N> domain<N> detail::space_of(const regular_floor_plan& cells) {
  domain<N> space;
  for (int a = 0; a < N; ++a) {
    space.cells.upper[static_cast<std::size_t>(a)] = cells.cells(a);
    space.periodic[static_cast<std::size_t>(a)] = cells.periodic(a);
  }
  return space;
}

#define WHERRY_NEIGHBORHOOD(N)                                                                                    \
  template floor_plan<N> neighborhood(const regular_floor_plan&, const std::vector<int>&, const field_reach<N>&); \
  template domain<N> detail::space_of(const regular_floor_plan&);
WHERRY_NEIGHBORHOOD(1)
WHERRY_NEIGHBORHOOD(2)
WHERRY_NEIGHBORHOOD(3)
WHERRY_NEIGHBORHOOD(4)
#undef WHERRY_NEIGHBORHOOD

}  // namespace wherry
