// The classic algorithms: every one, among any number of ranks to 64 and with any root, against what its pattern means;
// and the simulation itself against algorithms that are wrong.
#include <set>
#include <utility>

#include "collective/algorithms/algorithm.hpp"
#include "expected_results.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace collective_tests;
using namespace wherry::collective;
using wherry_test::hash;

namespace {

bool has_root(pattern what) {
  return what == pattern::bcast || what == pattern::gather || what == pattern::scatter || what == pattern::reduce;
}
bool reduces(pattern what) {
  return what == pattern::reduce || what == pattern::allreduce || what == pattern::reduce_scatter ||
         what == pattern::scan || what == pattern::exscan;
}

// True: as it should be. Else the check has failed, and the line says what to repeat.
bool is_right(const question& asked) {
  auto all = begin(asked);
  auto problem = all.run();
  if (problem.empty()) problem = difference(asked, all);
  if (wherry_test::fault(!problem.empty())) FAIL(problem + ", sizes " + std::to_string(static_cast<int>(asked.sizes)));
  return problem.empty();
}

// In all the ways in which this algorithm may be asked; false: something is wrong.
bool is_right_every_way(question asked) {
  for (const bool commutative : {false, true}) {
    if (commutative && !reduces(asked.what->pattern)) continue;
    asked.at.commutative = commutative;
    if (!asked.what->can(asked.at)) continue;
    asked.combine = asked.what->needs_commutative ? added : composed;
    // One that needs no commutative operation may be told that this one is: then order is free.
    if (commutative) asked.combine = added;
    for (const bool in_place : {false, true}) {
      if (in_place && !asked.what->in_place) continue;
      asked.in_place = in_place;
      for (const auto sizes : {block_sizes::equal, block_sizes::uneven, block_sizes::mostly_empty}) {
        if (asked.what->sizes == sizes_known::equal && sizes != block_sizes::equal) continue;
        asked.sizes = sizes;
        if (!is_right(asked)) return false;
      }
    }
  }
  return true;
}

}  // namespace

WHERRY_UNIT_TEST(every_algorithm_does_what_its_pattern_says) {
  for (const auto& what : algorithms())
    // Sanitizers take ten times as long: they see every size to 20, and 31, 42, 53, 64.
    for (int size = 1; size <= 64; size += size < 20 || wherry_test::allocations_throw ? 1 : 11) {
      question asked{.what = &what, .at = {.size = size}, .seed = hash(test.seed, size)};
      const bool pipelined = what.name == "chain";
      const int step = size <= 32 ? 1 : 7;  // 7 and the powers of two have nothing to do with each other
      for (int root = 0; root < (has_root(what.pattern) ? size : 1); root += step) {
        asked.at.root = root;
        asked.at.segments = pipelined ? 1 + static_cast<int>(hash(size, root) % 7) : 1;
        if (!is_right_every_way(asked)) break;  // one line an algorithm and size is enough
      }
    }
}

WHERRY_UNIT_TEST(pipelines_of_any_number_of_segments) {
  for (const auto& what : algorithms())
    for (int size = 1; what.name == "chain" && size <= 9; ++size)
      for (int segments = 1; segments <= 20; ++segments) {
        question asked{.what = &what, .at = {.size = size, .root = size / 2, .segments = segments}, .seed = test.seed};
        REQUIRE(is_right_every_way(asked));
      }
}

// With an operation that is not even associative: whoever has the same bits has computed them in the same way.
WHERRY_UNIT_TEST(all_ranks_have_the_same_bits) {
  for (const auto& what : algorithms())
    for (int size = 1; what.pattern == pattern::allreduce && size <= 64; ++size) {
      question asked{.what = &what, .at = {.size = size, .commutative = true}, .combine = hashed, .seed = test.seed};
      auto all = begin(asked);
      CHECK_EQUAL(all.run(), "");
      for (const auto& rank : all.ranks)
        if (!CHECK(rank.work.data == all.ranks[0].work.data)) FAIL(all.name());
    }
}

WHERRY_UNIT_TEST(linear_reductions_fold_in_the_order_of_the_ranks) {
  for (const auto& what : algorithms())
    for (int size = 1; what.name == "linear" && reduces(what.pattern) && size <= 40; ++size)
      for (const int root : {0, size / 2, size - 1}) {
        question asked{.what = &what, .at = {.size = size, .root = root}, .combine = hashed, .seed = test.seed};
        REQUIRE(is_right(asked));
      }
}

