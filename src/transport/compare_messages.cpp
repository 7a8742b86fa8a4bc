#include "compare_messages.hpp"

#include <map>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "patience.hpp"

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

/// Non-blocking consensus (Hoefler, Siebert, Lumsdaine 2010): synchronous sends to those I know, then a barrier that
/// starts when mine have been received; when it ends nobody's are under way. Nobody needs to know who writes to them.
notices_by_peer exchange_notices(const communicator& comm, const notices_by_peer& mine, int tag) {
  std::vector<MPI_Request> sends;
  for (const auto& [peer, list] : mine)
    check_mpi(MPI_Issend(list.data(), static_cast<int>(list.size() * sizeof(notice)), MPI_BYTE, peer, tag,
                         comm.handle(), &sends.emplace_back()),
              "MPI_Issend");
  notices_by_peer received;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool in_barrier = false;
  patience patient(comm, "bind", "compare_messages");
  for (;;) {
    int found = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm.handle(), &found, &status), "MPI_Iprobe");
    if (found != 0) {
      int bytes = 0;
      check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
      auto& list = received[status.MPI_SOURCE];
      list.resize(static_cast<std::size_t>(bytes) / sizeof(notice));
      check_mpi(MPI_Recv(list.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag, comm.handle(), MPI_STATUS_IGNORE),
                "MPI_Recv");
      continue;
    }
    int done = 0;
    if (in_barrier) {
      check_mpi(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) return received;
    } else {
      check_mpi(MPI_Testall(static_cast<int>(sends.size()), sends.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (done != 0) {
        check_mpi(MPI_Ibarrier(comm.handle(), &barrier), "MPI_Ibarrier");
        in_barrier = true;
      }
    }
    patient.pause([](std::vector<int>&) {});
  }
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

void compare_messages(const communicator& comm, const schedule& plan, int tag, const std::optional<error>& mine,
                      std::string_view transport) {
  const auto announced = exchange_notices(comm, mine ? notices_by_peer{} : collect(plan, &stage::sends), tag);
  const auto fingerprint = static_cast<std::uint32_t>(std::hash<std::string_view>{}(transport));
  collectively(
      comm, plan.pattern,
      [&] {
        if (mine) throw *mine;
        compare(comm, plan, collect(plan, &stage::receives), announced);
      },
      fingerprint, text("the ranks disagree on the transport; here it is '", transport, "'"));
}

}  // namespace wherry
