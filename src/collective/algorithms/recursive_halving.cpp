// Reduce_scatter by recursive halving: in each step a rank sends half of its remaining blocks to the half of the ranks
// that own them. With a commutative operation the farthest ranks exchange first, and halves are consecutive. Else the
// nearest ranks exchange first, so that values are combined in order; a half is then every second, fourth, … block.
#include "folded_ranks.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

int block_a_rank(const place& at) { return at.size; }

int stages_of_halving(const place& at) {
  const folded_ranks ranks(at.size);
  if (!ranks.in_pair(at.rank)) return ranks.steps();
  return ranks.stays(at.rank) ? ranks.steps() + 2 : 2;
}

void farthest_first(const folded_ranks& ranks, int rank, int step, buffer mine, stage& into) {
  const int distance = ranks.core >> (step + 1), number = ranks.number(rank), other = number ^ distance;
  const int peer = ranks.rank_of(other);
  into.send(peer, ranks.ranks_of(other & -distance, distance, mine));
  into.receive(peer, folded_ranks::order(rank, peer), ranks.ranks_of(number & -distance, distance, mine));
}

// Adds the blocks of all numbers with the same bits 0..step.
void add_interleaved(const folded_ranks& ranks, int number, int step, buffer where, stage& into) {
  const auto apart = power_of_two(step + 1);
  for (auto n = number & (apart - 1); n < ranks.core; n += apart)
    into.add(ranks.ranks_of(static_cast<int>(n), 1, where));
}

void nearest_first(const folded_ranks& ranks, int rank, int step, buffer mine, stage& into) {
  const int number = ranks.number(rank), other = static_cast<int>(number ^ power_of_two(step));
  const int peer = ranks.rank_of(other);
  into.ranges.reserve(static_cast<std::size_t>(ranks.core) + 2);  // as many as in the largest stage
  into.send(peer);
  add_interleaved(ranks, other, step, mine, into);
  into.receive(peer, folded_ranks::order(rank, peer));
  add_interleaved(ranks, number, step, mine, into);
}

void reduce_scatter(const place& at, int k, stage& into) {
  const folded_ranks ranks(at.size);
  const int partner = ranks.partner(at.rank);
  if (ranks.in_pair(at.rank) && k == 0) return ranks.fold(at.rank, at.size, into);
  if (!ranks.stays(at.rank)) return into.receive(partner, arrival::store, {at.rank, 1});
  const int step = ranks.in_pair(at.rank) ? k - 1 : k;
  if (step == ranks.steps()) return into.send(partner, {partner, 1});
  const auto mine = step == 0 ? ranks.contribution(at.rank) : buffer::work;
  at.commutative ? farthest_first(ranks, at.rank, step, mine, into) : nearest_first(ranks, at.rank, step, mine, into);
}

// A rank that leaves holds only its own block. A rank that exchanges with the farthest first holds its half, unless it
// represents two ranks.
block_range held(const place& at) {
  const folded_ranks ranks(at.size);
  if (!ranks.stays(at.rank)) return {at.rank, 1};
  if (ranks.in_pair(at.rank) || !at.commutative) return all_of(at.size);
  const int half = ranks.core / 2;
  return ranks.ranks_of(ranks.number(at.rank) & -half, half);
}

}  // namespace

constinit const algorithm recursive_halving_reduce_scatter{.name = "recursive_halving",
                                                           .pattern = pattern::reduce_scatter,
                                                           .source = "Thakur, Rabenseifner & Gropp 2005",
                                                           .count_blocks = block_a_rank,
                                                           .count_stages = stages_of_halving,
                                                           .fill = reduce_scatter,
                                                           .held_by = held};

}  // namespace wherry::collective::rows
