// How cells are cut, and who is next to whom.
#include "wherry/halo/decomposition.hpp"

#include <numeric>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::decomposition;
using sizes = std::vector<std::vector<wherry::index_t>>;

WHERRY_UNIT_TEST(even_cuts) {
  const wherry::index_t cells[] = {10, 3, 7};
  const int pieces[] = {4, 5, 1};
  const auto cut = decomposition::even(cells, pieces, {false, true, false});
  const wherry::index_t first[] = {3, 3, 2, 2}, second[] = {1, 1, 1, 0, 0};
  for (int p = 0; p < 4; ++p) CHECK_EQUAL(cut.size(0, p), first[p]);
  for (int p = 0; p < 5; ++p) CHECK_EQUAL(cut.size(1, p), second[p]);
  CHECK_EQUAL(cut.size(2, 0), 7);
  CHECK_EQUAL(cut.first(0, 2), 6);
  CHECK_EQUAL(cut.cells(0), 10);
  CHECK_EQUAL(cut.subdomains(), 20);
  CHECK_EQUAL(cut.pieces(1), 5);
  CHECK(cut.periodic(1) && !cut.periodic(0));
}

WHERRY_UNIT_TEST(random_even_cuts) {
  for (int n = 0; n < 500; ++n) {
    random_numbers random(hash(test.seed, n));
    const wherry::index_t cells[] = {random.between(0, 50)};
    const int pieces[] = {random.between(1, 20)};
    const auto cut = decomposition::even(cells, pieces, {random.chance(50)});
    wherry::index_t sum = 0;
    for (int p = 0; p < pieces[0]; ++p) {
      CHECK_EQUAL(cut.first(0, p), sum);
      sum += cut.size(0, p);
      CHECK(cut.size(0, p) >= cells[0] / pieces[0] && cut.size(0, p) <= cells[0] / pieces[0] + 1);
    }
    CHECK_EQUAL(sum, cells[0]);
  }
}

// Neighbours are the nearest pieces with cells: against a walk from cell to cell.
WHERRY_UNIT_TEST(neighbors_skip_empty_pieces) {
  for (int n = 0; n < 1000; ++n) {
    random_numbers random(hash(test.seed, n));
    sizes cut(1);
    for (int p = random.between(1, 7); p > 0; --p) cut[0].push_back(random.chance(40) ? 0 : random.between(1, 3));
    const bool periodic = random.chance(50);
    const decomposition made(cut, {periodic});
    const int pieces = static_cast<int>(cut[0].size());
    int filled = 0;
    for (const auto size : cut[0]) filled += size > 0 ? 1 : 0;
    for (int p = 0; p < pieces; ++p)
      for (const int direction : {-1, 1}) {
        int expected = -1;
        for (int step = 1; step <= pieces && expected < 0; ++step) {
          const int there = p + direction * step;
          if (!periodic && (there < 0 || there >= pieces)) break;
          const int wrapped = (there % pieces + pieces) % pieces;
          if (cut[0][static_cast<std::size_t>(wrapped)] > 0) expected = wrapped;
        }
        CHECK_EQUAL(made.neighbor(0, p, direction), expected);
      }
    CHECK_EQUAL(made.wraps_to_itself(0), periodic && filled <= 1);
  }
}

WHERRY_UNIT_TEST(numbers_and_owners) {
  decomposition cut(sizes{{1, 1, 1}, {1, 1}, {1, 1, 1, 1}}, {true, true, true});
  CHECK_EQUAL(cut.number({1, 0, 0, 0}), 1);
  CHECK_EQUAL(cut.number({0, 1, 0, 0}), 3);
  CHECK_EQUAL(cut.number({0, 0, 1, 0}), 6);
  for (int number = 0; number < 24; ++number) {
    CHECK_EQUAL(cut.number(cut.coordinates(number)), number);
    CHECK_EQUAL(cut.owner(number), number);
  }
  cut.set_owners_by_stride({8, 4, 1});
  CHECK_EQUAL(cut.owner(cut.number({2, 1, 3, 0})), 2 * 8 + 4 + 3);
  std::vector<int> owners(24, 5);
  owners[7] = 2;
  cut.set_owners(owners);
  CHECK_EQUAL(cut.owner(7), 2);
  CHECK_EQUAL(cut.owner(8), 5);
  CHECK_THROWS_WITH(cut.set_owners({1, 2}), "2 entries for 24 subdomains");
}

WHERRY_UNIT_TEST(wrong_decompositions) {
  CHECK_THROWS_WITH(decomposition({}, {}), "0 axes");
  CHECK_THROWS_WITH(decomposition(sizes(5, {1}), std::vector(5, false)), "5 axes");
  CHECK_THROWS_WITH(decomposition(sizes{{1}, {}}, {false, false}), "axis 1 has no pieces");
  CHECK_THROWS_WITH(decomposition(sizes{{1, -2}}, {false}), "axis 0, piece 1 has size -2");
  CHECK_THROWS_WITH(decomposition(sizes{{1}}, {}), "periodic has 0 entries for 1 axes");
  const sizes huge(3, std::vector<wherry::index_t>(2000, 1));
  CHECK_THROWS_WITH(decomposition(huge, std::vector(3, true)), "the number of subdomains does not fit");
  const wherry::index_t cells[] = {4}, negative[] = {-4};
  const int pieces[] = {2}, none[] = {0};
  CHECK_THROWS_WITH(decomposition::even(negative, pieces, {true}), "-4 cells");
  CHECK_THROWS_WITH(decomposition::even(cells, none, {true}), "0 pieces");
  CHECK_THROWS_WITH(decomposition::even({}, pieces, {true}), "cells has 0 axes");
}
