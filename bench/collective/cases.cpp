#include "collective/cases.hpp"

#include <algorithm>

namespace bench::collective {

using wherry::collective::kind;

namespace {

bool has_blocks(kind what, bool of_send) {
  switch (what) {
    case kind::alltoall:
      return true;
    case kind::gather:
    case kind::allgather:
      return !of_send;
    case kind::scatter:
    case kind::reduce_scatter_block:
      return of_send;
    default:
      return false;
  }
}

}  // namespace

repeated_call::repeated_call(kind what, MPI_Comm comm, std::size_t bytes) : count_(bytes / sizeof(double)) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
  const auto blocks = [&](bool of_send) { return has_blocks(what, of_send) ? static_cast<std::size_t>(size_) : 1; };
  send_.resize(count_ * blocks(true));
  receive_.resize(count_ * blocks(false));
  using wherry::collective::call;
  const auto n = static_cast<std::int64_t>(count_);
  double *const s = send_.data(), *const r = receive_.data();
  const auto type = MPI_DOUBLE;
  switch (what) {
    case kind::barrier:
      call_ = call::barrier(comm);
      break;
    case kind::bcast:
      call_ = call::bcast(r, n, type, 0, comm);
      break;
    case kind::gather:
      call_ = call::gather(s, n, type, r, n, type, 0, comm);
      break;
    case kind::scatter:
      call_ = call::scatter(s, n, type, r, n, type, 0, comm);
      break;
    case kind::reduce:
      call_ = call::reduce(s, r, n, type, MPI_SUM, 0, comm);
      break;
    case kind::allgather:
      call_ = call::allgather(s, n, type, r, n, type, comm);
      break;
    case kind::allreduce:
      call_ = call::allreduce(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::reduce_scatter_block:
      call_ = call::reduce_scatter_block(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::scan:
      call_ = call::scan(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::exscan:
      call_ = call::exscan(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::alltoall:
      call_ = call::alltoall(s, n, type, r, n, type, comm);
      break;
    default:
      throw wherry::error(wherry::error_kind::argument, "bench_collective", "cannot time this collective");
  }
}

void repeated_call::rewrite() {
  ++rounds_;
  auto& writes = call_.kind == kind::bcast ? receive_ : send_;
  if (call_.kind == kind::bcast && rank_ != call_.root) return;
  for (std::size_t i = 0; i < writes.size(); ++i) writes[i] = sent(rank_, i);
}

bool repeated_call::is_right() const {
  const int all = size_ * (size_ - 1) / 2 * 7, before = rank_ * (rank_ - 1) / 2 * 7;
  const auto base = [&](std::size_t i) { return sent(0, i); };
  const auto vector_is = [&](auto value) {
    for (std::size_t i = 0; i < count_; ++i)
      if (receive_[i] != value(i)) return false;
    return true;
  };
  const bool at_root = rank_ == 0;
  switch (call_.kind) {
    case kind::bcast:
      return vector_is(base);
    case kind::reduce:
      return !at_root || vector_is([&](std::size_t i) { return size_ * base(i) + all; });
    case kind::allreduce:
      return vector_is([&](std::size_t i) { return size_ * base(i) + all; });
    case kind::scan:
      return vector_is([&](std::size_t i) { return (rank_ + 1) * base(i) + before + 7 * rank_; });
    case kind::exscan:
      return at_root || vector_is([&](std::size_t i) { return rank_ * base(i) + before; });
    case kind::reduce_scatter_block:
      return vector_is([&](std::size_t i) { return size_ * base(static_cast<std::size_t>(rank_) * count_ + i) + all; });
    case kind::scatter:
      return vector_is([&](std::size_t i) { return base(static_cast<std::size_t>(rank_) * count_ + i); });
    case kind::gather:
    case kind::allgather:
    case kind::alltoall:
      if (call_.kind == kind::gather && !at_root) return true;
      for (int from = 0; from < size_; ++from)
        for (std::size_t i = 0; i < count_; ++i) {
          const auto at = call_.kind == kind::alltoall ? static_cast<std::size_t>(rank_) * count_ + i : i;
          if (receive_[static_cast<std::size_t>(from) * count_ + i] != sent(from, at)) return false;
        }
      return true;
    default:
      return true;
  }
}

}  // namespace bench::collective
