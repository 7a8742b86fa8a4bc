// Allgather between neighbours, in half as many stages as the ring: first each rank with its partner (0 with 1, 2 with
// 3, …), then alternately with the neighbour on the other side and the partner, always the two blocks that arrived
// last.
#include <cstdint>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

int block_a_rank(const place& at) { return at.size; }
int half(const place& at) { return at.size / 2; }

// The first of the two blocks that arrive in stage k > 0: they come from farther away each time, on the side of the
// neighbour.
int pair_of_stage(const place& at, int k) {
  const int own = at.rank & ~1, away = k % 2 != 0 ? -(k + 1) : k;
  return around(std::int64_t{own} + (at.rank % 2 == 0 ? away : -away), at.size);
}

void allgather(const place& at, int k, stage& into) {
  const bool ahead = (at.rank + k) % 2 == 0;
  const int peer = around(std::int64_t{at.rank} + (ahead ? 1 : -1), at.size);
  if (k == 0) {
    into.send(peer, {at.rank, 1, buffer::input});
    into.receive(peer, arrival::store, {peer, 1});
    return into.receive(at.rank, arrival::store, {at.rank, 1});
  }
  into.send(peer, {k == 1 ? at.rank & ~1 : pair_of_stage(at, k - 1), 2});
  into.receive(peer, arrival::store, {pair_of_stage(at, k), 2});
}

}  // namespace

constinit const algorithm neighbor_exchange_allgather{.name = "neighbor_exchange",
                                                      .pattern = pattern::allgather,
                                                      .source = "Chen, Zhang, Zhang & Yuan 2005",
                                                      .even_sizes = true,
                                                      .count_blocks = block_a_rank,
                                                      .count_stages = half,
                                                      .fill = allgather};

}  // namespace wherry::collective::rows
