// Arrays in files: what is written on some ranks is read on others, under other floor plans and layouts.
#include <complex>
#include <cstdint>
#include <random>
#include <set>

#include "wherry/wherry.hpp"

#include "support/array_file_folder.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

constexpr index_t missing = -1;

template <int N> index_t value(const wherry::point<N>& p, int component) {
  index_t v = component;
  for (std::size_t d = 0; d < N; ++d) v = v * 101 + p[d] + 50;
  return v;
}

/// Cuts `whole` at random places; neither all ranks nor all boxes need have something.
template <int N> wherry::floor_plan<N> random_plan(const wherry::box<N>& whole, int ranks, std::mt19937_64& random) {
  std::vector<wherry::box<N>> boxes{whole};
  for (int cuts = static_cast<int>(random() % 9); cuts > 0; --cuts) {
    const auto i = random() % boxes.size();
    const auto d = random() % N;
    auto low = boxes[i];
    const index_t extent = low.extent(static_cast<int>(d));
    auto high = low;
    low.upper[d] = high.lower[d] = low.lower[d] + static_cast<index_t>(random()) % (extent + 1) * (extent > 0);
    if (low.upper[d] < low.lower[d]) low.upper[d] = high.lower[d] = low.lower[d];
    boxes[i] = low;
    boxes.push_back(high);
  }
  std::shuffle(boxes.begin(), boxes.end(), random);
  wherry::floor_plan<N> plan;
  for (const auto& b : boxes) plan.add(b, static_cast<int>(random() % static_cast<unsigned>(ranks)));
  return plan;
}

template <class T, int N> void fill(wherry::x_array<T, N>& u) {
  for (const auto& [number, cells, values] : u.blocks())
    for (int c = 0; c < values.components(); ++c) {
      for_each_point(values.cells(), [&, &v = values](const auto& p) { v(p, c) = static_cast<T>(missing); });
      for_each_point(cells, [&, &v = values](const auto& p) { v(p, c) = static_cast<T>(value<N>(p, c)); });
    }
}

template <class T, int N> void clear(wherry::x_array<T, N>& u) {
  for (const auto& block : u.blocks())
    for (int c = 0; c < block.values.components(); ++c)
      for_each_point(block.values.cells(), [&](const auto& p) { block.values(p, c) = static_cast<T>(missing); });
}

/// Right where `there`, untouched elsewhere, ghost cells included.
template <class T, int N> void check(const wherry::x_array<T, N>& u, const wherry::box<N>& there) {
  long wrong = 0;
  for (const auto& block : u.blocks())
    for (int c = 0; c < block.values.components(); ++c)
      for_each_point(block.values.cells(), [&](const auto& p) {
        const bool filled = block.core.contains(p) && there.contains(p);
        wrong += block.values(p, c) == static_cast<T>(filled ? value<N>(p, c) : missing) ? 0 : 1;
      });
  CHECK_EQUAL(wrong, 0);
}

template <int N> wherry::layout<N> random_layout(std::mt19937_64& random) {
  auto order = wherry::fortran_layout<N>();
  std::shuffle(order.place.begin(), order.place.end(), random);
  return order;
}

