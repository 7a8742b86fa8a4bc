// Graphs and trees: equal by isomorphism, never by address; deep ones; what a copy needs beside the structure.
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "deep/unit/support.hpp"

using namespace deep_tests;
using wherry::deep::destroy;
using wherry_test::random_numbers;

namespace {

struct graph_node {
  int value = 0;
  std::vector<graph_node*> edges;
  graph_node* best = nullptr;
  counted alive;
  template <class Message> void describe(Message& m) {
    m(edges);
    m.shared(best);
    m.skip(alive);
  }
};

struct chain {
  long value = 0;
  chain* next = nullptr;
  template <class Message> void describe(Message& m) { m.owned(next); }
};
struct ring {
  ring* next = nullptr;
  ring* before = nullptr;
  template <class Message> void describe(Message& m) {
    m.shared(next);
    m.shared(before);
  }
};
struct owned_by_unique {
  int value = 0;
  std::unique_ptr<owned_by_unique> next;
  template <class Message> void describe(Message& m) { m(next); }
};
struct list_of_values {
  int value;
  std::unique_ptr<list_of_values> next;
};

struct tree_node {
  int value = 0;
  tree_node *left = nullptr, *right = nullptr;
  template <class Message> void describe(Message& m) {
    m.owned(left);
    m.owned(right);
  }
};

// Whether there is a one to one relation of what both lead to that keeps values, edges and their order.
bool isomorphic(graph_node* a, graph_node* b) {
  std::unordered_map<graph_node*, graph_node*> there, back;
  std::vector<std::pair<graph_node*, graph_node*>> left;
  const auto meet = [&](graph_node* x, graph_node* y) {
    if (x == nullptr || y == nullptr) return x == y;
    const auto [at, is_new] = there.emplace(x, y);
    const auto [at_back, is_new_back] = back.emplace(y, x);
    if (is_new != is_new_back || at->second != y || at_back->second != x) return false;
    if (is_new) left.emplace_back(x, y);
    return true;
  };
  if (!meet(a, b)) return false;
  while (!left.empty()) {
    const auto [x, y] = left.back();
    left.pop_back();
    if (x->value != y->value || x->edges.size() != y->edges.size() || !meet(x->best, y->best)) return false;
    for (std::size_t i = 0; i < x->edges.size(); ++i)
      if (!meet(x->edges[i], y->edges[i])) return false;
  }
  return true;
}

std::vector<std::unique_ptr<graph_node>> random_graph(random_numbers& random, int nodes, int edges) {
  std::vector<std::unique_ptr<graph_node>> all;
  for (int i = 0; i < nodes; ++i) {
    all.push_back(std::make_unique<graph_node>());
    all.back()->value = random.between(0, 3);
  }
  const auto any = [&]() -> graph_node* { return random.chance(5) ? nullptr : random.one_of(all).get(); };
  for (int i = 0; i < edges; ++i) random.one_of(all)->edges.push_back(any());
  for (auto& n : all) n->best = any();
  return all;
}

template <class Node> Node* new_tree(int depth, int& value) {
  auto* n = new Node;
  n->value = value++;
  if (depth > 0) {
    n->left = new_tree<Node>(depth - 1, value);
    n->right = new_tree<Node>(depth - 1, value);
  }
  return n;
}
bool equal(const tree_node* a, const tree_node* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->value == b->value && equal(a->left, b->left) && equal(a->right, b->right);
}

}  // namespace

WHERRY_UNIT_TEST(deep_random_graphs_are_isomorphic) {
  random_numbers random(test.seed);
  for (int round = 0; round < 150; ++round) {
    const auto graph = random_graph(random, random.between(1, 60), random.between(0, 300));
    graph_node* root = graph[0].get();
    graph_node* copy = nullptr;
    read_from(packed(root), copy);
    CHECK(isomorphic(root, copy));
    graph_node by_value;
    read_from(packed(*root), by_value);
    CHECK(isomorphic(root, &by_value));
    destroy(copy);
    destroy(by_value);
    CHECK_EQUAL(counted::alive(), static_cast<int>(graph.size()) + 1);
  }
}

WHERRY_UNIT_TEST(deep_the_oracle_sees_differences) {
  random_numbers random(test.seed);
  const auto graph = random_graph(random, 20, 100);
  graph_node* copy = nullptr;
  graph_node* root = graph[0].get();
  root->best = graph[1].get();
  read_from(packed(root), copy);
  copy->best->value += 1;
  CHECK(!isomorphic(root, copy));
  copy->best->value -= 1;
  CHECK(isomorphic(root, copy));
  graph_node twin = *copy->best;
  auto* const before = std::exchange(copy->best, &twin);
  copy->edges.push_back(before);
  root->edges.push_back(root->best);
  CHECK(!isomorphic(root, copy));
  copy->best = before;
  destroy(copy);
}

