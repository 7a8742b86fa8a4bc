// The rows of the table; each is defined in the file of its algorithm.
#pragma once

#include "algorithm.hpp"

namespace wherry::collective::rows {

// linear.cpp: everything at once
extern const algorithm linear_barrier, linear_bcast, linear_gather, linear_scatter, linear_reduce, linear_allgather,
    linear_allreduce, linear_reduce_scatter, linear_scan, linear_exscan, linear_alltoall;
// binomial.cpp
extern const algorithm binomial_barrier, binomial_bcast, binomial_gather, binomial_scatter, binomial_reduce,
    binomial_allreduce;
// scatter_allgather.cpp
extern const algorithm scatter_allgather_bcast, ring_bcast;
// chain.cpp
extern const algorithm chain_bcast, chain_reduce, chain_scan;
// ring.cpp
extern const algorithm ring_allgather, ring_allreduce, ring_reduce_scatter;
// recursive_doubling.cpp
extern const algorithm recursive_doubling_barrier, recursive_doubling_allgather, recursive_doubling_allreduce;
// doubling_scan.cpp
extern const algorithm recursive_doubling_scan, recursive_doubling_exscan;
// bruck.cpp
extern const algorithm dissemination_barrier, bruck_allgather, bruck_alltoall;
// rabenseifner.cpp
extern const algorithm rabenseifner_reduce, rabenseifner_allreduce;
// recursive_halving.cpp
extern const algorithm recursive_halving_reduce_scatter;
// pairwise.cpp
extern const algorithm pairwise_reduce_scatter, pairwise_alltoall;
// neighbor_exchange.cpp
extern const algorithm neighbor_exchange_allgather;

}  // namespace wherry::collective::rows
