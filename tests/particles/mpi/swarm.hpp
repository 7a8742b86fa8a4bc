// Random particles, and a slow and obvious move of them that gathers all particles on all ranks.
#pragma once

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/disjoint_boxes.hpp"
#include "support/random.hpp"

namespace wherry_test {

/// A particle in full. All that the arrays of a test hold of it follows from these.
template <int N, class Real> struct particle {
  std::array<Real, N> r{};
  std::int64_t id = 0;
  bool operator==(const particle&) const = default;
};

template <class T> std::vector<std::vector<T>> gathered(MPI_Comm comm, const std::vector<T>& mine) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int bytes = static_cast<int>(mine.size() * sizeof(T));
  std::vector<int> counts(static_cast<std::size_t>(size)), offsets;
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  int all = 0;
  for (const int count : counts) {
    offsets.push_back(all);
    all += count;
  }
  std::vector<T> flat(static_cast<std::size_t>(all) / sizeof(T));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, flat.data(), counts.data(), offsets.data(), MPI_BYTE, comm);
  std::vector<std::vector<T>> result;
  for (int r = 0; r < size; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const auto* const first = flat.data() + static_cast<std::size_t>(offsets[at]) / sizeof(T);
    result.emplace_back(first, first + static_cast<std::size_t>(counts[at]) / sizeof(T));
  }
  return result;
}

/// A space with what a slow owner needs to know.
template <int N> struct world {
  std::array<double, N> lower{}, upper{};
  wherry::point<N> first{}, cells{};
  std::array<bool, N> periodic{};
  std::vector<std::vector<wherry::box<N>>> boxes;  // of each rank

  wherry::particle_space<N> space() const { return {.lower = lower, .upper = upper, .edges = {}, .fractions = {}}; }

  /// Wraps a coordinate in small steps.
  template <class Real> Real wrapped(Real given, std::size_t d) const {
    if (!periodic[d]) return given;
    const double length = upper[d] - lower[d];
    const double x = static_cast<double>(given);
    if (x >= lower[d] && x < upper[d]) return given;
    const double periods = std::floor((x - lower[d]) / length);
    auto y = static_cast<Real>(x - periods * length);
    while (static_cast<double>(y) < lower[d]) y = std::nextafter(y, std::numeric_limits<Real>::infinity());
    while (static_cast<double>(y) >= upper[d]) y = std::nextafter(y, -std::numeric_limits<Real>::infinity());
    return y;
  }
  template <class Real> wherry::point<N> cell_of(const std::array<Real, N>& r) const {
    wherry::point<N> result;
    for (std::size_t d = 0; d < N; ++d) {
      const double scale = static_cast<double>(cells[d]) / (upper[d] - lower[d]);
      const auto at = static_cast<wherry::index_t>(std::floor((static_cast<double>(r[d]) - lower[d]) * scale));
      result[d] = first[d] + std::min(at, cells[d] - 1);
    }
    return result;
  }
  int owner_of(const wherry::point<N>& cell) const {
    for (std::size_t rank = 0; rank < boxes.size(); ++rank)
      for (const auto& b : boxes[rank])
        if (b.contains(cell)) return static_cast<int>(rank);
    return -1;
  }
};

/// Random corners, with these cells.
template <int N> void set_corners(world<N>& one, random_numbers& random) {
  for (std::size_t d = 0; d < N; ++d) {
    one.lower[d] = random.chance(50) ? 0 : 0.1 * random.between(-30, 30);
    one.upper[d] = one.lower[d] + (random.chance(50) ? 1 : 0.3 * random.between(1, 40));
  }
}

/// An exchange over a random process grid or floor plan, and its space. Ranks may own nothing or several boxes, and
/// cells may belong to nobody.
template <int N>
wherry::particle_exchange<N> random_exchange(const context& test, random_numbers& random, world<N>& in,
                                             const wherry::particle_options& options) {
  if (random.chance(50)) {
    wherry::process_grid_options how;
    for (int d = 0; d < N; ++d) {
      how.periodic.push_back(random.chance(60));
      how.extents.push_back(0);
    }
    if (random.chance(10)) how.extents.assign(N, 1);
    if (random.chance(30)) how.order = wherry::rank_order::columns;
    const wherry::process_grid grid(test.comm, how);
    for (std::size_t d = 0; d < N; ++d) {
      in.cells[d] = grid.extents()[d] + random.between(0, 12);
      in.periodic[d] = how.periodic[d];
    }
    set_corners(in, random);
    in.boxes = gathered(test.comm, std::vector<wherry::box<N>>{wherry::owned_box<N>(grid, in.cells)});
    return {grid, in.cells, in.space(), options};
  }
  wherry::domain<N> cells;
  for (std::size_t d = 0; d < N; ++d) {
    in.first[d] = cells.cells.lower[d] = random.between(-20, 20);
    in.cells[d] = random.between(2, 14);
    cells.cells.upper[d] = in.first[d] + in.cells[d];
    in.periodic[d] = cells.periodic[d] = random.chance(60);
  }
  set_corners(in, random);
  std::vector<wherry::box<N>> boxes{cells.cells};
  cut_at_random(random, boxes, random.one_of({0, 3, 10, 40}));
  if (random.chance(30) && boxes.size() > 3) boxes.resize(boxes.size() - boxes.size() / 4);
  const int owning = random.chance(20) ? random.between(1, test.size) : test.size;
  wherry::floor_plan<N> plan;
  in.boxes.assign(static_cast<std::size_t>(test.size), {});
  for (const auto& b : boxes) {
    plan.add(b, random.between(0, owning - 1));
    in.boxes[static_cast<std::size_t>(plan.owner(plan.size() - 1))].push_back(b);
  }
  return {wherry::communicator(test.comm), plan, cells, in.space(), options};
}

