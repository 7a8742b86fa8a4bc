// Recursive doubling: in step k each rank exchanges everything that it has with the rank whose number differs in bit k.
#include "folded_ranks.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view classic = "Thakur, Rabenseifner & Gropp 2005";

int none(const place&) { return 0; }
int one(const place&) { return 1; }
int block_a_rank(const place& at) { return at.size; }

// The stages of a rank: in a pair, the first stage folds and the last one unfolds.
int stages_of_folded(const place& at) {
  const folded_ranks ranks(at.size);
  if (!ranks.in_pair(at.rank)) return ranks.steps();
  return ranks.stays(at.rank) ? ranks.steps() + 2 : 2;
}

// The step of a stage, for a rank that stays: -1 folds, `ranks.steps()` unfolds.
int step_of(const place& at, const folded_ranks& ranks, int k) { return ranks.in_pair(at.rank) ? k - 1 : k; }

int peer_of(const place& at, const folded_ranks& ranks, int step) {
  return ranks.rank_of(static_cast<int>(ranks.number(at.rank) ^ power_of_two(step)));
}

void allreduce_of(const place& at, int k, int blocks, stage& into) {
  const folded_ranks ranks(at.size);
  const int rank = at.rank, partner = ranks.partner(rank);
  const auto how = [&](int peer) { return blocks == 0 ? arrival::store : folded_ranks::order(rank, peer); };
  if (!ranks.stays(rank)) {
    if (k == 0) return ranks.fold(rank, blocks, into);
    return into.receive(partner, arrival::store, all_of(blocks));
  }
  const int step = step_of(at, ranks, k);
  if (step < 0) return into.receive(partner, how(partner), all_of(blocks, buffer::input));
  if (step == ranks.steps()) return into.send(partner, all_of(blocks));
  const int peer = peer_of(at, ranks, step);
  const auto mine = step == 0 ? ranks.contribution(rank) : buffer::work;
  into.send(peer, all_of(blocks, mine));
  into.receive(peer, how(peer), all_of(blocks, mine));
}

void allreduce(const place& at, int k, stage& into) { allreduce_of(at, k, 1, into); }
void barrier(const place& at, int k, stage& into) { allreduce_of(at, k, 0, into); }

void keep_own(const place& at, stage& into) { into.receive(at.rank, arrival::store, {at.rank, 1}); }

void allgather_of_one_who_leaves(const place& at, int k, int partner, stage& into) {
  if (k == 0) {
    into.send(partner, {at.rank, 1, buffer::input});
    return keep_own(at, into);
  }
  into.receive(partner);
  into.add({0, at.rank});
  into.add({at.rank + 1, at.size - at.rank - 1});
}

void allgather(const place& at, int k, stage& into) {
  const folded_ranks ranks(at.size);
  const int rank = at.rank, partner = ranks.partner(rank);
  if (!ranks.stays(rank)) return allgather_of_one_who_leaves(at, k, partner, into);
  if (k == 0) keep_own(at, into);
  const int step = step_of(at, ranks, k);
  if (step < 0) return into.receive(partner, arrival::store, {partner, 1});
  if (step == ranks.steps()) {
    into.send(partner, {0, partner});
    return into.add({partner + 1, at.size - partner - 1});
  }
  const int peer = peer_of(at, ranks, step), group = static_cast<int>(power_of_two(step));
  const int mine = ranks.number(rank) & -group, theirs = ranks.number(peer) & -group;
  into.send(peer, ranks.ranks_of(mine, group, step == 0 ? ranks.contribution(rank) : buffer::work));
  into.receive(peer, arrival::store, ranks.ranks_of(theirs, group));
}

}  // namespace

constinit const algorithm recursive_doubling_barrier{.name = "recursive_doubling",
                                                     .pattern = pattern::barrier,
                                                     .source = classic,
                                                     .count_blocks = none,
                                                     .count_stages = stages_of_folded,
                                                     .fill = barrier};
constinit const algorithm recursive_doubling_allreduce{.name = "recursive_doubling",
                                                       .pattern = pattern::allreduce,
                                                       .source = classic,
                                                       .count_blocks = one,
                                                       .count_stages = stages_of_folded,
                                                       .fill = allreduce};
constinit const algorithm recursive_doubling_allgather{.name = "recursive_doubling",
                                                       .pattern = pattern::allgather,
                                                       .source = classic,
                                                       .count_blocks = block_a_rank,
                                                       .count_stages = stages_of_folded,
                                                       .fill = allgather};

}  // namespace wherry::collective::rows
