// Uses one neighbourhood collective with subarray datatypes.
#include <memory>

#include "halo/peers.hpp"
#include "halo/subarrays.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
class neighborhood : public peer {
 public:
  explicit neighborhood(const problem& p) {
    std::vector<int> destinations, sources;
    for (int e = 0; e < directions; ++e) {
      if (!p.sends(e)) continue;
      destinations.push_back(p.neighbor(e));
      out_.push_back(subarrays(p, p.outgoing(e)));
      // Data that was sent in direction e arrives from the opposite side; a rank may be a neighbour several times.
      sources.push_back(p.neighbor(opposite(e)));
      in_.push_back(subarrays(p, p.incoming(opposite(e))));
    }
    const auto count = static_cast<int>(out_.size());
    MPI_Dist_graph_create_adjacent(p.comm, count, sources.data(), MPI_UNWEIGHTED, count, destinations.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm_);
    ones_.assign(out_.size(), 1);
    zeros_.assign(out_.size(), 0);
  }
  ~neighborhood() override {
    for (auto& type : out_) MPI_Type_free(&type);
    for (auto& type : in_) MPI_Type_free(&type);
    MPI_Comm_free(&comm_);
  }

  void exchange() override {
    MPI_Neighbor_alltoallw(MPI_BOTTOM, ones_.data(), zeros_.data(), out_.data(), MPI_BOTTOM, ones_.data(),
                           zeros_.data(), in_.data(), comm_);
  }

 private:
  MPI_Comm comm_;
  std::vector<MPI_Datatype> out_, in_;
  std::vector<int> ones_;
  std::vector<MPI_Aint> zeros_;
};
// end

}  // namespace

std::unique_ptr<peer> make_neighborhood(const problem& p) { return std::make_unique<neighborhood>(p); }

}  // namespace bench::halo
