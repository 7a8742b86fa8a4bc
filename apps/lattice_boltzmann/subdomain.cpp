#include "subdomain.hpp"

#include <algorithm>
#include <numeric>

namespace lattice_boltzmann {
namespace {

/// The outermost layer of cells towards `where` (`beyond` 0), or the halo cells next to it (1).
range3 layer(const subdomain& mine, const direction3& where, long beyond) {
  range3 cells = mine.cells();
  for (std::size_t d = 0; d < 3; ++d) {
    if (where[d] > 0) cells.lower[d] = mine.extent[d] - 1 + beyond;
    if (where[d] < 0) cells.lower[d] = -beyond;
    if (where[d] != 0) cells.upper[d] = cells.lower[d] + 1;
  }
  return cells;
}

direction3 opposite(const direction3& where) { return {-where[0], -where[1], -where[2]}; }

}  // namespace

subdomain::subdomain(MPI_Comm ranks_of_all, const extents3& cells, const std::vector<int>& ranks,
                     const std::array<bool, 3>& around)
    : comm(ranks_of_all),
      grid(ranks_of_all, {.periodic = {around[0], around[1], around[2]}, .extents = ranks}),
      all(cells),
      periodic(around) {
  const auto owned = wherry::owned_box(grid, {cells[0], cells[1], cells[2]});
  for (std::size_t d = 0; d < 3; ++d) {
    lower[d] = owned.lower[d];
    extent[d] = owned.extent(static_cast<int>(d));
    cut[d] = ranks[d] > 1;
  }
}

int subdomain::neighbour(const direction3& where) const {
  auto at = grid.coordinates(grid.comm().rank());
  for (std::size_t d = 0; d < 3; ++d) {
    const int ranks = grid.extents()[d];
    at[d] += where[d];
    if (!periodic[d] && (at[d] < 0 || at[d] >= ranks)) return MPI_PROC_NULL;
    at[d] = (at[d] + ranks) % ranks;
  }
  return grid.rank_at(at);
}

std::vector<int> populations_towards(const model& lattice, const direction3& where, halo_kind kind) {
  std::vector<int> all(static_cast<std::size_t>(lattice.populations));
  std::iota(all.begin(), all.end(), 0);
  if (kind == halo_kind::full) return all;
  std::erase_if(all, [&](int q) {
    for (std::size_t d = 0; d < 3; ++d)
      if (where[d] != 0 && lattice.velocity[q][d] != where[d]) return true;
    return false;
  });
  return all;
}

std::vector<link> links_of(const subdomain& mine, const model& lattice, halo_kind kind) {
  std::vector<link> links;
  for (int number = 0; number < directions; ++number) {
    const direction3 where{number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    bool crosses = number != opposite(number);  // the one in the middle goes nowhere
    for (std::size_t d = 0; d < 3; ++d) crosses = crosses && (where[d] == 0 || mine.cut[d]);
    const int peer = crosses ? mine.neighbour(where) : MPI_PROC_NULL;
    link one{number,
             where,
             peer,
             layer(mine, where, 0),
             layer(mine, where, 1),
             populations_towards(lattice, where, kind),
             populations_towards(lattice, opposite(where), kind)};
    if (peer != MPI_PROC_NULL && !one.out.empty()) links.push_back(std::move(one));
  }
  return links;
}

}  // namespace lattice_boltzmann