template <class T, int N> void write_and_read(const context& test, const wherry::box<N>& whole, int rounds) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  std::mt19937_64 random(test.seed + N);
  // Fewer with more ranks: MPICH's collectives take milliseconds with more ranks than cores.
  for (int round = 0; round < std::max(1, rounds / (test.size < 3 ? 1 : 4)); ++round) {
    const int components = 1 + static_cast<int>(random() % 3);
    const wherry::array_file_options how{.snapshot = random() % 2 == 0,
                                         .buffer_bytes = 1 + static_cast<index_t>(random() % 8000),
                                         .piece = 1024 + static_cast<index_t>(random() % 2000)};
    const auto from = random_plan<N>(whole, comm.size(), random);
    wherry::x_array<T, N> u(comm, from,
                            {.ghost_width = static_cast<index_t>(random() % 3),
                             .layout = random_layout<N>(random),
                             .components = components});
    fill(u);
    wherry::write_array(place / "u", u, how);

    // The same boxes elsewhere; other boxes; boxes that reach beyond what is there and are not all of it.
    auto farther = whole;
    for (std::size_t d = 0; d < N; ++d) {
      farther.lower[d] += static_cast<index_t>(random() % 4) - 2;
      farther.upper[d] += static_cast<index_t>(random() % 4) - 1;
    }
    const auto boxes = from.boxes();
    wherry::owner_map owners(boxes.size());
    for (auto& o : owners) o = static_cast<int>(random() % static_cast<unsigned>(comm.size()));
    for (const auto& to : {wherry::floor_plan<N>({boxes.begin(), boxes.end()}, owners),
                           random_plan<N>(whole, comm.size(), random), random_plan<N>(farther, comm.size(), random)}) {
      wherry::x_array<T, N> v(comm, to,
                              {.ghost_width = 1, .layout = random_layout<N>(random), .components = components});
      clear(v);
      const auto filled = wherry::read_array(place / "u", v, how);
      check(v, whole);
      CHECK_EQUAL(filled, intersection(whole, to.bounding_box()).size());
    }
  }
}

}  // namespace

WHERRY_TEST(array_files_of_all_dimensions, ranks(1, 2, 3, 4, 8)) {
  write_and_read<double, 1>(test, {{-7}, {1500}}, 6);
  write_and_read<float, 2>(test, {{-3, 2}, {40, 39}}, 6);
  write_and_read<std::int64_t, 3>(test, {{0, -3, 5}, {13, 9, 17}}, 10);
  write_and_read<double, 4>(test, {{0, 0, 0, 0}, {5, 6, 3, 8}}, 3);
  write_and_read<int, 5>(test, {{0, 0, 0, -1, 0}, {3, 4, 3, 4, 2}}, 3);
  write_and_read<double, 6>(test, {{0, 0, 0, 0, 0, 0}, {3, 2, 3, 4, 2, 3}}, 3);
}

WHERRY_TEST(array_files_between_numbers_of_ranks, ranks(1, 2, 3, 4, 8)) {
  const folder place(test);
  const wherry::communicator all(test.comm);
  const wherry::box<3> whole{{0, 0, 0}, {12, 10, 14}};
  std::mt19937_64 random(test.seed);
  const auto by = [&](int ranks, auto&& step) {
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(test.comm, test.rank < ranks ? 0 : MPI_UNDEFINED, test.rank, &some);
    if (some != MPI_COMM_NULL) {
      step(wherry::communicator(some));
      MPI_Comm_free(&some);
    }
    MPI_Barrier(test.comm);
  };
  for (int writers = 1; writers <= test.size; writers += test.size < 8 ? 1 : 3) {
    const auto from = random_plan<3>(whole, writers, random);
    by(writers, [&](const wherry::communicator& comm) {
      wherry::x_array<double, 3> u(comm, from, wherry::x_array_options<3>{.components = 2});
      fill(u);
      wherry::write_array(place / "u", u, {.buffer_bytes = 3000, .piece = 1024});
    });
    for (const int readers : std::set{1, test.size, 1 + writers % test.size}) {
      const auto to = random_plan<3>(whole, readers, random);
      by(readers, [&](const wherry::communicator& comm) {
        const auto found = wherry::read_floor_plan<3>(comm, place / "u");
        CHECK(std::ranges::equal(found.boxes(), from.boxes()));
        for (const auto& plan : {to, found}) {
          wherry::x_array<double, 3> v(comm, plan, wherry::x_array_options<3>{.components = 2});
          clear(v);
          CHECK_EQUAL(wherry::read_array(place / "u", v, {.buffer_bytes = 2000}), whole.size());
          check(v, whole);
        }
      });
    }
  }
}

