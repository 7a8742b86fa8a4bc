#include "particles/by_hand.hpp"

#include <algorithm>
#include <array>

namespace bench::particles {
namespace {

constexpr int leftwards = 1, rightwards = 2;

int bytes(const std::vector<row>& rows) { return static_cast<int>(rows.size() * sizeof(row)); }
int values(const std::vector<double>& list) { return static_cast<int>(list.size()); }

void find_neighbors(MPI_Comm comm, int& rank, int& size, int& left, int& right) {
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
}

/// Puts rows into holes, then behind; then the last particles into holes that are left.
void settle(swarm& all, const std::vector<std::size_t>& holes, const std::vector<row>& rows) {
  const auto filled = std::min(holes.size(), rows.size());
  for (std::size_t k = 0; k < filled; ++k) put(all, holes[k], rows[k]);
  auto end = all.size();
  if (rows.size() > filled) {
    all.resize(end + rows.size() - filled);
    for (auto k = filled; k < rows.size(); ++k) put(all, end++, rows[k]);
  }
  auto last = holes.size();
  for (auto k = filled; k < last; ++k) {
    while (last > k && holes[last - 1] == end - 1) {
      --last;
      --end;
    }
    if (k >= last) break;
    put(all, holes[k], get(all, --end));
  }
  if (end < all.size()) all.resize(end);
}

}  // namespace

void swarm::resize(std::size_t count) {
  for (auto* const one : {&x, &y, &z, &vx, &vy, &vz}) one->resize(count);
  id.resize(count);
}

row get(const swarm& from, std::size_t i) {
  return {from.x[i], from.y[i], from.z[i], from.vx[i], from.vy[i], from.vz[i], from.id[i]};
}
void put(swarm& to, std::size_t i, const row& one) {
  to.x[i] = one.x;
  to.y[i] = one.y;
  to.z[i] = one.z;
  to.vx[i] = one.vx;
  to.vy[i] = one.vy;
  to.vz[i] = one.vz;
  to.id[i] = one.id;
}

bare_pass::bare_pass(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  lower_ = rank;
}

void bare_pass::operator()(swarm& all) {
  holes_.clear();
  rows_.clear();
  const double lower = lower_, upper = lower_ + 1;
  const auto *const x = all.x.data(), *const y = all.y.data(), *const z = all.z.data();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (x[i] >= lower && x[i] < upper && y[i] >= 0 && y[i] < 1 && z[i] >= 0 && z[i] < 1) continue;
    holes_.push_back(i);
    rows_.push_back(get(all, i));
  }
  for (auto& one : rows_) one.x -= 1;
  settle(all, holes_, rows_);
}

move_by_hand::move_by_hand(MPI_Comm comm) : comm_(comm) { find_neighbors(comm, rank_, size_, left_, right_); }

void move_by_hand::operator()(swarm& all) {
  holes_.clear();
  to_left_.clear();
  to_right_.clear();
  const double lower = rank_, upper = rank_ + 1;
  const auto *const x = all.x.data(), *const y = all.y.data(), *const z = all.z.data();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (x[i] >= lower && x[i] < upper && y[i] >= 0 && y[i] < 1 && z[i] >= 0 && z[i] < 1) continue;
    holes_.push_back(i);
    auto one = get(all, i);
    if (one.x < lower) {
      if (rank_ == 0) one.x += size_;
      to_left_.push_back(one);
    } else {
      if (rank_ == size_ - 1) one.x -= size_;
      to_right_.push_back(one);
    }
  }
  const int sent[] = {bytes(to_left_), bytes(to_right_)};
  int from_left = 0, from_right = 0;
  MPI_Sendrecv(&sent[1], 1, MPI_INT, right_, rightwards, &from_left, 1, MPI_INT, left_, rightwards, comm_,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&sent[0], 1, MPI_INT, left_, leftwards, &from_right, 1, MPI_INT, right_, leftwards, comm_,
               MPI_STATUS_IGNORE);
  const auto first = static_cast<std::size_t>(from_left) / sizeof(row);
  arrived_.resize(first + static_cast<std::size_t>(from_right) / sizeof(row));
  std::array<MPI_Request, 4> requests;
  MPI_Irecv(arrived_.data(), from_left, MPI_BYTE, left_, rightwards, comm_, &requests[0]);
  MPI_Irecv(arrived_.data() + first, from_right, MPI_BYTE, right_, leftwards, comm_, &requests[1]);
  MPI_Isend(to_right_.data(), sent[1], MPI_BYTE, right_, rightwards, comm_, &requests[2]);
  MPI_Isend(to_left_.data(), sent[0], MPI_BYTE, left_, leftwards, comm_, &requests[3]);
  MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  settle(all, holes_, arrived_);
}

