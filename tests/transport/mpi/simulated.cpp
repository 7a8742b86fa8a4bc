// What must hold on hundreds of ranks, which a simulator gives us: ./run test --mpi simgrid. Runs on a few real ones
// too.
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "halo/regular_floor_plan.hpp"
#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::index_t;
using wherry::point;

namespace {

double value(const point<3>& p) { return static_cast<double>((p[0] * 1000 + p[1]) * 1000 + p[2]); }

/// A duplicate of the test's communicator cut into nodes of so many ranks; 0: what shares memory.
class cut_into_nodes {
 public:
  cut_into_nodes(MPI_Comm comm, const std::string& size) {
    const setting node_size("node_size", size, "0");
    MPI_Comm_dup(comm, &comm_);
    wherry::communicator made(comm_);
  }
  ~cut_into_nodes() { MPI_Comm_free(&comm_); }
  cut_into_nodes(const cut_into_nodes&) = delete;
  cut_into_nodes& operator=(const cut_into_nodes&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Fills all halos twice; each cell must hold the value of the global cell that it stands for.
void fill_and_check(MPI_Comm comm, const std::string& transport, const point<3>& cells, index_t width) {
  const wherry::process_grid grid(comm, {.periodic = {true, true, true}});
  const auto mine = wherry::owned_box<3>(grid, cells);
  wherry::field<double, 3> u(grid.comm(), mine.extents(), width);
  wherry::halo_options options;
  options.carry.transport = transport;
  wherry::halo_exchange exchange(grid, options, u);
  const bool empty = std::ranges::any_of(mine.extents(), [](index_t n) { return n == 0; });
  for (int round = 1; round <= 2; ++round) {
    wherry::for_each_point(u.whole(), [&](const auto& p) { u[p] = -1; });
    const auto global = [&](const point<3>& p) {
      point<3> at{};
      for (std::size_t d = 0; d < 3; ++d) at[d] = (mine.lower[d] + p[d] + cells[d]) % cells[d];
      return round * value(at);
    };
    wherry::for_each_point(u.core(), [&](const auto& p) { u[p] = global(p); });
    exchange();
    if (empty) continue;
    long wrong = 0;
    wherry::for_each_point(u.whole(), [&](const auto& p) { wrong += u[p] != global(p) ? 1 : 0; });
    if (fault(wrong > 0))
      FAIL(transport + ": " + std::to_string(wrong) + " wrong cells in round " + std::to_string(round));
  }
}

}  // namespace

WHERRY_TEST(halos_over_all_transports, ranks(2, 4, 8)) {
  const cut_into_nodes comm(test.comm, "1");
  for (const auto& name : usable_transports(comm.get())) {
    test.note(name);
    fill_and_check(comm.get(), name, {21, 19, 18}, 1);
  }
}

// Mixed lanes: shared memory inside a node, messages between nodes. On one node also every transport inside of it.
WHERRY_TEST(halos_on_nodes, ranks(2, 4, 8)) {
  for (const auto& size : {"4", "0"}) {
    const cut_into_nodes comm(test.comm, size);
    fill_and_check(comm.get(), "auto", {21, 19, 18}, 1);
    const bool shared = std::ranges::count(usable_transports(comm.get()), "shared") > 0;
    if (shared) fill_and_check(comm.get(), "shared", {21, 19, 18}, 1);
  }
}

// Of so few cells some ranks get more than others, and on many ranks some get none.
WHERRY_TEST(uneven_and_empty_subdomains, ranks(2, 4, 8)) {
  fill_and_check(test.comm, "auto", {17, 5, 4}, 1);
  fill_and_check(test.comm, "two_sided", {3, 3, 3}, 1);
}

WHERRY_TEST(scattered_and_gathered, ranks(2, 4, 8)) {
  const wherry::process_grid grid(test.comm, {.periodic = {false, true, false}});
  const point<3> cells{20, 18, 16};
  const int root = test.size - 1;
  const auto mine = wherry::owned_box<3>(grid, cells);
  std::vector<double> memory(test.rank == root ? 20 * 18 * 16 : 0, -2.0);
  const auto all = test.rank == root ? wherry::view<double, 3>(memory.data(), cells, wherry::c_layout<3>())
                                     : wherry::view<double, 3>{};
  if (test.rank == root) wherry::for_each_point(all.whole(), [&](const auto& p) { all[p] = value(p); });
  wherry::field<double, 3> u(grid.comm(), mine.extents(), 1);
  wherry::scatter_exchange scatter(grid, all, u, {.root = root});
  wherry::gather_exchange gather(grid, u, all, {.root = root});
  scatter();
  wherry::for_each_point(u.core(), [&](const auto& p) {
    CHECK_EQUAL(u[p], value({p[0] + mine.lower[0], p[1] + mine.lower[1], p[2] + mine.lower[2]}));
    u[p] += 0.5;
  });
  gather();
  if (test.rank == root)
    wherry::for_each_point(all.whole(), [&](const auto& p) { CHECK_EQUAL(all[p], value(p) + 0.5); });

  std::vector<double> word(100, test.rank == root ? 3.0 : 0.0);
  const wherry::view<double, 1> everywhere(word.data(), point<1>{100});
  wherry::bcast_exchange broadcast(grid, {.root = root}, everywhere);
  broadcast();
  for (const double w : word) CHECK_EQUAL(w, 3.0);
}

// Every rank reads one element of each of three others.
WHERRY_TEST(ghosts_of_an_unstructured_mesh, ranks(2, 4, 8)) {
  constexpr int owned = 8;
  const wherry::communicator comm(test.comm);
  std::vector<wherry::ghost> ghosts;
  std::vector<double> u(owned + 3, -1);
  std::iota(u.begin(), u.begin() + owned, 100.0 * test.rank);
  std::vector<double> expected;
  for (const int step : {1, 7, 60}) {
    const int owner = (test.rank + step) % test.size, element = step % owned;
    if (owner == test.rank) continue;
    ghosts.push_back({owner, element, static_cast<index_t>(owned + expected.size())});
    expected.push_back(100.0 * owner + element);
  }
  wherry::index_exchange exchange(comm, wherry::resolve_ghosts(comm, ghosts), u);
  exchange();
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK_EQUAL(u[owned + i], expected[i]);
}

// A rank looks at its neighbours, not at all ranks, and more ranks do not make it look at more.
WHERRY_TEST(a_rank_plans_its_own_part_only, ranks(8)) {
  const auto before = wherry::regular_floor_plan::lookups();
  fill_and_check(test.comm, "auto", {24, 24, 24}, 1);
  CHECK(wherry::regular_floor_plan::lookups() - before < 5000);
}

// SimGrid takes long for the windows of so many ranks.
WHERRY_TEST(halos_over_windows, ranks(2, 4, 8)) { fill_and_check(test.comm, "one_sided", {21, 19, 18}, 1); }
