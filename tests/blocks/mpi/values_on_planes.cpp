// Values on the planes of boxes that stand anyhow: whose they are, their ghost values and copies, sums over all copies;
// against what is found value by value.
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/disjoint_boxes.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::index_t;

namespace {

template <int N> using point = wherry::point<N>;
template <int N> using box = wherry::box<N>;

/// A value of the mesh: the box whose it is, and its place there.
template <int N> using value = std::pair<int, point<N>>;

/// Disjoint boxes, some parts of the domain in none.
template <int N> struct mesh {
  wherry::domain<N> space;
  wherry::centring<N> on;
  wherry::halo_widths<N> ghost{0};
  std::vector<box<N>> boxes;
  std::vector<int> owners;  // ascending

  mesh(random_numbers& random, int ranks) {
    for (std::size_t d = 0; d < N; ++d) {
      space.cells.lower[d] = random.between(-3, 3);
      space.cells.upper[d] = space.cells.lower[d] + random.between(1, N == 1 ? 20 : 8);
      space.periodic[d] = random.chance(50);
      on.on_planes[d] = random.chance(70);
      ghost.minus[d] = random.between(0, 2);
      ghost.plus[d] = random.between(0, 2);
    }
    std::vector<box<N>> all{space.cells};
    cut_at_random<N>(random, all, random.between(0, 7));
    for (const auto& b : all)
      if (random.chance(80)) boxes.push_back(b);
    if (random.chance(10)) boxes.push_back({});
    random.shuffle(boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i) owners.push_back(random.between(0, ranks - 1));
    std::ranges::sort(owners);
  }

  /// Of the cells around a value, above before below, the first that a box has.
  std::optional<value<N>> owner_of(const point<N>& p) const {
    for (unsigned corner = 0; corner < 1u << N; ++corner) {
      point<N> cell = p, from{};
      bool there = true;
      for (std::size_t d = 0; d < N; ++d) {
        from[d] = corner >> d & 1u;
        there = there && (from[d] == 0 || on.on_planes[d]);
        cell[d] -= from[d];
      }
      if (!there) continue;
      cell = space.wrapped(cell);
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(cell)) {
          for (std::size_t d = 0; d < N; ++d) cell[d] += from[d];
          return value<N>(static_cast<int>(i), cell);
        }
    }
    return std::nullopt;
  }
  box<N> whole(std::size_t i) const { return grow<N>(values_of(boxes[i], on), ghost.minus, ghost.plus); }

  wherry::floor_plan<N> plan(const wherry::communicator& comm, bool partial) const {
    if (!partial) return wherry::floor_plan<N>(boxes, owners);
    std::vector<box<N>> mine;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (owners[i] == comm.rank()) mine.push_back(boxes[i]);
    return wherry::distributed_floor_plan<N>(comm, mine, reach_of(ghost, on), space);
  }
};

template <int N> double content(int box, const point<N>& p) {
  std::uint64_t all = hash(box, 7);
  for (const auto i : p) all = hash(all, i);
  return static_cast<double>(all % 100000);
}

template <int N> void owners_and_check(random_case& now) {
  const mesh<N> what(now.random, 3);
  const wherry::floor_plan<N> plan(what.boxes, what.owners);
  std::map<value<N>, int> found;
  for (int rank = 0; rank < 3; ++rank)
    for (const auto& part : owned_values(plan, what.on, what.space, rank)) {
      CHECK_EQUAL(plan.owner(part.number), rank);
      for_each_point(part.cells, [&](const point<N>& p) { ++found[{part.number, p}]; });
    }
  std::map<value<N>, int> expected;
  for (const auto& b : what.boxes)
    for_each_point(values_of(b, what.on), [&](const point<N>& p) { expected[what.owner_of(p).value()] = 1; });
  CHECK(found == expected);
  // What each rank makes of its motions is what all make together.
  const auto motions = halo_motion(plan, what.on, what.ghost, what.space);
  const auto all = motions.plan();
  for (int rank = 0; rank < 3; ++rank) {
    wherry::motion_plan<N> mine;
    for (const auto& e : all)
      if (plan.owner(e.from) == rank || plan.owner(e.to) == rank) mine.add(e);
    auto of_rank = motions.plan(rank);
    CHECK_EQUAL(of_rank.size(), mine.size());
    std::map<std::pair<value<N>, value<N>>, int> pairs;  // value by value
    const auto count = [&](const wherry::motion_plan<N>& plan_of, int sign) {
      for (const auto& e : plan_of)
        for_each_point(e.destination, [&](point<N> to) {
          auto from = to;
          for (std::size_t d = 0; d < N; ++d) from[d] += e.source.lower[d] - e.destination.lower[d];
          CHECK(e.source.contains(from));
          pairs[{{e.from, from}, {e.to, to}}] += sign;
        });
    };
    count(mine, 1);
    count(of_rank, -1);
    for (const auto& [pair, left] : pairs) CHECK_EQUAL(left, 0);
  }
}

