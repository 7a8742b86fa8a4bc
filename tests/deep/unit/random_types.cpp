// Structures of types that nobody thought of, drawn when this is compiled: other seeds with
// -DCMAKE_CXX_FLAGS=-DWHERRY_TYPES_SEED=….
#include "deep/mpi/random_types.hpp"

#include <cstdint>

#include "wherry/deep/polymorphic.hpp"

#include "deep/unit/support.hpp"

#ifndef WHERRY_TYPES_SEED
#define WHERRY_TYPES_SEED 1
#endif

using namespace deep_tests;
using namespace wherry_test;

namespace {

const wherry::deep::registered<dog, animal> dog_is_known("dog");

template <class T> void there_and_back(std::uint64_t seed) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    auto x = filler(seed + i).one<T>();
    auto wanted = filler(seed + i).one<T>();
    REQUIRE(same_structure(x, wanted));
    const auto bytes = packed(x);
    {
      T y{};
      read_from(bytes, y);
      CHECK(same_structure(y, wanted));
      CHECK_EQUAL(packed(y).size(), bytes.size());
      wherry::deep::destroy(y);
    }
    {
      wherry::deep::arena memory;
      T y{};
      read_from(bytes, y, {.arena = &memory});
      CHECK(same_structure(y, wanted));
    }
    CHECK(same_structure(x, wanted));
    wherry::deep::destroy(x);
    wherry::deep::destroy(wanted);
  }
}

template <std::uint64_t... I> void of_types(std::uint64_t seed, std::integer_sequence<std::uint64_t, I...>) {
  (there_and_back<random_type<hash(WHERRY_TYPES_SEED, I), 2>>(seed), ...);
  (there_and_back<random_type<hash(WHERRY_TYPES_SEED, I + 1000), 3>>(seed), ...);
}

}  // namespace

WHERRY_UNIT_TEST(deep_structures_of_random_types) {
  test.note("types of seed " + std::to_string(WHERRY_TYPES_SEED));
  of_types(test.seed, std::make_integer_sequence<std::uint64_t, 10>());
}
