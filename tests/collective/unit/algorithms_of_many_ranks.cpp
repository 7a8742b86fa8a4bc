// Some ranks among a million: both sides of a message know of it, and a stage that has been made before is made without
// allocating.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "collective/algorithms/algorithm.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

using namespace wherry::collective;
using wherry_test::hash;

namespace {

place of_rank(place at, int rank) {
  at.rank = rank;
  return at;
}

// One whose stages are few, but as long as the communicator is large.
bool has_long_stages(const algorithm& what, const place& at) {
  return what.name == "linear" || (what.name == "bruck" && what.pattern == pattern::alltoall) ||
         (what.name == "recursive_halving" && !at.commutative);
}
bool has_root(pattern what) {
  return what == pattern::bcast || what == pattern::gather || what == pattern::scatter || what == pattern::reduce;
}

// The first few stages of a rank, some in the middle, and the last ones.
std::vector<int> some_stages(int stages) {
  std::vector<int> chosen;
  for (int k = 0; k < stages; ++k)
    if (stages <= 100 || k < 4 || k >= stages - 4 || std::abs(k - stages / 2) < 2) chosen.push_back(k);
  return chosen;
}

std::int64_t blocks_of(const stage& s, const transfer& t) {
  std::int64_t sum = 0;
  for (const auto& range : s.ranges_of(t)) sum += range.count;
  return sum;
}

// Blocks have the same numbers on both sides, except where they are exchanged.
std::vector<block_range> names_of(const stage& s, const transfer& t) {
  std::vector<block_range> names;
  for (auto range : s.ranges_of(t)) {
    range.where = buffer::work;
    if (!names.empty() && names.back().first + names.back().count == range.first)
      names.back().count += range.count;
    else
      names.push_back(range);
  }
  return names;
}

// Does the peer have the other side of this? If stages are many, near stage k.
bool is_mirrored(const algorithm& what, const place& at, const stage& mine, const transfer& t, bool sent, int k) {
  const auto peer = of_rank(at, t.peer);
  const int stages = what.stages(peer), far = stages <= 200 ? 200 : 4;
  stage theirs;
  for (int i = 0; i <= 2 * far; ++i) {
    const int there = k + (i % 2 == 0 ? -i / 2 : (i + 1) / 2);  // k, k + 1, k - 1, ...
    if (there < 0 || there >= stages) continue;
    what.make_stage(peer, there, theirs);
    for (const auto& other : sent ? theirs.receives : theirs.sends) {
      if (other.peer != at.rank) continue;
      if (what.pattern == pattern::alltoall ? blocks_of(mine, t) == blocks_of(theirs, other)
                                            : names_of(mine, t) == names_of(theirs, other))
        return true;
    }
  }
  return false;
}

void look_at(const algorithm& what, const place& at) {
  stage mine;
  const auto chosen = some_stages(what.stages(at));
  for (const int k : chosen) {
    what.make_stage(at, k, mine);
    for (const bool sent : {true, false}) {
      const auto& list = sent ? mine.sends : mine.receives;
      const std::size_t step = list.size() < 64 ? 1 : list.size() / 3;
      for (std::size_t i = 0; i < list.size(); i += step) {
        if (list[i].peer == at.rank) continue;
        REQUIRE(list[i].peer >= 0 && list[i].peer < at.size);
        if (wherry_test::fault(!is_mirrored(what, at, mine, list[i], sent, k)))
          FAIL(std::string(what.name) + " " + std::string(name_of(what.pattern)) + " among " + std::to_string(at.size) +
               ", rank " + std::to_string(at.rank) + ", stage " + std::to_string(k) + ": rank " +
               std::to_string(list[i].peer) + " knows nothing of it");
      }
    }
  }
}

}  // namespace

namespace {

void look_at_a_few(int size, bool with_long_stages, std::uint64_t seed) {
  for (const auto& what : algorithms())
    for (const int root : {0, 1, 3 * (size / 4)})
      for (const bool commutative : {false, true}) {
        const place at{.size = size, .root = root, .segments = 100, .commutative = commutative};
        if (!what.can(at) || (root > 0 && !has_root(what.pattern))) continue;
        if (has_long_stages(what, at) != with_long_stages) continue;
        for (const int rank :
             {0, 1, root, size / 2, size / 2 + 1, size - 1, static_cast<int>(hash(seed, size) % std::uint64_t(size))})
          if (!with_long_stages || rank == root || rank == size / 2) look_at(what, of_rank(at, rank));
      }
}

}  // namespace

WHERRY_UNIT_TEST(a_few_among_a_million_know_of_each_other) { look_at_a_few(1'000'000, false, test.seed); }
WHERRY_UNIT_TEST(a_few_among_a_power_of_two_know_of_each_other) { look_at_a_few(1 << 20, false, test.seed); }
WHERRY_UNIT_TEST(a_few_among_a_prime_number_know_of_each_other) { look_at_a_few(999'983, false, test.seed); }
WHERRY_UNIT_TEST(a_few_of_long_stages_know_of_each_other) { look_at_a_few(60'000, true, test.seed); }

WHERRY_UNIT_TEST(stages_of_a_million) {
  const auto most = [](const char* name, pattern what, bool commutative = true) {
    int count = 0;
    const auto* found = find(name, what);
    for (int rank = 0; rank < 1000000; rank += 1237)
      count = std::max(count, found->stages({.rank = rank, .size = 1000000, .commutative = commutative}));
    return count;
  };
  CHECK_EQUAL(most("binomial", pattern::bcast), 2);  // one from above, one downwards
  CHECK_EQUAL(most("recursive_doubling", pattern::allreduce), 19 + 2);
  CHECK_EQUAL(most("rabenseifner", pattern::allreduce), 2 * 19 + 2);
  CHECK_EQUAL(most("bruck", pattern::allgather), 20);
  CHECK_EQUAL(most("dissemination", pattern::barrier), 20);
  CHECK_EQUAL(most("ring", pattern::allgather), 999999);
  CHECK_EQUAL(most("recursive_doubling", pattern::scan), 20);
}

WHERRY_UNIT_TEST(stages_are_made_without_allocating) {
  for (const auto& what : algorithms()) {
    place at{.rank = 499999, .size = 1000000, .segments = 1000};
    for (const bool commutative : {false, true}) {
      at.commutative = commutative;
      if (!what.can(at)) continue;
      stage now;
      const auto chosen = some_stages(what.stages(at));
      for (const int k : chosen) what.make_stage(at, k, now);
      const long before = allocations;
      for (const int k : chosen) what.make_stage(at, k, now);
      const long after = allocations;
      if (!CHECK_EQUAL(after - before, 0)) FAIL(std::string(what.name) + " " + std::string(name_of(what.pattern)));
    }
  }
}

// A ring among a million has a million stages, each made in no time: together fewer seconds than a test may take.
WHERRY_UNIT_TEST(all_stages_of_a_ring_of_a_million) {
  for (const char* name : {"ring", "pairwise"})
    for (const auto what : {pattern::allgather, pattern::allreduce, pattern::alltoall}) {
      const auto* found = find(name, what);
      if (found == nullptr) continue;
      const place at{.rank = 77, .size = 1000000, .commutative = true};
      stage now;
      found->make_stage(at, 0, now);
      const long before = allocations;
      std::int64_t blocks = 0;
      for (int k = 0; k < found->stages(at); ++k) {
        found->make_stage(at, k, now);
        for (const auto& t : now.sends) blocks += blocks_of(now, t);
      }
      CHECK_EQUAL(allocations - before, 0);
      CHECK_EQUAL(blocks, what == pattern::allreduce ? 2 * 999999 : 999999);
    }
}