WHERRY_UNIT_TEST(the_table_is_complete) {
  std::set<std::pair<pattern, std::string_view>> names;
  std::set<pattern> linear;
  for (const auto& what : algorithms()) {
    CHECK(names.insert({what.pattern, what.name}).second);
    CHECK(find(what.name, what.pattern) == &what);
    CHECK(!what.source.empty());
    if (what.name == "linear") linear.insert(what.pattern);
  }
  CHECK_EQUAL(linear.size(), patterns);
  CHECK(find("no such", pattern::bcast) == nullptr);
  CHECK(find("bruck", pattern::scan) == nullptr);
  CHECK_EQUAL(name_of(pattern::reduce_scatter), "reduce_scatter");
  CHECK_EQUAL(name_of(pattern::alltoall), "alltoall");
}

// Wrong algorithms: each fault must be found.
namespace {

int one(const place&) { return 1; }
int two(const place&) { return 2; }

void send_all(const place& at, stage& into, const block_range& what) {
  for (int peer = 0; peer < at.size; ++peer)
    if (peer != at.rank) into.send(peer, what);
}

std::string said_of(pattern what, int (*stages)(const place&), void (*fill)(const place&, int, stage&), int size = 3,
                    operation combine = composed) {
  const algorithm wrong{.name = "wrong",
                        .pattern = what,
                        .count_blocks = what == pattern::gather ? [](const place& at) { return at.size; } : one,
                        .count_stages = stages,
                        .fill = fill};
  question asked{.what = &wrong, .at = {.size = size}, .sizes = block_sizes::equal, .combine = combine, .seed = 1};
  auto all = begin(asked);
  const auto problem = all.run();
  return problem.empty() ? difference(asked, all) : problem;
}

bool says(const std::string& all, const std::string& words) {
  if (all.find(words) != std::string::npos) return wherry_test::pass();
  return wherry_test::fail(__FILE__, __LINE__, "\"" + all + "\" does not say: " + words);
}

}  // namespace

WHERRY_UNIT_TEST(the_simulation_finds_faults) {
  says(said_of(pattern::bcast, one,
               [](const place& at, int, stage& into) {
                 at.rank == 0   ? send_all(at, into, {0, 1})
                 : at.rank == 1 ? into.receive(0, arrival::store, {0, 1})
                                : void();
               }),
       "stage 0 of rank 2 is empty");
  says(said_of(pattern::bcast, one,
               [](const place& at, int, stage& into) {
                 at.rank == 0 ? into.send(1, {0, 1}) : into.receive(0, arrival::store, {0, 1});
               }),
       "rank 2 waits for ever in stage 0 of 1");
  says(said_of(
           pattern::bcast, [](const place& at) { return at.rank < 2 ? 1 : 0; },
           [](const place& at, int, stage& into) {
             at.rank == 0 ? send_all(at, into, {0, 1}) : into.receive(0, arrival::store, {0, 1});
           }),
       "rank 0 waits for ever");  // for a send that nobody takes
  says(said_of(pattern::bcast, one,
               [](const place& at, int, stage& into) { at.rank == 0 ? send_all(at, into, {0, 1}) : into.receive(0); }),
       "too many");
  says(said_of(pattern::bcast, one,
               [](const place& at, int, stage& into) {
                 at.rank == 0 ? into.send(1), into.send(2) : into.receive(0, arrival::store, {0, 1});
               }),
       "too few");
  says(said_of(pattern::bcast, one, [](const place&, int, stage& into) { into.send(3, {0, 1}); }), "names rank 3");
  says(said_of(pattern::bcast, one, [](const place&, int, stage& into) { into.send(1), into.send(1); }), "twice");
  says(said_of(pattern::bcast, one, [](const place&, int, stage& into) { into.send(2, {0, 2}); }), "blocks 0 + 2 of 1");
  // The next one's message is sent before it is asked for, around the ring.
  says(said_of(pattern::allreduce, two,
               [](const place& at, int k, stage& into) {
                 k == 0 ? into.send((at.rank + 1) % at.size, {0, 1})
                        : into.receive((at.rank + at.size - 1) % at.size, arrival::store, {0, 1});
               }),
       "waits for ever in stage 0 of 2");
  says(said_of(
           pattern::allreduce, one,
           [](const place& at, int, stage& into) {
             into.send(1 - at.rank, {0, 1, buffer::input});
             into.receive(1 - at.rank, arrival::store, {0, 1});
           },
           2),
       "stores into block 0, which it sends");
  const auto wrong_order = [](const place& at, int, stage& into) {
    into.send(1 - at.rank, {0, 1, buffer::input});
    into.receive(1 - at.rank, arrival::combine_before, {0, 1, buffer::input});
  };
  says(said_of(pattern::allreduce, one, wrong_order, 2), "rank 0, block 0, element 0: is");
  CHECK_EQUAL(said_of(pattern::allreduce, one, wrong_order, 2, added), "");
  says(said_of(pattern::gather, one,
               [](const place& at, int, stage& into) {
                 if (at.rank > 0) return into.send(0, {0, 1, buffer::work});
                 for (int peer : {1, 2}) into.receive(peer, arrival::store, {peer, 1});
               }),
       "rank 1 does not know the size of block 0");
}
