#include "mailed.hpp"

#include "wherry/core/error.hpp"

#include "algorithm_carrier.hpp"
#include "mpi_implementations.hpp"

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

/// Null, on all ranks alike: this MPI gives no windows, as Open MPI 4.1 without its single copy where threads are many.
mailboxes* boxes_of(communicator_state& on, putting how) {
  auto& boxes = how == putting::by_windows ? on.windows : on.notified;
  if (boxes) return boxes.get();
  try {
    boxes = std::make_unique<mailboxes>(on.comm, how);
  } catch (const error& failure) {
    if (failure.kind() != error_kind::mpi) throw;
    (how == putting::by_windows ? on.has_no_windows : on.has_no_segments) = true;
    on.chosen.forget_decisions();
  }
  return boxes.get();
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

task start(const implementation& self, invocation& call, putting how) {
  auto* const boxes = boxes_of(call.on, how);
  return boxes != nullptr ? by_mail(call, *boxes, boxes->reserve()) : start_nonblocking(self, call);
}

}  // namespace

task start_one_sided(const implementation& self, invocation& call) { return start(self, call, putting::by_windows); }
task start_pgas(const implementation& self, invocation& call) { return start(self, call, putting::by_notified_writes); }

std::string_view without_mailboxes(const implementation& self, const shape_of_call& shape,
                                   const communicator_state& on) {
  if (pattern_of(shape.what) == pattern::neighbors) return "it knows nothing of neighbourhoods";
  if (self.start == start_one_sided ? on.has_no_windows : on.has_no_segments) return "this MPI gives no windows here";
  if (on.comm.size() > mailboxes::most_ranks) return "there are too many ranks for mailboxes between all";
  return {};
}

}  // namespace wherry::collective
