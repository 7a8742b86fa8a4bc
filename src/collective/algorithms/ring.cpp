// Around the ring: each rank receives from the rank before it and sends to the next one, one block in each stage.
#include <cstdint>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

int block_a_rank(const place& at) { return at.size; }
int once_around(const place& at) { return at.size - 1; }
int twice_around(const place& at) { return 2 * (at.size - 1); }

int next(const place& at) { return around(std::int64_t{at.rank} + 1, at.size); }
int previous(const place& at) { return around(std::int64_t{at.rank} - 1, at.size); }
int behind(int first, int steps, const place& at) { return around(std::int64_t{first} - steps, at.size); }

// Block `first` leaves first; each block that arrives leaves in the next stage.
void pass(const place& at, int first, int k, bool own_is_input, arrival how, stage& into) {
  const auto comes_from = how == arrival::store ? buffer::work : buffer::input;
  into.send(next(at), {behind(first, k, at), 1, k == 0 && own_is_input ? buffer::input : buffer::work});
  into.receive(previous(at), how, {behind(first, k + 1, at), 1, comes_from});
}

void allgather(const place& at, int k, stage& into) {
  pass(at, at.rank, k, true, arrival::store, into);
  if (k == 0) into.receive(at.rank, arrival::store, {at.rank, 1});
}

// Block b starts at the rank after rank b, and is complete at rank b when all others have added theirs.
void reduce_scatter(const place& at, int k, stage& into) {
  pass(at, previous(at), k, true, arrival::combine_before, into);
}

// A reduce_scatter, and then an allgather around the ring.
void allreduce(const place& at, int k, stage& into) {
  if (k < at.size - 1) return reduce_scatter(at, k, into);
  pass(at, at.rank, k - (at.size - 1), false, arrival::store, into);
}

}  // namespace

constinit const algorithm ring_allgather{.name = "ring",
                                         .pattern = pattern::allgather,
                                         .source = "Thakur, Rabenseifner & Gropp 2005",
                                         .count_blocks = block_a_rank,
                                         .count_stages = once_around,
                                         .fill = allgather};
constinit const algorithm ring_reduce_scatter{.name = "ring",
                                              .pattern = pattern::reduce_scatter,
                                              .source = "Patarasuk & Yuan 2009",
                                              .needs_commutative = true,
                                              .count_blocks = block_a_rank,
                                              .count_stages = once_around,
                                              .fill = reduce_scatter};
constinit const algorithm ring_allreduce{.name = "ring",
                                         .pattern = pattern::allreduce,
                                         .source = "Patarasuk & Yuan 2009",
                                         .needs_commutative = true,
                                         .count_blocks = block_a_rank,
                                         .count_stages = twice_around,
                                         .fill = allreduce};

}  // namespace wherry::collective::rows
