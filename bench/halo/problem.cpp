#include "halo/problem.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace bench::halo {
namespace {

double value_at(const problem& p, int f, const triple& cell) {
  triple global{};
  for (std::size_t d = 0; d < 3; ++d) {
    const int length = p.n * p.grid[d];
    global[d] = (p.n * p.at[d] + cell[d] - width + length) % length;
  }
  return global[0] +
         p.n * static_cast<double>(p.grid[0]) * (global[1] + p.n * static_cast<double>(p.grid[1]) * global[2]) +
         1e10 * (f + 1);
}

template <class Visit> void for_each_halo_cell(const problem& p, Visit&& visit) {
  for (int f = 0; f < fields; ++f)
    for (int e = 0; e < directions; ++e) {
      if (e == here) continue;
      const cells c = p.incoming(e);
      for (int z = 0; z < c.extent[2]; ++z)
        for (int y = 0; y < c.extent[1]; ++y)
          for (int x = 0; x < c.extent[0]; ++x) visit(f, triple{c.lower[0] + x, c.lower[1] + y, c.lower[2] + z});
    }
}

template <class Visit> void for_each_core_cell(const problem& p, Visit&& visit) {
  for (int f = 0; f < fields; ++f)
    for (int z = 0; z < p.n; ++z)
      for (int y = 0; y < p.n; ++y)
        for (int x = 0; x < p.n; ++x) visit(f, triple{x + width, y + width, z + width});
}

long sum_of_ranks(const problem& p, long mine) {
  long sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, p.comm);
  return sum;
}

}  // namespace

// begin: what a user writes
int problem::neighbor(int e) const {
  const triple towards = direction(e);
  int result = 0;
  for (std::size_t d = 0; d < 3; ++d) result = result * grid[d] + (at[d] + towards[d] + grid[d]) % grid[d];
  return result;
}

cells problem::outgoing(int e) const {
  const triple towards = direction(e);
  cells c{};
  for (std::size_t d = 0; d < 3; ++d) {
    c.lower[d] = towards[d] > 0 ? n : width;
    c.extent[d] = towards[d] == 0 ? n : width;
  }
  return c;
}

cells problem::incoming(int e) const {
  const triple towards = direction(e);
  cells c{};
  for (std::size_t d = 0; d < 3; ++d) {
    c.lower[d] = towards[d] < 0 ? 0 : towards[d] == 0 ? width : width + n;
    c.extent[d] = towards[d] == 0 ? n : width;
  }
  return c;
}

// end

triple grid_for(const std::string& split, int ranks) {
  if (split == "x") return {ranks, 1, 1};
  if (split == "z") return {1, 1, ranks};
  triple result{};
  MPI_Dims_create(ranks, 3, result.data());
  return result;
}

problem make_problem(MPI_Comm comm, int n, const triple& grid) {
  problem p;
  p.comm = comm;
  MPI_Comm_rank(comm, &p.rank);
  MPI_Comm_size(comm, &p.size);
  p.n = n;
  p.grid = grid;
  for (int d = 2, rest = p.rank; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(d);
    p.at[i] = rest % grid[i];
    rest /= grid[i];
  }
  p.row = p.whole();
  p.plane = p.row * p.whole();
  return p;
}

heap_fields::heap_fields(const problem& like) : with_fields(like) {
  const auto bytes = static_cast<std::size_t>(like.plane * like.whole()) * sizeof(double);
  for (std::size_t f = 0; f < fields; ++f) {
    memory_[f].reset(static_cast<double*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
    if (!memory_[f]) throw std::bad_alloc();
    with_fields.field[f] = memory_[f].get();
  }
}

void fill(const problem& p) {
  for_each_core_cell(p, [&](int f, const triple& c) { *p.cell(f, c) = value_at(p, f, c); });
  spoil_halo(p);
}

void spoil_halo(const problem& p) {
  for_each_halo_cell(p, [&](int f, const triple& c) { *p.cell(f, c) = -1; });
}

long count_wrong(const problem& p) {
  long mine = 0;
  for_each_halo_cell(p, [&](int f, const triple& c) { mine += *p.cell(f, c) != value_at(p, f, c) ? 1 : 0; });
  return sum_of_ranks(p, mine);
}

long count_wrong_core(const problem& p) {
  long mine = 0;
  for_each_core_cell(p, [&](int f, const triple& c) { mine += *p.cell(f, c) != value_at(p, f, c) ? 1 : 0; });
  return sum_of_ranks(p, mine);
}

void touch_outgoing(const problem& p) {
  for (int f = 0; f < fields; ++f)
    for (int e = 0; e < directions; ++e) {
      if (e == here) continue;
      const cells c = p.outgoing(e);
      for (int z = 0; z < c.extent[2]; ++z)
        for (int y = 0; y < c.extent[1]; ++y) {
          volatile double* row = p.cell(f, {c.lower[0], c.lower[1] + y, c.lower[2] + z});
          for (int x = 0; x < c.extent[0]; ++x) row[x] = row[x];
        }
    }
}

}  // namespace bench::halo
