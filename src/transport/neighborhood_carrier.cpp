// neighborhood: packed, then one neighbourhood collective a stage on a graph communicator of the ranks that have
// messages in it.
#include "neighborhood_carrier.hpp"

#include <memory>
#include <numeric>

#include "wherry/core/mpi.hpp"

#include "stage_members.hpp"

namespace wherry {
namespace {

class neighborhood_carrier final : public carrier {
 public:
  explicit neighborhood_carrier(const bind_request& request) : stages_(collect_stages(request)) {
    for (std::size_t s = 0; s < stages_.most; ++s)
      bind_stage(s < stages_.mine.size() ? &stages_.mine[s] : nullptr, request.comm);
  }

  void start_stage(std::size_t number, field_table fields) override {
    auto& s = stages_.mine[number];
    s.delivered = !s.takes_part();
    if (s.delivered) return;
    s.sends.pack(fields);
    s.receives.mark();
    check_mpi(PMPI_Ineighbor_alltoallv(s.sends.wire(), s.sends.counts(), s.sends.displacements(), stages_.type.get(),
                                       s.receives.wire(), s.receives.counts(), s.receives.displacements(),
                                       stages_.type.get(), s.members.get(), &s.request),
              "MPI_Ineighbor_alltoallv");
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& s = stages_.mine[number];
    if (s.delivered) return true;
    int done = 0;
    check_mpi(PMPI_Test(&s.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) return false;
    s.receives.unpack(fields);
    s.delivered = true;
    return true;
  }

  /// MPI does not tell who of the neighbours is late, but where nothing has been written the mark still stands. All of
  /// them, where none does.
  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& s = stages_.mine[number];
    if (s.delivered) return;
    const auto before = peers.size();
    s.receives.append_marked(peers);
    if (peers.size() > before) return;
    for (const auto* side : {&s.receives, &s.sends})
      peers.insert(peers.end(), side->peers().begin(), side->peers().end());
  }

 private:
  /// Open MPI 4 loads its topologies at their first use, and two threads that do so at once crash there.
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
    s->members = unique_comm(graph);
    check_mpi(PMPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    for (auto* side : {&s->sends, &s->receives}) {
      std::vector<int> in_order(side->peers().size());
      std::iota(in_order.begin(), in_order.end(), 0);
      side->lay_out(stages_.unit, in_order, in_order.size());
    }
  }

  collective_stages stages_;
};

}  // namespace

std::unique_ptr<carrier> bind_neighborhood(const bind_request& request) {
  return std::make_unique<neighborhood_carrier>(request);
}

}  // namespace wherry
