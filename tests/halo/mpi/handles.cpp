// Elements whose operator& gives no address: handles, proxies and expressions overload it. It is deleted here, so that
// whatever uses it does not compile.
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using wherry::index_t;

namespace {

struct handle {
  int value = 0;
  void operator&() const = delete;
};

}  // namespace

WHERRY_TEST(fields_of_handles, ranks(1, 2, 3, 4)) {
  wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<handle, 1> f(grid.comm(), {4}, 1);
  std::vector<handle> own(6);
  for (int i = 0; i < 4; ++i) f(i).value = own[static_cast<std::size_t>(i + 1)].value = test.rank * 10 + i;
  wherry::halo_exchange exchange(grid, f);
  exchange();
  wherry::halo_exchange over_own(grid, wherry::halo_inside(own, {6}, 1));
  over_own();
  const int left = (test.rank + test.size - 1) % test.size, right = (test.rank + 1) % test.size;
  CHECK(f(-1).value == left * 10 + 3 && f(4).value == right * 10);
  CHECK(own[0].value == left * 10 + 3 && own[5].value == right * 10);
}

WHERRY_TEST(lists_of_handles, ranks(1, 2, 3)) {
  const int next = (test.rank + 1) % test.size;
  std::vector<handle> values(4);
  for (int i = 0; i < 3; ++i) values[static_cast<std::size_t>(i)].value = test.rank * 10 + i;
  const std::vector<wherry::ghost> ghosts{{next, 1, 3}};
  const auto lists = wherry::resolve_ghosts(test.comm, ghosts);
  wherry::index_exchange exchange(test.comm, lists, values);
  exchange();
  CHECK_EQUAL(values[3].value, next * 10 + 1);
}

WHERRY_TEST(segments_of_handles, ranks(1, 2, 3)) {
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  wherry::segment<handle> there(test.comm, 4);
  std::vector<handle> mine(2);
  mine[1].value = test.rank + 1;
  there.write_notify(next, 0, mine, 0);
  there.wait(0);
  CHECK_EQUAL(there.mine()[1].value, before + 1);
}

WHERRY_TEST(grids_of_handles, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const int all = 4 * test.size;
  const auto space = wherry::domain<1>::torus({{0}, {all}});
  const auto plan = wherry::decompose(space.cells, comm.size());
  wherry::x_array<handle, 1> u(comm, plan, {.ghost_width = 1});
  for (const auto& [number, cells, values] : u.blocks())
    wherry::for_each_point(cells, [&v = values](const auto& p) { v[p].value = static_cast<int>(p[0]); });
  auto fill = wherry::ghost_filler(u, space);
  fill();
  for (const auto& [number, cells, values] : u.blocks()) {
    CHECK_EQUAL(values[wherry::point<1>{cells.lower[0] - 1}].value, (cells.lower[0] - 1 + all) % all);
    CHECK_EQUAL(values[wherry::point<1>{cells.upper[0]}].value, cells.upper[0] % all);
  }
}

// A field of pairs, tuples and arrays of them: their bytes are all.
WHERRY_TEST(fields_of_tuples, ranks(1, 2, 3)) {
  using entry = std::tuple<int, std::array<std::pair<float, char>, 2>>;
  const auto entry_of = [](int n) {
    return entry{n, {{{static_cast<float>(n) + 0.5f, 'a'}, {static_cast<float>(n), 'b'}}}};
  };
  wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<entry, 1> f(grid.comm(), {3}, 1);
  for (int i = 0; i < 3; ++i) f(i) = entry_of(test.rank * 10 + i);
  wherry::halo_exchange exchange(grid, f);
  exchange();
  CHECK(f(-1) == entry_of((test.rank + test.size - 1) % test.size * 10 + 2));
}
