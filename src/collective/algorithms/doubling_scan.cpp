// Scans by doubling: before step k a rank has the result of the 2^k ranks up to itself; in step k it sends this to the
// rank 2^k further on.
#include <algorithm>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view classic = "Hillis & Steele 1986";

int one(const place&) { return 1; }

// The number of steps of the i-th of n ranks in a row: it takes part while there is a rank at that distance before or
// behind it.
int steps(int i, int n) { return log2_up(std::max(i, n - 1 - i) + 1); }

// @param offset from a number in the row to the rank in the communicator
void step(int i, int n, int k, int offset, buffer contribution, stage& into) {
  const auto distance = power_of_two(k);
  const auto mine = k == 0 ? contribution : buffer::work;
  if (i + distance < n) into.send(static_cast<int>(i + distance) + offset, all_of(1, mine));
  if (i >= distance) into.receive(static_cast<int>(i - distance) + offset, arrival::combine_before, all_of(1, mine));
}

int stages_of_scan(const place& at) { return steps(at.rank, at.size); }
void scan(const place& at, int k, stage& into) {
  step(at.rank, at.size, k, 0, buffer::input, into);
  if (at.rank == 0 && k == 0) into.receive(0, arrival::store, all_of(1));
}

// First all contributions move up by one rank, and then the ranks after rank 0 scan them.
int stages_of_exscan(const place& at) { return 1 + (at.rank > 0 ? steps(at.rank - 1, at.size - 1) : 0); }
void exscan(const place& at, int k, stage& into) {
  if (k > 0) return step(at.rank - 1, at.size - 1, k - 1, 1, buffer::work, into);
  if (at.rank + 1 < at.size) into.send(at.rank + 1, all_of(1, buffer::input));
  if (at.rank > 0) into.receive(at.rank - 1, arrival::store, all_of(1));
  into.overwrites = true;  // if the input is the same memory
}

}  // namespace

constinit const algorithm recursive_doubling_scan{.name = "recursive_doubling",
                                                  .pattern = pattern::scan,
                                                  .source = classic,
                                                  .count_blocks = one,
                                                  .count_stages = stages_of_scan,
                                                  .fill = scan};
constinit const algorithm recursive_doubling_exscan{.name = "recursive_doubling",
                                                    .pattern = pattern::exscan,
                                                    .source = classic,
                                                    .count_blocks = one,
                                                    .count_stages = stages_of_exscan,
                                                    .fill = exscan};

}  // namespace wherry::collective::rows
