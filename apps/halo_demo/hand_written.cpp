#include "hand_written.hpp"

#include <cstring>

namespace halo_demo {
// begin: what a user writes
namespace {

/// Rows as short as the halo are copied with a constant size, contiguous planes at once, and all others by one memcpy
/// for each row.
void copy(const double* from, long from_row, long from_plane, double* to, long to_row, long to_plane,
          const std::array<long, 3>& extent) {
  const auto bytes = static_cast<std::size_t>(extent[0]) * sizeof(double);
  for (long z = 0; z < extent[2]; ++z, from += from_plane, to += to_plane) {
    if (extent[0] == from_row && extent[0] == to_row)
      std::memcpy(to, from, bytes * static_cast<std::size_t>(extent[1]));
    else if (extent[0] == width)
      for (long y = 0; y < extent[1]; ++y) std::memcpy(to + y * to_row, from + y * from_row, width * sizeof(double));
    else
      for (long y = 0; y < extent[1]; ++y) std::memcpy(to + y * to_row, from + y * from_row, bytes);
  }
}

}  // namespace

hand_written::hand_written(MPI_Comm comm, const std::vector<int>& extents, fields& data, long size) {
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm, &rank_);
  for (auto& one : data.all()) first_.push_back(one.origin());
  row_ = data.all().front().strides()[1];
  plane_ = data.all().front().strides()[2];

  const std::array<int, 3> stride{extents[1] * extents[2], extents[2], 1};
  for (std::size_t d = 0; d < 3; ++d) {
    axis& a = axes_[d];
    const int mine = rank_ / stride[d] % extents[d];
    a.below = rank_ + ((mine + extents[d] - 1) % extents[d] - mine) * stride[d];
    a.above = rank_ + ((mine + 1) % extents[d] - mine) * stride[d];
    cells part;  // axes that were exchanged before take their halo along
    for (std::size_t other = 0; other < 3; ++other) {
      part.lower[other] = other < d ? -width : 0;
      part.extent[other] = other < d ? size + 2 * width : size;
    }
    part.extent[d] = width;
    a.low_core = a.high_core = a.low_halo = a.high_halo = part;
    a.high_core.lower[d] = size - width;
    a.low_halo.lower[d] = -width;
    a.high_halo.lower[d] = size;
    a.sends.fill(MPI_REQUEST_NULL);
    a.receives.fill(MPI_REQUEST_NULL);
    if (a.below == rank_) continue;
    a.out.resize(2 * count * static_cast<std::size_t>(part.count()));
    a.in.resize(a.out.size());
  }
}

hand_written::~hand_written() { MPI_Comm_free(&comm_); }

void hand_written::exchange() {
  for (int d = 0; d < 3; ++d) {
    axis& a = axes_[static_cast<std::size_t>(d)];
    if (a.below == rank_) continue;
    const int half = static_cast<int>(a.in.size() / 2);
    MPI_Irecv(a.in.data(), half, MPI_DOUBLE, a.below, 2 * d, comm_, &a.receives[0]);
    MPI_Irecv(a.in.data() + half, half, MPI_DOUBLE, a.above, 2 * d + 1, comm_, &a.receives[1]);
  }
  for (int d = 0; d < 3; ++d) {
    axis& a = axes_[static_cast<std::size_t>(d)];
    if (a.below == rank_) {
      copy_within(a.high_core, a.low_halo);
      copy_within(a.low_core, a.high_halo);
      continue;
    }
    const int half = static_cast<int>(a.out.size() / 2);
    double* const second = pack(a.high_core, a.out.data());
    MPI_Isend(a.out.data(), half, MPI_DOUBLE, a.above, 2 * d, comm_, &a.sends[0]);
    pack(a.low_core, second);
    MPI_Isend(second, half, MPI_DOUBLE, a.below, 2 * d + 1, comm_, &a.sends[1]);
    MPI_Wait(&a.receives[0], MPI_STATUS_IGNORE);
    const double* const arrived = unpack(a.low_halo, a.in.data());
    MPI_Wait(&a.receives[1], MPI_STATUS_IGNORE);
    unpack(a.high_halo, arrived);
  }
  for (auto& a : axes_) MPI_Waitall(2, a.sends.data(), MPI_STATUSES_IGNORE);
}

double* hand_written::pack(const cells& part, double* buffer) const {
  for (std::size_t f = 0; f < first_.size(); ++f, buffer += part.count())
    copy(cell(f, part.lower), row_, plane_, buffer, part.extent[0], part.extent[0] * part.extent[1], part.extent);
  return buffer;
}

const double* hand_written::unpack(const cells& part, const double* buffer) const {
  for (std::size_t f = 0; f < first_.size(); ++f, buffer += part.count())
    copy(buffer, part.extent[0], part.extent[0] * part.extent[1], cell(f, part.lower), row_, plane_, part.extent);
  return buffer;
}

void hand_written::copy_within(const cells& from, const cells& to) const {
  for (std::size_t f = 0; f < first_.size(); ++f)
    copy(cell(f, from.lower), row_, plane_, cell(f, to.lower), row_, plane_, to.extent);
}
// end

}  // namespace halo_demo
