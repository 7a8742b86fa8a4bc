// Floor plans without a replicated list: each rank's motion plan is the one that the complete floor plan gives, movers
// on them move the same, and what a rank sends does not grow with the ranks.
#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

#include "wherry/wherry.hpp"

#include "motion/rendezvous.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

// ------------------------------------------------------------------------------------------------------- random cases

// Boxes anywhere near the domain; where they do not overlap, they are what one cuts a domain into. Some ranks have
// none.
template <int N> struct random_boxes {
  wherry::domain<N> space;
  wherry::halo_widths<N> reach{0};
  std::vector<wherry::box<N>> boxes;
  std::vector<int> owners;

  random_boxes(random_numbers& random, int ranks, bool overlapping) {
    for (std::size_t d = 0; d < N; ++d) {
      space.cells.lower[d] = random.between(-9, 9);
      space.cells.upper[d] = space.cells.lower[d] + random.between(3, N == 1 ? 60 : 14);
      space.periodic[d] = random.chance(60);
      reach.minus[d] = random.between(0, 3);
      reach.plus[d] = random.between(0, 3);
    }
    if (overlapping)
      scatter(random, random.between(0, 12 * ranks));
    else
      cut(random, space.cells, random.between(0, 5));
    random.shuffle(boxes);
    std::vector<int> idle;
    for (int r = 0; r < ranks; ++r)
      if (random.chance(20)) idle.push_back(r);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const int owner = random.between(0, ranks - 1);
      owners.push_back(std::ranges::count(idle, owner) > 0 ? 0 : owner);
    }
    std::ranges::stable_sort(owners);  // numbers go from rank to rank
  }

  std::vector<wherry::box<N>> of(int rank) const {
    std::vector<wherry::box<N>> mine;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (owners[i] == rank) mine.push_back(boxes[i]);
    return mine;
  }
  wherry::floor_plan<N> complete() const { return {boxes, owners}; }

 private:
  void scatter(random_numbers& random, int count) {
    for (int i = 0; i < count; ++i) {
      wherry::box<N> b;
      for (std::size_t d = 0; d < N; ++d) {
        b.lower[d] =
            random.between(static_cast<int>(space.cells.lower[d]) - 4, static_cast<int>(space.cells.upper[d]) + 4);
        b.upper[d] = b.lower[d] + (random.chance(5) ? random.between(0, 30) : random.between(0, 5));
      }
      boxes.push_back(b);
    }
  }
  void cut(random_numbers& random, const wherry::box<N>& all, int depth) {
    const auto d = static_cast<std::size_t>(random.between(0, N - 1));
    if (depth == 0 || all.extent(static_cast<int>(d)) < 2) {
      if (!random.chance(10)) boxes.push_back(all);
      if (random.chance(5)) boxes.push_back({all.lower, all.lower});
      return;
    }
    auto low = all, high = all;
    low.upper[d] = high.lower[d] =
        random.between(static_cast<int>(all.lower[d]) + 1, static_cast<int>(all.upper[d]) - 1);
    cut(random, low, depth - 1);
    cut(random, high, depth - 1);
  }
};

template <int N> auto key(const wherry::motion<N>& e) {
  return std::tuple(e.to, e.from, e.destination.lower, e.destination.upper, e.source.lower, e.source.upper);
}
template <int N> auto sorted(const wherry::motion_plan<N>& plan) {
  std::vector<wherry::motion<N>> entries(plan.begin(), plan.end());
  std::ranges::sort(entries, [](const auto& a, const auto& b) { return key(a) < key(b); });
  return entries;
}

// All pairs: the numbers of the boxes of others that touch one of `rank`'s within the reach, or that one of its
// reaches.
template <int N> std::vector<int> expected_numbers(const random_boxes<N>& given, int rank) {
  std::set<int> numbers;
  const auto touches = [&](const wherry::box<N>& a, const wherry::box<N>& b) {
    bool result = false;
    for_each_image(given.space, b, grow<N>(a, given.reach.minus, given.reach.plus),
                   [&](const auto&) { result = true; });
    return result;
  };
  for (std::size_t i = 0; i < given.boxes.size(); ++i)
    for (std::size_t k = 0; k < given.boxes.size(); ++k)
      if (given.owners[i] == rank &&
          (k == i || touches(given.boxes[i], given.boxes[k]) || touches(given.boxes[k], given.boxes[i])))
        numbers.insert(static_cast<int>(k));
  return {numbers.begin(), numbers.end()};
}