ghosts_by_hand::ghosts_by_hand(MPI_Comm comm, const swarm& all, double cutoff) : comm_(comm), owned_(all.size()) {
  find_neighbors(comm, rank_, size_, left_, right_);
  for (std::size_t i = 0; i < owned_; ++i) {
    if (all.x[i] <= rank_ + cutoff) to_left_.push_back(i);
    if (all.x[i] >= rank_ + 1 - cutoff) to_right_.push_back(i);
  }
  const std::size_t sent[] = {to_left_.size(), to_right_.size()};
  MPI_Sendrecv(&sent[1], 1, MPI_UNSIGNED_LONG, right_, rightwards, &from_left_, 1, MPI_UNSIGNED_LONG, left_, rightwards,
               comm_, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&sent[0], 1, MPI_UNSIGNED_LONG, left_, leftwards, &from_right_, 1, MPI_UNSIGNED_LONG, right_, leftwards,
               comm_, MPI_STATUS_IGNORE);
  out_left_.resize(3 * to_left_.size());
  out_right_.resize(3 * to_right_.size());
  in_left_.resize(3 * from_left_);
  in_right_.resize(3 * from_right_);
}

void ghosts_by_hand::fill(std::vector<double>& x, std::vector<double>& y, std::vector<double>& z) {
  std::array<MPI_Request, 4> requests;
  MPI_Irecv(in_left_.data(), values(in_left_), MPI_DOUBLE, left_, rightwards, comm_, &requests[0]);
  MPI_Irecv(in_right_.data(), values(in_right_), MPI_DOUBLE, right_, leftwards, comm_, &requests[1]);
  const auto pack = [&](const std::vector<std::size_t>& list, double shift, std::vector<double>& out) {
    auto* to = out.data();
    for (const auto i : list) {
      *to++ = x[i] + shift;
      *to++ = y[i];
      *to++ = z[i];
    }
  };
  pack(to_right_, rank_ == size_ - 1 ? -size_ : 0, out_right_);
  MPI_Isend(out_right_.data(), values(out_right_), MPI_DOUBLE, right_, rightwards, comm_, &requests[2]);
  pack(to_left_, rank_ == 0 ? size_ : 0, out_left_);
  MPI_Isend(out_left_.data(), values(out_left_), MPI_DOUBLE, left_, leftwards, comm_, &requests[3]);
  MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  auto at = owned_;
  for (const auto* const in : {&in_left_, &in_right_})
    for (std::size_t k = 0; k < in->size(); k += 3, ++at) {
      x[at] = (*in)[k];
      y[at] = (*in)[k + 1];
      z[at] = (*in)[k + 2];
    }
}

void ghosts_by_hand::sum_back(std::vector<double>& fx, std::vector<double>& fy, std::vector<double>& fz) {
  std::array<MPI_Request, 4> requests;
  MPI_Irecv(out_left_.data(), values(out_left_), MPI_DOUBLE, left_, rightwards, comm_, &requests[0]);
  MPI_Irecv(out_right_.data(), values(out_right_), MPI_DOUBLE, right_, leftwards, comm_, &requests[1]);
  auto at = owned_;
  for (auto* const in : {&in_left_, &in_right_})
    for (std::size_t k = 0; k < in->size(); k += 3, ++at) {
      (*in)[k] = fx[at];
      (*in)[k + 1] = fy[at];
      (*in)[k + 2] = fz[at];
    }
  MPI_Isend(in_right_.data(), values(in_right_), MPI_DOUBLE, right_, rightwards, comm_, &requests[2]);
  MPI_Isend(in_left_.data(), values(in_left_), MPI_DOUBLE, left_, leftwards, comm_, &requests[3]);
  MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  const auto add = [&](const std::vector<std::size_t>& list, const std::vector<double>& sums) {
    const auto* from = sums.data();
    for (const auto i : list) {
      fx[i] += *from++;
      fy[i] += *from++;
      fz[i] += *from++;
    }
  };
  add(to_left_, out_left_);
  add(to_right_, out_right_);
}

}  // namespace bench::particles