template <int N> wherry::cell_direction way_from(const box<N>& core, const point<N>& p) {
  wherry::cell_direction way{};
  for (std::size_t d = 0; d < N; ++d) way[d] = p[d] < core.lower[d] ? -1 : p[d] >= core.upper[d] ? 1 : 0;
  return way;
}

template <int N> void fill_and_check(random_case& now, MPI_Comm where) {
  const wherry::communicator comm(where);
  const mesh<N> what(now.random, comm.size());
  const bool partial = now.random.chance(50);
  const auto transport = now.random.one_of(usable_transports(where));
  const wherry::x_array_options<N> how{.ghost_width = what.ghost, .centring = what.on};
  wherry::x_array<double, N> u(comm, what.plan(comm, partial), how);
  for (const auto& [number, values, grid] : u.blocks()) {
    CHECK(values == values_of(what.boxes[static_cast<std::size_t>(number)], what.on));
    for_each_point(grid.cells(), [&, &g = grid](const point<N>& p) { g[p] = -1; });
    for_each_point(values, [&, &g = grid, n = number](const point<N>& p) { g[p] = content<N>(n, p); });
  }
  const setting check("check", now.random.chance(30) ? "1" : "0", "0");
  const auto stencil = now.random.one_of(std::vector{wherry::stencil_shape::all(), wherry::stencil_shape::faces(),
                                                     wherry::stencil_shape::only({{1, -1}, {-1}, {0, 1}})});
  const index_t packet = transport == "two_sided" ? now.random.one_of({0, 8, 64}) : 0;
  auto fill = wherry::ghost_filler(u, what.space,
                                   {.stencil = stencil, .carry = {.transport = transport, .packet_bytes = packet}});
  for (int again = 0; again < 2; ++again) {
    fill();
    long wrong = 0;
    for (const auto& [number, values, grid] : u.blocks())
      for_each_point(grid.cells(), [&, &own = values, &g = grid](const point<N>& p) {
        const auto owner = what.owner_of(p);
        const bool filled = owner && (own.contains(p) || stencil.contains(way_from<N>(own, p)));
        wrong += g[p] != (filled ? content<N>(owner->first, owner->second) : -1);
      });
    CHECK_EQUAL(wrong, 0);
  }

  // Sums over all copies, ghost values too, of whole numbers: exact in any order.
  std::map<value<N>, double> sums;
  for (std::size_t i = 0; i < what.boxes.size(); ++i)
    for_each_point(what.whole(i), [&](const point<N>& p) {
      if (const auto owner = what.owner_of(p)) sums[*owner] += content<N>(static_cast<int>(i), p);
    });
  for (const auto& [number, values, grid] : u.blocks())
    for_each_point(grid.cells(), [&, &g = grid, n = number](const point<N>& p) { g[p] = content<N>(n, p); });
  const bool in_parts = now.random.chance(30);
  auto add_up = wherry::ghost_filler(u, what.space,
                                     {.combine_copies = std::plus<>{},
                                      .contributing = what.ghost,
                                      .carry = {.transport = transport},
                                      .in_parts = in_parts});
  if (in_parts) {
    add_up.start_in_parts();
    for (int i = 0; i < std::ssize(u.blocks()); ++i) add_up.ready(i);
    add_up.wait();
  } else {
    add_up();
  }
  long wrong = 0;
  for (const auto& [number, values, grid] : u.blocks())
    for_each_point(grid.cells(), [&, &g = grid, n = number](const point<N>& p) {
      const auto owner = what.owner_of(p);
      wrong += g[p] != (owner ? sums.at(*owner) : content<N>(n, p));
    });
  CHECK_EQUAL(wrong, 0);

  // To boxes that stand otherwise.
  mesh<N> other = what;
  other.boxes.clear();
  other.owners.clear();
  box<N> all = values_of(what.space, what.on).cells;
  const auto d = static_cast<std::size_t>(now.random.between(0, N - 1));
  for (index_t at = all.lower[d]; at < all.upper[d]; at += 2) {
    auto slab = all;
    slab.lower[d] = at;
    slab.upper[d] = std::min(all.upper[d], at + 3);  // they overlap
    other.boxes.push_back(slab);
    other.owners.push_back(std::min<int>(comm.size() - 1, static_cast<int>((at - all.lower[d]) / 4)));
  }
  other.on = {};
  other.ghost = 0;
  const auto to = other.plan(comm, partial);
  const auto both = resolve(comm, u.plan(), what.on, to, what.space);
  u.adopt(both.from);
  wherry::x_array<double, N> v(comm, both.to);
  for (const auto& [number, values, grid] : v.blocks())
    for_each_point(values, [&, &g = grid](const point<N>& p) { g[p] = -1; });
  wherry::mover move(redistribution(both.from, what.on, both.to, what.space), u, v,
                     {.carry = {.transport = transport}});
  move();
  for (const auto& [number, values, grid] : v.blocks())
    for_each_point(values, [&, &g = grid](const point<N>& p) {
      const auto owner = what.owner_of(p);
      wrong += g[p] != (owner ? sums.at(*owner) : -1);
    });
  CHECK_EQUAL(wrong, 0);
}

