// Sends one message to each neighbouring rank, with all its boxes packed one after the other. Cells for the rank itself
// are copied directly.
#include <algorithm>
#include <memory>

#include "halo/copy.hpp"
#include "halo/peers.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
class one_message : public peer {
 public:
  explicit one_message(const problem& p) : p_(p) {
    MPI_Comm_dup(p.comm, &comm_);
    for (int e = 0; e < directions; ++e) {
      if (!p.sends(e) || p.neighbor(e) == p.rank) continue;
      add(p.neighbor(e)).outgoing.push_back(p.outgoing(e));
      // The order is the sender's order of directions, so that both sides agree.
      add(p.neighbor(opposite(e))).incoming.push_back(p.incoming(opposite(e)));
    }
    for (auto& n : neighbors_) {
      std::size_t count = 0;
      for (const auto& box : n.outgoing) count += p.bytes(box);
      n.out.resize(count);
      count = 0;
      for (const auto& box : n.incoming) count += p.bytes(box);
      n.in.resize(count);
    }
    receives_.resize(neighbors_.size());
    sends_.resize(neighbors_.size());
  }
  ~one_message() override { MPI_Comm_free(&comm_); }

  void exchange() override {
    for (std::size_t i = 0; i < neighbors_.size(); ++i) {
      auto& n = neighbors_[i];
      MPI_Irecv(n.in.data(), static_cast<int>(n.in.size()), MPI_BYTE, n.rank, 0, comm_, &receives_[i]);
    }
    for (std::size_t i = 0; i < neighbors_.size(); ++i) {
      auto& n = neighbors_[i];
      char* out = n.out.data();
      for (const auto& box : n.outgoing) out = pack(p_, box, out);
      MPI_Isend(n.out.data(), static_cast<int>(n.out.size()), MPI_BYTE, n.rank, 0, comm_, &sends_[i]);
    }
    for (int e = 0; e < directions; ++e)
      if (p_.sends(e) && p_.neighbor(e) == p_.rank) copy_within(p_, p_.outgoing(opposite(e)), p_.incoming(e));
    for (std::size_t done = 0; done < neighbors_.size(); ++done) {
      int which = 0;
      MPI_Waitany(static_cast<int>(receives_.size()), receives_.data(), &which, MPI_STATUS_IGNORE);
      const auto& n = neighbors_[static_cast<std::size_t>(which)];
      const char* in = n.in.data();
      for (const auto& box : n.incoming) in = unpack(p_, box, in);
    }
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  struct neighbor {
    int rank;
    std::vector<cells> outgoing, incoming;
    std::vector<char> out, in;
  };
  neighbor& add(int rank) {
    const auto found = std::find_if(neighbors_.begin(), neighbors_.end(), [&](auto& n) { return n.rank == rank; });
    return found != neighbors_.end() ? *found : neighbors_.emplace_back(neighbor{rank, {}, {}, {}, {}});
  }

  problem p_;
  MPI_Comm comm_;
  std::vector<neighbor> neighbors_;
  std::vector<MPI_Request> receives_, sends_;
};
// end

}  // namespace

std::unique_ptr<peer> make_one_message(const problem& p) { return std::make_unique<one_message>(p); }

}  // namespace bench::halo
