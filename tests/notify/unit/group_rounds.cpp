// The rounds of a group's collectives among members of one node: many members stepped in random order by one thread,
// few by a thread each; all reading all, and trees, against a fold in the order of the members.
#include "notify/group_rounds.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/harness.hpp"
#include "notify/group_tree.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::group_board;
using wherry::group_links;
using wherry::group_rounds;

namespace {

constexpr std::size_t piece = 256;

// Affine functions modulo 2^32 under composition: associative, and each order has another result.
struct affine {
  std::uint32_t a, b;
  bool operator==(const affine&) const = default;
};
affine composed(const affine& f, const affine& g) { return {f.a * g.a, f.a * g.b + f.b}; }
affine drawn(std::uint64_t seed, int member, std::uint64_t number, std::size_t place) {
  const auto draw = hash(seed, member, number, place);
  return {static_cast<std::uint32_t>(draw) | 1u, static_cast<std::uint32_t>(draw >> 32)};
}

struct free_lines {
  void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{64}); }
};

// Members whose boards are in this process. At most `branches` below each in a tree; 0: all read all.
class crew {
 public:
  crew(int size, int branches) {
    for (int m = 0; m < size; ++m) {
      memory_.emplace_back(static_cast<std::byte*>(::operator new(group_board::bytes(piece), std::align_val_t{64})));
      boards_.push_back(group_board::begin(memory_.back().get(), piece));
    }
    for (int m = 0; m < size; ++m) members.emplace_back(links_of(m, size, branches));
  }

  std::vector<group_rounds> members;

 private:
  group_links::near_one at(int m) const { return {m, boards_[static_cast<std::size_t>(m)]}; }
  group_links links_of(int m, int size, int branches) const {
    group_links links;
    links.rank = m;
    links.mine = at(m).board;
    if (branches == 0) {
      for (int other = 0; other < size; ++other) links.all.push_back(at(other));
      return links;
    }
    const auto place = wherry::place_in_group(m, size, branches);
    for (const int child : place.children) links.near_children.push_back(at(child));
    if (place.parent >= 0) links.near_parent = at(place.parent);
    return links;
  }

  std::vector<std::unique_ptr<std::byte, free_lines>> memory_;
  std::vector<group_board> boards_;
};

const wherry::plans::typed_reduction& composition() {
  static const auto how = wherry::make_reduction<affine>("compose", composed);
  return how;
}

const std::byte* bytes_of(const std::vector<affine>& data) { return reinterpret_cast<const std::byte*>(data.data()); }

// One member's part of a round: whether it has what it must.
class part {
 public:
  part(group_rounds& rounds, std::uint64_t seed, int member, std::size_t count, std::uint64_t call) : rounds_(rounds) {
    for (std::size_t i = 0; i < count; ++i) data_.push_back(drawn(seed, member, rounds.number() + 1, i));
    rounds.begin(call, bytes_of(data_), count * sizeof(affine));
  }
  bool step() { return rounds_.step(&composition()); }
  wherry::group_failure end() { return rounds_.end(reinterpret_cast<std::byte*>(data_.data()), &composition()); }
  bool is_right(std::uint64_t seed, int size) const {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      auto wanted = drawn(seed, 0, rounds_.number(), i);
      for (int m = 1; m < size; ++m) wanted = composed(wanted, drawn(seed, m, rounds_.number(), i));
      if (!(data_[i] == wanted)) return false;
    }
    return true;
  }

 private:
  group_rounds& rounds_;
  std::vector<affine> data_;
};

}  // namespace

WHERRY_UNIT_TEST(every_member_has_one_place_in_the_tree) {
  for (int size = 1; size <= 300; ++size)
    for (const int branches : {1, 2, 3, 8, 16}) {
      std::vector<int> above(static_cast<std::size_t>(size), 0);
      int depth_of_last = 0;
      for (int m = 0; m < size; ++m) {
        const auto here = wherry::place_in_group(m, size, branches);
        REQUIRE(static_cast<int>(here.children.size()) <= branches);
        for (const int child : here.children) {
          REQUIRE(child > m && child < size);
          ++above[static_cast<std::size_t>(child)];
          REQUIRE(wherry::place_in_group(child, size, branches).parent == m);
        }
      }
      for (int m = size - 1; m > 0; m = wherry::place_in_group(m, size, branches).parent) ++depth_of_last;
      for (int m = 1; m < size; ++m) REQUIRE(above[static_cast<std::size_t>(m)] == 1);
      if (branches == 16) CHECK(depth_of_last <= 3);
    }
}

