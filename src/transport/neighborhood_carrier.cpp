// The transport `neighborhood`: messages are packed, and one neighbourhood collective carries each stage, on a graph
// communicator of the ranks that have messages in it.
#include <memory>
#include <numeric>

#include "wherry/core/mpi.hpp"

#include "collective_carrier.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

class neighborhood_carrier final : public collective_carrier {
 public:
  explicit neighborhood_carrier(const transports::bind_request& request) : collective_carrier(request) {
    for (std::size_t s = 0; s < most_stages(); ++s) bind_stage(stage(s), request.comm);
  }

 private:
  void begin(std::size_t, collective_stage& s) override {
    check_mpi(PMPI_Ineighbor_alltoallv(s.sends.wire(), s.sends.counts(), s.sends.displacements(), unit_type(),
                                       s.receives.wire(), s.receives.counts(), s.receives.displacements(), unit_type(),
                                       s.members.get(), &s.request),
              "MPI_Ineighbor_alltoallv");
  }

  /// Open MPI 4 loads its topologies at their first use, and crashes if two threads do so at once.
  static void load_topologies() {
    [[maybe_unused]] static const bool loaded = [] {
      MPI_Comm alone = MPI_COMM_NULL;
      check_mpi(PMPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED,
                                                MPI_INFO_NULL, 0, &alone),
                "MPI_Dist_graph_create_adjacent");
      PMPI_Comm_free(&alone);
      return true;
    }();
  }

  void bind_stage(collective_stage* s, const communicator& comm) const {
    load_topologies();
    find_members(comm, s);
    if (s == nullptr || !s->takes_part()) return;
    const auto &from = s->receives.peers(), &to = s->sends.peers();
    const auto sources = ranks_among(from, comm, s->members.get()), targets = ranks_among(to, comm, s->members.get());
    MPI_Comm graph = MPI_COMM_NULL;
    check_mpi(PMPI_Dist_graph_create_adjacent(s->members.get(), static_cast<int>(from.size()), sources.data(),
                                              MPI_UNWEIGHTED, static_cast<int>(to.size()), targets.data(),
                                              MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
              "MPI_Dist_graph_create_adjacent");
    s->members = detail::unique_comm(graph);
    check_mpi(PMPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    for (auto* side : {&s->sends, &s->receives}) {
      std::vector<int> in_order(side->peers().size());
      std::iota(in_order.begin(), in_order.end(), 0);
      side->lay_out(unit(), in_order, in_order.size());
    }
  }
};

}  // namespace

std::unique_ptr<transports::carrier> bind_neighborhood(const transports::bind_request& request) {
  return std::make_unique<neighborhood_carrier>(request);
}

}  // namespace wherry