/// The same by fields, of which a rank has one a box.
template <int N> void fields_and_check(random_case& now, MPI_Comm where) {
  const wherry::communicator comm(where);
  const mesh<N> what(now.random, comm.size());
  const auto plan = what.plan(comm, now.random.chance(50));
  std::vector<wherry::field<double, N>> nodes, cells;
  const auto mine = plan.owned_by(comm.rank());
  std::vector<std::vector<wherry::halo_field>> described;
  const auto place = [&](int number, point<N> p) {
    for (std::size_t d = 0; d < N; ++d) p[d] += plan[number].lower[d];
    return p;
  };
  nodes.reserve(mine.size());
  cells.reserve(mine.size());
  for (const int number : mine) {
    auto& u =
        nodes.emplace_back(comm, plan[number].extents(), what.ghost, wherry::field_options<N>{.centring = what.on});
    auto& c = cells.emplace_back(comm, plan[number].extents(), what.ghost);
    for_each_point(u.whole(), [&](const point<N>& p) { u[p] = content<N>(number, place(number, p)); });
    for_each_point(c.whole(), [&](const point<N>& p) { c[p] = content<N>(number, place(number, p)); });
    described.push_back({halo_of(u), halo_of(c)});
  }
  const bool combine = now.random.chance(50);
  wherry::halo_options how{};
  if (combine) how.combine_copies = std::plus<>{};
  how.carry.transport = now.random.one_of(usable_transports(where));
  wherry::halo_exchange exchange(comm, plan, what.space, how, described);
  if (now.random.chance(50)) {
    exchange();
  } else {
    exchange.only({1})();
    exchange.only({0})();
  }
  for (const auto* fields : {&nodes, &cells}) {
    auto seen = what;
    if (fields == &cells) seen.on = {};
    std::map<value<N>, double> expected;
    for (std::size_t i = 0; i < seen.boxes.size(); ++i)
      if (!seen.boxes[i].empty())
        for_each_point(seen.whole(i), [&](const point<N>& p) {
          const auto owner = seen.owner_of(p);
          if (!owner) return;
          if (combine)
            expected[*owner] += content<N>(static_cast<int>(i), p);
          else
            expected[*owner] = content<N>(owner->first, owner->second);
        });
    long wrong = 0;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (!plan[mine[i]].empty())
        for_each_point((*fields)[i].whole(), [&](const point<N>& local) {
          const auto p = place(mine[i], local);
          const auto owner = seen.owner_of(p);
          wrong += (*fields)[i][local] != (owner ? expected.at(*owner) : content<N>(mine[i], p));
        });
    CHECK_EQUAL(wrong, 0);
  }
}

/// The bits of all that the boxes hold, box by box, on all ranks.
template <int N> std::vector<std::uint64_t> all_bits(const wherry::x_array<double, N>& u, const mesh<N>& what) {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < what.boxes.size(); ++i)
    for_each_point(what.whole(i), [&](const point<N>& p) {
      const int number = static_cast<int>(i);
      bits.push_back(u.owns(number) ? std::bit_cast<std::uint64_t>(u[number][p]) : 0);
    });
  MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_SUM,
                u.comm().users_handle());
  return bits;
}

