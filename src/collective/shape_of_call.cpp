#include "shape_of_call.hpp"

#include "wherry/core/mpi.hpp"

#include "side_of_call.hpp"

namespace wherry::collective {
namespace {

std::int64_t sent(const call& c) { return side_of_call::sent(c).bytes_of(0); }
std::int64_t received(const call& c) { return side_of_call::received(c).bytes_of(0); }

std::int64_t received_from_all(const call& c, int size) {
  const auto side = side_of_call::received(c);
  std::int64_t all = 0;
  for (int r = 0; r < size; ++r) all += side.bytes_of(r);
  return all;
}

std::int64_t bytes_known_to_all(const call& c, int size) {
  switch (c.kind) {
    case kind::bcast:
    case kind::reduce:
    case kind::allreduce:
    case kind::scan:
    case kind::exscan:
    case kind::reduce_scatter_block:
      return received(c);
    case kind::gather:
    case kind::allgather:
    case kind::alltoall:
      return c.send == MPI_IN_PLACE ? received(c) : sent(c);
    case kind::scatter:
      return c.receive == MPI_IN_PLACE ? sent(c) : received(c);
    case kind::allgatherv:
    case kind::reduce_scatter:
      return received_from_all(c, size);
    case kind::barrier:
      return 0;
    default:
      return -1;
  }
}

}  // namespace

shape_of_call shape_of(const call& what, int size) {
  shape_of_call shape{what.kind, bytes_known_to_all(what, size), 0, true};
  if (what.op != MPI_OP_NULL) {
    int commutes = 0;
    check_mpi(PMPI_Op_commutative(what.op, &commutes), "MPI_Op_commutative");
    shape.element = facts_of(what.send_type).size;
    shape.commutative = commutes != 0;
  }
  return shape;
}

}  // namespace wherry::collective