/// A coordinate inside, often exactly at an edge of a cell.
template <class Real> Real coordinate_in(random_numbers& random, double lower, double upper, wherry::index_t cells) {
  const double length = upper - lower;
  double x = lower + length * static_cast<double>(random.next() % 1'000'000) / 1e6;
  if (random.chance(15))
    x = lower + length / static_cast<double>(cells) * random.between(0, static_cast<int>(cells) - 1);
  if (random.chance(3)) x = lower;
  if (random.chance(3)) x = std::nextafter(upper, lower);
  auto kept = static_cast<Real>(x);
  while (static_cast<double>(kept) < lower) kept = std::nextafter(kept, std::numeric_limits<Real>::infinity());
  while (static_cast<double>(kept) >= upper) kept = std::nextafter(kept, -std::numeric_limits<Real>::infinity());
  return kept;
}

/// A push by up to `far` lengths of the space, which ends inside along dimensions that are not periodic.
template <class Real, int N>
Real pushed(Real x, random_numbers& random, const world<N>& in, std::size_t d, double far) {
  const double length = in.upper[d] - in.lower[d];
  if (in.periodic[d] && random.chance(2)) return static_cast<Real>(in.upper[d]);
  if (in.periodic[d] && random.chance(2))
    return std::nextafter(static_cast<Real>(in.lower[d]), static_cast<Real>(-1e9));
  if (in.periodic[d] && random.chance(1)) return static_cast<Real>(in.lower[d] - 1e-17 * length);
  const double step = far * length * (static_cast<double>(random.next() % 2'000'001) / 1e6 - 1);
  const auto y = static_cast<Real>(static_cast<double>(x) + step);
  if (in.periodic[d] || (static_cast<double>(y) >= in.lower[d] && static_cast<double>(y) < in.upper[d])) return y;
  return coordinate_in<Real>(random, in.lower[d], in.upper[d], in.cells[d]);
}

/// The particles of a rank after a move, found in the slowest way.
template <class Particle>
std::vector<Particle> slowly_moved(MPI_Comm comm, int me, const std::vector<Particle>& mine,
                                   const std::vector<int>& owners, wherry::particle_order order) {
  const auto all = gathered(comm, mine);
  const auto all_owners = gathered(comm, owners);
  std::vector<Particle> arrivals, result;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t i = 0; rank != static_cast<std::size_t>(me) && i < all[rank].size(); ++i)
      if (all_owners[rank][i] == me) arrivals.push_back(all[rank][i]);
  if (order == wherry::particle_order::stable) {
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (owners[i] == me) result.push_back(mine[i]);
    result.insert(result.end(), arrivals.begin(), arrivals.end());
    return result;
  }
  result = mine;
  std::vector<bool> hole;
  for (const int owner : owners) hole.push_back(owner != me);
  std::size_t next = 0;
  for (std::size_t i = 0; i < hole.size() && next < arrivals.size(); ++i)
    if (hole[i]) {
      result[i] = arrivals[next++];
      hole[i] = false;
    }
  result.insert(result.end(), arrivals.begin() + static_cast<std::ptrdiff_t>(next), arrivals.end());
  hole.resize(result.size(), false);
  for (std::size_t i = 0; i < result.size(); ++i) {
    while (!result.empty() && hole[result.size() - 1]) {
      result.pop_back();
      hole.pop_back();
    }
    if (i >= result.size() || !hole[i]) continue;
    result[i] = result.back();
    result.pop_back();
    hole[i] = false;
    hole.pop_back();
  }
  return result;
}

/// Makes random particles in the boxes of a rank.
template <int N, class Real>
std::vector<particle<N, Real>> particles_in(const world<N>& in, int rank, int count, random_numbers& random) {
  std::vector<particle<N, Real>> result;
  for (int tries = 0; static_cast<int>(result.size()) < count && tries < 200 * count; ++tries) {
    particle<N, Real> one;
    for (std::size_t d = 0; d < N; ++d) one.r[d] = coordinate_in<Real>(random, in.lower[d], in.upper[d], in.cells[d]);
    if (in.owner_of(in.cell_of(one.r)) != rank) continue;
    one.id = rank * 1'000'000 + static_cast<int>(result.size());
    result.push_back(one);
  }
  return result;
}

}  // namespace wherry_test
