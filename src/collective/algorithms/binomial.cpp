// The binomial tree. The messages with all children of a rank are in one stage, in which an executor may handle them
// one by one: the largest subtree first on the way down, last on the way up. Data that goes up is in the order of the
// ranks.
#include "places.hpp"
#include "rows.hpp"

namespace wherry::collective::rows {
namespace {

constexpr std::string_view classic = "Johnsson & Ho 1989; Thakur, Rabenseifner & Gropp 2005";

int none(const place&) { return 0; }
int one(const place&) { return 1; }
int block_a_rank(const place& at) { return at.size; }

tree_node node_of(const place& at) { return {from_root(at), at.size}; }
bool has_children(const tree_node& here) { return here.below() > 1; }

place rooted_at_0(place at) {
  at.root = 0;
  return at;
}

// One stage with the parent and one with the children, in either order.
int tree_stages(const place& at) {
  const auto here = node_of(at);
  return (here.index > 0) + has_children(here);
}

void go_down(const place& at, int k, int blocks, stage& into) {
  const auto here = node_of(at);
  if (here.index > 0 && k == 0) return into.receive(to_rank(here.parent(), at), arrival::store, all_of(blocks));
  for (int j = here.children(); j-- > 0;) into.send(to_rank(here.child(j).index, at), all_of(blocks));
}

void go_up(const place& at, int k, int blocks, stage& into) {
  const auto here = node_of(at);
  if (!has_children(here)) return into.send(to_rank(here.parent(), at), all_of(blocks, buffer::input));
  if (k == 1) return into.send(to_rank(here.parent(), at), all_of(blocks));
  for (int j = 0; j < here.children(); ++j)
    into.receive(to_rank(here.child(j).index, at), blocks == 0 ? arrival::store : arrival::combine_after,
                 all_of(blocks, j == 0 ? buffer::input : buffer::work));
}

void bcast(const place& at, int k, stage& into) { go_down(at, k, 1, into); }

// A tree with a root other than 0 would combine around the ring of ranks. If the order matters, the tree is rooted at
// rank 0, which passes the result on.
bool by_way_of_0(const place& at) { return at.root != 0 && !at.commutative; }
bool passes_on(const place& at) { return by_way_of_0(at) && (at.rank == 0 || at.rank == at.root); }
place tree_of_reduce(const place& at) { return by_way_of_0(at) ? rooted_at_0(at) : at; }

int stages_of_reduce(const place& at) { return tree_stages(tree_of_reduce(at)) + passes_on(at); }

void reduce(const place& at, int k, stage& into) {
  const auto tree = tree_of_reduce(at);
  if (k < tree_stages(tree)) return go_up(tree, k, 1, into);
  if (at.rank == 0)
    into.send(at.root, all_of(1));
  else
    into.receive(0, arrival::store, all_of(1));
}

block_range held_in_reduce(const place& at) {
  return {0, at.rank == at.root || has_children(node_of(tree_of_reduce(at))) ? 1 : 0};
}

int stages_up_and_down(const place& at) { return 2 * tree_stages(rooted_at_0(at)); }

void up_and_down(const place& at, int k, int blocks, stage& into) {
  const auto tree = rooted_at_0(at);
  const int up = tree_stages(tree);
  k < up ? go_up(tree, k, blocks, into) : go_down(tree, k - up, blocks, into);
}

void allreduce(const place& at, int k, stage& into) { up_and_down(at, k, 1, into); }
void barrier(const place& at, int k, stage& into) { up_and_down(at, k, 0, into); }

// Blocks are numbered by ranks, so the range of a subtree may go around the ring.
void gather(const place& at, int k, stage& into) {
  const auto here = node_of(at);
  if (here.below() == 1) return into.send(to_rank(here.parent(), at), {at.rank, 1, buffer::input});
  if (k == 1) {
    into.send(to_rank(here.parent(), at));
    return into.add_around(at.rank, here.below(), at.size);
  }
  into.receive(at.rank, arrival::store, {at.rank, 1});
  for (int j = 0; j < here.children(); ++j) {
    const auto child = here.child(j);
    const int peer = to_rank(child.index, at);
    into.receive(peer);
    into.add_around(peer, child.below(), at.size);
  }
}

void scatter(const place& at, int k, stage& into) {
  const auto here = node_of(at);
  if (here.index > 0 && k == 0) {
    into.receive(to_rank(here.parent(), at));
    return into.add_around(at.rank, here.below(), at.size);
  }
  const bool root = here.index == 0;
  if (root) into.receive(at.rank, arrival::store, {at.rank, 1});
  for (int j = here.children(); j-- > 0;) {
    const auto child = here.child(j);
    const int peer = to_rank(child.index, at);
    into.send(peer);
    into.add_around(peer, child.below(), at.size, root ? buffer::input : buffer::work);
  }
}

block_range held_in_gather(const place& at) {
  const int below = node_of(at).below();
  return {at.rank, below > 1 ? below : 0};
}
block_range held_in_scatter(const place& at) {
  const auto here = node_of(at);
  return {at.rank, here.index == 0 ? 1 : here.below()};
}

}  // namespace

constinit const algorithm binomial_barrier{.name = "binomial",
                                           .pattern = pattern::barrier,
                                           .source = classic,
                                           .count_blocks = none,
                                           .count_stages = stages_up_and_down,
                                           .fill = barrier};
constinit const algorithm binomial_bcast{.name = "binomial",
                                         .pattern = pattern::bcast,
                                         .source = classic,
                                         .count_blocks = one,
                                         .count_stages = tree_stages,
                                         .fill = bcast};
constinit const algorithm binomial_gather{.name = "binomial",
                                          .pattern = pattern::gather,
                                          .source = classic,
                                          .sizes = sizes_known::all,
                                          .count_blocks = block_a_rank,
                                          .count_stages = tree_stages,
                                          .fill = gather,
                                          .held_by = held_in_gather};
constinit const algorithm binomial_scatter{.name = "binomial",
                                           .pattern = pattern::scatter,
                                           .source = classic,
                                           .sizes = sizes_known::all,
                                           .count_blocks = block_a_rank,
                                           .count_stages = tree_stages,
                                           .fill = scatter,
                                           .held_by = held_in_scatter};
constinit const algorithm binomial_reduce{.name = "binomial",
                                          .pattern = pattern::reduce,
                                          .source = classic,
                                          .count_blocks = one,
                                          .count_stages = stages_of_reduce,
                                          .fill = reduce,
                                          .held_by = held_in_reduce};
constinit const algorithm binomial_allreduce{.name = "binomial",
                                             .pattern = pattern::allreduce,
                                             .source = classic,
                                             .count_blocks = one,
                                             .count_stages = stages_up_and_down,
                                             .fill = allreduce};

}  // namespace wherry::collective::rows
