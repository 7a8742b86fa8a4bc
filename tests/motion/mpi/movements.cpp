// Movers of several movements, and of several stages, against movers of one each.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::index_t;

namespace {

// A movement twice: between arrays that a mover of its own moves, and between equal ones that it shares a mover with
// others for.
struct twin {
  wherry::movement joint, alone;
  std::function<void(int round)> fill;  // the same values in both
  std::function<bool()> same;           // every byte, ghost cells included
};

template <class T> T some_value(int number, index_t at, int round) {
  return static_cast<T>(hash(number, at, round) % 251) / static_cast<T>(8);
}

template <class T, int N> void fill(wherry::x_array<T, N>& u, int round) {
  for (const auto& [number, cells, values] : u.blocks()) {
    index_t at = 0;
    for (int c = 0; c < values.components(); ++c)
      for_each_point(values.cells(), [&](const auto& p) { values(p, c) = some_value<T>(number, at++, round); });
  }
}
template <class T> void fill(wherry::index_array<T>& u, int round) {
  for (const auto& [number, nodes, values] : u.parts()) {
    index_t at = 0;
    for (auto& value : values.all()) value = some_value<T>(number, at++, round);
  }
}

template <class T, int N> bool same(const wherry::x_array<T, N>& a, const wherry::x_array<T, N>& b) {
  bool equal = true;
  for (const auto& [number, cells, values] : a.blocks())
    for (int c = 0; c < values.components(); ++c)
      for_each_point(values.cells(), [&, &mine = values, theirs = b[number]](const auto& p) {
        equal = equal && std::memcmp(&mine(p, c), &theirs(p, c), sizeof(T)) == 0;
      });
  return equal;
}
template <class T> bool same(const wherry::index_array<T>& a, const wherry::index_array<T>& b) {
  bool equal = true;
  for (std::size_t i = 0; i < a.parts().size(); ++i)
    equal = equal && std::ranges::equal(a.parts()[i].values.all(), b.parts()[i].values.all());
  return equal;
}

// `make(which)` makes the arrays; which are the source and the destination (perhaps one).
template <class Array, class Motions>
twin within(const std::function<Array()>& make, const Motions& motions, const wherry::movement_options& how) {
  const auto a = std::make_shared<Array>(make()), b = std::make_shared<Array>(make());
  return {{motions, *a, *a, how},
          {motions, *b, *b, how},
          [=](int round) { fill(*a, round), fill(*b, round); },
          [=] { return same(*a, *b); }};
}
template <class From, class To, class Motions>
twin between(const std::function<From()>& from, const std::function<To()>& to, const Motions& motions,
             const wherry::movement_options& how) {
  const auto a = std::make_shared<From>(from()), b = std::make_shared<From>(from());
  const auto c = std::make_shared<To>(to()), d = std::make_shared<To>(to());
  return {{motions, *a, *c, how},
          {motions, *b, *d, how},
          [=](int round) { fill(*a, round), fill(*b, round), fill(*c, -round), fill(*d, -round); },
          [=] { return same(*a, *b) && same(*c, *d); }};
}

template <int N> wherry::point<N> random_pieces(random_numbers& random, int most) {
  wherry::point<N> pieces{};
  for (auto& p : pieces) p = random.between(1, most);
  return pieces;
}

template <int N> struct grid_case {
  wherry::domain<N> space;
  wherry::floor_plan<N> plan;
};
template <int N> grid_case<N> random_grid(random_numbers& random, int ranks, int most_pieces, int most_cells) {
  grid_case<N> result;
  const auto pieces = random_pieces<N>(random, most_pieces);
  std::size_t boxes = 1;
  for (std::size_t d = 0; d < N; ++d) {
    result.space.cells.lower[d] = random.between(-5, 5);
    result.space.cells.upper[d] = result.space.cells.lower[d] + pieces[d] * random.between(1, most_cells);
    result.space.periodic[d] = random.chance(50);
    boxes *= static_cast<std::size_t>(pieces[d]);
  }
  wherry::owner_map owners(boxes);
  const int some = random.between(1, ranks);  // others own nothing
  for (auto& owner : owners) owner = random.between(0, some - 1);
  // Cuts of uneven boxes, one after the other.
  std::array<std::vector<index_t>, static_cast<std::size_t>(N)> at;
  for (std::size_t d = 0; d < N; ++d) {
    std::set<index_t> inner;
    const auto& cells = result.space.cells;
    while (std::ssize(inner) + 1 < pieces[d])
      inner.insert(
          cells.lower[d] + 1 +
          static_cast<index_t>(random.next() % static_cast<std::uint64_t>(cells.extent(static_cast<int>(d)) - 1)));
    at[d] = {cells.lower[d]};
    at[d].insert(at[d].end(), inner.begin(), inner.end());
    at[d].push_back(cells.upper[d]);
  }
  wherry::box<N> grid;
  grid.upper = pieces;
  std::size_t next = 0;
  for_each_point(grid, [&](const wherry::point<N>& p) {
    wherry::box<N> b;
    for (std::size_t d = 0; d < N; ++d) {
      b.lower[d] = at[d][static_cast<std::size_t>(p[d])];
      b.upper[d] = at[d][static_cast<std::size_t>(p[d] + 1)];
    }
    result.plan.add(b, owners[next++]);
  });
  return result;
}

template <int N> wherry::layout<N> random_layout(random_numbers& random) {
  return random.chance(50) ? wherry::c_layout<N>() : wherry::fortran_layout<N>();
}

template <class T, int N>
twin random_halo(const wherry::communicator& comm, random_numbers& random, const wherry::movement_options& how,
                 bool reversed) {
  const auto grid = random_grid<N>(random, comm.size(), 3, 3);
  const int width = random.between(1, 2);
  const wherry::x_array_options<N> shape{
      .ghost_width = width, .layout = random_layout<N>(random), .components = random.between(1, 2), .name = "halo"};
  const auto motions = halo_motion(grid.plan, wherry::halo_widths<N>(width), grid.space);
  const std::function make = [=] { return wherry::x_array<T, N>(comm, grid.plan, shape); };
  return within(make, reversed ? motions.reversed() : motions, how);
}

twin random_conversion(const wherry::communicator& comm, random_numbers& random) {
  const auto from = random_grid<2>(random, comm.size(), 4, 3), to = random_grid<2>(random, comm.size(), 4, 3);
  const std::function source = [=] { return wherry::x_array<float, 2>(comm, from.plan); };
  const std::function destination = [=] { return wherry::x_array<double, 2>(comm, to.plan, {.ghost_width = 1}); };
  return between(source, destination, redistribution(from.plan, to.plan), {});
}

twin random_mesh_sum(const wherry::communicator& comm, random_numbers& random, bool reversed) {
  wherry::index_floor_plan<> touched;
  const int parts = random.between(1, 2 * comm.size());
  for (int p = 0; p < parts; ++p) {
    std::set<index_t> nodes;
    for (int i = random.between(0, 30); i > 0; --i) nodes.insert(random.between(0, 50));
    touched.add(wherry::index_set(std::vector<index_t>(nodes.begin(), nodes.end())),
                random.between(0, comm.size() - 1));
  }
  const auto motions = halo_motion(without_overlap(touched), touched);
  const bool interleaved = random.chance(50);
  const std::function make = [=] {
    return wherry::index_array<double>(comm, touched, {.components = 2, .interleaved = interleaved});
  };
  wherry::movement_options how;
  if (reversed) how.update = std::plus<>{};
  return within(make, reversed ? motions.reversed() : motions, how);
}

twin random_twin(const wherry::communicator& comm, random_numbers& random) {
  switch (random.between(1, 7)) {
    case 1:
      return random_halo<double, 3>(comm, random, {}, false);
    case 2:
      return random_halo<float, 2>(comm, random, {.update = wherry::maximum{}}, false);
    case 3:
      return random_halo<double, 2>(comm, random, {.update = std::plus<>{}}, true);
    case 4:
      return random_halo<std::int16_t, 1>(comm, random, {}, false);
    case 5:
      return random_conversion(comm, random);
    case 6:
      return random_mesh_sum(comm, random, true);
    default:
      return random_mesh_sum(comm, random, false);
  }
}

// In each stage one message to each peer that any of the movements sends to.
void check_messages(const std::vector<wherry::mover>& alone, const wherry::plans::schedule& joint, std::size_t stage) {
  std::set<int> peers;
  for (const auto& one : alone)
    for (const auto& m : one.schedule().stages.front().sends) peers.insert(m.peer);
  std::set<int> met;
  for (const auto& m : joint.stages[stage].sends) met.insert(m.peer);
  CHECK_EQUAL(joint.stages[stage].sends.size(), peers.size());
  CHECK(met == peers);
}

}  // namespace

