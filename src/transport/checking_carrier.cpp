#include "checking_carrier.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "wherry/core/error.hpp"

#include "request_carrier.hpp"

namespace wherry {
namespace {

/// One side's message to the other about one start. It does not name the pattern: the tag belongs to this exchange
/// alone, and ranks that bind different exchanges have learned so at bind.
struct header {
  std::uint64_t number = 0;
  std::int64_t to_you = 0, from_you = 0;  // bytes, all stages
};

/// This rank's header for a peer, or the peer's for this rank.
struct leg : request_leg {
  header said;
};

class checking_carrier final : public request_carrier<checking_carrier, leg> {
 public:
  explicit checking_carrier(const transports::bind_request& request)
      : request_carrier(request), me_(request.comm.rank()), plan_(request.plan) {
    std::map<int, header> by_peer;
    for (const auto& part : plan_.stages) {
      for (const auto& m : part.sends) by_peer[m.peer].to_you += plan_.bytes_of(m);
      for (const auto& m : part.receives) by_peer[m.peer].from_you += plan_.bytes_of(m);
    }
    stages_.resize(plan_.stages.size());
    for (const auto& [peer, mine] : by_peer) stages_.front().receives.push_back(make_leg(peer, {}));
    for (const auto& [peer, mine] : by_peer) stages_.front().sends.push_back(make_leg(peer, mine));
  }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    if (!request_carrier::test_stage(number, fields)) return false;
    if (std::exchange(compared_, true)) return true;
    const auto& first = stages_.front();
    for (std::size_t i = 0; i < first.sends.size(); ++i)
      compare(first.sends[i].peer, first.sends[i].said, first.receives[i].said);
    return true;
  }

  template <class Piece> static void for_each_piece(leg& l, Piece&& piece) { piece(&l.said, sizeof(header), MPI_BYTE); }
  void before_send(leg& s, plans::field_table) {
    ++s.said.number;
    compared_ = false;
  }
  static void after_receive(const leg&, plans::field_table) {}

 private:
  leg make_leg(int peer, const header& said) {
    leg l{{peer}, said};
    stages_.front().add_requests(l, 1);
    return l;
  }

  void compare(int peer, const header& mine, const header& theirs) const {
    const auto fail = [&](std::string_view what) {
      throw error(error_kind::mismatch, plan_.pattern, what, me_, {peer});
    };
    if (theirs.number != mine.number)
      fail(detail::text("rank ", peer, " is at its start number ", theirs.number, ", rank ", me_, " at number ",
                        mine.number));
    if (theirs.to_you != mine.from_you)
      fail(detail::text("rank ", peer, " sends ", theirs.to_you, " bytes to rank ", me_, ", which expects ",
                        mine.from_you));
    if (theirs.from_you != mine.to_you)
      fail(detail::text("rank ", peer, " expects ", theirs.from_you, " bytes from rank ", me_, ", which sends ",
                        mine.to_you));
  }

  int me_;
  const plans::schedule& plan_;
  bool compared_ = true;
};

}  // namespace

std::unique_ptr<transports::carrier> make_checking_carrier(const transports::bind_request& request) {
  return std::make_unique<checking_carrier>(request);
}

}  // namespace wherry
