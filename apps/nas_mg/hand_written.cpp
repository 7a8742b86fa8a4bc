#include "hand_written.hpp"

#include <algorithm>

namespace nas_mg {

// begin: what a user writes
hand_written_fill::hand_written_fill(MPI_Comm comm, int rank, const cut& how, const brick& cells)
    : comm_(comm), cells_(cells) {
  const auto found = std::find(how.owners.begin(), how.owners.end(), rank);
  takes_part_ = found != how.owners.end() && cells.nx > 0;
  if (!takes_part_) return;
  const auto number = static_cast<int>(found - how.owners.begin());
  const std::array<int, 3> pieces{how.pieces(0), how.pieces(1), how.pieces(2)};
  const std::array<int, 3> mine{number % pieces[0], number / pieces[0] % pieces[1], number / pieces[0] / pieces[1]};
  const std::array<long, 3> layer{cells.ny * cells.nz, (cells.nx + 2) * cells.nz, (cells.nx + 2) * (cells.ny + 2)};
  for (std::size_t d = 0; d < 3; ++d) {
    alone_[d] = pieces[d] == 1;
    for (std::size_t side = 0; side < 2; ++side) {
      auto other = mine;
      other[d] = (mine[d] + (side == 0 ? pieces[d] - 1 : 1)) % pieces[d];
      auto& f = faces_[d][side];
      f.neighbour = how.owners[static_cast<std::size_t>((other[2] * pieces[1] + other[1]) * pieces[0] + other[0])];
      if (alone_[d]) continue;
      f.sent.resize(static_cast<std::size_t>(layer[d]));
      f.received.resize(static_cast<std::size_t>(layer[d]));
    }
  }
}

template <class Visit> void hand_written_fill::for_layer(std::size_t axis, long at, Visit&& visit) const {
  const auto& b = cells_;
  if (axis == 0) {
    for (long z = 0; z < b.nz; ++z)
      for (long y = 0; y < b.ny; ++y) visit(b.at(y, z) + at, 1);
  } else if (axis == 1) {
    for (long z = 0; z < b.nz; ++z) visit(b.at(at, z) - 1, b.nx + 2);
  } else {
    for (long y = -1; y <= b.ny; ++y) visit(b.at(y, at) - 1, b.nx + 2);
  }
}

void hand_written_fill::copy_to_oneself(std::size_t axis) {
  const auto& b = cells_;
  const long n = axis == 0 ? b.nx : axis == 1 ? b.ny : b.nz;
  const std::ptrdiff_t step = axis == 0 ? 1 : axis == 1 ? b.row : b.plane;
  for_layer(axis, -1, [&](double* to, long count) { std::copy_n(to + n * step, count, to); });
  for_layer(axis, n, [&](double* to, long count) { std::copy_n(to - n * step, count, to); });
}

void hand_written_fill::post(std::size_t axis) {
  const auto& b = cells_;
  const long n = axis == 0 ? b.nx : axis == 1 ? b.ny : b.nz;
  // Data that goes down arrives from above. With two bricks, both neighbours are the same rank, and the tag tells the
  // messages apart.
  for (std::size_t side = 0; side < 2; ++side) {
    auto& f = faces_[axis][side];
    MPI_Irecv(f.received.data(), static_cast<int>(f.received.size()), MPI_DOUBLE, f.neighbour,
              static_cast<int>(2 * axis + 1 - side), comm_, &requests_[side]);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    auto& f = faces_[axis][side];
    double* out = f.sent.data();
    for_layer(axis, side == 0 ? 0 : n - 1,
              [&](const double* from, long count) { out = std::copy_n(from, count, out); });
    MPI_Isend(f.sent.data(), static_cast<int>(f.sent.size()), MPI_DOUBLE, f.neighbour,
              static_cast<int>(2 * axis + side), comm_, &requests_[2 + side]);
  }
}

void hand_written_fill::finish(std::size_t axis) {
  const auto& b = cells_;
  const long n = axis == 0 ? b.nx : axis == 1 ? b.ny : b.nz;
  MPI_Waitall(4, requests_.data(), MPI_STATUSES_IGNORE);
  for (std::size_t side = 0; side < 2; ++side) {
    const double* in = faces_[axis][side].received.data();
    for_layer(axis, side == 0 ? -1 : n, [&](double* to, long count) {
      std::copy_n(in, count, to);
      in += count;
    });
  }
}

void hand_written_fill::start() {
  if (!takes_part_) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (alone_[axis]) {
      copy_to_oneself(axis);
    } else {
      post(axis);
      if (axis < 2) finish(axis);
    }
  }
}

void hand_written_fill::wait() {
  if (takes_part_ && !alone_[2]) finish(2);
}
// end

}  // namespace nas_mg