WHERRY_TEST(one_message_for_several_arrays, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 150, [&](random_case& now) {
    const MPI_Comm users = comms.pick(now.random);
    const wherry::communicator comm(users);
    std::vector<twin> twins;
    for (int i = now.random.between(1, 4); i > 0; --i) twins.push_back(random_twin(comm, now.random));
    wherry::detail::mover_stage together;
    std::vector<wherry::mover> alone;
    for (const auto& t : twins) together.push_back(t.joint), alone.push_back(wherry::mover({t.alone}));
    const auto transport = now.random.one_of(usable_transports(users));
    const bool packets = now.random.chance(20), snapshot = !packets && now.random.chance(20);
    const std::int64_t packet = packets ? now.random.between(8, 200) : 0;
    wherry::mover joint(together, {.carry = {.transport = transport, .snapshot = snapshot, .packet_bytes = packet}});
    if (!packets) {
      CHECK_EQUAL(joint.schedule().stages.size(), 1u);
      check_messages(alone, joint.schedule(), 0);
    }
    for (int round = 1; round <= 3; ++round) {
      for (const auto& t : twins) t.fill(round);
      for (auto& one : alone) one();
      joint();
      for (std::size_t i = 0; i < twins.size(); ++i)
        if (fault(!twins[i].same()))
          FAIL(now.title + ", " + transport + ": movement " + std::to_string(i) + " of " +
               std::to_string(twins.size()) + " has other bits");
    }
  });
}