WHERRY_TEST(array_files_know_what_they_hold, ranks(1, 2, 3)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  wherry::floor_plan<2> plan;
  plan.add({{0, 0}, {4, 5}}, 0);
  plan.add({{4, 0}, {4, 5}}, 0);  // empty
  plan.add({{4, 0}, {9, 5}}, comm.size() - 1);
  wherry::x_array<std::complex<float>, 2> u(comm, plan, wherry::x_array_options<2>{.components = 3});
  wherry::write_array(place / "u", u);
  const auto facts = wherry::describe_array_file(comm, place / "u");
  CHECK_EQUAL(facts.dimensions, 2);
  CHECK_EQUAL(facts.components, 3);
  CHECK_EQUAL(facts.boxes, 3);
  CHECK_EQUAL(facts.element, 8);
  CHECK_EQUAL(facts.type, "complex float32");
  CHECK_EQUAL(facts.bytes, static_cast<index_t>(place.read("u").size()));

  wherry::x_array<double, 2> other(comm, plan, wherry::x_array_options<2>{.components = 3});
  CHECK_THROWS_WITH(wherry::read_array(place / "u", other),
                    "elements of type 'complex float32' (8 bytes), and the array has");
  wherry::x_array<std::complex<float>, 2> fewer(comm, plan);
  CHECK_THROWS_WITH(wherry::read_array(place / "u", fewer), "has 3 components, and the array has 1");
  CHECK_THROWS_WITH(wherry::read_floor_plan<3>(comm, place / "u"), "it has 2 dimensions, and the array has 3");
  wherry::write_array(place / "short", wherry::x_array<wherry::bfloat16, 2>(comm, plan));
  CHECK_EQUAL(wherry::describe_array_file(comm, place / "short").type, "bfloat16");
  wherry::x_array<wherry::float16, 2> half(comm, plan);
  CHECK_THROWS_WITH(wherry::read_array(place / "short", half),
                    "elements of type 'bfloat16' (2 bytes), and the array has");
  // The user's own word for a type is compared too.
  wherry::write_array(place / "named", u, {.type = "spinor"});
  CHECK_THROWS_WITH(wherry::read_array(place / "named", u), "type 'spinor'");
  CHECK_EQUAL(wherry::read_array(place / "named", u, {.type = "spinor"}), 45);
}

WHERRY_TEST(overlapping_boxes_are_read_by_number, ranks(1, 2, 3, 4)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  wherry::floor_plan<2> plan, elsewhere;
  for (int i = 0; i < 5; ++i) {
    plan.add({{i, 0}, {i + 6, 4}}, i % comm.size());
    elsewhere.add({{i, 0}, {i + 6, 4}}, (i + 1) % comm.size());
  }
  wherry::x_array<int, 2> u(comm, plan), v(comm, elsewhere);
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, n = number, &w = values](const auto& p) { w[p] = 100 * n + static_cast<int>(p[0]); });
  wherry::write_array(place / "u", u);
  CHECK_EQUAL(wherry::read_array(place / "u", v), 5 * 24);
  for (const auto& [number, cells, values] : v.blocks())
    for_each_point(
        cells, [&, n = number, &w = values](const auto& p) { CHECK_EQUAL(w[p], 100 * n + static_cast<int>(p[0])); });
}

WHERRY_TEST(array_files_of_values_on_planes, ranks(1, 2, 3, 4)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  std::mt19937_64 random(test.seed);
  const wherry::box<2> whole{{-2, 1}, {9, 8}};
  wherry::configure("check", "1");
  for (const auto& on : {wherry::centring<2>::nodes(), wherry::centring<2>::faces(1)}) {
    const auto plan = random_plan<2>(whole, comm.size(), random);
    wherry::x_array<double, 2> u(comm, plan, {.ghost_width = 1, .centring = on}), same(comm, plan, {.centring = on}),
        other(comm, random_plan<2>(whole, comm.size(), random), {.ghost_width = 2, .centring = on});
    fill(u);
    wherry::write_array(place / "u", u);
    for (auto* v : {&same, &other}) {
      clear(*v);
      const auto filled = wherry::read_array(place / "u", *v);
      check(*v, values_of(whole, on));
      index_t expected = 0;
      for (const auto& cells : v->plan().boxes()) expected += values_of(cells, on).size();
      CHECK_EQUAL(filled, expected);
    }
    CHECK(wherry::read_floor_plan<2>(comm, place / "u").bounding_box() == values_of(whole, on));
  }
  wherry::configure("check", "0");
}

