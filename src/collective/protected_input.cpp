#include "protected_input.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "wherry/core/mpi.hpp"

#include "side_of_call.hpp"

namespace wherry::collective {
namespace {

/// The bytes of a block, relative to the send buffer.
struct span_of_block {
  std::int64_t from, to;
};

span_of_block span_of(std::int64_t at, std::int64_t count, MPI_Datatype type) {
  MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  check_mpi(PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent), "MPI_Type_get_true_extent_x");
  const auto reach = (count - 1) * extent;
  return {at + true_lower + std::min<std::int64_t>(0, reach),
          at + true_lower + true_extent + std::max<std::int64_t>(0, reach)};
}

template <class Visit> void for_each_sent(const call& c, const communicator_state& on, Visit&& visit) {
  if (c.send == MPI_IN_PLACE || (c.send_type == MPI_DATATYPE_NULL && c.send_types == nullptr)) return;
  const int rank = on.comm.rank(), size = on.comm.size();
  const auto what = pattern_of(c.kind);
  const auto one = [&](std::int64_t at, std::int64_t count, MPI_Datatype type) {
    if (count > 0) visit(span_of(at, count, type));
  };
  if (what == pattern::scatter && rank != c.root) return;
  const int blocks = what == pattern::neighbor_alltoall ? static_cast<int>(on.around->destinations().size()) : size;
  const auto is_sent = [&](int b) {
    return what != pattern::neighbor_alltoall ||
           on.around->destinations()[static_cast<std::size_t>(b)] != MPI_PROC_NULL;
  };
  if (c.send_counts != nullptr) {
    const auto side = side_of_call::sent(c);
    const auto extent = c.send_types != nullptr ? 0 : facts_of(c.send_type).extent;
    for (int b = 0; b < blocks; ++b)
      if (is_sent(b)) one(side.offset_of(b, extent), side.count_of(b), side.type_of(b));
  } else if (what == pattern::alltoall || what == pattern::scatter || what == pattern::neighbor_alltoall) {
    one(0, c.send_count * blocks, c.send_type);
  } else if (what == pattern::reduce_scatter) {
    std::int64_t all = c.receive_count * size;
    if (c.receive_counts != nullptr) {
      all = 0;
      for (int r = 0; r < size; ++r) all += c.receive_counts[r];
    }
    one(0, all, c.send_type);
  } else if (what != pattern::bcast) {
    one(0, c.send_count, c.send_type);
  }
}

}  // namespace

call with_copy_of_input(const call& what, communicator_state& on, scratch& copy) {
  if (is_of_neighbors(what.kind) && on.around == nullptr) return what;  // MPI will report the error
  span_of_block whole{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for_each_sent(what, on, [&](const span_of_block& one) {
    whole.from = std::min(whole.from, one.from);
    whole.to = std::max(whole.to, one.to);
  });
  if (whole.from >= whole.to) return what;
  copy = on.pool.take(static_cast<std::size_t>(whole.to - whole.from));
  const auto* const from = static_cast<const std::byte*>(what.send);
  for_each_sent(what, on, [&](const span_of_block& one) {
    std::memcpy(copy.data() + (one.from - whole.from), from + one.from, static_cast<std::size_t>(one.to - one.from));
  });
  call copied = what;
  copied.send = copy.data() - whole.from;
  return copied;
}

}  // namespace wherry::collective
