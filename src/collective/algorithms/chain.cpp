// Pipelines from rank to rank, segment by segment: a rank receives one segment while it passes on the one before. With
// enough segments this takes about the time of one vector, whatever the number of ranks.
#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view classic = "Pjesivac-Grbovic et al. 2007; Worringen 2003";

int segments(const place& at) { return at.segments; }

// The neighbours of a rank in a chain.
struct link {
  int from = -1, to = -1;  // -1: none
};

int stages_of(const place& at, const link& here) { return at.segments + (here.from >= 0 && here.to >= 0); }

// A segment arrives in stage k and leaves in the next one; a rank without a predecessor sends it in stage k.
int going(const link& here, int k) { return here.from >= 0 ? k - 1 : k; }
bool in_chain(const place& at, int segment) { return segment >= 0 && segment < at.segments; }

void send(const place& at, const link& here, int k, buffer where, stage& into) {
  const int segment = going(here, k);
  if (here.to >= 0 && in_chain(at, segment)) into.send(here.to, {segment, 1, where});
}
void receive(const place& at, const link& here, int k, arrival how, stage& into) {
  if (here.from >= 0 && in_chain(at, k))
    into.receive(here.from, how, {k, 1, how == arrival::store ? buffer::work : buffer::input});
}

link away_from_root(const place& at) {
  const int v = from_root(at);
  return {v > 0 ? to_rank(v - 1, at) : -1, v + 1 < at.size ? to_rank(v + 1, at) : -1};
}
link towards_root(const place& at) {
  const auto [from, to] = away_from_root(at);
  return {to, from};
}

int stages_of_bcast(const place& at) { return stages_of(at, away_from_root(at)); }
void bcast(const place& at, int k, stage& into) {
  const auto here = away_from_root(at);
  send(at, here, k, buffer::work, into);
  receive(at, here, k, arrival::store, into);
}

// If the order matters, two chains meet at the root: one from rank 0 upwards, one from the last rank downwards.
struct side {
  link here;
  arrival how;
};
side side_of(const place& at) {
  if (at.commutative) return {towards_root(at), arrival::combine_after};
  if (at.rank < at.root) return {{at.rank - 1, at.rank + 1}, arrival::combine_before};
  if (at.rank > at.root) return {{at.rank + 1 < at.size ? at.rank + 1 : -1, at.rank - 1}, arrival::combine_after};
  return {{at.rank - 1, -1}, arrival::combine_before};  // the root, and the ranks below it
}
bool meets(const place& at) { return !at.commutative && at.rank == at.root && at.rank + 1 < at.size; }

int stages_of_reduce(const place& at) { return stages_of(at, side_of(at).here); }
void reduce(const place& at, int k, stage& into) {
  const auto [here, how] = side_of(at);
  receive(at, here, k, how, into);
  if (meets(at))
    into.receive(at.rank + 1, arrival::combine_after, {k, 1, here.from < 0 ? buffer::input : buffer::work});
  send(at, here, k, here.from < 0 ? buffer::input : buffer::work, into);
}
block_range held_in_reduce(const place& at) {
  return all_of(at.rank == at.root || side_of(at).here.from >= 0 ? at.segments : 0);
}

link upwards(const place& at) { return {at.rank - 1, at.rank + 1 < at.size ? at.rank + 1 : -1}; }
int stages_of_scan(const place& at) { return stages_of(at, upwards(at)); }
void scan(const place& at, int k, stage& into) {
  const auto here = upwards(at);
  send(at, here, k, here.from < 0 ? buffer::input : buffer::work, into);
  receive(at, here, k, arrival::combine_before, into);
  if (here.from < 0) into.receive(at.rank, arrival::store, {k, 1});
}

}  // namespace

constinit const algorithm chain_bcast{.name = "chain",
                                      .pattern = pattern::bcast,
                                      .source = classic,
                                      .count_blocks = segments,
                                      .count_stages = stages_of_bcast,
                                      .fill = bcast};
constinit const algorithm chain_reduce{.name = "chain",
                                       .pattern = pattern::reduce,
                                       .source = classic,
                                       .count_blocks = segments,
                                       .count_stages = stages_of_reduce,
                                       .fill = reduce,
                                       .held_by = held_in_reduce};
constinit const algorithm chain_scan{.name = "chain",
                                     .pattern = pattern::scan,
                                     .source = classic,
                                     .count_blocks = segments,
                                     .count_stages = stages_of_scan,
                                     .fill = scan};

}  // namespace wherry::collective::rows
