#include "hand_written.hpp"

#include <algorithm>
#include <new>

namespace nas_ft {
namespace {

using wherry::box;
using wherry::index_t;
using wherry::point;

int doubles_in(const box<3>& cells) { return static_cast<int>(2 * cells.size()); }

/// Calls `row(p)` with the first point of each row, in the order of an array whose slowest dimension is `slowest`.
template <class Row> void for_each_row(const box<3>& cells, std::size_t slowest, Row&& row) {
  const std::size_t middle = 3 - slowest;
  auto p = cells.lower;
  for (p[slowest] = cells.lower[slowest]; p[slowest] < cells.upper[slowest]; ++p[slowest])
    for (p[middle] = cells.lower[middle]; p[middle] < cells.upper[middle]; ++p[middle]) row(p);
}

}  // namespace

hand_written::memory hand_written::allocate(index_t points) {
  auto* memory = reinterpret_cast<complex*>(fftw_alloc_complex(static_cast<std::size_t>(std::max<index_t>(1, points))));
  if (memory == nullptr) throw std::bad_alloc();
  std::fill_n(memory, points, complex{});
  return hand_written::memory(memory);
}

view hand_written::make_array(const box<3>& cells, int slowest) {
  index_t row = cells.extent(0);
  if (row % 32 == 0) row += 4;  // rows a power of two apart would compete for the same cache sets
  const int middle = 3 - slowest;
  const auto plane = row * cells.extent(middle);
  memory_.push_back(allocate(plane * cells.extent(slowest)));
  point<3> strides{1, 0, 0};
  strides[static_cast<std::size_t>(middle)] = row;
  strides[static_cast<std::size_t>(slowest)] = plane;
  return {memory_.back().get(), cells, strides};
}

box<3> hand_written::slab(int rank, std::size_t cut) const {
  auto cells = wherry::box_of_extents<3>(problem_.cells);
  const auto n = problem_.cells[cut];
  cells.lower[cut] = n * rank / ranks_;
  cells.upper[cut] = n * (rank + 1) / ranks_;
  return cells;
}

hand_written::hand_written(MPI_Comm comm, const problem& what, planning effort)
    : comm_(comm), problem_(what), decay_(what) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
  for (auto* list : {&leaving_, &arriving_, &leaving_from_, &arriving_at_})
    list->assign(static_cast<std::size_t>(ranks_) + 1, 0);
  const auto in_space = slab(rank_, 2), in_spectrum = slab(rank_, 1);
  field_ = make_array(in_space, 2);
  spectrum_ = make_array(in_spectrum, 1);
  decayed_ = make_array(in_spectrum, 1);
  if (ranks_ > 1) {
    const auto most = std::max(in_space.size(), in_spectrum.size());
    sent_ = allocate(most);
    received_ = allocate(most);
  }
  const int xy[] = {0, 1}, z[] = {2};
  forward_xy_ = transforms_of_planes(field_, in_space, 2, xy, direction::forward, effort);
  forward_z_ = transforms_of_planes(spectrum_, in_spectrum, 1, z, direction::forward, effort);
  inverse_z_ = transforms_of_planes(decayed_, in_spectrum, 1, z, direction::inverse, effort);
  inverse_xy_ = transforms_of_planes(field_, in_space, 2, xy, direction::inverse, effort);
}

void hand_written::fill() { fill_random(field_, field_.cells(), problem_); }

void hand_written::forward() {
  for (const auto& plane : forward_xy_) plane();
  transpose(field_, spectrum_, 1);
  for (const auto& plane : forward_z_) plane();
}

void hand_written::evolve(int t) {
  decay_.set_time(t);
  auto y = decayed_.cells().lower[1];
  for (const auto& plane : inverse_z_) {
    decay_.apply(spectrum_, decayed_, plane_of(decayed_.cells(), 1, y++));
    plane();
  }
  transpose(decayed_, field_, 2);
  for (const auto& plane : inverse_xy_) plane();
}

complex hand_written::checksum() const { return part_of_checksum(field_, field_.cells(), problem_); }

// begin: what a user writes
void hand_written::transpose(const view& from, const view& to, std::size_t cut) {
  const double began = MPI_Wtime();
  const auto length = problem_.cells[0];
  const auto for_others = [&](const view& mine, std::size_t cut_of_theirs, auto&& row) {
    for (int r = 0; r < ranks_; ++r)
      if (r != rank_) for_each_row(intersection(mine.cells(), slab(r, cut_of_theirs)), cut, row);
  };
  complex* out = sent_.get();
  for_others(from, cut, [&](const point<3>& p) { out = std::copy_n(&from[p], length, out); });
  exchange(from.cells(), to.cells(), cut);
  for_each_row(intersection(from.cells(), to.cells()), cut,
               [&](const point<3>& p) { std::copy_n(&from[p], length, &to[p]); });
  const complex* in = received_.get();
  for_others(to, 3 - cut, [&](const point<3>& p) {
    std::copy_n(in, length, &to[p]);
    in += length;
  });
  communicating_ += MPI_Wtime() - began;
}

void hand_written::exchange(const box<3>& from, const box<3>& to, std::size_t cut) {
  if (ranks_ == 1) return;
  for (int r = 0; r < ranks_; ++r) {
    const auto i = static_cast<std::size_t>(r);
    leaving_[i] = r == rank_ ? 0 : doubles_in(intersection(from, slab(r, cut)));
    arriving_[i] = r == rank_ ? 0 : doubles_in(intersection(to, slab(r, 3 - cut)));
    leaving_from_[i + 1] = leaving_from_[i] + leaving_[i];
    arriving_at_[i + 1] = arriving_at_[i] + arriving_[i];
  }
  MPI_Alltoallv(sent_.get(), leaving_.data(), leaving_from_.data(), MPI_DOUBLE, received_.get(), arriving_.data(),
                arriving_at_.data(), MPI_DOUBLE, comm_);
}
// end

}  // namespace nas_ft
