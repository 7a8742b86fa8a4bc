// Algorithms in steps of 1, 2, 4, … around the ring of ranks: a logarithmic number of stages for any number of ranks.
#include <algorithm>
#include <cstdint>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view bruck = "Bruck, Ho, Kipnis, Upfal & Weathersby 1997";

int none(const place&) { return 0; }
int block_a_rank(const place& at) { return at.size; }
int doublings(const place& at) { return log2_up(at.size); }

int ahead(const place& at, int k) { return around(at.rank + power_of_two(k), at.size); }
int behind(const place& at, int k) { return around(at.rank - power_of_two(k), at.size); }

void barrier(const place& at, int k, stage& into) {
  into.send(ahead(at, k));
  into.receive(behind(at, k));
}

// A rank collects its own block and those after it, each in its final place, so that nothing is rotated.
void allgather(const place& at, int k, stage& into) {
  const auto distance = power_of_two(k);
  const int count = static_cast<int>(std::min<std::int64_t>(distance, at.size - distance));
  into.send(behind(at, k));
  into.add_around(at.rank, count, at.size, k == 0 ? buffer::input : buffer::work);
  into.receive(ahead(at, k));
  into.add_around(at.rank + distance, count, at.size);
  if (k == 0) into.receive(at.rank, arrival::store, {at.rank, 1});
}

// A block that must travel i ranks moves in steps of the bits of i. On its way it stands in block `rank - i`, its final
// place, and before its first step in block `rank + i` of the input: neither is rotated (after Traff, Rougier & Hunold
// 2014). In each run of numbers with bit k set, the first has no lower bits, so it leaves from the input.
template <class Visit> void for_runs(const place& at, int k, Visit&& visit) {
  const auto distance = power_of_two(k);
  for (std::int64_t first = distance; first < at.size; first += 2 * distance)
    visit(first, static_cast<int>(std::min<std::int64_t>(distance, at.size - first)));
}

void alltoall(const place& at, int k, stage& into) {
  into.ranges.reserve(static_cast<std::size_t>(at.size) * 2 + 4);  // as many as in the largest stage
  into.overwrites = true;
  into.send(ahead(at, k));
  for_runs(at, k, [&](std::int64_t first, int count) {
    into.add_around(at.rank - first - count + 1, count - 1, at.size);
    into.add_around(at.rank + first, 1, at.size, buffer::input);
  });
  into.receive(behind(at, k));
  for_runs(at, k, [&](std::int64_t first, int count) { into.add_around(at.rank - first - count + 1, count, at.size); });
  if (k == 0) into.receive(at.rank, arrival::store, {at.rank, 1});
}

}  // namespace

constinit const algorithm dissemination_barrier{.name = "dissemination",
                                                .pattern = pattern::barrier,
                                                .source = "Hensgen, Finkel & Manber 1988",
                                                .count_blocks = none,
                                                .count_stages = doublings,
                                                .fill = barrier};
constinit const algorithm bruck_allgather{.name = "bruck",
                                          .pattern = pattern::allgather,
                                          .source = bruck,
                                          .count_blocks = block_a_rank,
                                          .count_stages = doublings,
                                          .fill = allgather};
constinit const algorithm bruck_alltoall{.name = "bruck",
                                         .pattern = pattern::alltoall,
                                         .source = bruck,
                                         .sizes = sizes_known::equal,
                                         .in_place = false,
                                         .count_blocks = block_a_rank,
                                         .count_stages = doublings,
                                         .fill = alltoall};

}  // namespace wherry::collective::rows
