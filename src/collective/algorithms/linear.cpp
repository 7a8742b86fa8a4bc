// Everything in one stage, each message directly from its source to its destination. Reductions are one fold in the
// order of the ranks: the result has the same bits on all ranks, for every root.
#include <cstdint>

#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view folklore = "one message for each pair that has something to say";

int one(const place&) { return 1; }
int none(const place&) { return 0; }
int block_a_rank(const place& at) { return at.size; }
int one_stage(const place&) { return 1; }

block_range nothing(const place&) { return {}; }
block_range own(const place& at) { return {at.rank, 1}; }
block_range all_at_root(const place& at) { return {0, at.rank == at.root ? at.size : 0}; }
block_range vector_at_root(const place& at) { return {0, at.rank == at.root ? 1 : 0}; }

// Visits the other ranks, the next one first, so that not all ranks begin with the same one.
template <class Visit> void for_others(const place& at, Visit&& visit) {
  for (int i = 1; i < at.size; ++i) visit(around(std::int64_t{at.rank} + i, at.size));
}

void send_to_others(const place& at, const block_range& what, stage& into) {
  for_others(at, [&](int peer) { into.send(peer, what); });
}

// Combines the contributions of ranks 0..last to `what`, this rank among them.
void fold(int last, const block_range& what, stage& into) {
  for (int peer = 0; peer <= last; ++peer)
    into.receive(peer, peer == 0 ? arrival::store : arrival::combine_after, what);
}

void barrier(const place& at, int, stage& into) {
  for_others(at, [&](int peer) { into.send(peer), into.receive(peer); });
}

void bcast(const place& at, int, stage& into) {
  if (at.rank == at.root)
    send_to_others(at, all_of(1), into);
  else
    into.receive(at.root, arrival::store, all_of(1));
}

void gather(const place& at, int, stage& into) {
  if (at.rank != at.root) return into.send(at.root, {at.rank, 1, buffer::input});
  into.receive(at.rank, arrival::store, {at.rank, 1});
  for_others(at, [&](int peer) { into.receive(peer, arrival::store, {peer, 1}); });
}

void scatter(const place& at, int, stage& into) {
  into.receive(at.root, arrival::store, {at.rank, 1});
  if (at.rank == at.root) for_others(at, [&](int peer) { into.send(peer, {peer, 1, buffer::input}); });
}

void reduce(const place& at, int, stage& into) {
  if (at.rank == at.root)
    fold(at.size - 1, all_of(1), into);
  else
    into.send(at.root, all_of(1, buffer::input));
}

void allgather(const place& at, int, stage& into) {
  send_to_others(at, {at.rank, 1, buffer::input}, into);
  into.receive(at.rank, arrival::store, {at.rank, 1});
  for_others(at, [&](int peer) { into.receive(peer, arrival::store, {peer, 1}); });
}

void allreduce(const place& at, int, stage& into) {
  send_to_others(at, all_of(1, buffer::input), into);
  fold(at.size - 1, all_of(1), into);
}

void reduce_scatter(const place& at, int, stage& into) {
  for_others(at, [&](int peer) { into.send(peer, {peer, 1, buffer::input}); });
  fold(at.size - 1, {at.rank, 1}, into);
}

void send_to_later(const place& at, stage& into) {
  for (int peer = at.rank + 1; peer < at.size; ++peer) into.send(peer, all_of(1, buffer::input));
}

void scan(const place& at, int, stage& into) {
  send_to_later(at, into);
  fold(at.rank, all_of(1), into);
}

void exscan(const place& at, int, stage& into) {
  send_to_later(at, into);
  fold(at.rank - 1, all_of(1), into);
}

void alltoall(const place& at, int, stage& into) {
  into.receive(at.rank, arrival::store, {at.rank, 1});
  for_others(at, [&](int peer) {
    into.send(peer, {peer, 1, buffer::input});
    into.receive(peer, arrival::store, {peer, 1});
  });
}

constexpr algorithm row(pattern what, int (*blocks)(const place&), void (*fill)(const place&, int, stage&),
                        bool in_place = true, block_range (*held)(const place&) = nullptr) {
  return {.name = "linear",
          .pattern = what,
          .source = folklore,
          .in_place = in_place,
          .count_blocks = blocks,
          .count_stages = one_stage,
          .fill = fill,
          .held_by = held};
}

}  // namespace

constinit const algorithm linear_barrier = row(pattern::barrier, none, barrier, true, nothing);
constinit const algorithm linear_bcast = row(pattern::bcast, one, bcast);
constinit const algorithm linear_gather = row(pattern::gather, block_a_rank, gather, true, all_at_root);
constinit const algorithm linear_scatter = row(pattern::scatter, block_a_rank, scatter, true, own);
constinit const algorithm linear_reduce = row(pattern::reduce, one, reduce, false, vector_at_root);
constinit const algorithm linear_allgather = row(pattern::allgather, block_a_rank, allgather);
constinit const algorithm linear_allreduce = row(pattern::allreduce, one, allreduce, false);
constinit const algorithm linear_reduce_scatter =
    row(pattern::reduce_scatter, block_a_rank, reduce_scatter, false, own);
constinit const algorithm linear_scan = row(pattern::scan, one, scan, false);
constinit const algorithm linear_exscan = row(pattern::exscan, one, exscan, false);
constinit const algorithm linear_alltoall = row(pattern::alltoall, block_a_rank, alltoall, false);

}  // namespace wherry::collective::rows
