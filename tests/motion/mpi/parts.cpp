// Movers whose grids become ready one by one, said by one thread or by several.
#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "motion/mpi/run.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

/// What leaves this rank's grids, as those see it who compute them.
class computed_grids {
 public:
  computed_grids(const motion_case& what, const array_memory& source) : source_(source), values_(source.grids.size()) {
    std::set<std::pair<int, place>> arriving;
    if (what.endogenous)
      for (const auto& m : what.moves) arriving.emplace(m.to, m.destination);
    for (const auto& m : what.moves)
      if (const auto* grid = source.find(m.from); grid != nullptr && !arriving.contains({m.from, m.source}))
        for (int c = 0; c < source.components; ++c)
          for (int b = 0; b < source.element; ++b) {
            std::byte* const at = grid->at(m.source, c) + b;
            values_[static_cast<std::size_t>(grid - source.grids.data())].push_back({at, *at});
          }
  }
  std::size_t size() const { return values_.size(); }
  /// As if nothing were computed yet.
  void spoil() const {
    for (const auto& grid : values_)
      for (const auto& v : grid) *v.at = ~v.value;
    source_.to_device();
  }
  /// By any thread: others compute other grids, which may lie in the same memory.
  void compute(int grid) const {
    const auto& values = values_[static_cast<std::size_t>(grid)];
    for (const auto& v : values) *v.at = v.value;
    if (source_.on_device.empty()) return;
    for (std::size_t i = 0, end = 0; i < values.size(); i = end) {
      for (end = i + 1; end < values.size() && values[end].at == values[end - 1].at + 1;) ++end;
      wherry::copy_on_device(on_device(values[i].at), values[i].at, end - i);
    }
  }

 private:
  struct one_byte {
    std::byte* at;
    std::byte value;
  };
  std::byte* on_device(const std::byte* image) const {
    for (std::size_t i = 0; i < source_.pieces.size(); ++i) {
      const auto offset = image - source_.pieces[i].data();
      if (offset >= 0 && offset < std::ssize(source_.pieces[i])) return source_.on_device[i] + offset;
    }
    throw std::logic_error("a cell that lies nowhere");
  }
  const array_memory& source_;
  std::vector<std::vector<one_byte>> values_;
};

/// Some grids by this thread, which looks after the mover now and then, or all by two others while it waits.
void compute_all(wherry::mover& mover, const computed_grids& work, random_numbers& random) {
  std::vector<int> order(work.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  const auto compute = [&](int grid) {
    work.compute(grid);
    mover.ready(grid);
  };
  if (random.chance(60)) {
    for (const int grid : order) {
      compute(grid);
      if (random.chance(20)) CHECK(!mover.test() || grid == order.back());
    }
    return mover.wait();
  }
  std::vector<std::jthread> team;
  for (std::size_t t = 0; t < 2; ++t)
    team.emplace_back([&, t] {
      for (std::size_t i = t; i < order.size(); i += 2) compute(order[i]);
    });
  mover.wait();
}

}  // namespace

WHERRY_TEST(random_motions_in_parts, ranks(1, 2, 3, 4, 8).not_simulated("threads")) {
  const carriers by(test);
  for_each_case(test, 400, [&](random_case& now) {
    auto what = random_motion_case(now.random, test.size, {.dimensions = 3});
    what.in_parts = true;
    const wherry::communicator comm(by.choose(what, now));
    log(now.title + ", " + what.transport + ": " + what.text());
    const auto live = bind(what, comm);
    random_numbers mine(hash(now.number, test.rank));
    for (int round = 1; round <= 3; ++round) {
      const bool others = round == 2;
      motion_under_way motion(what, live, any_bytes(what.element), others, round);
      const computed_grids work(what, others ? live.other_source : live.source);
      work.spoil();
      live.start_in_parts(others);
      compute_all(*live.mover, work, mine);
      motion.check(now.title + ", in parts, round " + std::to_string(round));
    }
  });
}

// Two sources of different floor plans, of which one has no grids here, and stages: ghost cells of x before those of y.
WHERRY_TEST(several_sources_have_their_grids_ready_together, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const wherry::domain<1> space = wherry::domain<1>::torus({{0}, {4 * test.size}});
  wherry::floor_plan<1> two_each, one;
  for (int b = 0; b < 2 * test.size; ++b) two_each.add({{2 * b}, {2 * b + 2}}, b / 2);
  one.add(space.cells, test.size - 1);
  wherry::x_array<double, 1> u(comm, two_each, {.ghost_width = 1}), v(comm, one, {.ghost_width = 1});
  const auto halo_of = [&](const auto& a) { return wherry::halo_motion(a.plan(), wherry::halo_widths<1>(1), space); };
  wherry::mover fill(wherry::mover_stages{{{halo_of(u), u, u}}, {{halo_of(v), v, v}}}, {.in_parts = true});
  for (int round = 1; round <= 3; ++round) {
    fill.start_in_parts();
    for (int i = 0; i < 2; ++i) {
      for (const auto* array : {&u, &v})
        if (static_cast<std::size_t>(i) < array->blocks().size()) CHECK(!fill.test());
      for (auto* array : {&u, &v})
        if (static_cast<std::size_t>(i) < array->blocks().size()) {
          const auto& [number, cells, values] = array->blocks()[static_cast<std::size_t>(i)];
          for_each_point(cells,
                         [&, &at = values](const auto& p) { at[p] = 100.0 * round + static_cast<double>(p[0]); });
        }
      fill.ready(i);
    }
    fill.wait();
    for (auto* array : {&u, &v})
      for (const auto& [number, cells, values] : array->blocks()) {
        const auto last = space.cells.upper[0];
        CHECK_EQUAL(values(cells.lower[0] - 1),
                    100.0 * round + static_cast<double>((cells.lower[0] - 1 + last) % last));
        CHECK_EQUAL(values(cells.upper[0]), 100.0 * round + static_cast<double>(cells.upper[0] % last));
      }
  }
}

