// The transport `total_exchange`: messages are packed, and one MPI_Ialltoall(v) carries each stage among the ranks that
// have messages in it. KeLP, section 4, wished this for its NAS-FT: "a Data Mover that recognizes the transpose pattern
// and called the system-supported collective routine". It is correct for any schedule, and made for those in which
// every rank sends to every other. By the letter of MPI's standard, a wait may here need the starts of all members, not
// only those of the peers.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#include "wherry/core/mpi.hpp"

#include "collective_carrier.hpp"
#include "core/collective.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

/// The longest message for which all counts are made equal. With equal counts, MPI libraries forward small messages
/// through other ranks, in fewer rounds. MPI_Ialltoall also carries a message to oneself, which is useless here and
/// costs too much for long messages.
constexpr std::size_t longest_equal = 4096;

class total_exchange_carrier final : public collective_carrier {
 public:
  explicit total_exchange_carrier(const transports::bind_request& request)
      : collective_carrier(request), equal_(request.stages.size(), 0) {
    for (std::size_t s = 0; s < most_stages(); ++s) bind_stage(s, request.comm);
  }

 private:
  void begin(std::size_t number, collective_stage& s) override {
    const MPI_Datatype type = unit_type();
    if (equal_[number] != 0)
      check_mpi(PMPI_Ialltoall(s.sends.wire(), s.sends.counts()[0], type, s.receives.wire(), s.receives.counts()[0],
                               type, s.members.get(), &s.request),
                "MPI_Ialltoall");
    else
      check_mpi(PMPI_Ialltoallv(s.sends.wire(), s.sends.counts(), s.sends.displacements(), type, s.receives.wire(),
                                s.receives.counts(), s.receives.displacements(), type, s.members.get(), &s.request),
                "MPI_Ialltoallv");
  }

  void bind_stage(std::size_t number, const communicator& comm) {
    auto* const s = stage(number);
    find_members(comm, s);
    if (s == nullptr || !s->takes_part()) return;
    const MPI_Comm members = s->members.get();
    int size = 0;
    PMPI_Comm_size(members, &size);
    equal_[number] = all_equal(*s, size) ? 1 : 0;
    for (auto* side : {&s->sends, &s->receives})
      side->lay_out(unit(), ranks_among(side->peers(), comm, members), static_cast<std::size_t>(size),
                    equal_[number] != 0);
  }

  /// True if each member sends equally much, and little, to each other member. Collective among the members.
  bool all_equal(const collective_stage& s, int members) const {
    const auto others = static_cast<std::size_t>(members - 1), unit = this->unit();
    const bool to_all = s.sends.peers().size() == others && s.receives.peers().size() == others;
    const auto longest = static_cast<std::int64_t>(std::max(s.sends.longest(unit), s.receives.longest(unit)));
    const auto shortest = static_cast<std::int64_t>(std::min(s.sends.shortest(unit), s.receives.shortest(unit)));
    const std::int64_t mine[2] = {to_all ? shortest : 0, -longest};
    std::int64_t least[2] = {};
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(PMPI_Iallreduce(mine, least, 2, MPI_INT64_T, MPI_MIN, s.members.get(), &request), "MPI_Iallreduce");
    patient::complete(request);
    return least[0] > 0 && least[0] == -least[1] && static_cast<std::size_t>(least[0]) * unit <= longest_equal;
  }

  std::vector<char> equal_;  // for each stage: all slots have one size
};

/// The fewest ranks for which `auto` considers this transport; with fewer, a message to each rank is faster. At 2, 4
/// and 8 ranks of one machine, with 16 B to 256 KiB between ranks that `two_sided` carries, the collective took 1.1 to
/// 1.8 times as long with Open MPI 4.1, and 1 to 1.8 times as long with MPICH 4.0. The gain of fewer rounds on a
/// network is only estimated here.
constexpr int fewest_ranks = 16;

}  // namespace

std::unique_ptr<transports::carrier> bind_total_exchange(const transports::bind_request& request) {
  return std::make_unique<total_exchange_carrier>(request);
}

bool is_small_total_exchange(const plans::schedule& plan, const communicator& comm) {
  const bool one_node = static_cast<int>(comm.node_ranks().size()) == comm.size();
  if (plan.stages.size() != 1 || comm.size() < fewest_ranks || one_node) return false;
  const auto others = static_cast<std::size_t>(comm.size() - 1);
  const auto& only = plan.stages.front();
  const auto to_oneself = [&](const plans::message& m) { return m.peer == comm.rank(); };
  if (only.sends.empty()) return false;
  const auto each = plan.bytes_of(only.sends.front());
  for (const auto* list : {&only.sends, &only.receives}) {
    if (list->size() != others || std::any_of(list->begin(), list->end(), to_oneself)) return false;
    for (const auto& m : *list)
      if (plan.bytes_of(m) != each) return false;
  }
  return each > 0 && static_cast<std::size_t>(each) <= longest_equal;
}

/// The cost of rounds in which every rank sends half of all its data, each with a latency, the copies and the transfer.
double cost_in_total_exchange(const transports::message_load& load) {
  const int rounds = std::bit_width(static_cast<unsigned>(load.ranks - 1));
  return rounds * (0.6 + load.bytes * load.ranks / 2 * 2.5e-4) / (load.ranks - 1) + load.blocks * 0.04;
}

}  // namespace wherry
