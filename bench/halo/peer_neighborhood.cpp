// One neighbourhood collective of subarray datatypes.
#include "halo/peers.hpp"
#include "halo/subarrays.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
class neighborhood : public peer {
 public:
  explicit neighborhood(const problem& p) {
    int destinations[neighbors], sources[neighbors];
    int count = 0;
    for (int e = 0; e < directions; ++e) {
      if (e == here) continue;
      const auto i = static_cast<std::size_t>(count);
      destinations[i] = p.neighbor(e);
      out_[i] = subarrays(p, p.outgoing(e));
      // What was sent in direction e comes from the opposite side; a rank may be there several times.
      sources[i] = p.neighbor(opposite(e));
      in_[i] = subarrays(p, p.incoming(opposite(e)));
      ++count;
    }
    MPI_Dist_graph_create_adjacent(p.comm, neighbors, sources, MPI_UNWEIGHTED, neighbors, destinations, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm_);
    ones_.fill(1);
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
  static constexpr int neighbors = directions - 1;
  MPI_Comm comm_;
  std::array<MPI_Datatype, neighbors> out_, in_;
  std::array<int, neighbors> ones_;
  std::array<MPI_Aint, neighbors> zeros_{};
};
// end

}  // namespace

std::unique_ptr<peer> make_neighborhood(const problem& p) { return std::make_unique<neighborhood>(p); }

}  // namespace bench::halo