WHERRY_TEST(arrays_of_the_users_and_partial_plans, ranks(1, 2, 3, 4)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  // Slabs of which each rank knows its own only.
  const auto slab = [](int i) { return wherry::box<2>{{0, 3 * i}, {7, 3 * i + 3}}; };
  const wherry::floor_plan<2> mine(comm.size(), {comm.rank()}, {slab(comm.rank())}, {comm.rank()});
  wherry::grid<double, 2> memory(grow(slab(comm.rank()), 2));
  wherry::x_array<double, 2> u(comm, mine, std::vector{memory.values()});
  fill(u);
  wherry::write_array(place / "u", u);
  clear(u);
  CHECK_EQUAL(wherry::read_array(place / "u", u), 21 * comm.size());
  check(u, {{0, 0}, {7, 3 * comm.size()}});
  // No box at all.
  wherry::x_array<double, 2> none(comm, wherry::floor_plan<2>{});
  wherry::write_array(place / "none", none);
  CHECK_EQUAL(wherry::read_array(place / "none", u), 0);
  CHECK_EQUAL(wherry::read_floor_plan<2>(comm, place / "none").size(), 0);
}

WHERRY_TEST(writing_in_split_phase, ranks(1, 2, 3, 4)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  const wherry::box<2> whole{{0, 0}, {60, 50}};
  std::mt19937_64 random(test.seed);
  const auto plan = random_plan<2>(whole, comm.size(), random);
  wherry::x_array<double, 2> u(comm, plan), v(comm, plan), w(comm, plan);
  fill(u);
  fill(v);
  const auto read_back = [&](const char* name) {
    clear(w);
    CHECK_EQUAL(wherry::read_array(place / name, w), whole.size());
    check(w, whole);
  };
  wherry::array_writer copied(u, {.snapshot = true, .buffer_bytes = 2000, .piece = 1024});
  wherry::array_writer in_place(v, {.buffer_bytes = 2000, .piece = 1024});
  for (int turn = 0; turn < 3; ++turn) {
    copied.start(place / "u");
    in_place.start(place / "v");
    CHECK_THROWS_WITH(in_place.start(place / "w"), "'start' was called while a write is under way");
    clear(u);  // the snapshot holds what was there
    while (!in_place.test()) {
    }
    copied.wait();
    read_back("u");
    read_back("v");
    fill(u);
    CHECK_EQUAL(in_place.statistics().exchanges, static_cast<std::uint64_t>(turn + 1));
  }
  // All bytes but the header and the table of boxes, which nobody's part are.
  std::int64_t written = in_place.statistics().bytes_sent / 3, all = 0;
  MPI_Allreduce(&written, &all, 1, MPI_INT64_T, MPI_SUM, test.comm);
  CHECK(all > whole.size() * index_t{8} && all < static_cast<std::int64_t>(place.read("v").size()));
  CHECK_EQUAL(in_place.transport(), "mpi_io");
  CHECK(in_place.explain().find(wherry::detail::text(written, " of ", place.read("v").size(), " B")) !=
        std::string::npos);
  // Nobody waits: the file stays as it was, and the next writer is not disturbed by what is left.
  const auto before = place.read("u");
  {
    clear(v);
    wherry::array_writer given_up(v);
    given_up.start(place / "u");
  }
  MPI_Barrier(test.comm);
  CHECK(place.read("u") == before);
  wherry::write_array(place / "u", u);
  read_back("u");
}
