#include "harness/neighbors.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/arguments.hpp"

namespace bench::collective {

using wherry::collective::call;
using wherry::collective::kind;

namespace {

MPI_Comm grid(MPI_Comm comm, int dimensions) {
  int size = 1, extents[2] = {}, around[2] = {1, 1};
  MPI_Comm_size(comm, &size);
  MPI_Dims_create(size, dimensions, extents);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Cart_create(comm, dimensions, extents, around, 0, &made);
  return made;
}

MPI_Comm graph(MPI_Comm comm) {
  int size = 1, rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  std::vector<int> to, from;
  for (int far = 1; far < size; far *= 2) {
    to.push_back((rank + far) % size);
    from.push_back((rank + size - far) % size);
  }
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, static_cast<int>(from.size()), from.data(), MPI_UNWEIGHTED,
                                 static_cast<int>(to.size()), to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  return made;
}

constexpr kind timed[] = {kind::neighbor_allgather, kind::neighbor_allgatherv, kind::neighbor_alltoall,
                          kind::neighbor_alltoallv, kind::neighbor_alltoallw};

std::string list_of(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

void check_topologies(const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (std::find(topology_names.begin(), topology_names.end(), name) == topology_names.end())
      throw usage_error("--topologies has '" + name + "', expected some of: " + list_of(topology_names));
}

MPI_Comm with_topology(const std::string& name, MPI_Comm comm) {
  return name == "graph" ? graph(comm) : grid(comm, name == "ring" ? 1 : 2);
}

neighbor_counts count_neighbors(MPI_Comm comm) {
  neighbor_counts found;
  int what = MPI_UNDEFINED, dimensions = 0, weighted = 0;
  MPI_Topo_test(comm, &what);
  if (what == MPI_DIST_GRAPH) {
    MPI_Dist_graph_neighbors_count(comm, &found.sources, &found.destinations, &weighted);
  } else if (what == MPI_CART) {
    MPI_Cartdim_get(comm, &dimensions);
    found = {2 * dimensions, 2 * dimensions};
  }
  return found;
}

std::span<const kind> timed_among_neighbors() { return timed; }

bool has_a_block_for_each(kind what) { return what != kind::neighbor_allgather && what != kind::neighbor_allgatherv; }

bool is_timed_among_neighbors(kind what) {
  return std::find(std::begin(timed), std::end(timed), what) != std::end(timed);
}

std::vector<kind> timed_kinds_of_neighbors(const std::vector<std::string>& names) {
  std::vector<kind> kinds;
  std::vector<std::string> all;
  for (const auto one : timed) all.emplace_back(name_of(one));
  for (const auto& name : names) {
    const auto what = wherry::collective::detail::kind_named(name);
    if (!what || !is_timed_among_neighbors(*what))
      throw usage_error("--collectives has '" + name + "', expected with --topologies some of: " + list_of(all));
    kinds.push_back(*what);
  }
  return kinds;
}

call call_of_neighbors(kind what, MPI_Comm comm, const double* send, double* receive, int count,
                       lists_of_neighbors& lists) {
  if (what == kind::neighbor_allgather)
    return call::neighbor_allgather(send, count, MPI_DOUBLE, receive, count, MPI_DOUBLE, comm);
  if (what == kind::neighbor_alltoall)
    return call::neighbor_alltoall(send, count, MPI_DOUBLE, receive, count, MPI_DOUBLE, comm);
  const auto neighbors = count_neighbors(comm);
  const auto most = static_cast<std::size_t>(std::max({neighbors.sources, neighbors.destinations, 1}));
  lists.counts.assign(most, count);
  lists.types.assign(most, MPI_DOUBLE);
  lists.places.clear();
  lists.addresses.clear();
  for (std::size_t i = 0; i < most; ++i) {
    lists.places.push_back(static_cast<int>(i) * count);
    lists.addresses.push_back(lists.places.back() * static_cast<MPI_Aint>(sizeof(double)));
  }
  const int *const counts = lists.counts.data(), *const places = lists.places.data();
  const auto* const addresses = lists.addresses.data();
  const auto* const types = lists.types.data();
  if (what == kind::neighbor_allgatherv)
    return call::neighbor_allgatherv(send, count, MPI_DOUBLE, receive, counts, places, MPI_DOUBLE, comm);
  if (what == kind::neighbor_alltoallw)
    return call::neighbor_alltoallw(send, counts, addresses, types, receive, counts, addresses, types, comm);
  return call::neighbor_alltoallv(send, counts, places, MPI_DOUBLE, receive, counts, places, MPI_DOUBLE, comm);
}

void call_mpi_of_neighbors(const call& c) {
  const auto n = static_cast<int>(c.receive_count);
  switch (c.kind) {
    case kind::neighbor_allgather:
      MPI_Neighbor_allgather(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm);
      return;
    case kind::neighbor_alltoall:
      MPI_Neighbor_alltoall(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm);
      return;
    case kind::neighbor_allgatherv:
      MPI_Neighbor_allgatherv(c.send, static_cast<int>(c.send_count), c.send_type, c.receive, c.receive_counts.ints(),
                              c.receive_displacements.ints(), c.receive_type, c.comm);
      return;
    case kind::neighbor_alltoallw:
      MPI_Neighbor_alltoallw(c.send, c.send_counts.ints(), c.send_addresses, c.send_types, c.receive,
                             c.receive_counts.ints(), c.receive_addresses, c.receive_types, c.comm);
      return;
    case kind::neighbor_alltoallv:
      MPI_Neighbor_alltoallv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                             c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, c.comm);
      return;
    default:
      throw std::runtime_error("no such collective among neighbours here");
  }
}

}  // namespace bench::collective
