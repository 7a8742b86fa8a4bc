#include "moved_bytes.hpp"

#include <cstdint>

#include "communicator_state.hpp"
#include "dense_call.hpp"
#include "side_of_call.hpp"

namespace wherry::collective {
namespace {

/// The bytes of all blocks but one.
std::int64_t all_but(int own, const side_of_call& side, int blocks) {
  if (side.counts == nullptr && side.types == nullptr) return (blocks - 1) * side.bytes_of(0);
  std::int64_t sum = 0;
  for (int b = 0; b < blocks; ++b)
    if (b != own) sum += side.bytes_of(b);
  return sum;
}

side_of_call sent(const call& c) { return side_of_call::sent(c); }
side_of_call received(const call& c) { return side_of_call::received(c); }

exchange_statistics figures(std::int64_t sent, std::int64_t received, std::int64_t copied = 0) {
  exchange_statistics all;
  all.exchanges = 1;
  all.bytes_sent = sent;
  all.bytes_received = received;
  all.bytes_copied = copied;
  return all;
}

/// Between one rank and all others, in the direction of a gather.
exchange_statistics gathered(const call& c, int rank, int size) {
  if (rank != c.root) return figures(sent(c).bytes_of(rank), 0);
  const bool in_place = c.send == MPI_IN_PLACE;
  return figures(0, all_but(rank, received(c), size), in_place ? 0 : received(c).bytes_of(rank));
}
exchange_statistics scattered(const call& c, int rank, int size) {
  if (rank != c.root) return figures(0, received(c).bytes_of(rank));
  const bool in_place = c.receive == MPI_IN_PLACE;
  return figures(all_but(rank, sent(c), size), 0, in_place ? 0 : sent(c).bytes_of(rank));
}

exchange_statistics gathered_by_all(const call& c, int rank, int size) {
  const auto own = received(c).bytes_of(rank);
  return figures(size > 1 ? own : 0, all_but(rank, received(c), size), c.send == MPI_IN_PLACE ? 0 : own);
}

exchange_statistics exchanged(const call& c, int rank, int size) {
  const bool in_place = c.send == MPI_IN_PLACE;
  const auto to = in_place ? received(c) : sent(c);
  return figures(all_but(rank, to, size), all_but(rank, received(c), size), in_place ? 0 : received(c).bytes_of(rank));
}

exchange_statistics reduced_and_scattered(const call& c, int rank, int size) {
  const auto own = received(c).bytes_of(rank);
  if (size == 1) return figures(0, 0, c.send == MPI_IN_PLACE ? 0 : own);
  return figures(all_but(rank, received(c), size), own);
}

/// For a vector that this rank gives, or gets, or both.
exchange_statistics of_vector(const call& c, bool gives, bool gets) {
  const auto bytes = received(c).bytes_of(0);
  const bool stays = !gives && !gets && c.send != MPI_IN_PLACE && c.send != nullptr;
  return figures(gives ? bytes : 0, gets ? bytes : 0, stays ? bytes : 0);
}

exchange_statistics among_neighbors(const call& c, const communicator_state& on) {
  exchange_statistics all = figures(0, 0);
  if (on.around == nullptr) return all;
  const auto& to = on.around->destinations();
  const auto& from = on.around->sources();
  const bool same_to_each = pattern_of(c.kind) == pattern::neighbor_allgather;
  for (std::size_t b = 0; b < to.size(); ++b)
    if (to[b] != MPI_PROC_NULL && to[b] != on.comm.rank()) {
      all.bytes_sent += sent(c).bytes_of(static_cast<int>(b));
      if (same_to_each) break;
    }
  for (std::size_t b = 0; b < from.size(); ++b)
    if (from[b] != MPI_PROC_NULL)
      (from[b] == on.comm.rank() ? all.bytes_copied : all.bytes_received) += received(c).bytes_of(static_cast<int>(b));
  return all;
}

}  // namespace

exchange_statistics moved_by(const call& what, const communicator_state& on) {
  const int rank = on.comm.rank(), size = on.comm.size(), others = size - 1;
  const bool at_root = rank == what.root;
  switch (pattern_of(what.kind)) {
    case pattern::barrier:
      return figures(0, 0);
    case pattern::bcast:
      return of_vector(what, at_root && others > 0, !at_root);
    case pattern::reduce:
      return at_root ? of_vector(what, false, others > 0) : figures(sent(what).bytes_of(0), 0);
    case pattern::allreduce:
      return of_vector(what, others > 0, others > 0);
    case pattern::scan:
      return of_vector(what, rank < others, rank > 0);
    case pattern::exscan:
      return figures(rank < others ? received(what).bytes_of(0) : 0, rank > 0 ? received(what).bytes_of(0) : 0);
    case pattern::reduce_scatter:
      return reduced_and_scattered(what, rank, size);
    case pattern::gather:
      return gathered(what, rank, size);
    case pattern::scatter:
      return scattered(what, rank, size);
    case pattern::allgather:
      return gathered_by_all(what, rank, size);
    case pattern::alltoall:
      return exchanged(what, rank, size);
    default:
      return among_neighbors(what, on);
  }
}

}  // namespace wherry::collective
