// Broadcast of long vectors: the vector is cut into a block for each rank, scattered along the binomial tree, and
// gathered by all ranks, in log P stages or around the ring. Blocks are numbered from the root. After the scatter a
// rank has the blocks of its subtree, and these are not sent to it again.
#include <algorithm>
#include <cstdint>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

int block_a_rank(const place& at) { return at.size; }
tree_node node_of(const place& at) { return {from_root(at), at.size}; }

// As in a binomial scatter, but the root's blocks are in its work buffer, and stay there.
int scatter_stages(const tree_node& here) { return (here.index > 0) + (here.below() > 1); }

void scatter(const place& at, const tree_node& here, int k, stage& into) {
  if (here.index > 0 && k == 0)
    return into.receive(to_rank(here.parent(), at), arrival::store, {here.index, here.below()});
  for (int j = here.children(); j-- > 0;) {
    const auto child = here.child(j);
    into.send(to_rank(child.index, at), {child.index, child.below()});
  }
}

// In step k of Bruck's allgather, rank v receives the blocks from v + 2^k on, as many as it has already. It has those
// of its subtree.
struct missing_blocks {
  std::int64_t first = 0;
  int count = 0;
};
missing_blocks missing(const tree_node& here, int k) {
  const auto distance = power_of_two(k);
  const auto end = here.index + distance + std::min<std::int64_t>(distance, here.size - distance);
  const auto first = here.index + std::max<std::int64_t>(distance, here.below());
  return {first, static_cast<int>(std::max<std::int64_t>(end - first, 0))};
}

int stages_of_doubling(const place& at) { return scatter_stages(node_of(at)) + log2_up(at.size); }

void doubling(const place& at, int k, stage& into) {
  const auto here = node_of(at);
  const int before = scatter_stages(here);
  if (k < before) return scatter(at, here, k, into);
  const int step = k - before;
  const auto distance = power_of_two(step);
  const tree_node to{around(here.index - distance, at.size), at.size};
  if (const auto wanted = missing(to, step); wanted.count > 0) {
    into.send(to_rank(to.index, at));
    into.add_around(wanted.first, wanted.count, at.size);
  }
  if (const auto wanted = missing(here, step); wanted.count > 0) {
    into.receive(to_rank(around(here.index + distance, at.size), at));
    into.add_around(wanted.first, wanted.count, at.size);
  }
}

// Around the ring: in step k rank v receives block v - 1 - k, until it has the blocks that would follow.
int steps_around(const tree_node& here) { return here.size - here.below(); }

int stages_of_ring(const place& at) {
  const auto here = node_of(at);
  const tree_node next{around(std::int64_t{here.index} + 1, at.size), at.size};
  return scatter_stages(here) + std::max(steps_around(here), steps_around(next));
}

void ring(const place& at, int k, stage& into) {
  const auto here = node_of(at);
  const int before = scatter_stages(here);
  if (k < before) return scatter(at, here, k, into);
  const int step = k - before;
  const tree_node next{around(std::int64_t{here.index} + 1, at.size), at.size};
  if (step < steps_around(next))
    into.send(to_rank(next.index, at), {around(std::int64_t{here.index} - step, at.size), 1});
  if (step < steps_around(here))
    into.receive(to_rank(around(std::int64_t{here.index} - 1, at.size), at), arrival::store,
                 {around(std::int64_t{here.index} - 1 - step, at.size), 1});
}

}  // namespace

constinit const algorithm scatter_allgather_bcast{.name = "scatter_allgather",
                                                  .pattern = pattern::bcast,
                                                  .source = "Barnett, van de Geijn et al. 1994; Bruck et al. 1997",
                                                  .count_blocks = block_a_rank,
                                                  .count_stages = stages_of_doubling,
                                                  .fill = doubling};
constinit const algorithm ring_bcast{.name = "ring",
                                     .pattern = pattern::bcast,
                                     .source = "Barnett, van de Geijn et al. 1994",
                                     .count_blocks = block_a_rank,
                                     .count_stages = stages_of_ring,
                                     .fill = ring};

}  // namespace wherry::collective::rows
