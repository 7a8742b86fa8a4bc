#include "mailed.hpp"

#include "algorithm_carrier.hpp"

namespace wherry::collective {
namespace {

std::string_view algorithm_for(pattern what, bool commutative) {
  switch (what) {
    case pattern::barrier:
      return "dissemination";
    case pattern::bcast:
    case pattern::reduce:
      return "binomial";
    case pattern::allgather:
      return "ring";
    case pattern::alltoall:
      return "pairwise";
    case pattern::reduce_scatter:
      return commutative ? "pairwise" : "linear";
    case pattern::allreduce:
    case pattern::scan:
    case pattern::exscan:
      return "recursive_doubling";
    default:
      return "linear";
  }
}

mailboxes& boxes_of(communicator_state& on, putting how) {
  auto& boxes = how == putting::by_windows ? on.windows : on.notified;
  if (!boxes) boxes = std::make_unique<mailboxes>(on.comm, how);
  return *boxes;
}

struct is_next {
  const mailboxes& boxes;
  std::uint64_t call;
  bool operator()() const { return boxes.turn_of(call); }
};

task by_mail(invocation& call, mailboxes& boxes, std::uint64_t number) {
  co_await until(is_next{boxes, number});
  mailed_messages messages;
  messages.begin(boxes);
  auto all = carry(*find(algorithm_for(call.dense.what, call.dense.reduce.commutative()), call.dense.what),
                   {call.on.comm}, call.dense, messages, call.on.pool, *call.room);
  co_await all_of(all);
  boxes.end(number);
}

task start(invocation& call, putting how) {
  auto& boxes = boxes_of(call.on, how);
  return by_mail(call, boxes, boxes.reserve());
}

}  // namespace

task start_one_sided(const implementation&, invocation& call) { return start(call, putting::by_windows); }
task start_pgas(const implementation&, invocation& call) { return start(call, putting::by_notified_writes); }

std::string_view without_mailboxes(const implementation&, const shape_of_call& shape, const communicator_state& on) {
  if (pattern_of(shape.what) == pattern::neighbors) return "it knows nothing of neighbourhoods";
  if (on.comm.size() > mailboxes::most_ranks) return "there are too many ranks for mailboxes between all";
  return {};
}

}  // namespace wherry::collective