// Each stage reads what the one before has brought.
WHERRY_TEST(stages_one_after_another, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 60, [&](random_case& now) {
    const MPI_Comm users = comms.pick(now.random);
    const wherry::communicator comm(users);
    const auto from = random_grid<2>(now.random, comm.size(), 4, 4);
    auto to = from.plan;
    to = wherry::floor_plan<2>(std::vector(to.boxes().begin(), to.boxes().end()), [&] {
      wherry::owner_map owners;
      for (int i = 0; i < to.size(); ++i) owners.push_back(now.random.between(0, comm.size() - 1));
      return owners;
    }());
    using array = wherry::x_array<double, 2>;
    array u(comm, from.plan), v(comm, to, {.ghost_width = 1}), w(comm, from.plan, {.ghost_width = 1});
    array v1(comm, to, {.ghost_width = 1}), w1(comm, from.plan, {.ghost_width = 1});
    wherry::x_array<float, 2> f(comm, from.plan), f1(comm, from.plan);
    const auto there = redistribution(from.plan, to);
    const auto halo = halo_motion(to, wherry::halo_widths<2>(1), from.space);
    const auto back = redistribution(to, from.plan);
    const auto transport = now.random.one_of(usable_transports(users));
    const std::int64_t packet = now.random.chance(40) ? now.random.between(8, 300) : 0;
    wherry::mover all(
        wherry::mover_stages{
            {{there, u, v1}}, {{halo, v1, v1}, {back, v1, f1}}, {{back, v1, w1, {.update = std::plus<>{}}}}},
        {.carry = {.transport = transport, .packet_bytes = packet}});
    if (packet == 0) CHECK_EQUAL(all.schedule().stages.size(), 3u);
    wherry::mover first(there, u, v), second(halo, v, v), third(back, v, f),
        fourth(back, v, w, {.update = std::plus<>{}});
    for (int round = 0; round < 3; ++round) {
      fill(u, round);
      for (auto* a : {&v, &v1, &w, &w1}) fill(*a, 100 + round);
      fill(f, round), fill(f1, round);
      first(), second(), third(), fourth();
      all();
      if (fault(!same(v, v1) || !same(w, w1) || !same(f, f1))) FAIL(now.title + ", " + transport + ": other bits");
    }
  });
}

