// Reductions of long vectors: the vector is halved step by step, until each rank has the result of one block; then all
// ranks, or the root, gather the blocks. The nearest ranks exchange first, so that values are combined in order.
#include "folded_ranks.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view classic = "Rabenseifner 2004";

int block_a_core_rank(const place& at) { return folded_ranks(at.size).core; }

// The blocks that number n keeps in steps 0..level-1: in step k the lower half if bit k of n is 0, else the upper half.
block_range kept(int number, int level, int core, buffer where = buffer::work) {
  int first = 0;
  for (int k = 0; k < level; ++k)
    if ((number >> k) & 1) first += core >> (k + 1);
  return {first, core >> level, where};
}

struct exchange {
  int number, other;  // the two numbers
  int peer;           // the rank of the other number
};
exchange exchange_of(const folded_ranks& ranks, int rank, int step) {
  const int number = ranks.number(rank), other = static_cast<int>(number ^ power_of_two(step));
  return {number, other, ranks.rank_of(other)};
}

void halve(const folded_ranks& ranks, int rank, int step, stage& into) {
  const auto [number, other, peer] = exchange_of(ranks, rank, step);
  const auto mine = step == 0 ? ranks.contribution(rank) : buffer::work;
  into.send(peer, kept(other, step + 1, ranks.core, mine));
  into.receive(peer, folded_ranks::order(rank, peer), kept(number, step + 1, ranks.core, mine));
}

int stages_of_allreduce(const place& at) {
  const folded_ranks ranks(at.size);
  if (!ranks.in_pair(at.rank)) return 2 * ranks.steps();
  return ranks.stays(at.rank) ? 2 * ranks.steps() + 2 : 2;
}

void allreduce(const place& at, int k, stage& into) {
  const folded_ranks ranks(at.size);
  const int rank = at.rank, partner = ranks.partner(rank), steps = ranks.steps();
  if (ranks.in_pair(rank) && k == 0) return ranks.fold(rank, ranks.core, into);
  if (!ranks.stays(rank)) return into.receive(partner, arrival::store, all_of(ranks.core));
  const int step = ranks.in_pair(rank) ? k - 1 : k;
  if (step < steps) return halve(ranks, rank, step, into);
  if (step == 2 * steps) return into.send(partner, all_of(ranks.core));
  const int level = 2 * steps - 1 - step;  // on the steps back
  const auto [number, other, peer] = exchange_of(ranks, rank, level);
  into.send(peer, kept(number, level + 1, ranks.core));
  into.receive(peer, arrival::store, kept(other, level + 1, ranks.core));
}

// On the steps back to the root, a rank receives while its bits are those of the root, and then sends everything that
// it has.
int last_level(const folded_ranks& ranks, int rank, int root) {
  const int different = ranks.number(rank) ^ ranks.number(root);
  return different == 0 ? 0 : log2_down(different);
}

int stages_of_reduce(const place& at) {
  const folded_ranks ranks(at.size, at.root);
  if (!ranks.stays(at.rank)) return 1;
  return ranks.in_pair(at.rank) + 2 * ranks.steps() - last_level(ranks, at.rank, at.root);
}

void reduce(const place& at, int k, stage& into) {
  const folded_ranks ranks(at.size, at.root);
  if (ranks.in_pair(at.rank) && k == 0) return ranks.fold(at.rank, ranks.core, into);
  const int step = ranks.in_pair(at.rank) ? k - 1 : k;
  if (step < ranks.steps()) return halve(ranks, at.rank, step, into);
  const int level = 2 * ranks.steps() - 1 - step;
  const auto [number, other, peer] = exchange_of(ranks, at.rank, level);
  if (((number ^ ranks.number(at.root)) >> level) & 1)
    into.send(peer, kept(number, level + 1, ranks.core));
  else
    into.receive(peer, arrival::store, kept(other, level + 1, ranks.core));
}

block_range held_in_reduce(const place& at) {
  const folded_ranks ranks(at.size, at.root);
  if (!ranks.stays(at.rank)) return {};
  return ranks.in_pair(at.rank) || at.rank == at.root ? all_of(ranks.core) : kept(ranks.number(at.rank), 1, ranks.core);
}

}  // namespace

constinit const algorithm rabenseifner_reduce{.name = "rabenseifner",
                                              .pattern = pattern::reduce,
                                              .source = classic,
                                              .count_blocks = block_a_core_rank,
                                              .count_stages = stages_of_reduce,
                                              .fill = reduce,
                                              .held_by = held_in_reduce};
constinit const algorithm rabenseifner_allreduce{.name = "rabenseifner",
                                                 .pattern = pattern::allreduce,
                                                 .source = classic,
                                                 .count_blocks = block_a_core_rank,
                                                 .count_stages = stages_of_allreduce,
                                                 .fill = allreduce};

}  // namespace wherry::collective::rows
