#include "harness/listed_blocks.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace bench::collective {

using wherry::collective::call;
using wherry::collective::kind;

namespace {

/// The number of elements in the first `blocks` blocks of `size` blocks. The lengths of uneven blocks are in the ratio
/// 1 : 2 : 3 …
std::int64_t before(std::int64_t blocks, std::int64_t size, std::int64_t count, lengths how) {
  if (how == lengths::even) return blocks * count;
  return blocks * (blocks + 1) * count / (size + 1);
}

int length_of(int block, int size, std::size_t count, lengths how) {
  const auto n = static_cast<std::int64_t>(count);
  return static_cast<int>(before(block + 1, size, n, how) - before(block, size, n, how));
}

}  // namespace

const char* name_of(lengths how) { return how == lengths::even ? "even" : "uneven"; }

bool has_lists(kind what) {
  return all_know_lengths(what) || what == kind::gatherv || what == kind::scatterv || what == kind::alltoallv ||
         what == kind::alltoallw;
}

bool all_know_lengths(kind what) { return what == kind::allgatherv || what == kind::reduce_scatter; }

listed_blocks::listed_blocks(kind what, int rank, int size, std::size_t count, lengths how)
    : what_(what), rank_(rank), count_(count), how_(how) {
  if (count * static_cast<std::size_t>(size) > std::numeric_limits<int>::max() / sizeof(double))
    throw std::runtime_error("blocks of " + std::to_string(count * sizeof(double)) + " bytes of " +
                             std::to_string(size) + " ranks are more than an int of MPI's can say");
  const int first = each_gets_another() ? rank : 0;
  int at = 0;
  for (int block = 0; block < size; ++block) {
    counts_.push_back(length_of((first + block) % size, size, count, how));
    places_.push_back(at);
    addresses_.push_back(at * static_cast<int>(sizeof(double)));
    at += counts_.back();
  }
  types_.assign(counts_.size(), MPI_DOUBLE);
}

bool listed_blocks::each_gets_another() const { return what_ == kind::alltoallv || what_ == kind::alltoallw; }
bool listed_blocks::sends_all() const {
  return each_gets_another() || what_ == kind::scatterv || what_ == kind::reduce_scatter;
}
bool listed_blocks::receives_all() const {
  return each_gets_another() || what_ == kind::gatherv || what_ == kind::allgatherv;
}

std::size_t listed_blocks::place_at(int sender) const {
  std::size_t at = 0;
  for (int block = 0; block < rank_; ++block)
    at += static_cast<std::size_t>(length_of((sender + block) % size(), size(), count_, how_));
  return at;
}

call listed_blocks::call_of(MPI_Comm comm, const double* send, double* receive) const {
  const auto own = static_cast<std::int64_t>(this->own());
  const int *const counts = counts_.data(), *const places = places_.data(), *const addresses = addresses_.data();
  const auto type = MPI_DOUBLE;
  switch (what_) {
    case kind::gatherv:
      return call::gatherv(send, own, type, receive, counts, places, type, 0, comm);
    case kind::scatterv:
      return call::scatterv(send, counts, places, type, receive, own, type, 0, comm);
    case kind::allgatherv:
      return call::allgatherv(send, own, type, receive, counts, places, type, comm);
    case kind::reduce_scatter:
      return call::reduce_scatter(send, receive, counts, type, MPI_SUM, comm);
    case kind::alltoallv:
      return call::alltoallv(send, counts, places, type, receive, counts, places, type, comm);
    case kind::alltoallw:
      return call::alltoallw(send, counts, addresses, types_.data(), receive, counts, addresses, types_.data(), comm);
    default:
      throw std::runtime_error("no collective with lists");
  }
}

void call_mpi_with_lists(const call& c) {
  const int sends = static_cast<int>(c.send_count), receives = static_cast<int>(c.receive_count);
  const int *const send_counts = c.send_counts.ints(), *const send_places = c.send_displacements.ints();
  const int *const counts = c.receive_counts.ints(), *const places = c.receive_displacements.ints();
  switch (c.kind) {
    case kind::gatherv:
      MPI_Gatherv(c.send, sends, c.send_type, c.receive, counts, places, c.receive_type, c.root, c.comm);
      return;
    case kind::scatterv:
      MPI_Scatterv(c.send, send_counts, send_places, c.send_type, c.receive, receives, c.receive_type, c.root, c.comm);
      return;
    case kind::allgatherv:
      MPI_Allgatherv(c.send, sends, c.send_type, c.receive, counts, places, c.receive_type, c.comm);
      return;
    case kind::reduce_scatter:
      MPI_Reduce_scatter(c.send, c.receive, counts, c.send_type, c.op, c.comm);
      return;
    case kind::alltoallv:
      MPI_Alltoallv(c.send, send_counts, send_places, c.send_type, c.receive, counts, places, c.receive_type, c.comm);
      return;
    case kind::alltoallw:
      MPI_Alltoallw(c.send, send_counts, send_places, c.send_types, c.receive, counts, places, c.receive_types, c.comm);
      return;
    default:
      throw std::runtime_error("no collective with lists");
  }
}

}  // namespace bench::collective