// Empty grids begin where the next one does: they are ready at once, which says nothing of that one.
WHERRY_TEST(empty_grids_let_nothing_leave, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  constexpr int each = 24;
  wherry::floor_plan<1> plan;
  wherry::index_t end = 0;
  for (int b = 0; b < each * test.size; ++b) {
    const wherry::index_t cells = b % 3 == 0 ? 0 : 2;
    plan.add({{end}, {end + cells}}, b / each);
    end += cells;
  }
  wherry::x_array<double, 1> u(comm, plan, {.ghost_width = 1}), v(comm, plan, {.ghost_width = 1});
  // Each grid goes to itself, a message of its own or a copy; those of other ranks' grids to the next rank's.
  wherry::motion_plan<1> next;
  for (int b = 0; b < each * test.size; ++b) {
    const int to = (b + each) % (each * test.size);
    next.add({b, to, plan[b], plan[to]});
  }
  wherry::mover move(next, u, v, {.in_parts = true});
  for (int late = 0; late < each; ++late) {
    for (const auto& [number, cells, values] : u.blocks())
      for_each_point(cells, [&, &at = values](const auto& p) { at[p] = -1; });
    move.start_in_parts();
    const auto compute = [&](int i) {
      const auto& [number, cells, values] = u.blocks()[static_cast<std::size_t>(i)];
      for_each_point(cells, [&, &at = values](const auto& p) { at[p] = 100.0 * late + static_cast<double>(p[0]); });
      move.ready(i);
    };
    for (int i = 0; i < each; ++i)
      if (i != late) compute(i);
    CHECK(!move.test());
    compute(late);
    move.wait();
    const auto shift = static_cast<double>(end / test.size);
    for (const auto& [number, cells, values] : v.blocks())
      for_each_point(cells, [&, &at = values](const auto& p) {
        const auto from = static_cast<double>(p[0]) - shift;
        CHECK_EQUAL(at[p], 100.0 * late + (from < 0 ? from + static_cast<double>(end) : from));
      });
  }
}

// Who gives up, by `abandon`, by an exception or by the end of the mover's scope, keeps nobody, and what arrives late
// goes nowhere: the others' movers end when all their own grids are ready, and new ones move what they should.
WHERRY_TEST(movers_given_up_between_parts, ranks(1, 2, 3, 4, 8).not_simulated("threads")) {
  const carriers by(test);
  for_each_case(test, 200, [&](random_case& now) {
    auto what = random_motion_case(now.random, test.size, {.dimensions = 2});
    what.in_parts = true;
    const bool all = now.random.chance(30);
    const int who = now.random.between(0, test.size - 1), how = now.random.between(0, 2);
    const wherry::communicator comm(by.choose(what, now));
    log(now.title + ", " + what.transport + ": " + what.text());
    random_numbers mine(hash(now.number, test.rank));
    auto given_up = bind(what, comm);
    const int grids = static_cast<int>(given_up.source.grids.size());
    const bool gives_up = all || test.rank == who;
    try {
      const auto mover = std::exchange(given_up.mover, nullptr);
      given_up.start_in_parts(false);
      const int ready = gives_up ? mine.between(0, grids) : grids;
      for (int grid = 0; grid < ready; ++grid) mover->ready(grid);
      if (!gives_up) mover->wait();
      if (gives_up && how == 0) mover->abandon();
      if (gives_up && how == 1) throw std::runtime_error("not today");
    } catch (const std::runtime_error& thrown) {
      CHECK_EQUAL(std::string(thrown.what()), "not today");
    }
    given_up.destination.fill(7, any_bytes(what.element));  // the user's again
    const expected_bytes kept(given_up.destination);
    const auto live = bind(what, comm);
    motion_under_way motion(what, live, any_bytes(what.element), false, 1);
    const computed_grids work(what, live.source);
    work.spoil();
    live.start_in_parts(false);
    compute_all(*live.mover, work, mine);
    motion.check(now.title + ", after one was given up");
    MPI_Barrier(test.comm);
    if (const auto damage = kept.difference()) FAIL(now.title + ", arrays of what was given up: " + *damage);
  });
}

WHERRY_TEST(wrong_parts_of_movers, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  wherry::floor_plan<1> plan;
  for (int b = 0; b < test.size; ++b) plan.add({{2 * b}, {2 * b + 2}}, b);
  wherry::x_array<double, 1> u(comm, plan, {.ghost_width = 1});
  const auto halo = wherry::halo_motion(plan, wherry::halo_widths<1>(1), {});
  const auto refused = [&](error_kind kind, const std::string& words, auto&& call) {
    all_throw(test, words, kind, words, call);
  };
  wherry::mover whole(halo, u, u);
  refused(error_kind::state, "'divide' was not called", [&] { whole.start_in_parts(); });
  refused(error_kind::argument, "'snapshot' cannot be used with parts",
          [&] { wherry::mover(halo, u, u, {.carry = {.snapshot = true}, .in_parts = true}); });
  wherry::mover fill(halo, u, u, {.in_parts = true});
  refused(error_kind::state, "was not started in parts", [&] { fill.ready(0); });
  fill.start_in_parts();
  refused(error_kind::argument, "'part' is 1; there are 1 parts", [&] { fill.ready(1); });
  fill.ready(0);
  fill.wait();
  fill();  // all at once, as ever
}
