// Structures from rank to rank: every form of root, every way to travel.
#include "wherry/deep/communicate.hpp"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/deep/in_flight.hpp"

#include "deep/mpi/family.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

// One message; some windows; more than the ring holds.
const std::vector<int>& sizes(const context& test) {
  static const std::vector<int> few{0, 1, 20, 700, 12000}, fewer{0, 3, 700};
  return test.size <= 4 ? few : fewer;
}

std::string title(int people, const deep::options& from, const deep::options& to) {
  return std::to_string(people) + " people" + (from.buffered ? ", packed first" : "") +
         (to.buffered ? ", received first" : "") + (to.arena != nullptr ? ", into an arena" : "");
}

// All combinations of options for the two sides.
template <class Body> void for_each_way(deep::arena& place, Body body) {
  for (const bool packed_first : {false, true})
    for (const bool received_first : {false, true})
      for (const bool into_arena : {false, true}) {
        deep::options from, to;
        from.buffered = packed_first;
        to.buffered = received_first;
        to.arena = into_arena ? &place : nullptr;
        body(from, to);
      }
}

// What has arrived in an arena is not to be freed by itself.
void let_go(family& arrived, const deep::options& how, deep::arena& place) {
  if (how.arena != nullptr) arrived.head = nullptr;
  arrived.clear();
  place.clear();
}

template <class T> void there(MPI_Comm comm, int rank, const T& value) {
  if (rank == 0) {
    deep::send(comm, value, 1);
  } else if (rank == 1) {
    T arrived{};
    deep::receive(comm, arrived, 0);
    CHECK(arrived == value);
    CHECK(deep::packed_bytes(arrived) == deep::packed_bytes(value));
  }
}

}  // namespace

WHERRY_TEST(structures_to_all_others, ranks(2, 3, 4, 8).not_simulated("many messages a rank")) {
  const node_communicators comms(test.comm);
  deep::arena place;
  for (const MPI_Comm comm : comms.list())
    for (const int people : sizes(test)) {
      const family original(test.seed + static_cast<std::uint64_t>(people), people);
      for_each_way(place, [&](const deep::options& from, const deep::options& to) {
        test.note(title(people, from, to));
        if (test.rank == 0) {
          for (int rank = 1; rank < test.size; ++rank) deep::send(comm, original.head, rank, from);
          return;
        }
        family arrived;
        const auto who = deep::receive(comm, arrived.head, 0, to);
        CHECK_EQUAL(who.source, 0);
        CHECK(same(arrived.head, original.head));
        let_go(arrived, to, place);
      });
    }
}

WHERRY_TEST(structures_broadcast, ranks(1, 2, 3, 4, 8).not_simulated("many roots")) {
  const node_communicators comms(test.comm);
  deep::arena place;
  for (const MPI_Comm comm : comms.list())
    for (const int people : sizes(test))
      for (const bool buffered : {false, true})
        for (int root = 0; root < test.size; ++root) {
          const family original(test.seed + static_cast<std::uint64_t>(people + root), people);
          deep::options how;
          how.buffered = buffered;
          how.arena = root % 2 == 0 ? &place : nullptr;
          test.note(title(people, how, how) + " of rank " + std::to_string(root));
          if (test.rank == root) {
            deep::bcast(comm, original.head, root, how);
            CHECK(same(original.head, family(test.seed + static_cast<std::uint64_t>(people + root), people).head));
            continue;
          }
          family arrived;
          deep::bcast(comm, arrived.head, root, how);
          CHECK(same(arrived.head, original.head));
          let_go(arrived, how, place);
        }
}

WHERRY_TEST(rank_0_broadcasts_where_no_root_is_named, ranks(1, 2, 3)) {
  std::vector<std::string> words;
  if (test.rank == 0) words = {"to", "all"};
  deep::bcast(test.comm, words);
  CHECK(words == (std::vector<std::string>{"to", "all"}));
}

// On hundreds of simulated ranks: one way each.
WHERRY_TEST(structures_on_many_ranks, ranks(2, 4, 8)) {
  const family original(test.seed, 200), large(test.seed + 1, 3000);
  for (const auto* now : {&original, &large}) {
    family arrived;
    const int root = test.size - 1;
    if (test.rank == root) {
      deep::bcast(test.comm, now->head, root);
    } else {
      deep::bcast(test.comm, arrived.head, root);
      CHECK(same(arrived.head, now->head));
    }
    family passed;
    const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
    if (test.rank % 2 == 0) deep::send(test.comm, now->head, to);
    deep::receive(test.comm, passed.head, from);
    if (test.rank % 2 != 0) deep::send(test.comm, now->head, to);
    CHECK(same(passed.head, now->head));
  }
}