template <int N> std::vector<int> known_numbers(const wherry::floor_plan<N>& plan) {
  std::vector<int> numbers;
  for (int place = 0; place < plan.known(); ++place) numbers.push_back(plan.number_of(place));
  return numbers;
}

template <int N> void check_halo(const wherry::communicator& comm, const random_boxes<N>& given) {
  const auto complete = given.complete();
  const auto plan = distributed_floor_plan(comm, given.of(comm.rank()), given.reach, given.space);
  CHECK_EQUAL(plan.size(), complete.size());
  CHECK_EQUAL(known_numbers(plan), complete.size() == 0 ? std::vector<int>{} : expected_numbers(given, comm.rank()));
  for (int place = 0; place < plan.known(); ++place) {
    CHECK(plan.boxes()[static_cast<std::size_t>(place)] == complete[plan.number_of(place)]);
    CHECK_EQUAL(plan.owners()[static_cast<std::size_t>(place)], complete.owner(plan.number_of(place)));
  }
  for (const auto& stencil : {wherry::stencil_shape::all(), wherry::stencil_shape::faces()})
    CHECK(sorted(halo_motion(plan, given.reach, given.space, stencil).plan(comm.rank())) ==
          sorted(halo_motion(complete, given.reach, given.space, stencil).plan(comm.rank())));
}

template <int N>
void check_redistribution(const wherry::communicator& comm, const random_boxes<N>& a, const random_boxes<N>& b) {
  const auto from = distributed_floor_plan(comm, a.of(comm.rank())),
             to = distributed_floor_plan(comm, b.of(comm.rank()));
  CHECK_EQUAL(from.known(), static_cast<int>(a.of(comm.rank()).size()));
  const auto both = resolve(comm, from, to, a.space);
  CHECK(sorted(redistribution(both.from, both.to, a.space).plan(comm.rank())) ==
        sorted(redistribution(a.complete(), b.complete(), a.space).plan(comm.rank())));
  const auto open = wherry::resolve(comm, from, to);
  CHECK(sorted(redistribution(open.from, open.to).plan(comm.rank())) ==
        sorted(redistribution(a.complete(), b.complete()).plan(comm.rank())));
}

template <int N> void random_plans(random_case& now, const wherry::communicator& comm) {
  const random_boxes<N> a(now.random, comm.size(), now.random.chance(60));
  const random_boxes<N> b(now.random, comm.size(), now.random.chance(60));
  check_halo(comm, a);
  check_redistribution(comm, a, b);
}

// -------------------------------------------------------------------------------------------------------------- movers

// A value for every cell of space; images of a cell have the same.
template <int N> double value(const wherry::domain<N>& space, const wherry::point<N>& p) {
  std::uint64_t result = 1;
  for (std::size_t d = 0; d < N; ++d) {
    const index_t n = space.cells.upper[d] - space.cells.lower[d], x = p[d] - space.cells.lower[d];
    result = hash(result, space.periodic[d] ? (x % n + n) % n : x);
  }
  return static_cast<double>(result >> 12);
}

template <int N> void fill(wherry::x_array<double, N>& u, const wherry::domain<N>& space) {
  for (const auto& [number, cells, values] : u.blocks()) {
    for_each_point(values.cells(), [&](const auto& p) { values[p] = -1; });
    for_each_point(cells, [&](const auto& p) { values[p] = value(space, p); });
  }
}

// Cells that some box holds, itself or an image of it, have their values; others are as they were.
template <int N>
void check_values(const wherry::x_array<double, N>& u, const std::vector<wherry::box<N>>& sources,
                  const wherry::domain<N>& space) {
  long wrong = 0;
  for (const auto& block : u.blocks())
    for_each_point(block.values.cells(), [&](const wherry::point<N>& p) {
      wherry::box<N> one{p, p};
      for (auto& x : one.upper) ++x;
      bool held = false;
      for (const auto& b : sources) for_each_image(space, b, one, [&](const auto&) { held = true; });
      wrong += block.values[p] == (held ? value(space, p) : -1) ? 0 : 1;
    });
  CHECK_EQUAL(wrong, 0);
}

