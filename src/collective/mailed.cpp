#include "mailed.hpp"

#include <cstdint>
#include <memory>
#include <utility>

#include "wherry/core/error.hpp"

#include "algorithm_carrier.hpp"
#include "coarray_mail.hpp"
#include "core/terms.hpp"
#include "neighbor_messages.hpp"
#include "segment_mail.hpp"

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

putting way_of(const implementation& self) {
  if (self.start == start_one_sided) return putting::by_windows;
  return self.start == start_pgas ? putting::by_notified_writes : putting::by_coarrays;
}

kept_mailboxes& kept(const implementation& self, communicator_state& on) {
  return on.mail[static_cast<std::size_t>(way_of(self))];
}
const kept_mailboxes& kept(const implementation& self, const communicator_state& on) {
  return on.mail[static_cast<std::size_t>(way_of(self))];
}

struct is_next {
  const mailboxes& boxes;
  std::uint64_t call;
  bool operator()() const { return boxes.turn_of(call); }
};

task carry_by(agreed_messages<mailed_messages>& messages, invocation& call) {
  const auto& what = call.dense;
  if (is_of_neighbors(what.what)) return exchange_with_neighbors(what, messages, neighbors::all);
  const auto& how = *find(algorithm_for(what.what, what.reduce.commutative()), what.what);
  return carry(how, {call.on.comm}, what, messages, call.on.pool, *call.room);
}

task by_mail(invocation& call, mailboxes& boxes, std::uint64_t number) {
  co_await until(is_next{boxes, number});
  agreed_messages<mailed_messages> messages(call.on.pool);
  messages.begin(call.on.sequence, call.on.pool, call.on.comm.size(), boxes);
  auto all = carry_by(messages, call);
  co_await all_of(all);
  boxes.end(number);
}

task start(const implementation& self, invocation& call) {
  auto& boxes = *kept(self, call.on).boxes;
  return by_mail(call, boxes, boxes.reserve());
}

made_coarray_mail memory_for(putting how, const communicator& comm, std::int64_t slot) {
  using memory = segment_mail::memory;
  switch (how) {
    case putting::by_windows:
      return {std::make_unique<segment_mail>(comm, memory::no_nodes, slot), {}};
    case putting::by_notified_writes:
      return {std::make_unique<segment_mail>(comm, memory::the_nodes, slot), {}};
    default:
      return make_coarray_mail(comm, slot);
  }
}

}  // namespace

task start_one_sided(const implementation& self, invocation& call) { return start(self, call); }
task start_pgas(const implementation& self, invocation& call) { return start(self, call); }
task start_coarray(const implementation& self, invocation& call) { return start(self, call); }

void prepare_mailboxes(const implementation& self, communicator_state& on, std::int64_t bytes) {
  auto& of = kept(self, on);
  if (of.boxes || !of.obstacle.empty()) return;
  const auto slot = slot_among(on.comm.size(), bytes);
  agree_on(on.comm, "collective", nullptr, terms([&](auto& say) { say(slot, "bytes of a slot"); }));
  try {
    auto made = memory_for(way_of(self), on.comm, slot);
    if (made.memory)
      of.boxes = std::make_unique<mailboxes>(std::move(made.memory), on.comm.size());
    else
      of.obstacle = made.why_not;
  } catch (const error& failure) {
    // This happens on all ranks alike, for example with Open MPI 4.1 without its single copy and with
    // MPI_THREAD_MULTIPLE.
    if (failure.kind() != error_kind::mpi) throw;
    of.obstacle = "this MPI gives no windows here";
  }
}

void give_back_mailboxes(const implementation& self, communicator_state& on) {
  auto& of = kept(self, on);
  wherry::detail::collectively(on.comm, "give_back", [&] {
    if (of.boxes && !of.boxes->idle())
      throw error(error_kind::state, "give_back",
                  wherry::detail::text("calls by '", self.name, "' are still under way"), on.comm.rank());
  });
  of.boxes.reset();
}

std::string_view without_mailboxes(const implementation& self, const shape_of_call& shape,
                                   const communicator_state& on) {
  if (is_of_neighbors(shape.what) && on.around == nullptr) return "the communicator has no topology";
  if (on.comm.size() > mailboxes::most_ranks) return "there are too many ranks for mailboxes between all";
  return kept(self, on).obstacle;
}

}  // namespace wherry::collective
