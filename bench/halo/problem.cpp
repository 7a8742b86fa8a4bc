#include "halo/problem.hpp"

#include <cstdint>
#include <new>

namespace bench::halo {
namespace {

/// A hash of a cell's place in the whole grid and of its field. It is below 2^20, so that a float can hold it, too.
template <class T> T value_at(const problem& p, std::size_t f, const triple& cell) {
  std::uint64_t mixed = f + 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const int length = p.core(d) * p.grid[d];
    const int global = (p.core(d) * p.at[d] + cell[d] - p.halo(d) + length) % length;
    mixed = (mixed + static_cast<std::uint64_t>(global)) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29;
  }
  return static_cast<T>(mixed >> 44);
}

template <class Visit> void for_each_cell_of(const problem& p, const cells& box, Visit&& visit) {
  for (std::size_t f = 0; f < p.field.size(); ++f)
    for (int z = 0; z < box.extent[2]; ++z)
      for (int y = 0; y < box.extent[1]; ++y)
        for (int x = 0; x < box.extent[0]; ++x) visit(f, triple{box.lower[0] + x, box.lower[1] + y, box.lower[2] + z});
}

template <class Visit> void for_each_halo_cell(const problem& p, Visit&& visit) {
  for (int e = 0; e < directions; ++e)
    if (p.sends(e)) for_each_cell_of(p, p.incoming(e), visit);
}

template <class Visit> void for_each_core_cell(const problem& p, Visit&& visit) {
  for_each_cell_of(p, p.outgoing(here), visit);
}

/// Calls `visit` with a null pointer of the element's type.
template <class Visit> auto as_element(const problem& p, Visit&& visit) {
  return p.what.single ? visit(static_cast<float*>(nullptr)) : visit(static_cast<double*>(nullptr));
}

long sum_of_ranks(const problem& p, long mine) {
  long sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, p.comm);
  return sum;
}

template <class T> T& at(const problem& p, std::size_t f, const triple& c) {
  return *reinterpret_cast<T*>(p.cell(f, c));
}

template <class T> long is_wrong(const problem& p, std::size_t f, const triple& c) {
  return at<T>(p, f, c) != value_at<T>(p, f, c) ? 1 : 0;
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
    c.lower[d] = towards[d] > 0 ? core(d) : halo(d);
    c.extent[d] = towards[d] == 0 ? core(d) : halo(d);
  }
  return c;
}

cells problem::incoming(int e) const {
  const triple towards = direction(e);
  cells c{};
  for (std::size_t d = 0; d < 3; ++d) {
    c.lower[d] = towards[d] < 0 ? 0 : towards[d] == 0 ? halo(d) : halo(d) + core(d);
    c.extent[d] = towards[d] == 0 ? core(d) : halo(d);
  }
  return c;
}

// end

triple grid_for(const std::string& split, int ranks, int dimensions) {
  if (split == "x") return {ranks, 1, 1};
  if (split == "z") return dimensions > 2 ? triple{1, 1, ranks} : triple{1, ranks, 1};
  triple result{0, 0, dimensions > 2 ? 0 : 1};
  MPI_Dims_create(ranks, 3, result.data());
  return result;
}

problem make_problem(MPI_Comm comm, const shape& what, int n, const triple& grid) {
  problem p;
  p.comm = comm;
  MPI_Comm_rank(comm, &p.rank);
  MPI_Comm_size(comm, &p.size);
  p.what = what;
  p.n = n;
  p.grid = grid;
  for (int d = 2, rest = p.rank; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(d);
    p.at[i] = rest % grid[i];
    rest /= grid[i];
  }
  p.element = what.single ? sizeof(float) : sizeof(double);
  p.row = p.whole(0) * p.element;
  p.plane = p.row * p.whole(1);
  p.field.assign(static_cast<std::size_t>(what.fields), nullptr);
  return p;
}

heap_fields::heap_fields(const problem& like) : with_fields(like) {
  const auto bytes = static_cast<std::size_t>(like.plane * like.whole(2));
  for (auto& field : with_fields.field) {
    memory_.emplace_back(static_cast<char*>(std::malloc(bytes)));  // as in users' programs, with malloc's alignment
    if (!memory_.back()) throw std::bad_alloc();
    field = memory_.back().get();
  }
}

void fill(const problem& p) {
  as_element(p, [&]<class T>(T*) {
    for_each_core_cell(p, [&](std::size_t f, const triple& c) { at<T>(p, f, c) = value_at<T>(p, f, c); });
  });
  spoil_halo(p);
}

void spoil_halo(const problem& p) {
  as_element(
      p, [&]<class T>(T*) { for_each_halo_cell(p, [&](std::size_t f, const triple& c) { at<T>(p, f, c) = T{-1}; }); });
}

long count_wrong(const problem& p) {
  long mine = 0;
  as_element(p, [&]<class T>(T*) {
    for_each_halo_cell(p, [&](std::size_t f, const triple& c) { mine += is_wrong<T>(p, f, c); });
  });
  return sum_of_ranks(p, mine);
}

long count_wrong_core(const problem& p) {
  long mine = 0;
  as_element(p, [&]<class T>(T*) {
    for_each_core_cell(p, [&](std::size_t f, const triple& c) { mine += is_wrong<T>(p, f, c); });
  });
  return sum_of_ranks(p, mine);
}

void touch_outgoing(const problem& p) {
  const auto touch_box = [&]<class T>(const cells& box, T*) {
    for (std::size_t f = 0; f < p.field.size(); ++f)
      for (int z = 0; z < box.extent[2]; ++z)
        for (int y = 0; y < box.extent[1]; ++y) {
          volatile T* row = &at<T>(p, f, {box.lower[0], box.lower[1] + y, box.lower[2] + z});
          for (int x = 0; x < box.extent[0]; ++x) row[x] = row[x];
        }
  };
  // The faces include the edges and corners.
  for (const int e : {4, 10, 12, 14, 16, 22})
    if (p.sends(e)) as_element(p, [&]<class T>(T* type) { touch_box(p.outgoing(e), type); });
}

}  // namespace bench::halo