template <int N> void random_movers(random_case& now, const wherry::communicator& comm) {
  const random_boxes<N> a(now.random, comm.size(), false);
  random_boxes<N> b(now.random, comm.size(), false);
  const auto plan = distributed_floor_plan(comm, a.of(comm.rank()), a.reach, a.space);
  wherry::x_array<double, N> u(comm, plan, {.ghost_width = a.reach});
  wherry::mover ghosts(halo_motion(plan, a.reach, a.space), u, u);
  fill(u, a.space);
  ghosts();
  check_values(u, a.boxes, a.space);

  const auto both = resolve(comm, distributed_floor_plan(comm, a.of(comm.rank())),
                            distributed_floor_plan(comm, b.of(comm.rank())), a.space);
  wherry::x_array<double, N> from(comm, both.from), to(comm, both.to);
  wherry::mover move(redistribution(both.from, both.to, a.space), from, to);
  fill(from, a.space);
  for (const auto& block : to.blocks())
    for_each_point(block.values.cells(), [&](const auto& p) { block.values[p] = -1; });
  move();
  check_values(to, a.boxes, a.space);

  // An array that is there already learns of the boxes that it is to send to.
  wherry::x_array<double, N> old(comm, plan, {.ghost_width = a.reach});
  const auto again = resolve(comm, old.plan(), both.to, a.space);
  old.adopt(again.from);
  wherry::x_array<double, N> fresh(comm, again.to);
  wherry::mover leave(redistribution(again.from, again.to, a.space), old, fresh);
  fill(old, a.space);
  for (const auto& block : fresh.blocks())
    for_each_point(block.values.cells(), [&](const auto& p) { block.values[p] = -1; });
  leave();
  check_values(fresh, a.boxes, a.space);
  const std::vector<wherry::box<N>> more(a.boxes.size() + 1);
  CHECK_THROWS_WITH(old.adopt({more, wherry::owner_map(more.size(), 0)}), "gives this rank other boxes");
}

}  // namespace

WHERRY_TEST(random_distributed_plans, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  for_each_case(test, 600, [&](random_case& now) {
    random_plans<1>(now, comm);
    random_plans<2>(now, comm);
    random_plans<3>(now, comm);
    if (now.number % 8 == 0) random_plans<4>(now, comm);
  });
}

WHERRY_TEST(random_movers_on_distributed_plans, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  for_each_case(test, 300, [&](random_case& now) {
    random_movers<2>(now, comm);
    random_movers<3>(now, comm);
  });
}

WHERRY_TEST(a_plan_learns_more_later, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const index_t at = 4 * comm.rank();
  const auto space = wherry::domain<1>::torus({{0}, {4 * comm.size()}});
  const auto alone = distributed_floor_plan(comm, std::vector<wherry::box<1>>{{{at}, {at + 4}}});
  CHECK_EQUAL(alone.known(), 1);
  const auto near = resolve(comm, alone, wherry::halo_widths<1>(1), space);
  CHECK_EQUAL(near.known(), std::min(3, comm.size()));
  CHECK_EQUAL(resolve(comm, near, wherry::halo_widths<1>(5), space).known(), std::min(5, comm.size()));
  // A complete plan knows all already.
  wherry::floor_plan<1> complete;
  for (int r = 0; r < comm.size(); ++r) complete.add({{4 * r}, {4 * r + 4}}, r);
  CHECK(resolve(comm, complete, wherry::halo_widths<1>(1), space) == complete);
}

WHERRY_TEST(no_boxes_at_all, ranks(1, 2, 4)) {
  const wherry::communicator comm(test.comm);
  const auto space = wherry::domain<3>::torus({{0, 0, 0}, {4, 4, 4}});
  const auto plan = distributed_floor_plan(comm, std::vector<wherry::box<3>>{}, wherry::halo_widths<3>(1), space);
  CHECK_EQUAL(plan.size(), 0);
  CHECK(halo_motion(plan, wherry::halo_widths<3>(1), space).plan(comm.rank()).empty());
}

