// Sends messages straight from and to the fields, by subarray datatypes.
#include <memory>

#include "halo/peers.hpp"
#include "halo/subarrays.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
class datatypes : public peer {
 public:
  explicit datatypes(const problem& p) : p_(p) {
    MPI_Comm_dup(p.comm, &comm_);
    for (int e = 0; e < directions; ++e) {
      if (!p.sends(e)) continue;
      out_.push_back({subarrays(p, p.outgoing(e)), p.neighbor(e), e});
      in_.push_back({subarrays(p, p.incoming(e)), p.neighbor(e), opposite(e)});
    }
  }
  ~datatypes() override {
    for (auto& m : out_) MPI_Type_free(&m.type);
    for (auto& m : in_) MPI_Type_free(&m.type);
    MPI_Comm_free(&comm_);
  }

  void exchange() override {
    MPI_Request requests[2 * directions];
    int count = 0;
    for (const auto& m : in_) MPI_Irecv(MPI_BOTTOM, 1, m.type, m.rank, m.tag, comm_, &requests[count++]);
    for (const auto& m : out_) MPI_Isend(MPI_BOTTOM, 1, m.type, m.rank, m.tag, comm_, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  }

 private:
  struct message {
    MPI_Datatype type;
    int rank, tag;
  };
  problem p_;
  MPI_Comm comm_;
  std::vector<message> out_, in_;
};
// end

}  // namespace

std::unique_ptr<peer> make_datatypes(const problem& p) { return std::make_unique<datatypes>(p); }

}  // namespace bench::halo
