#include "abilities.hpp"

#include <algorithm>
#include <vector>

namespace collective_oracle {
namespace {

using wherry::collective::kind;
using enum wherry::collective::kind;

enum class condition {
  always,
  one_node,
  in_order_where_it_matters,
  commutes,
  even,
  coarrays,
  neighbors,
  one_node_and_neighbors,
  coarrays_and_neighbors
};

struct ability {
  std::string_view implementation;
  std::vector<kind> kinds;
  condition when = condition::always;
};

const std::vector<kind> all_kinds{barrier, bcast,     gather,     gatherv,   scatter,        scatterv,
                                  reduce,  allgather, allgatherv, allreduce, reduce_scatter, reduce_scatter_block,
                                  scan,    exscan,    alltoall,   alltoallv, alltoallw};
const std::vector<kind> of_neighbors{neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
                                     neighbor_alltoallw};
const std::vector<kind> moves{barrier,   bcast,      gather,   gatherv,   scatter,  scatterv,
                              allgather, allgatherv, alltoall, alltoallv, alltoallw};
const std::vector<kind> reductions{reduce, allreduce, reduce_scatter, reduce_scatter_block};

const std::vector<ability>& list() {
  static const std::vector<ability> all{
      {"mpi", all_kinds},
      {"mpi", of_neighbors},
      {"nonblocking", all_kinds},
      {"nonblocking", of_neighbors},
      {"shared", all_kinds, condition::one_node},
      {"shared", of_neighbors, condition::one_node_and_neighbors},
      {"hierarchical", moves},
      {"hierarchical", of_neighbors, condition::neighbors},
      {"hierarchical", reductions, condition::in_order_where_it_matters},
      {"hierarchical", {scan, exscan}, condition::in_order_where_it_matters},
      {"one_sided", all_kinds},
      {"one_sided", of_neighbors, condition::neighbors},
      {"pgas", all_kinds},
      {"pgas", of_neighbors, condition::neighbors},
      {"coarray", all_kinds, condition::coarrays},
      {"coarray", of_neighbors, condition::coarrays_and_neighbors},
      {"linear", all_kinds},
      {"linear", of_neighbors, condition::neighbors},
      {"binomial", {barrier, bcast, gather, scatter, reduce, allreduce}},
      {"chain", {bcast, reduce, scan}},
      {"scatter_allgather", {bcast}},
      {"ring", {bcast, allgather, allgatherv}},
      {"ring", {allreduce, reduce_scatter, reduce_scatter_block}, condition::commutes},
      {"recursive_doubling", {barrier, allgather, allgatherv, allreduce, scan, exscan}},
      {"recursive_halving", {reduce_scatter, reduce_scatter_block}},
      {"rabenseifner", {reduce, allreduce}},
      {"bruck", {allgather, allgatherv, alltoall}},
      {"dissemination", {barrier}},
      {"neighbor_exchange", {allgather, allgatherv}, condition::even},
      {"pairwise", {alltoall, alltoallv, alltoallw}},
      {"pairwise", {reduce_scatter, reduce_scatter_block}, condition::commutes},
  };
  return all;
}

bool holds(condition when, kind what, const circumstances& where) {
  switch (when) {
    case condition::always:
      return true;
    case condition::one_node:
      return where.one_node;
    case condition::in_order_where_it_matters:
      return where.nodes_in_order || (where.commutes && what != scan && what != exscan);
    case condition::commutes:
      return where.commutes;
    case condition::even:
      return where.size == 1 || where.size % 2 == 0;
    case condition::coarrays:
      return where.has_coarrays;
    case condition::neighbors:
      return where.has_neighbors;
    case condition::one_node_and_neighbors:
      return where.one_node && where.has_neighbors;
    case condition::coarrays_and_neighbors:
      return where.has_coarrays && where.has_neighbors;
  }
  return false;
}

}  // namespace

bool must_do(std::string_view implementation, kind what, const circumstances& where) {
  return std::ranges::any_of(list(), [&](const ability& one) {
    return one.implementation == implementation && std::ranges::count(one.kinds, what) > 0 &&
           holds(one.when, what, where);
  });
}

}  // namespace collective_oracle
