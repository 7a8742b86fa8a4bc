// The implementations of the default rules.
#include "collective/default_rules.hpp"

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "collective/implementations.hpp"
#include "harness/harness.hpp"

using wherry::collective::add_default_rules;
using wherry::collective::choices;
using wherry::collective::implementations;
using wherry::collective::kind;
using wherry::collective::rule;

namespace {

choices ours_among(int ranks, bool shares, bool crowded) {
  choices all;
  for (const auto what : {kind::alltoall, kind::allgather}) add_default_rules(all, what, shares, ranks, crowded);
  return all;
}

std::string_view name_of(const rule& one) {
  return implementations()[static_cast<std::size_t>(one.implementation)].name;
}

#if defined(OPEN_MPI)
constexpr std::string_view where_long = "mpi";
#else
constexpr std::string_view where_long = "shared";
#endif
constexpr std::int64_t limit = 256 << 10;

}  // namespace

WHERRY_UNIT_TEST(long_alltoalls_of_ranks_with_a_core_each_are_left_to_open_mpi) {
  for (const int ranks : {3, 4, 8, 16, 100}) {
    const auto all = ours_among(ranks, true, false);
    CHECK_EQUAL(name_of(all.of(kind::alltoall, limit / ranks)), "shared");
    CHECK_EQUAL(name_of(all.of(kind::alltoall, limit / ranks + 1)), where_long);
    CHECK_EQUAL(name_of(all.of(kind::allgather, std::int64_t{1} << 40)), "shared");
    CHECK_EQUAL(name_of(ours_among(ranks, true, true).of(kind::alltoall, std::int64_t{1} << 40)), "shared");
    CHECK_EQUAL(name_of(ours_among(ranks, false, false).of(kind::alltoall, 0)), "mpi");
  }
  CHECK_EQUAL(name_of(ours_among(2, true, false).of(kind::alltoall, std::int64_t{1} << 40)), "shared");
}
