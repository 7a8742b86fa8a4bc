// Every rank with every other rank, one in each stage. With a power of two the two ranks of a pair exchange; else a
// rank sends ahead and receives from behind, at the same distance.
#include <cstdint>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view classic = "Thakur, Rabenseifner & Gropp 2005";

int block_a_rank(const place& at) { return at.size; }
int stage_a_peer(const place& at) { return at.size - 1; }

struct peers {
  int to, from;
};
peers peers_of(const place& at, int k) {
  const int distance = k + 1;
  if (std::has_single_bit(static_cast<unsigned>(at.size))) return {at.rank ^ distance, at.rank ^ distance};
  return {around(std::int64_t{at.rank} + distance, at.size), around(std::int64_t{at.rank} - distance, at.size)};
}

void alltoall(const place& at, int k, stage& into) {
  const auto [to, from] = peers_of(at, k);
  into.send(to, {to, 1, buffer::input});
  into.receive(from, arrival::store, {from, 1});
  if (k == 0) into.receive(at.rank, arrival::store, {at.rank, 1});
}

void reduce_scatter(const place& at, int k, stage& into) {
  const auto [to, from] = peers_of(at, k);
  into.send(to, {to, 1, buffer::input});
  into.receive(from, arrival::combine_after, {at.rank, 1, k == 0 ? buffer::input : buffer::work});
}

block_range own(const place& at) { return {at.rank, 1}; }

}  // namespace

constinit const algorithm pairwise_alltoall{.name = "pairwise",
                                            .pattern = pattern::alltoall,
                                            .source = classic,
                                            .in_place = false,
                                            .count_blocks = block_a_rank,
                                            .count_stages = stage_a_peer,
                                            .fill = alltoall};
constinit const algorithm pairwise_reduce_scatter{.name = "pairwise",
                                                  .pattern = pattern::reduce_scatter,
                                                  .source = classic,
                                                  .needs_commutative = true,
                                                  .count_blocks = block_a_rank,
                                                  .count_stages = stage_a_peer,
                                                  .fill = reduce_scatter,
                                                  .held_by = own};

}  // namespace wherry::collective::rows
