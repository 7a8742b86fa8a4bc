#include "neighborhood.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "core/collective.hpp"
#include "core/terms.hpp"
#include "mpi_calls.hpp"

namespace wherry::collective {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<int> from_zero(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The places in both lists, sorted by the first and then the second list.
std::vector<int> sorted(const std::vector<int>& ranks, const std::vector<int>& numbers) {
  auto order = from_zero(ranks.size());
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(ranks[at(a)], numbers[at(a)]) < std::pair(ranks[at(b)], numbers[at(b)]);
  });
  return order;
}

int topology_of(MPI_Comm comm) {
  int found = MPI_UNDEFINED;
  check_mpi(PMPI_Topo_test(comm, &found), "MPI_Topo_test");
  return found;
}

neighbor_counts count_in_grid(MPI_Comm comm) {
  int dimensions = 0;
  check_mpi(PMPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
  return {2 * dimensions, 2 * dimensions};
}

neighbor_counts count_in_graph(MPI_Comm comm) {
  int rank = 0, count = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(PMPI_Graph_neighbors_count(comm, rank, &count), "MPI_Graph_neighbors_count");
  return {count, count};
}

neighbor_counts count_distributed(MPI_Comm comm, bool& weighted) {
  neighbor_counts found;
  int has_weights = 0;
  check_mpi(PMPI_Dist_graph_neighbors_count(comm, &found.sources, &found.destinations, &has_weights),
            "MPI_Dist_graph_neighbors_count");
  weighted = has_weights != 0;
  return found;
}

/// The order of MPI-3.1, 7.6: in each dimension the neighbour before, then the one behind.
std::vector<int> neighbors_in_grid(MPI_Comm comm) {
  std::vector<int> ranks(at(count_in_grid(comm).sources));
  for (std::size_t i = 0; i < ranks.size(); i += 2)
    check_mpi(PMPI_Cart_shift(comm, static_cast<int>(i / 2), 1, &ranks[i], &ranks[i + 1]), "MPI_Cart_shift");
  return ranks;
}

std::vector<int> neighbors_in_graph(MPI_Comm comm) {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  const int count = count_in_graph(comm).sources;
  std::vector<int> ranks(at(count));
  check_mpi(PMPI_Graph_neighbors(comm, rank, count, ranks.data()), "MPI_Graph_neighbors");
  return ranks;
}

void find_distributed(MPI_Comm comm, std::vector<int>& sources, std::vector<int>& destinations) {
  bool weighted = false;
  const auto [in, out] = count_distributed(comm, weighted);
  sources.resize(static_cast<std::size_t>(in));
  destinations.resize(static_cast<std::size_t>(out));
  std::vector<int> in_weights(sources.size()), out_weights(destinations.size());
  check_mpi(PMPI_Dist_graph_neighbors(comm, in, sources.data(), weighted ? in_weights.data() : MPI_UNWEIGHTED, out,
                                      destinations.data(), weighted ? out_weights.data() : MPI_UNWEIGHTED),
            "MPI_Dist_graph_neighbors");
}

}  // namespace

bool has_topology(MPI_Comm comm) {
  if (wherry::detail::ranks_share_a_process) return false;  // SimGrid ends a program that asks
  return topology_of(comm) != MPI_UNDEFINED;
}

neighbor_counts count_neighbors(MPI_Comm comm) {
  bool weighted = false;
  switch (topology_of(comm)) {
    case MPI_CART:
      return count_in_grid(comm);
    case MPI_GRAPH:
      return count_in_graph(comm);
    case MPI_DIST_GRAPH:
      return count_distributed(comm, weighted);
    default:
      return {1, 1};  // unknown: null pointers stay null, and MPI reports errors
  }
}

std::vector<std::int64_t> tell_neighbors(kind what, std::vector<std::int64_t> each, std::size_t sources,
                                         MPI_Comm comm) {
  std::vector<std::int64_t> told(sources, -1);
  const auto places = from_zero(std::max({each.size(), sources, std::size_t{1}}));
  const std::vector<int> ones(places.size(), 1);
  const bool plain = what == kind::neighbor_allgather || what == kind::neighbor_alltoall;
  const auto asked = plain ? call::neighbor_alltoall(each.data(), 1, MPI_INT64_T, told.data(), 1, MPI_INT64_T, comm)
                           : call::neighbor_alltoallv(each.data(), ones.data(), places.data(), MPI_INT64_T, told.data(),
                                                      ones.data(), places.data(), MPI_INT64_T, comm);
  check_mpi(call_mpi(asked, comm), name_of(asked.kind));
  return told;
}

neighbor_ranks neighbors_in(MPI_Comm comm) {
  neighbor_ranks found;
  switch (topology_of(comm)) {
    case MPI_CART:
      found.sources = found.destinations = neighbors_in_grid(comm);
      break;
    case MPI_GRAPH:
      found.sources = found.destinations = neighbors_in_graph(comm);
      break;
    default:
      find_distributed(comm, found.sources, found.destinations);
  }
  return found;
}

neighborhood::neighborhood(const communicator& comm) {
  auto found = neighbors_in(comm.private_handle());
  sources_.ranks = std::move(found.sources);
  destinations_.ranks = std::move(found.destinations);
  complete(comm, sources_);
  complete(comm, destinations_);
}

void neighborhood::complete(const communicator& comm, list& of) {
  for (const int rank : of.ranks) of.members.push_back(rank == MPI_PROC_NULL ? -1 : comm.node_index(rank));
  of.by_rank = sorted(of.ranks, from_zero(of.ranks.size()));
}

std::size_t neighborhood::form_of(kind what) {
  switch (what) {
    case kind::neighbor_alltoall:
      return 0;
    case kind::neighbor_alltoallv:
    case kind::neighbor_alltoallw:  // alike in both MPIs; but MPICH 4.0 does nothing without sources
      return 1;
    default:
      return none;
  }
}

// If two ranks are neighbours in several ways, as in a ring of two, the MPIs differ in the order of the blocks, even
// between forms of one call: so MPI itself is asked.
void neighborhood::learn(const communicator& comm, kind what) {
  const auto form = form_of(what);
  if (form == none || known_[form]) return;
  const auto where = name_of(what);
  agree_on(comm, where, nullptr, terms([what](auto& say) { say(name_of(what), "the collective"); }));
  if (most_destinations_ < 0) {
    const std::vector mine{static_cast<int>(destinations().size())};
    most_destinations_ = patient::allreduce(comm, where, mine, patient::most).front();
  }
  auto& [numbers, by_rank] = arrivals_[form];
  const auto own = from_zero(destinations().size());
  const auto told = tell_neighbors(what, {own.begin(), own.end()}, sources().size(), comm.private_handle());
  numbers.clear();
  for (const auto number : told) numbers.push_back(static_cast<int>(number));
  by_rank = sorted(sources(), numbers);
  known_[form] = true;
}

}  // namespace wherry::collective