template <int N> void bits_and_check(random_case& now, MPI_Comm where) {
  const wherry::communicator comm(where);
  const mesh<N> what(now.random, comm.size());
  wherry::x_array<double, N> u(comm, {what.boxes, what.owners}, {.ghost_width = what.ghost, .centring = what.on});
  for (const auto& [number, values, grid] : u.blocks())
    for_each_point(grid.cells(), [&, &g = grid, n = number](const point<N>& p) { g[p] = 1 / (1 + content<N>(n, p)); });
  auto add_up = wherry::ghost_filler(u, what.space, {.combine_copies = std::plus<>{}, .contributing = what.ghost});
  add_up();
  const auto bits = all_bits<N>(u, what);
  std::map<value<N>, std::uint64_t> found;
  auto next = bits.begin();
  for (std::size_t i = 0; i < what.boxes.size(); ++i)
    for_each_point(what.whole(i), [&](const point<N>& p) {
      const auto here = *next++;
      if (const auto owner = what.owner_of(p)) CHECK_EQUAL(found.emplace(*owner, here).first->second, here);
    });
}

}  // namespace

WHERRY_TEST(whose_values_are, ranks(1)) {
  for_each_case(test, 300, [&](random_case& now) {
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { owners_and_check<dimensions.value>(now); });
  });
}

WHERRY_TEST(random_values_on_planes, ranks(1, 2, 3, 4, 8)) {
  const node_communicators cut(test.comm);
  for_each_case(test, 100, [&](random_case& now) {
    const auto comm = cut.pick(now.random);
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { fill_and_check<dimensions.value>(now, comm); });
  });
}

WHERRY_TEST(random_fields_on_floor_plans, ranks(1, 2, 3, 4, 8)) {
  const node_communicators cut(test.comm);
  for_each_case(test, 100, [&](random_case& now) {
    const auto comm = cut.pick(now.random);
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { fields_and_check<dimensions.value>(now, comm); });
  });
}

// What is added up again and again does not come back by way of the ghost values.
WHERRY_TEST(sums_do_not_remember, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const wherry::domain<1> space{box<1>{{0}, {8}}, {false}};
  wherry::x_array<double, 1> u(comm, {{{{0}, {4}}, {{4}, {8}}}, {0, test.size - 1}},
                               {.ghost_width = 1, .centring = wherry::centring<1>::nodes()});
  auto add_up = wherry::ghost_filler(u, space, {.combine_copies = std::plus<>{}});
  for (int step = 0; step < 3; ++step) {
    for (const auto& [number, values, grid] : u.blocks())
      for_each_point(values, [&, &g = grid](const point<1>& p) { g[p] = 1; });
    add_up();
    for (const auto& [number, values, grid] : u.blocks())
      for_each_point(grid.cells(), [&, &g = grid](const point<1>& p) {
        CHECK_EQUAL(g[p], p[0] < 0 || p[0] > 8 ? 0 : p[0] == 4 ? 2 : 1);
      });
  }
}

WHERRY_TEST(ranks_that_disagree_on_planes, ranks(2, 3)) {
  const wherry::communicator comm(test.comm);
  const auto mine = wherry::distributed_floor_plan<1>(comm, {{{4 * test.rank}, {4 * test.rank + 4}}});
  const wherry::domain<1> open;
  const auto on = test.rank == 0 ? wherry::centring<1>::nodes() : wherry::centring<1>::cells();
  all_throw(test, "centring", error_kind::mismatch, "the centring: on planes in dimension 0",
            [&] { resolve(comm, mine, on, mine, open); });
  const box<1> far{{test.rank == 1 ? INT64_MIN : 0}, {4}};
  const auto wrong = wherry::distributed_floor_plan<1>(comm, {far});
  all_throw(test, "a box out of range", error_kind::argument, "farther than 2^59",
            [&] { resolve(comm, mine, wherry::centring<1>::nodes(), wrong, open); });
}

WHERRY_TEST(all_copies_of_a_sum_have_the_same_bits, ranks(1, 2, 3, 4, 8)) {
  for_each_case(test, 50, [&](random_case& now) {
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { bits_and_check<dimensions.value>(now, test.comm); });
  });
}
