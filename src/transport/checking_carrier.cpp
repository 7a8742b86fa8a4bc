#include "checking_carrier.hpp"

#include <cstdint>
#include <map>
#include <memory>

#include "wherry/core/error.hpp"

#include "channel/message_requests.hpp"

namespace wherry {
namespace {

/// One side's message to the other about one start. It does not name the pattern: the tag belongs to this exchange
/// alone, and ranks that bind different exchanges have learned so at bind.
struct header {
  std::uint64_t number = 0;
  std::int64_t to_you = 0, from_you = 0;  // bytes, all stages
};

struct conversation {
  int peer;
  header mine, theirs;
};

class checking_carrier final : public carrier {
 public:
  explicit checking_carrier(const bind_request& request)
      : comm_(request.comm), plan_(request.plan), requests_(request.comm.handle(), request.tag) {
    std::map<int, header> by_peer;
    for (const auto& part : plan_.stages) {
      for (const auto& m : part.sends) by_peer[m.peer].to_you += plan_.bytes_of(m);
      for (const auto& m : part.receives) by_peer[m.peer].from_you += plan_.bytes_of(m);
    }
    for (const auto& [peer, mine] : by_peer) peers_.push_back({peer, mine, {}});
  }

  void start_stage(std::size_t number, field_table) override {
    if (number != 0) return;
    compared_ = false;
    requests_.clear();
    for (auto& p : peers_) {
      ++p.mine.number;
      requests_.receive(&p.theirs, sizeof(header), MPI_BYTE, p.peer);
      requests_.send(&p.mine, sizeof(header), MPI_BYTE, p.peer);
    }
  }

  bool test_stage(std::size_t number, field_table) override {
    if (number != 0 || compared_) return true;
    if (!requests_.done()) return false;
    compared_ = true;
    for (const auto& p : peers_) compare(p);
    return true;
  }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    if (number == 0) requests_.append_missing(peers);
  }

 private:
  void compare(const conversation& p) const {
    const int me = comm_.rank();
    const auto fail = [&](std::string_view what) {
      throw error(error_kind::mismatch, plan_.pattern, what, me, {p.peer});
    };
    if (p.theirs.number != p.mine.number)
      fail(detail::text("rank ", p.peer, " is at its start number ", p.theirs.number, ", rank ", me, " at number ",
                        p.mine.number));
    if (p.theirs.to_you != p.mine.from_you)
      fail(detail::text("rank ", p.peer, " sends ", p.theirs.to_you, " bytes to rank ", me, ", which expects ",
                        p.mine.from_you));
    if (p.theirs.from_you != p.mine.to_you)
      fail(detail::text("rank ", p.peer, " expects ", p.theirs.from_you, " bytes from rank ", me, ", which sends ",
                        p.mine.to_you));
  }

  const communicator& comm_;
  const schedule& plan_;
  message_requests requests_;
  std::vector<conversation> peers_;
  bool compared_ = true;
};

}  // namespace

std::unique_ptr<carrier> make_checking_carrier(const bind_request& request) {
  return std::make_unique<checking_carrier>(request);
}

}  // namespace wherry
