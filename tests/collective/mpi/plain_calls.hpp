// A call of each kind to be asked about, or to be made when its result does not matter.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "wherry/collective/call.hpp"

namespace collective_oracle {

// The plainest call of each kind: one int a rank and block. Among neighbours in a ring.
class plain_calls {
 public:
  plain_calls(MPI_Comm comm, int size, MPI_Op op = MPI_SUM, int root = 0) : comm_(comm), op_(op), root_(root) {
    const auto length = static_cast<std::size_t>(4 * size + 4);
    numbers_.assign(2 * length, 0);
    ones_.assign(length, 1);
    places_.assign(length, 0);
    addresses_.assign(length, 0);
    types_.assign(length, MPI_INT);
    for (std::size_t i = 0; i < length; ++i) places_[i] = static_cast<int>(i);
  }

  wherry::collective::call of(wherry::collective::kind what) {
    using wherry::collective::call;
    using wherry::collective::kind;
    auto* const in = numbers_.data();
    auto* const out = in + numbers_.size() / 2;
    const auto* const counts = ones_.data();
    const auto* const places = places_.data();
    const auto type = MPI_INT;
    switch (what) {
      case kind::barrier:
        return call::barrier(comm_);
      case kind::bcast:
        return call::bcast(out, 1, type, root_, comm_);
      case kind::gather:
        return call::gather(in, 1, type, out, 1, type, root_, comm_);
      case kind::gatherv:
        return call::gatherv(in, 1, type, out, counts, places, type, root_, comm_);
      case kind::scatter:
        return call::scatter(in, 1, type, out, 1, type, root_, comm_);
      case kind::scatterv:
        return call::scatterv(in, counts, places, type, out, 1, type, root_, comm_);
      case kind::reduce:
        return call::reduce(in, out, 1, type, op_, root_, comm_);
      case kind::allgather:
        return call::allgather(in, 1, type, out, 1, type, comm_);
      case kind::allgatherv:
        return call::allgatherv(in, 1, type, out, counts, places, type, comm_);
      case kind::allreduce:
        return call::allreduce(in, out, 1, type, op_, comm_);
      case kind::reduce_scatter:
        return call::reduce_scatter(in, out, counts, type, op_, comm_);
      case kind::reduce_scatter_block:
        return call::reduce_scatter_block(in, out, 1, type, op_, comm_);
      case kind::scan:
        return call::scan(in, out, 1, type, op_, comm_);
      case kind::exscan:
        return call::exscan(in, out, 1, type, op_, comm_);
      case kind::alltoall:
        return call::alltoall(in, 1, type, out, 1, type, comm_);
      case kind::alltoallv:
        return call::alltoallv(in, counts, places, type, out, counts, places, type, comm_);
      case kind::alltoallw:
        return call::alltoallw(in, counts, places, types_.data(), out, counts, places, types_.data(), comm_);
      case kind::neighbor_allgather:
        return call::neighbor_allgather(in, 1, type, out, 1, type, comm_);
      case kind::neighbor_allgatherv:
        return call::neighbor_allgatherv(in, 1, type, out, counts, places, type, comm_);
      case kind::neighbor_alltoall:
        return call::neighbor_alltoall(in, 1, type, out, 1, type, comm_);
      case kind::neighbor_alltoallv:
        return call::neighbor_alltoallv(in, counts, places, type, out, counts, places, type, comm_);
      case kind::neighbor_alltoallw:
        return call::neighbor_alltoallw(in, counts, addresses_.data(), types_.data(), out, counts, addresses_.data(),
                                        types_.data(), comm_);
    }
    return call::barrier(comm_);
  }

 private:
  MPI_Comm comm_;
  MPI_Op op_;
  int root_;
  std::vector<int> numbers_, ones_, places_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace collective_oracle
