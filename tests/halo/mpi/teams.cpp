// Halo exchanges whose packing and copying a team does.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "wherry/core/node_allocator.hpp"
#include "wherry/core/openmp_team.hpp"
#include "wherry/motion/index_array.hpp"
#include "wherry/motion/x_array.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::index_t;
using wherry::thread_team;

namespace {

constexpr index_t cells = 60;  // faces of 60 × 60 × 2 cells of 24 bytes are long enough for a team

using element = std::array<double, 3>;

element value(const wherry::point<3>& p, const std::array<int, wherry::max_halo_dimensions>& at,
              const std::vector<int>& extents) {
  element all{};
  for (std::size_t d = 0; d < 3; ++d) {
    const index_t whole = cells * extents[d];
    all[d] = static_cast<double>((at[d] * cells + p[d] + whole) % whole);
  }
  return all;
}

}  // namespace

WHERRY_TEST(a_team_fills_halos, ranks(1, 2, 3, 4).not_simulated("threads")) {
  std::vector<thread_team> teams{{}, thread_team::of_its_own(2), thread_team::of_its_own(3)};
#if defined(_OPENMP)
  teams.push_back(wherry::openmp_team(2));
#endif
  const wherry::process_grid grid(test.comm, {.periodic = {true, true, true}});
  const auto at = grid.coordinates(test.rank);
  const std::vector<int> extents(grid.extents().begin(), grid.extents().end());
  auto names = usable_transports(test.comm);
  for (std::size_t t = 0; t < teams.size(); ++t)
    for (const auto& name : names) {
      test.note(name + ", team " + std::to_string(t));
      if (name != "shared" && name != "two_sided" && (t != 1 || name != "one_sided")) continue;
      // Ranks may have different teams.
      const auto& mine = test.rank == 1 ? teams[0] : teams[t];
      wherry::field<element, 3> u(grid.comm(), wherry::filled<3>(cells), 2, {.team = mine});
      std::vector<element> own((cells + 4) * (cells + 4) * (cells + 4));
      auto v = wherry::halo_around(own, wherry::filled<3>(cells), 2);
      wherry::halo_exchange exchange(grid, {.carry = {.transport = name, .team = mine}}, u, v);
      for_each_point(u.core(), [&](const auto& p) {
        u[p] = value(p, at, extents);
        own[static_cast<std::size_t>(v.array().offset({p[0] + 2, p[1] + 2, p[2] + 2}))] = u[p];
      });
      exchange();
      long wrong = 0;
      for_each_point(u.whole(), [&](const auto& p) {
        const auto right = value(p, at, extents);
        wrong += u[p] != right;
        wrong += own[static_cast<std::size_t>(v.array().offset({p[0] + 2, p[1] + 2, p[2] + 2}))] != right;
      });
      CHECK_EQUAL(wrong, 0L);
    }
}

// What threads will work on is touched by them first, whatever it is.
WHERRY_TEST(a_team_touches_memory_first, ranks(1, 2).not_simulated("threads")) {
  const wherry::communicator comm(test.comm);
  int asked = 0;
  std::vector<bool> came;
  const thread_team team(3, [&](thread_team::work work, void* what) {
    ++asked;
    for (int number = 2; number >= 0; --number) work(what, number), came[static_cast<std::size_t>(number)] = true;
  });
  const auto touched = [&](const char* by, auto&& make) {
    test.note(by);
    asked = 0;
    came.assign(3, false);
    const auto all = make();
    CHECK(std::all_of(all.begin(), all.end(), [](double x) { return x == 0; }));
    CHECK(asked >= 1);
    CHECK(came == std::vector<bool>(3, true));
  };
  constexpr index_t most = 3 << 18;
  touched("field", [&] {
    wherry::field<double, 1> u(comm, {most}, 1, {.team = team});
    return std::vector<double>(u.data(), u.data() + most);
  });
  wherry::floor_plan<1> boxes;
  boxes.add({{0}, {most}}, test.rank);
  touched("x_array", [&] {
    wherry::x_array<double, 1> u(comm, boxes, {.team = team});
    const auto* first = static_cast<const double*>(u.memory()[0]);
    return std::vector<double>(first, first + most);
  });
  touched("index_array", [&] {
    const wherry::index_floor_plan<> points({wherry::index_set::range(0, most)}, {test.rank});
    wherry::index_array<double> u(comm, points, {.team = team});
    const auto values = u.parts().front().values.all();
    return std::vector<double>(values.begin(), values.end());
  });
  touched("node_vector", [&] {
    const wherry::node_vector<double> u(most, 0.0, {comm, team});
    CHECK_EQUAL(asked, 1);
    auto copy = u;  // by the same threads, and so is what it grows into
    CHECK_EQUAL(asked, 2);
    copy.push_back(0);
    CHECK_EQUAL(asked, 3);
    return copy;
  });
}

// Memory that a team cannot touch because there is none: an error, and what there is can be had afterwards.
WHERRY_TEST(a_team_finds_no_memory, ranks(1, 2).not_simulated("threads")) {
  const wherry::communicator comm(test.comm);
  const auto team = thread_team::of_its_own(3);
  try {
    wherry::node_memory(comm, std::size_t{1} << 45, team);
    FAIL("no error");
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::resource);
  }
  const wherry::node_memory some(comm, std::size_t{5} << 20, team);
  CHECK(std::all_of(some.data(), some.data() + (5 << 20), [](std::byte b) { return b == std::byte{0}; }));
}
