#include "measurements.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace wherry::preload {
namespace {

using collective::call;
using collective::kind;

struct samples {
  sample_list ours, mpi;
};

std::array<std::array<std::atomic<std::uint64_t>, size_classes>, collective::kinds> calls;
std::array<std::array<samples, size_classes>, collective::kinds> times;
std::array<std::atomic<bool>, collective::kinds> kept;
std::mutex guard;  // of `times`; few calls are timed

/// Remembers the last type. If its handle has come to mean another type, only a size is wrong.
std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  thread_local MPI_Datatype last = MPI_DATATYPE_NULL;
  thread_local int size = 0;
  if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
  if (type != last) {
    PMPI_Type_size(type, &size);
    last = type;
  }
  return count * size;
}

std::int64_t first_of(const collective::count_list& counts) { return counts != nullptr ? counts[0] : 0; }

/// The size by which calls are compared: of a block, or of the vector. If blocks differ, it is the size of the first
/// one that this rank knows.
std::int64_t bytes_of(const call& what) {
  switch (what.kind) {
    case kind::barrier:
    case kind::alltoallw:
    case kind::neighbor_alltoallv:
    case kind::neighbor_alltoallw:
      return 0;
    case kind::bcast:
    case kind::reduce:
    case kind::allreduce:
    case kind::scan:
    case kind::exscan:
    case kind::reduce_scatter_block:
      return bytes_of(what.receive_count, what.receive_type);
    case kind::scatter:
      return what.receive == MPI_IN_PLACE ? bytes_of(what.send_count, what.send_type)
                                          : bytes_of(what.receive_count, what.receive_type);
    case kind::scatterv:
      return what.receive == MPI_IN_PLACE ? bytes_of(first_of(what.send_counts), what.send_type)
                                          : bytes_of(what.receive_count, what.receive_type);
    case kind::reduce_scatter:
      return bytes_of(first_of(what.receive_counts), what.receive_type);
    case kind::alltoallv:
      return what.send == MPI_IN_PLACE ? bytes_of(first_of(what.receive_counts), what.receive_type)
                                       : bytes_of(first_of(what.send_counts), what.send_type);
    case kind::gatherv:
    case kind::allgatherv:
      return what.send == MPI_IN_PLACE ? bytes_of(first_of(what.receive_counts), what.receive_type)
                                       : bytes_of(what.send_count, what.send_type);
    default:
      return what.send == MPI_IN_PLACE ? bytes_of(what.receive_count, what.receive_type)
                                       : bytes_of(what.send_count, what.send_type);
  }
}

std::size_t place_of(kind what) { return static_cast<std::size_t>(what); }
std::size_t class_of(const call& what) { return static_cast<std::size_t>(size_class(bytes_of(what))); }

}  // namespace

void count_size(const call& what) {
  calls[place_of(what.kind)][class_of(what)].fetch_add(1, std::memory_order_relaxed);
}

void add_sample(const call& what, bool by_mpi, double us) {
  auto& alike = times[place_of(what.kind)][class_of(what)];
  const std::lock_guard lock(guard);
  (by_mpi ? alike.mpi : alike.ours).add(us);
}

void count_kept_from_mpi(kind what) { kept[place_of(what)].store(true, std::memory_order_relaxed); }
bool was_kept_from_mpi(kind what) { return kept[place_of(what)].load(std::memory_order_relaxed); }

gain gain_so_far(kind what) {
  std::vector<measured> sizes(size_classes);
  const std::lock_guard lock(guard);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& alike = times[place_of(what)][i];
    sizes[i] = {calls[place_of(what)][i].load(std::memory_order_relaxed), alike.ours, alike.mpi};
  }
  return gain_of(sizes.data());
}

}  // namespace wherry::preload
