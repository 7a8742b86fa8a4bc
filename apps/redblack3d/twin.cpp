#include "twin.hpp"

#include <algorithm>

namespace redblack3d {
namespace {

constexpr long red = 0, black = 1;

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

range3 cells_of(MPI_Comm comm, const problem& what) {
  const int rank = rank_of(comm), row = rank / what.blocks[0];
  return what.block(rank % what.blocks[0], row % what.blocks[1], row / what.blocks[1]);
}

/// A dense array over `cells` and `ghost` cells around them.
array3 array_over(std::vector<double>& memory, const range3& cells, long ghost) {
  array3 result{};
  long extent[3];
  for (int d = 0; d < 3; ++d) {
    result.lower[d] = cells.lower[d] - ghost;
    extent[d] = cells.upper[d] - cells.lower[d] + 2 * ghost;
  }
  result.row = extent[0];
  result.plane = extent[0] * extent[1];
  memory.assign(static_cast<std::size_t>(result.plane * extent[2]), 0.0);
  result.first = memory.data();
  return result;
}

// begin: what a user writes
std::size_t size(const range3& r) {
  std::size_t cells = 1;
  for (int d = 0; d < 3; ++d) cells *= static_cast<std::size_t>(std::max(0L, r.upper[d] - r.lower[d]));
  return cells;
}

/// Calls `visit(first element, count)` for every row.
template <class Visit> void for_each_row(const array3& u, const range3& r, Visit visit) {
  for (long z = r.lower[2]; z < r.upper[2]; ++z)
    for (long y = r.lower[1]; y < r.upper[1]; ++y) visit(u.at(r.lower[0], y, z), r.upper[0] - r.lower[0]);
}

void pack(const array3& u, const range3& r, double* to) {
  if (r.upper[0] - r.lower[0] == 1) return for_each_row(u, r, [&](const double* cell, long) { *to++ = *cell; });
  for_each_row(u, r, [&](const double* row, long cells) { to = std::copy_n(row, cells, to); });
}

void unpack(const double* from, const array3& u, const range3& r) {
  if (r.upper[0] - r.lower[0] == 1) return for_each_row(u, r, [&](double* cell, long) { *cell = *from++; });
  for_each_row(u, r, [&](double* row, long cells) {
    std::copy_n(from, cells, row);
    from += cells;
  });
}
// end

}  // namespace

// begin: what a user writes
face_exchange::face_exchange(MPI_Comm comm, const problem& what, const array3& u) : comm_(comm), u_(u) {
  const int rank = rank_of(comm), row = rank / what.blocks[0];
  const int at[3] = {rank % what.blocks[0], row % what.blocks[1], row / what.blocks[1]};
  const int stride[3] = {1, what.blocks[0], what.blocks[0] * what.blocks[1]};
  const range3 cells = cells_of(comm, what);
  for (int d = 0; d < 3; ++d)
    for (int side = 0; side < 2; ++side) {
      const int there = at[d] + (side == 0 ? -1 : 1);
      if (there < 0 || there >= what.blocks[static_cast<std::size_t>(d)]) continue;
      face f{rank + (side == 0 ? -stride[d] : stride[d]), 2 * d + side, 2 * d + 1 - side, cells, cells, {}, {}};
      if (side == 0) {
        f.leaves.upper[d] = cells.lower[d] + 1;
        f.arrives.lower[d] = cells.lower[d] - 1;
        f.arrives.upper[d] = cells.lower[d];
      } else {
        f.leaves.lower[d] = cells.upper[d] - 1;
        f.arrives.lower[d] = cells.upper[d];
        f.arrives.upper[d] = cells.upper[d] + 1;
      }
      f.out.resize(size(f.leaves));
      f.in.resize(size(f.arrives));
      faces_.push_back(std::move(f));
    }
}

void face_exchange::start() {
  requests_.clear();
  for (auto& f : faces_)
    MPI_Irecv(f.in.data(), static_cast<int>(f.in.size()), MPI_DOUBLE, f.peer, f.tag_in, comm_,
              &requests_.emplace_back());
  for (auto& f : faces_) {
    pack(u_, f.leaves, f.out.data());
    MPI_Isend(f.out.data(), static_cast<int>(f.out.size()), MPI_DOUBLE, f.peer, f.tag_out, comm_,
              &requests_.emplace_back());
  }
}

void face_exchange::wait() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (const auto& f : faces_) unpack(f.in.data(), u_, f.arrives);
}
// end

twin::twin(MPI_Comm comm, const problem& what)
    : what_(what),
      cells_(cells_of(comm, what)),
      inner_(cells_),
      u_(array_over(u_memory_, cells_, 1)),
      f_(array_over(f_memory_, cells_, 0)),
      exchange_(face_exchange(comm, what, u_)) {
  // The layers that need ghost cells are cut off one by one; the rest of the block needs none.
  for (int d = 2; d >= 0; --d) {
    if (inner_.lower[d] != 1) {
      auto& layer = shell_.emplace_back(inner_);
      layer.upper[d] = ++inner_.lower[d];
    }
    if (inner_.upper[d] != what.n + 1 && inner_.upper[d] > inner_.lower[d]) {
      auto& layer = shell_.emplace_back(inner_);
      layer.lower[d] = --inner_.upper[d];
    }
  }
  reset();
}

void twin::sweep() {
  for (const long colour : {red, black}) {
    exchange_.start();
    exchange_.wait();
    kernels().relax(u_, f_, cells_, colour);
  }
}

void twin::sweep_overlapped() {
  for (const long colour : {red, black}) {
    exchange_.start();
    kernels().relax(u_, f_, inner_, colour);
    exchange_.wait();
    for (const auto& layer : shell_) kernels().relax(u_, f_, layer, colour);
  }
}

void twin::reset() {
  range3 all = cells_;
  for (int d = 0; d < 3; ++d) {
    --all.lower[d];
    ++all.upper[d];
  }
  set_first_guess(what_, u_, all);
  set_right_hand_side(what_, f_, cells_);
}

state twin::look() const {
  state mine;
  look_at(what_, u_, cells_, mine);
  return mine;
}

}  // namespace redblack3d