WHERRY_TEST(wrong_arguments, ranks(1, 2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const std::vector<wherry::box<2>> mine{{{0, comm.rank()}, {1, comm.rank() + 1}}};
  const auto space = wherry::domain<2>::open({{0, 0}, {1, comm.size()}});
  const index_t reach = comm.rank() == comm.size() - 1 ? -1 : 1;
  CHECK_THROWS_WITH(distributed_floor_plan(comm, mine, wherry::halo_widths<2>(reach), space),
                    "'reach' is -1 and -1 along dimension 0");
  if (comm.size() == 1) return;
  CHECK_THROWS_WITH(distributed_floor_plan(comm, mine, wherry::halo_widths<2>(1 + comm.rank()), space),
                    "the ranks disagree on the reach");
  auto other = space;
  other.periodic[1] = comm.rank() == 0;
  CHECK_THROWS_WITH(distributed_floor_plan(comm, mine, wherry::halo_widths<2>(1), other),
                    "the ranks disagree on the domain: its periodicity in dimension 1: it is");
  const auto plan = distributed_floor_plan(comm, mine);
  CHECK_THROWS_WITH(resolve(comm, plan, plan, other), "the ranks disagree on the domain");
}

// --------------------------------------------------------------------------------------------------------- simulation

namespace {

struct rank_costs {
  std::size_t messages = 0, boxes = 0;  // of the rank that has most of them
};

// Every rank has 4 × 4 × 4 cubes of a periodic domain of side³ ranks; all ranks' rendezvous happen in this process.
rank_costs simulate(int side) {
  const index_t width = 8, cubes = 4;
  const int ranks = side * side * side;
  const auto space = wherry::domain<3>::torus({{}, wherry::filled<3>(width * cubes * side)});
  const wherry::halo_widths<3> reach(1);
  std::vector<std::vector<wherry::known_box<3>>> mine(static_cast<std::size_t>(ranks)), present(mine.size());
  wherry::box_census<3> census;
  int number = 0;
  for (int r = 0; r < ranks; ++r)
    for_each_point(wherry::box_of_extents<3>(wherry::filled<3>(cubes)), [&](const wherry::point<3>& p) {
      const wherry::point<3> at{r % side, r / side % side, r / side / side};
      wherry::known_box<3> b{number++, r, 0, 0, {}};
      for (std::size_t d = 0; d < 3; ++d) {
        b.cells.lower[d] = (at[d] * cubes + p[d]) * width;
        b.cells.upper[d] = b.cells.lower[d] + width;
      }
      mine[static_cast<std::size_t>(r)].push_back(b);
      census.add(grow(b.cells, 1));
    });
  const wherry::meeting_places<3> places(census, space, ranks);
  std::vector<std::size_t> boxes(mine.size());
  std::vector<std::set<std::pair<int, int>>> peers(mine.size());  // (direction, peer)
  const auto send = [&](int from, int to, int way, std::size_t count) {
    peers[static_cast<std::size_t>(from)].insert({way, to});
    peers[static_cast<std::size_t>(to)].insert({way + 1, from});
    boxes[static_cast<std::size_t>(from)] += count;
    boxes[static_cast<std::size_t>(to)] += count;
  };
  for (int r = 0; r < ranks; ++r)
    for (const auto& b : mine[static_cast<std::size_t>(r)])
      for (const int home : places.homes_of(grow(b.cells, 1))) {
        present[static_cast<std::size_t>(home)].push_back(b);
        send(r, home, 0, 1);
      }
  std::vector<std::set<int>> learned(mine.size());
  for (int home = 0; home < ranks; ++home)
    for (const auto& [owner, list] :
         wherry::introduce<3>(present[static_cast<std::size_t>(home)], false, reach, space)) {
      send(home, owner, 2, list.size());
      for (const auto& b : list) learned[static_cast<std::size_t>(owner)].insert(b.number);
    }
  for (const auto& numbers : learned)  // all cubes around the rank's, but its own
    if (side > 2) CHECK_EQUAL(numbers.size(), 6 * 6 * 6 - 4 * 4 * 4);
  rank_costs most;
  for (std::size_t r = 0; r < mine.size(); ++r) {
    most.messages = std::max(most.messages, peers[r].size());
    most.boxes = std::max(most.boxes, boxes[r]);
  }
  return most;
}

}  // namespace

// What differs between rank counts is how evenly a hash spreads the bins: the fullest of 27 homes has several times the
// mean, the fullest of 1728 hardly more.
WHERRY_UNIT_TEST(costs_do_not_grow_with_the_ranks) {
  const auto few = simulate(3);
  for (const int side : {6, 12}) {
    const auto many = simulate(side);
    log("27 ranks: " + std::to_string(few.messages) + " messages, " + std::to_string(few.boxes) + " boxes; " +
        std::to_string(side * side * side) + ": " + std::to_string(many.messages) + ", " + std::to_string(many.boxes));
    CHECK(many.boxes <= 2 * few.boxes);
    CHECK(many.messages <= 216);
  }
}