WHERRY_UNIT_TEST(deep_graphs_in_all_token_widths) {
  random_numbers random(test.seed);
  const auto graph = random_graph(random, 70'000, 0);
  graph_node* root = graph[0].get();
  for (const auto& n : graph) root->edges.push_back(n.get());
  for (int i = 0; i < 5000; ++i) root->edges.push_back(random.one_of(graph).get());
  graph_node* copy = nullptr;
  const auto figures = read_from(packed(root), copy);
  CHECK(isomorphic(root, copy));
  CHECK_EQUAL(figures.shared_objects, graph.size());
  destroy(copy);
}

WHERRY_UNIT_TEST(deep_chains_need_one_item_and_no_stack) {
  constexpr long length = 1'000'000;
  chain root;
  for (long i = length; i > 0; --i) root.next = new chain{i, root.next};
  const auto bytes = packed(root);
  CHECK_EQUAL(bytes.size(), sizeof(chain) * (length + 1));
  chain copy;
  const auto figures = read_from(bytes, copy);
  CHECK_EQUAL(figures.peak_pending, 1);
  CHECK_EQUAL(figures.shared_objects, 1);
  long n = 0;
  for (const chain* at = copy.next; at != nullptr; at = at->next) n += at->value == n + 1;
  CHECK_EQUAL(n, length);
  memory_sink sink;
  CHECK_EQUAL(wherry::deep::pack(sink, copy).peak_pending, 1);
  destroy(root);
  destroy(copy);
  CHECK(copy.next == nullptr);
}

WHERRY_UNIT_TEST(deep_rings_and_chains_of_smart_pointers) {
  std::vector<ring> nodes(300'000);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].next = &nodes[(i + 1) % nodes.size()];
    nodes[i].before = &nodes[(i + nodes.size() - 1) % nodes.size()];
  }
  ring* root = nodes.data();
  ring* copy = nullptr;
  const auto figures = read_from(packed(root), copy);
  CHECK_EQUAL(figures.shared_objects, nodes.size());
  CHECK(figures.peak_pending <= 2);
  std::size_t n = 0;
  const ring* at = copy;
  do {
    REQUIRE(at->next->before == at);
    at = at->next;
    ++n;
  } while (at != copy && n <= nodes.size());
  CHECK_EQUAL(n, nodes.size());
  destroy(copy);

  // The destructors of unique_ptr recurse; a deep copy and deep::destroy do not.
  owned_by_unique first, second;
  list_of_values third{0, nullptr}, fourth{0, nullptr};
  for (int i = 0; i < 200'000; ++i) {
    auto next = std::make_unique<owned_by_unique>();
    next->value = i;
    next->next = std::move(first.next);
    first.next = std::move(next);
    third.next = std::make_unique<list_of_values>(list_of_values{i, std::move(third.next)});
  }
  CHECK(read_from(packed(first), second).peak_pending <= 2);
  CHECK(read_from(packed(third), fourth).peak_pending <= 2);
  const owned_by_unique* a = &first;
  const owned_by_unique* b = &second;
  const list_of_values* c = &fourth;
  for (; a && b && c; a = a->next.get(), b = b->next.get(), c = c->next.get())
    REQUIRE(a->value == b->value && c->value == b->value);
  CHECK(a == nullptr && b == nullptr && c == nullptr);
  destroy(first);
  destroy(second);
  destroy(third);
  destroy(fourth);
}

WHERRY_UNIT_TEST(deep_trees_need_their_depth) {
  int value = 0;
  tree_node* root = new_tree<tree_node>(14, value);
  tree_node* copy = nullptr;
  const auto figures = read_from(packed(root), copy);
  CHECK(equal(root, copy));
  CHECK(figures.peak_pending <= 16);
  CHECK_EQUAL(figures.shared_objects, 1);
  destroy(root);
  destroy(copy);
}

WHERRY_UNIT_TEST(deep_trees_in_an_arena) {
  int value = 0;
  tree_node* root = new_tree<tree_node>(10, value);
  const auto bytes = packed(root);
  wherry::deep::arena arena(1000);
  std::size_t capacity = 0;
  for (int round = 0; round < 3; ++round) {
    tree_node* copy = nullptr;
    read_from(bytes, copy, {.arena = &arena});
    CHECK(equal(root, copy));
    if (round == 0)
      capacity = arena.capacity();
    else
      CHECK_EQUAL(arena.capacity(), capacity);
    arena.clear();
  }
  random_numbers random(test.seed);
  const auto graph = random_graph(random, 100, 500);
  graph_node* first = graph[0].get();
  for (int round = 0; round < 3; ++round) {
    graph_node* copy = nullptr;
    read_from(packed(first), copy, {.arena = &arena});
    CHECK(isomorphic(first, copy));
    CHECK(counted::alive() > static_cast<int>(graph.size()));
    arena.clear();
    CHECK_EQUAL(counted::alive(), static_cast<int>(graph.size()));
  }
  destroy(root);
}
