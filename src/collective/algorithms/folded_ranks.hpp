// Extends algorithms for powers of two to any number of ranks: as many pairs of neighbours as there are extra ranks are
// formed, in each pair one rank leaves its part to the other, and gets the result from it at the end. The order of the
// ranks is kept.
#pragma once

#include "places.hpp"

namespace wherry::collective {

struct folded_ranks {
  int core, pairs;
  int kept_odd;  // the pair in which the odd rank stays; -1: none

  /// @param kept a rank that stays; -1: any
  constexpr explicit folded_ranks(int size, int kept = -1)
      : core(static_cast<int>(power_of_two(log2_down(size)))),
        pairs(size - core),
        kept_odd(kept >= 0 && kept < 2 * pairs && kept % 2 != 0 ? kept / 2 : -1) {}

  constexpr int steps() const { return log2_down(core); }
  constexpr bool in_pair(int rank) const { return rank < 2 * pairs; }
  constexpr int partner(int rank) const { return rank ^ 1; }
  /// True for a rank that stays; these are numbered 0..core-1.
  constexpr bool stays(int rank) const { return !in_pair(rank) || rank == rank_of(rank / 2); }
  constexpr int number(int rank) const { return in_pair(rank) ? rank / 2 : rank - pairs; }
  constexpr int rank_of(int number) const {
    return number >= pairs ? number + pairs : 2 * number + (number == kept_odd ? 1 : 0);
  }
  /// Number n stands for the ranks from here to where n + 1 begins.
  constexpr int first_rank(int number) const { return number >= pairs ? number + pairs : 2 * number; }
  /// The ranks of `count` numbers.
  constexpr block_range ranks_of(int number, int count, buffer where = buffer::work) const {
    return {first_rank(number), first_rank(number + count) - first_rank(number), where};
  }

  /// How `rank` combines the data that comes from `peer`.
  static constexpr arrival order(int rank, int peer) {
    return rank < peer ? arrival::combine_after : arrival::combine_before;
  }
  /// The first stage of a pair, which moves the whole vector. The rank that stays combines it into `work`; the other
  /// has finished.
  void fold(int rank, int blocks, stage& into) const {
    if (stays(rank))
      into.receive(partner(rank), order(rank, partner(rank)), all_of(blocks, buffer::input));
    else
      into.send(partner(rank), all_of(blocks, buffer::input));
  }
  /// The buffer with the rank's contribution after that.
  constexpr buffer contribution(int rank) const { return in_pair(rank) ? buffer::work : buffer::input; }
};

}  // namespace wherry::collective