namespace {

template <int N>
void compare_halo_stages(const context& test, random_case& now, MPI_Comm users, int pieces, int cells) {
  const wherry::communicator comm(users);
  const auto grid = random_grid<N>(now.random, test.size, pieces, cells);
  wherry::halo_widths<N> widths(0);
  for (std::size_t d = 0; d < N; ++d) {
    widths.minus[d] = now.random.between(0, 3);
    widths.plus[d] = now.random.between(0, 3);
  }
  const wherry::x_array_options<N> shape{.ghost_width = widths, .layout = random_layout<N>(now.random)};
  wherry::x_array<double, N> u(comm, grid.plan, shape), v(comm, grid.plan, shape);
  const auto transport = now.random.one_of(usable_transports(users));
  const auto order = static_cast<wherry::halo_order>(now.random.between(0, 3));
  wherry::mover direct(halo_motion(grid.plan, widths, grid.space), u, u),
      staged(halo_stages(grid.plan, widths, grid.space, order), v, v, {.carry = {.transport = transport}});
  const auto stages = staged.schedule().stages.size();
  if (order == wherry::halo_order::direct) CHECK_EQUAL(stages, 1u);
  if (order == wherry::halo_order::by_dimension) CHECK_EQUAL(stages, static_cast<std::size_t>(N));
  for (int round = 0; round < 2; ++round) {
    fill(u, round), fill(v, round);
    direct(), staged();
    if (fault(!same(u, v))) FAIL(now.title + ", " + transport + ": other bits");
  }
}

}  // namespace

WHERRY_TEST(halo_stages_in_any_order, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 150, [&](random_case& now) {
    const MPI_Comm users = comms.pick(now.random);
    switch (now.random.between(1, 4)) {
      case 1:
        return compare_halo_stages<1>(test, now, users, 6, 4);
      case 2:
        return compare_halo_stages<2>(test, now, users, 4, 4);
      case 3:
        return compare_halo_stages<3>(test, now, users, 3, 3);
      default:
        return compare_halo_stages<4>(test, now, users, 2, 2);
    }
  });
}

// Columns that go all around: what the other boxes have comes first, then each is copied around itself.
WHERRY_TEST(halo_around_a_box_comes_last, ranks(1, 2, 4)) {
  const wherry::communicator comm(test.comm);
  const auto space = wherry::domain<3>::torus({{0, 0, 0}, {8, 4 * test.size, 6}});
  const auto plan = wherry::even_blocks<3>(space.cells, {1, test.size, 1});
  wherry::x_array<double, 3> u(comm, plan, {.ghost_width = 1});
  wherry::mover fill(halo_stages(plan, wherry::halo_widths<3>(1), space, wherry::halo_order::wrapped_last), u, u);
  const auto& stages = fill.schedule().stages;
  CHECK_EQUAL(stages.size(), 3u);
  for (const auto& stage : stages) CHECK_EQUAL(stage.sends.empty(), test.size == 1 || &stage != &stages.front());
}

