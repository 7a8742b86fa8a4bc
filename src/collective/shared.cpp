#include "shared.hpp"

namespace wherry::collective::shared {

task run(node_board& board, const dense_call& call) {
  switch (call.what) {
    case pattern::barrier:
      return barrier(board);
    case pattern::bcast:
      return bcast(board, call);
    case pattern::gather:
      return gather(board, call);
    case pattern::scatter:
      return scatter(board, call);
    case pattern::allgather:
      return allgather(board, call);
    case pattern::alltoall:
      return alltoall(board, call);
    case pattern::reduce:
    case pattern::allreduce:
      return reduce(board, call);
    case pattern::reduce_scatter:
      return reduce_scatter(board, call);
    case pattern::scan:
    case pattern::exscan:
      return scan(board, call);
    case pattern::neighbors:
      break;
  }
  return {};
}

}  // namespace wherry::collective::shared
