// The obvious code: packs a box for each direction, sends a message for each, and unpacks. Messages to the rank itself
// are treated alike.
#include <memory>

#include "halo/copy.hpp"
#include "halo/peers.hpp"

namespace bench::halo {
namespace {

// begin: what a user writes
class many_messages : public peer {
 public:
  explicit many_messages(const problem& p) : p_(p) {
    MPI_Comm_dup(p.comm, &comm_);
    std::size_t all = 0;
    for (int e = 0; e < directions; ++e) all += size(e);
    out_.resize(all);
    in_.resize(all);
  }
  ~many_messages() override { MPI_Comm_free(&comm_); }

  void exchange() override {
    MPI_Request receives[directions - 1], sends[directions - 1];
    int count = 0;
    char* in = in_.data();
    for (int e = 0; e < directions; ++e) {
      if (!p_.sends(e)) continue;
      MPI_Irecv(in, static_cast<int>(size(e)), MPI_BYTE, p_.neighbor(e), opposite(e), comm_, &receives[count++]);
      in += size(e);
    }
    count = 0;
    char* out = out_.data();
    for (int e = 0; e < directions; ++e) {
      if (!p_.sends(e)) continue;
      char* const begin = out;
      out = pack(p_, p_.outgoing(e), out);
      MPI_Isend(begin, static_cast<int>(size(e)), MPI_BYTE, p_.neighbor(e), e, comm_, &sends[count++]);
    }
    MPI_Waitall(count, receives, MPI_STATUSES_IGNORE);
    const char* arrived = in_.data();
    for (int e = 0; e < directions; ++e)
      if (p_.sends(e)) arrived = unpack(p_, p_.incoming(e), arrived);
    MPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
  }

 private:
  std::size_t size(int e) const { return p_.sends(e) ? p_.bytes(p_.outgoing(e)) : 0; }

  problem p_;
  MPI_Comm comm_;
  std::vector<char> out_, in_;
};
// end

}  // namespace

std::unique_ptr<peer> make_many_messages(const problem& p) { return std::make_unique<many_messages>(p); }

}  // namespace bench::halo
