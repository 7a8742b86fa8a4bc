#include "cut_into_packets.hpp"

#include <iterator>
#include <vector>

#include "core/collective.hpp"
#include "plan/packets.hpp"

namespace wherry {

std::vector<char> cut_into_packets(const communicator& comm, plans::schedule& plan, std::int64_t most) {
  const auto here =
      detail::text(plan.pattern, " in packets");  // a name of its own: ranks that do not cut agree elsewhere
  // Ranks that do not cut compare their messages at once, by a tag. Take that tag here and leave it unused, so that
  // after the error all ranks go on with the same tags.
  static_cast<void>(comm.next_tag());
  std::vector<std::vector<plans::stage>> cut;
  detail::collectively(comm, here, [&] {
    plan.validate(comm.rank(), comm.size());
    for (const auto& whole : plan.stages) cut.push_back(in_packets(whole, plan, most));
  });
  const auto stages = patient::allreduce(comm, here, std::vector{cut.size()}, patient::most)[0];
  cut.resize(stages);  // a rank with fewer stages finds its missing messages when messages are compared
  std::vector<std::size_t> packets;
  for (const auto& list : cut) packets.push_back(list.size());
  packets = patient::allreduce(comm, here, packets, patient::most);
  plan.stages.clear();
  std::vector<char> goes_on;
  for (std::size_t i = 0; i < stages; ++i) {
    cut[i].resize(packets[i]);
    for (std::size_t k = 0; k < packets[i]; ++k) goes_on.push_back(k > 0 ? 1 : 0);
    plan.stages.insert(plan.stages.end(), std::make_move_iterator(cut[i].begin()),
                       std::make_move_iterator(cut[i].end()));
  }
  return goes_on;
}

}  // namespace wherry
