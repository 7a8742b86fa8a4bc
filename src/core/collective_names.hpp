// The collectives of MPI, as settings and tables name them.
#pragma once

#include <array>
#include <string_view>

namespace wherry {

inline constexpr std::array<std::string_view, 22> collective_names{"barrier",
                                                                   "bcast",
                                                                   "gather",
                                                                   "gatherv",
                                                                   "scatter",
                                                                   "scatterv",
                                                                   "reduce",
                                                                   "allgather",
                                                                   "allgatherv",
                                                                   "allreduce",
                                                                   "reduce_scatter",
                                                                   "reduce_scatter_block",
                                                                   "scan",
                                                                   "exscan",
                                                                   "alltoall",
                                                                   "alltoallv",
                                                                   "alltoallw",
                                                                   "neighbor_allgather",
                                                                   "neighbor_allgatherv",
                                                                   "neighbor_alltoall",
                                                                   "neighbor_alltoallv",
                                                                   "neighbor_alltoallw"};

}  // namespace wherry