// Two arrays of different types and widths, one list, and fewer messages than corners.
WHERRY_TEST(halo_stages_share_messages, ranks(8)) {
  const wherry::communicator comm(test.comm);
  const auto space = wherry::domain<3>::open({{0, 0, 0}, {8, 8, 8}});
  const auto plan = wherry::even_blocks<3>(space.cells, {2, 2, 2});
  wherry::x_array<double, 3> u(comm, plan, {.ghost_width = 2});
  wherry::x_array<float, 3> v(comm, plan, {.ghost_width = 1});
  const auto of_u = halo_stages(plan, wherry::halo_widths<3>(2), space);
  const auto of_v = halo_stages(plan, wherry::halo_widths<3>(1), space);
  wherry::mover direct({{halo_motion(plan, wherry::halo_widths<3>(2), space), u, u}, {of_v.front(), v, v}});
  wherry::mover staged({{of_u, u, u}, {of_v, v, v}});
  CHECK_EQUAL(direct.schedule().stages.front().sends.size(), 7u);
  CHECK_EQUAL(staged.schedule().stages.size(), 3u);
  for (const auto& stage : staged.schedule().stages) {
    CHECK_EQUAL(stage.sends.size(), 1u);
    CHECK_EQUAL(stage.receives.size(), 1u);
    CHECK_EQUAL(stage.sends.front().count, 2u);
  }
}

WHERRY_TEST(plans_without_rows_and_columns, ranks(1)) {
  using plan2 = wherry::floor_plan<2>;
  const auto space = wherry::domain<2>::open({{0, 0}, {8, 8}});
  const auto stages_of = [&](const plan2& plan, const wherry::domain<2>& in) {
    return halo_stages(plan, wherry::halo_widths<2>(1), in);
  };
  CHECK_THROWS_WITH(stages_of(plan2({{{0, 0}, {4, 4}}, {{4, 0}, {8, 4}}, {{0, 4}, {4, 8}}}, {0, 0, 0}), space),
                    "there are 3 of them and 4 places");
  CHECK_THROWS_WITH(stages_of(plan2({{{0, 0}, {4, 8}}, {{4, 0}, {8, 4}}, {{4, 4}, {8, 8}}}, {0, 0, 0}), space),
                    "in dimension 1 one goes from 0 to 4 and another from 0 to 8");
  CHECK_THROWS_WITH(stages_of(plan2({{{0, 0}, {4, 8}}, {{5, 0}, {8, 8}}}, {0, 0}), space),
                    "in dimension 0 one goes from 0 to 4 and another from 5 to 8");
  CHECK_THROWS_WITH(stages_of(plan2({{{0, 0}, {4, 8}}, {{0, 0}, {4, 8}}}, {0, 0}), space),
                    "there are 2 of them and 1 places");
  CHECK_THROWS_WITH(
      stages_of(plan2({{{0, 0}, {4, 4}}, {{0, 0}, {4, 4}}, {{4, 4}, {8, 8}}, {{4, 0}, {8, 4}}}, {0, 0, 0, 0}), space),
      "two are at one place");
  CHECK_THROWS_WITH(stages_of(plan2({{{0, 0}, {4, 8}}}, {0}), wherry::domain<2>::torus({{0, 0}, {8, 8}})),
                    "in periodic dimension 0 they have 4 of 8 cells");
  CHECK_THROWS_WITH(stages_of(plan2(5, {1}, {{{0, 0}, {8, 8}}}, {0}), space), "partial");
  CHECK_THROWS_WITH(halo_stages<2>(wherry::even_blocks<2>(space.cells, {2, 2}), wherry::halo_widths<2>({1, -2}), space),
                    "in dimension 1, expected 0 or more");
  CHECK_EQUAL(stages_of(plan2{}, space).size(), 2u);
  CHECK_EQUAL(stages_of(plan2({{{0, 0}, {4, 8}}, {{3, 3}, {3, 9}}, {{4, 0}, {8, 8}}}, {0, 0, 0}), space).size(), 2u);
}
