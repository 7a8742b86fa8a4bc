#include "hierarchical.hpp"

#include <algorithm>

#include "neighbor_messages.hpp"

namespace wherry::collective::hierarchical {

levels::levels(invocation& call, std::uint64_t turns, speaker member)
    : call_(call),
      next_turn_(call.on.board->reserve(turns)),
      node_(call.on.nodes.node_of[static_cast<std::size_t>(call.dense.rank)]),
      speakers_(call.on.pool) {
  for (int n = 0; n < nodes(); ++n)
    speakers_.push_back(member == speaker::first ? members_of(n).front() : members_of(n).back());
}

void levels::root_speaks() { speakers_[static_cast<std::size_t>(node_of(call_.dense.root))] = call_.dense.root; }

int levels::speaking_member() const {
  const auto all = members_of(node_);
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), speakers_[static_cast<std::size_t>(node_)]) -
                          all.begin());
}

dense_call levels::within(pattern what) const {
  dense_call part;
  part.what = what;
  part.rank = call_.on.board->me();
  part.size = members();
  part.root = speaking_member();
  part.reduce = call_.dense.reduce;
  part.count = call_.dense.count;
  part.terms = call_.dense.terms;
  return part;
}

dense_call levels::between(pattern what) const {
  auto part = within(what);
  part.rank = node_;
  part.size = nodes();
  part.root = node_of(call_.dense.root);
  return part;
}

task levels::by_messages(std::string_view algorithm, const dense_call& part) {
  auto& messages = call_.room->messages;
  messages.begin(call_.on.sequence, call_.on.pool, call_.on.comm.size(), call_.on.comm, call_.tag);
  return carry(*find(algorithm, part.what), {call_.on.comm, speakers_.data()}, part, messages, call_.on.pool,
               *call_.room);
}

namespace {

task barrier(invocation& call) {
  levels all(call, 2);
  const auto here = all.within(pattern::barrier), there = all.between(pattern::barrier);
  auto arrive = all.by_memory(here);
  co_await all_of(arrive);
  if (all.speaks()) {
    auto meet = all.by_messages("dissemination", there);
    co_await all_of(meet);
  }
  auto leave = all.by_memory(here);
  co_await all_of(leave);
}

/// Exchanges with neighbours on the node through shared memory, and with the others by messages.
task neighbors(invocation& call) {
  struct both {
    task &near, &far;
    bool operator()() const {
      const bool here = near.progress(), there = far.progress();
      return here && there;
    }
    void append_missing(std::vector<int>& ranks) const {
      near.append_missing(ranks);
      far.append_missing(ranks);
    }
  };
  call.room->messages.begin(call.on.sequence, call.on.pool, call.on.comm.size(), call.on.comm, call.tag);
  auto far = exchange_with_neighbors(call.dense, call.room->messages, collective::neighbors::of_other_nodes);
  auto near = shared::run(*call.on.board, call.on.board->reserve(1), call.dense);
  co_await until(both{near, far});
}

}  // namespace

task run(invocation& call) {
  switch (call.dense.what) {
    case pattern::barrier:
      return barrier(call);
    case pattern::bcast:
      return bcast(call);
    case pattern::gather:
      return gather(call);
    case pattern::scatter:
      return scatter(call);
    case pattern::allgather:
      return allgather(call);
    case pattern::alltoall:
      return alltoall(call);
    case pattern::reduce:
      return reduce(call);
    case pattern::allreduce:
      return allreduce(call);
    case pattern::reduce_scatter:
      return reduce_scatter(call);
    case pattern::scan:
    case pattern::exscan:
      return scan(call);
    case pattern::neighbor_allgather:
    case pattern::neighbor_alltoall:
      return neighbors(call);
  }
  return {};
}

}  // namespace wherry::collective::hierarchical
