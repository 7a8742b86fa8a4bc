#include "compare_messages.hpp"

#include <map>
#include <vector>

#include "core/agreement.hpp"
#include "core/patience.hpp"
#include "core/sparse_exchange.hpp"

namespace wherry {
namespace {

/// What one rank says of one message to the other side.
struct notice {
  std::int64_t stage, bytes, elements;
};

notice describe(std::size_t stage, const message& m) {
  notice n{static_cast<std::int64_t>(stage), m.bytes(), 0};
  for (const auto& b : m.blocks) n.elements += b.kind == block::form::called ? 1 : b.bytes() / b.element;
  return n;
}

using notices_by_peer = std::map<int, std::vector<notice>>;

notices_by_peer collect(const schedule& plan, std::vector<message> stage::* list) {
  notices_by_peer result;
  for (std::size_t s = 0; s < plan.stages.size(); ++s)
    for (const auto& m : plan.stages[s].*list) result[m.peer].push_back(describe(s, m));
  return result;
}

notices_by_peer exchange_notices(const communicator& comm, const notices_by_peer& mine) {
  bytes_by_peer outgoing;
  for (const auto& [peer, list] : mine) outgoing[peer] = to_bytes(list);
  patience patient(comm, "bind", "compare_messages");
  const auto incoming = exchange_sparsely(comm, std::move(outgoing), "bind", [&] { patient.pause(); });
  notices_by_peer received;
  for (const auto& [peer, bytes] : incoming) received[peer] = from_bytes<notice>(bytes);
  return received;
}

void compare(const communicator& comm, const schedule& plan, const notices_by_peer& expected,
             const notices_by_peer& announced) {
  const auto fail = [&](int peer, std::string_view what) {
    throw error(error_kind::mismatch, plan.pattern, what, comm.rank(), {peer});
  };
  for (const auto& [peer, list] : announced) {
    const auto found = expected.find(peer);
    if (found == expected.end())
      fail(peer, text("rank ", peer, " sends ", list.front().bytes, " bytes to rank ", comm.rank(),
                      ", which expects nothing from it"));
    if (found->second.size() != list.size())
      fail(peer, text("rank ", peer, " sends ", list.size(), " messages to rank ", comm.rank(), ", which expects ",
                      found->second.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto &theirs = list[i], &mine = found->second[i];
      if (theirs.stage != mine.stage || theirs.bytes != mine.bytes)
        fail(peer, text("in stage ", mine.stage, " rank ", peer, " sends ", theirs.bytes, " bytes to rank ",
                        comm.rank(), ", which expects ", mine.bytes, " bytes"));
      if (theirs.elements != mine.elements)
        fail(peer, text("in stage ", mine.stage, " rank ", peer, " sends ", theirs.elements, " elements to rank ",
                        comm.rank(), ", which expects ", mine.elements, " elements"));
    }
  }
  for (const auto& [peer, list] : expected)
    if (!announced.contains(peer))
      fail(peer, text("rank ", comm.rank(), " expects ", list.front().bytes, " bytes from rank ", peer,
                      ", which sends nothing to it"));
}

}  // namespace

bool compare_messages(const communicator& comm, const schedule& plan, const std::optional<error>& mine,
                      std::string_view transport, bool vote) {
  const auto announced = exchange_notices(comm, mine ? notices_by_peer{} : collect(plan, &stage::sends));
  const auto fingerprint = static_cast<std::uint32_t>(std::hash<std::string_view>{}(transport));
  const auto found = error_of(comm, plan.pattern, [&] {
    if (mine) throw *mine;
    compare(comm, plan, collect(plan, &stage::receives), announced);
  });
  return agree_and_vote(comm, plan.pattern, found ? &*found : nullptr, fingerprint,
                        text("the ranks disagree on the transport; here it is '", transport, "'"), vote);
}

}  // namespace wherry