WHERRY_UNIT_TEST(rounds_in_any_order_fold_as_the_members_are) {
  for (int number = 0; number < 150; ++number) {
    random_numbers random(hash(test.seed, number));
    const int size = random.between(1, number % 10 == 0 ? 100 : 12);
    crew all(size, random.one_of({0, 1, 2, 3, 16}));
    std::vector<std::unique_ptr<part>> now(static_cast<std::size_t>(size));
    std::vector<int> rounds(static_cast<std::size_t>(size), 0);
    const auto counts = hash(test.seed, number, 7);
    constexpr int wanted = 12;
    for (int ended = 0; ended < size;) {  // members may be a round apart
      const int m = random.between(0, size - 1);
      const auto at = static_cast<std::size_t>(m);
      if (rounds[at] == wanted) continue;
      if (!now[at])
        now[at] = std::make_unique<part>(all.members[at], test.seed, m,
                                         static_cast<std::size_t>(hash(counts, rounds[at]) % 30), 5);
      if (!now[at]->step()) continue;
      REQUIRE(!now[at]->end());
      REQUIRE(now[at]->is_right(test.seed, size));
      now[at].reset();
      if (++rounds[at] == wanted) ++ended;
    }
  }
}

WHERRY_UNIT_TEST(a_member_with_another_call_is_named_by_all_of_them) {
  for (const int branches : {0, 1, 2, 16})
    for (int size = 2; size <= 20; ++size)
      for (const int odd : {0, size / 2, size - 1}) {
        crew all(size, branches);
        for (int round = 0; round < 3; ++round) {  // and the next one works
          std::vector<part> now;
          now.reserve(static_cast<std::size_t>(size));
          for (int m = 0; m < size; ++m)
            now.emplace_back(all.members[static_cast<std::size_t>(m)], test.seed, m, m == odd && round == 1 ? 3 : 9,
                             m == odd && round == 1 ? 6 : 5);
          for (int pass = 0; pass < size; ++pass)
            for (auto& one : now) one.step();
          for (auto& one : now) {
            REQUIRE(one.step());
            const auto failure = one.end();
            CHECK_EQUAL(static_cast<bool>(failure), round == 1);
            if (failure) CHECK((failure.first() == odd) != (failure.second() == odd));
            if (!failure) CHECK(one.is_right(test.seed, size));
          }
        }
      }
}

// A function that throws does so on every member that calls it; the others are told, or have their results.
WHERRY_UNIT_TEST(a_function_that_throws_ends_the_round_for_all) {
  const auto bad = wherry::make_reduction<affine>(
      "bad", [](const affine&, const affine&) -> affine { throw std::runtime_error("no"); });
  for (const int branches : {0, 2, 16})
    for (int size = 2; size <= 9; ++size) {
      crew all(size, branches);
      std::vector<affine> data(2);
      for (auto& one : all.members) one.begin(5, bytes_of(data), sizeof(affine));
      for (int pass = 0; pass < size; ++pass)
        for (auto& one : all.members) one.step(&bad);
      int thrown = 0, told = 0;
      for (auto& one : all.members) {
        REQUIRE(one.step(&bad));
        try {
          if (const auto failure = one.end(reinterpret_cast<std::byte*>(data.data()), &bad)) {
            CHECK(failure.is_departure());
            ++told;
          }
        } catch (const std::runtime_error&) {
          ++thrown;
        }
      }
      CHECK(thrown > 0);
      CHECK_EQUAL(thrown + told, size);
    }
}

WHERRY_UNIT_TEST(rounds_between_threads) {
  for (const int branches : {0, 1, 2}) {
    constexpr int size = 4, wanted = 1500;
    crew all(size, branches);
    std::vector<int> wrong(size, 0);
    std::vector<std::thread> threads;
    for (int m = 0; m < size; ++m)
      threads.emplace_back([&, m] {
        auto& rounds = all.members[static_cast<std::size_t>(m)];
        for (int i = 0; i < wanted; ++i) {
          part now(rounds, test.seed, m, static_cast<std::size_t>(i % 30), 5);
          while (!now.step()) std::this_thread::yield();
          if (now.end() || !now.is_right(test.seed, size)) ++wrong[static_cast<std::size_t>(m)];
        }
      });
    for (auto& thread : threads) thread.join();
    for (const int count : wrong) CHECK_EQUAL(count, 0);
  }
}