WHERRY_TEST(every_form_of_root, ranks(2, 3)) {
  const wherry::communicator comm(test.comm);
  there(test.comm, test.rank, 17);
  there(test.comm, test.rank, std::string("text"));
  there(test.comm, test.rank, std::vector<std::string>{"a", "", "longer than a small string can be, by far"});
  there(test.comm, test.rank, std::map<std::string, std::vector<double>>{{"x", {1, 2}}, {"y", {}}});
  there(test.comm, test.rank, std::list<std::optional<int>>{1, std::nullopt, 3});
  there(test.comm, test.rank, std::vector<double>(300000, 0.25));

  int numbers[] = {1, 2, 3, 4, 5};
  int* five = numbers;
  if (test.rank == 0) {
    const person alone{3, 4, "somebody", {1, 2}, nullptr, nullptr, nullptr};
    deep::send(comm, alone, 1);
    deep::send(comm, deep::array(five, 5), 1);
    deep::send(comm, deep::array(five, 5), 1);
    person* nobody = nullptr;
    deep::send(comm, nobody, 1);
    deep::send(comm, std::vector<int>{7, 8}, 1);
  } else if (test.rank == 1) {
    const auto alone = deep::receive<person>(comm, 0);
    CHECK_EQUAL(alone.name, "somebody");
    CHECK_EQUAL(alone.marks.size(), 2u);
    int *fixed = nullptr, *variable = nullptr, count = -1;
    deep::receive(comm, deep::array(fixed, 5), 0);
    deep::receive(comm, deep::array(variable, count), 0);
    CHECK_EQUAL(count, 5);
    for (int i = 0; i < 5; ++i) {
      CHECK_EQUAL(fixed[i], i + 1);
      CHECK_EQUAL(variable[i], i + 1);
    }
    deep::destroy(deep::array(fixed, 5));
    deep::destroy(deep::array(variable, count));
    person* nobody = nullptr;
    deep::receive(comm, nobody, 0);
    CHECK(nobody == nullptr);
    CHECK_EQUAL(deep::receive<std::vector<int>>(comm, 0), (std::vector<int>{7, 8}));
  }
}

WHERRY_TEST(structures_from_any_source, ranks(2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  if (test.rank != 0) {
    deep::send(comm, std::vector<int>(static_cast<std::size_t>(2000 * test.rank), test.rank), 0, {.tag = 7});
    return;
  }
  std::vector<int> seen(static_cast<std::size_t>(test.size), 0);
  for (int i = 1; i < test.size; ++i) {
    std::vector<int> arrived;
    const int source = deep::receive(comm, arrived, MPI_ANY_SOURCE, {.tag = 7}).source;
    CHECK_EQUAL(arrived, std::vector<int>(static_cast<std::size_t>(2000 * source), source));
    ++seen[static_cast<std::size_t>(source)];
  }
  for (int rank = 1; rank < test.size; ++rank) CHECK_EQUAL(seen[static_cast<std::size_t>(rank)], 1);
}

// Without anybody who would receive yet, also what is longer than any buffer of MPI.
WHERRY_TEST(structures_to_oneself, ranks(1, 2)) {
  for (const int people : {0, 1, 500, 12000})
    for (const bool buffered : {false, true}) {
      const family original(test.seed, people);
      family arrived;
      deep::send(test.comm, original.head, test.rank, {.tag = 1, .buffered = buffered});
      deep::receive(test.comm, arrived.head, test.rank, {.tag = 1});
      CHECK(same(arrived.head, original.head));
    }
}

// Streaming memory is a fixed number of windows; besides it, what the writer and the reader remember is in the figures.
WHERRY_TEST(the_figures_of_a_copy, ranks(2)) {
  const family original(test.seed, 3000);
  if (test.rank == 0) {
    CHECK_EQUAL(deep::send(test.comm, original.head, 1).shared_objects, 3000u);
  } else if (test.rank == 1) {
    family arrived;
    CHECK_EQUAL(deep::receive(test.comm, arrived.head, 0).figures.shared_objects, 3000u);
  }
}

namespace {

// A tree of 2^19 nodes has been made: owned by one pointer each, or shared. What that many take besides is asked for.
template <class Node> std::vector<Node> binary_tree() {
  std::vector<Node> all((1 << 19) - 1);
  for (std::size_t i = 0; 2 * i + 2 < all.size(); ++i) {
    all[i].left = &all[2 * i + 1];
    all[i].right = &all[2 * i + 2];
  }
  return all;
}
struct owning_node {
  owning_node *left = nullptr, *right = nullptr;
  void describe(auto& m) { m.owned(left), m.owned(right); }
};
struct sharing_node {
  sharing_node *left = nullptr, *right = nullptr;
  void describe(auto& m) { m.shared(left), m.shared(right); }
};

template <class Node> deep::copy_statistics figures_of_tree(const context& test) {
  if (test.rank == 0) {
    auto all = binary_tree<Node>();
    return deep::send(test.comm, all.front(), 1);
  }
  deep::arena memory;
  Node root;
  return deep::receive(test.comm, root, 0, {.arena = &memory}).figures;
}

}  // namespace

// Besides the structure: as much as its depth takes, and where identity is shared one entry an object on each side; a
// writer's map has up to three times as many places as entries, and the order in which it has met them.
WHERRY_TEST(the_memory_of_a_copy, ranks(2).not_simulated("half a million objects")) {
  CHECK(figures_of_tree<owning_node>(test).working_bytes < 16384);
  const auto shared = figures_of_tree<sharing_node>(test);
  CHECK_EQUAL(shared.shared_objects, (std::size_t{1} << 19) - 1);
  CHECK(shared.working_bytes < shared.shared_objects * (test.rank == 0 ? 16 * 4 + 16 : 2 * 16) + 16384);
}

// A communicator of which nobody has asked anything collective: the other ranks do not hear of a message.
WHERRY_TEST(two_ranks_of_many, ranks(1, 2, 3, 4, 8)) {
  MPI_Comm users = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &users);
  for (const int people : {0, 1, 12000})
    for (const bool buffered : {false, true}) {
      const family original(test.seed, people);
      family arrived;
      const int last = test.size - 1;
      const deep::options how{.tag = 3, .buffered = buffered};
      if (test.rank == 0) deep::send(users, original.head, last, how);
      if (test.rank == last) deep::receive(users, arrived.head, MPI_ANY_SOURCE, how);
      if (test.rank == last) CHECK(same(arrived.head, original.head));
    }
  auto leaving = deep::start_send(users, test.rank, test.rank);
  int mine = -1;
  deep::start_receive(users, mine, test.rank).wait();
  leaving.wait();
  CHECK_EQUAL(mine, test.rank);
  MPI_Comm_free(&users);
}
