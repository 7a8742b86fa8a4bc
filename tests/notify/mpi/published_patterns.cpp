// Layouts of other patterns than halos of regular grids: what a mover of blocks brings, and an exchange by lists of
// indices, they bring as well.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "wherry/blocks/blocks.hpp"
#include "wherry/core/node_allocator.hpp"
#include "wherry/halo/halo.hpp"
#include "wherry/halo/index_exchange.hpp"
#include "wherry/motion/mover.hpp"
#include "wherry/motion/x_array.hpp"
#include "wherry/notify/published_layouts.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

template <class Array> void fill(Array& array, std::uint64_t seed, int rank, int step) {
  std::uint64_t place = 0;
  for (const auto& [number, cells, values] : array.blocks())
    for_each_point(values.cells(),
                   [&](const auto& p) { values[p] = static_cast<double>(hash(seed, rank, step, place++) % 100'000); });
}

template <class Array> std::vector<double> contents(const Array& array) {
  std::vector<double> all;
  for (const auto& [number, cells, values] : array.blocks())
    for_each_point(values.cells(), [&](const auto& p) { all.push_back(values[p]); });
  return all;
}

void compare_with_mover(const context& test, MPI_Comm users, random_case& one) {
  const wherry::communicator comm(users);
  wherry::point<2> cells{one.random.between(8, 40), one.random.between(8, 200)};
  const auto space = wherry::domain<2>::torus(wherry::box_of_extents<2>(cells));
  const auto plan = wherry::decompose<2>(space.cells, comm.size(),
                                         {.largest = {one.random.between(3, 20), one.random.between(3, 90)}});
  const int ghost = one.random.between(1, 2);
  wherry::x_array<double, 2> now(comm, plan, {.ghost_width = ghost}), next(comm, plan, {.ghost_width = ghost}),
      wanted(comm, plan, {.ghost_width = ghost});
  auto fill_ghosts = wherry::ghost_filler(wanted, space);
  wherry::published_layouts layouts(comm, fill_ghosts.schedule());
  const auto seed = one.random.next();
  for (int step = 0; step < 5; ++step) {
    fill(now, seed, test.rank, step);
    fill(wanted, seed, test.rank, step);
    fill_ghosts();
    layouts.publish(now.memory());
    layouts.read(now.memory());
    if (fault(contents(now) != contents(wanted))) FAIL(one.title + ": step " + std::to_string(step) + " differs");
    layouts.await_readers();
    std::swap(now, next);
  }
}

/// Each rank has elements that some others want, in any order, some of them several times.
void compare_with_lists(const context& test, MPI_Comm users, random_case& one) {
  const wherry::communicator comm(users);
  const int own = one.random.between(1, 60);
  random_numbers mine(hash(one.random.next(), test.rank, 0, 0));
  std::vector<wherry::ghost> wanted_of_others;
  for (int i = mine.between(0, 40); i > 0; --i)
    wanted_of_others.push_back({mine.between(0, comm.size() - 1), mine.between(0, own - 1),
                                own + static_cast<wherry::index_t>(wanted_of_others.size())});
  const auto lists = wherry::resolve_ghosts(comm, wanted_of_others);
  const auto all = static_cast<std::size_t>(own) + wanted_of_others.size();
  std::vector<double> users_own(all), wanted(all);
  wherry::node_vector<double> shared(all, comm);
  wherry::index_exchange exchange(comm, lists, wanted);
  wherry::published_layouts layouts(comm, exchange.schedule());
  const auto seed = one.random.next();
  for (int step = 0; step < 5; ++step) {
    double* const now = step % 2 == 0 ? users_own.data() : shared.data();
    for (std::size_t i = 0; i < all; ++i)
      now[i] = wanted[i] = static_cast<double>(hash(seed, test.rank, step, i) % 100'000);
    exchange(wanted);
    void* const table[] = {now};
    layouts.publish(table);
    layouts.read(table);
    if (fault(std::vector<double>(now, now + all) != wanted))
      FAIL(one.title + ": step " + std::to_string(step) + " differs");
    layouts.await_readers();
  }
}

constexpr wherry::index_t side = 40, members = 5;

/// Members of cells side by side: their rows are 8 bytes long.
struct structures {
  explicit structures(const wherry::process_grid& grid)
      : all(grid.comm(), {side, side, members}, {{1, 1, 0}, {1, 1, 0}}, {.layout = wherry::layout<3>{{1, 2, 0}}}) {}

  std::vector<wherry::halo_field> fields() {
    const auto& stride = all.strides();
    const auto cells = all.whole().extents();
    const wherry::halo_descriptor halo{1, 1, 1, side, side + 2};
    std::vector<wherry::halo_field> result;
    for (wherry::index_t m = 0; m < members; ++m) {
      const wherry::view<double, 2> one(all.data() + m * stride[2], {cells[0], cells[1]},
                                        wherry::point<2>{stride[0], stride[1]}, all.space());
      result.push_back(halo_of(wherry::halo_view<double, 2>(one, {halo, halo})));
    }
    return result;
  }
  template <class Visit> void for_each_value(const Visit& visit) {
    const auto& stride = all.strides();
    for (wherry::index_t y = 0; y < side + 2; ++y)
      for (wherry::index_t x = 0; x < side + 2; ++x)
        for (wherry::index_t m = 0; m < members; ++m) visit(all.data()[x * stride[0] + y * stride[1] + m * stride[2]]);
  }
  void fill(const context& test) {
    std::uint64_t place = 0;
    for_each_value(
        [&](double& value) { value = static_cast<double>(hash(test.seed, test.rank, 1, place++) % 100'000); });
  }
  std::vector<double> values() {
    std::vector<double> result;
    for_each_value([&](double value) { result.push_back(value); });
    return result;
  }

  wherry::field<double, 3> all;
};

}  // namespace

WHERRY_TEST(members_of_structures_are_read_in_place, ranks(1, 2, 3, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  structures f(grid), wanted(grid);
  const auto fields = f.fields();
  wherry::halo_exchange reference(grid, {.carry = {.transport = "reference"}}, wanted.fields());
  wherry::published_layouts layouts(grid.comm(), wherry::halo_exchange(grid, {}, fields).schedule());
  const auto& comm = grid.comm();
  const bool all_are_near = comm.node_ranks().size() == static_cast<std::size_t>(comm.size());
  if (test.size > 1 && all_are_near && comm.arena() != nullptr && std::getenv("WHERRY_ONE_COPY_ROW") == nullptr)
    CHECK_EQUAL(layouts.transport(), std::string("read in place"));
  std::vector<void*> table;
  for (const auto& one : fields) table.push_back(one.data);
  f.fill(test);
  wanted.fill(test);
  layouts.publish(table);
  layouts.read(table);
  reference();
  CHECK(f.values() == wanted.values());
  layouts.await_readers();
}

WHERRY_TEST(published_layouts_bring_what_a_mover_brings, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for (const char* row : {"0", "1"}) {
    const setting in_place("one_copy_row", row, "0");
    for_each_case(test, 8, [&](random_case& one) { compare_with_mover(test, nodes.pick(one.random), one); });
  }
}

WHERRY_TEST(published_layouts_bring_what_index_lists_bring, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for (const char* row : {"0", "1"}) {
    const setting in_place("one_copy_row", row, "0");
    for_each_case(test, 8, [&](random_case& one) { compare_with_lists(test, nodes.pick(one.random), one); });
  }
}
