#include "shared.hpp"

namespace wherry::collective::shared {

task run(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  switch (call.what) {
    case pattern::barrier:
      return barrier(board, number_of_turn, call);
    case pattern::bcast:
      return bcast(board, number_of_turn, call);
    case pattern::gather:
      return gather(board, number_of_turn, call);
    case pattern::scatter:
      return scatter(board, number_of_turn, call);
    case pattern::allgather:
      return allgather(board, number_of_turn, call);
    case pattern::alltoall:
      return alltoall(board, number_of_turn, call);
    case pattern::reduce:
    case pattern::allreduce:
      return reduce(board, number_of_turn, call);
    case pattern::reduce_scatter:
      return reduce_scatter(board, number_of_turn, call);
    case pattern::scan:
    case pattern::exscan:
      return scan(board, number_of_turn, call);
    case pattern::neighbor_allgather:
      return neighbor_allgather(board, number_of_turn, call);
    case pattern::neighbor_alltoall:
      return neighbor_alltoall(board, number_of_turn, call);
  }
  return {};
}

}  // namespace wherry::collective::shared
