// Files of many arrays: names, steps, types, dimensions and sections in one file, read under other floor plans; what is
// unfinished or damaged.
#include <filesystem>
#include <fstream>
#include <string>

#include "wherry/wherry.hpp"

#include "support/array_file_folder.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

double value(const wherry::point<3>& p, index_t step) {
  return 1000.0 * static_cast<double>(step) + static_cast<double>(p[0] + 20 * p[1] + 400 * p[2]);
}
int value(const wherry::point<2>& p, index_t step) { return static_cast<int>(7 * step + p[0] - 100 * p[1]); }

template <class T, int N> void fill(wherry::x_array<T, N>& u, index_t step) {
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, &v = values](const auto& p) { v[p] = value(p, step); });
}
template <class T, int N> void clear(wherry::x_array<T, N>& u) {
  for (const auto& block : u.blocks())
    for_each_point(block.values.cells(), [&](const auto& p) { block.values[p] = T(-1); });
}
/// Right in `there`, untouched elsewhere.
template <class T, int N> void check(const wherry::x_array<T, N>& u, index_t step, const wherry::box<N>& there) {
  long wrong = 0;
  for (const auto& block : u.blocks())
    for_each_point(block.values.cells(), [&](const auto& p) {
      const bool filled = block.core.contains(p) && there.contains(p);
      wrong += block.values[p] == (filled ? value(p, step) : T(-1)) ? 0 : 1;
    });
  CHECK_EQUAL(wrong, 0);
}

const wherry::box<3> cube{{0, 0, 0}, {14, 12, 10}};
const wherry::box<2> plane{{-4, 0}, {9, 17}};
const wherry::box<3> slab{{2, -5, 3}, {11, 100, 4}};  // reaches beyond

struct arrays {
  explicit arrays(const wherry::communicator& comm)
      : u(comm, wherry::decompose(cube, comm.size(), {.largest = {5, 7, 4}}), {.ghost_width = 1}),
        w(comm, wherry::decompose(plane, comm.size())) {}
  wherry::x_array<double, 3> u;
  wherry::x_array<int, 2> w;
};

void write_steps(const std::string& path, arrays& all, index_t first, index_t last) {
  wherry::array_series series(all.u.comm(), path);
  for (index_t step = first; step < last; ++step) {
    fill(all.u, step);
    fill(all.w, step);
    series.write("u", step, all.u);
    series.write("w", step, all.w);
    series.write("u in a slab", step, all.u, slab, {.buffer_bytes = 3000, .piece = 1024});
  }
}

void check_steps(const std::string& path, const wherry::communicator& comm, index_t last) {
  const wherry::array_series series(comm, path);
  REQUIRE(series.entries().size() == static_cast<std::size_t>(3 * last));
  CHECK(series.steps("nothing").empty() && std::ssize(series.steps("u")) == last);
  wherry::x_array<double, 3> u(comm, wherry::decompose(cube, comm.size(), {.largest = {14, 2, 10}}),
                               {.ghost_width = 2});
  wherry::x_array<int, 2> w(comm, wherry::floor_plan<2>({plane}, {comm.size() - 1}));
  const auto inside = intersection(slab, cube);
  for (index_t step = 0; step < last; ++step) {
    clear(u);
    CHECK_EQUAL(series.read("u", step, u), cube.size());
    check(u, step, cube);
    clear(u);
    CHECK_EQUAL(series.read("u", step, u, slab), inside.size());
    check(u, step, inside);
    clear(u);
    CHECK_EQUAL(series.read("u in a slab", step, u), inside.size());
    check(u, step, inside);
    clear(w);
    CHECK_EQUAL(series.read("w", step, w), plane.size());
    check(w, step, plane);
    const auto said = series.describe("w", step);
    CHECK(said.type == "int32" && said.dimensions == 2);
  }
}

}  // namespace

WHERRY_TEST(array_series, ranks(1, 2, 3, 4)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  arrays all(comm);
  write_steps(place / "s", all, 0, 2);
  write_steps(place / "s", all, 2, 3);  // opened again
  check_steps(place / "s", comm, 3);
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(test.comm, test.rank == 0 ? 0 : MPI_UNDEFINED, 0, &some);
  if (some != MPI_COMM_NULL) {
    check_steps(place / "s", wherry::communicator(some), 3);
    MPI_Comm_free(&some);
  }
  MPI_Barrier(test.comm);
  // Sections of files of one array, too.
  fill(all.u, 5);
  wherry::write_array(place / "one", all.u, slab);
  clear(all.u);
  const auto inside = intersection(slab, cube);
  CHECK_EQUAL(wherry::read_array(place / "one", all.u), inside.size());
  check(all.u, 5, inside);
  const wherry::box<3> smaller{{3, 0, 0}, {5, 12, 10}};
  clear(all.u);
  CHECK_EQUAL(wherry::read_array(place / "one", all.u, smaller), intersection(inside, smaller).size());
  check(all.u, 5, intersection(inside, smaller));
}

WHERRY_TEST(array_series_in_flight, ranks(1, 2, 3)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  arrays all(comm);
  wherry::array_series series(comm, place / "s");
  wherry::array_writer writer(all.u, {.snapshot = true});
  for (index_t step = 0; step < 3; ++step) {
    fill(all.u, step);
    writer.start(series, "u", step);
    CHECK_THROWS_WITH(series.write("w", step, all.w), "another array is still being written");
    clear(all.u);
    while (!writer.test()) {
    }
  }
  for (index_t step = 0; step < 3; ++step) {
    clear(all.u);
    series.read("u", step, all.u);
    check(all.u, step, cube);
  }
}

WHERRY_TEST(array_series_errors, ranks(1, 2, 3)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  arrays all(comm);
  const auto path = place / "s";
  write_steps(path, all, 0, 1);
  {
    wherry::array_series series(comm, path);
    CHECK_THROWS_WITH(series.write("u", 0, all.u), "it has 'u' of step 0 already");
    CHECK_THROWS_WITH(series.write("", 1, all.u), "'name' is");
    CHECK_THROWS_WITH(series.write(std::string(104, 'x'), 1, all.u), "104 bytes");
    CHECK_THROWS_WITH(series.read("u", 1, all.u), "has no 'u' of step 1");
    CHECK_THROWS_WITH(series.read("w", 0, all.u), "dimensions");
    wherry::x_array<float, 3> f(comm, all.u.plan());
    CHECK_THROWS_WITH(series.read("u", 0, f), "float64");
    if (test.size > 1) {
      const auto named = wherry::detail::text("u", test.rank);
      CHECK_THROWS_WITH(series.write(named, 1, all.u), "the name");
    }
  }
  CHECK_THROWS_WITH(wherry::array_series(comm, ""), "empty");
  CHECK_THROWS_WITH(wherry::array_series(comm, place / "no/such/folder"), "cannot create it");

  // What a writer that died has left behind is not there, and makes room.
  const auto whole = place.read("s");
  const auto with = [&](const std::vector<std::byte>& bytes) {
    MPI_Barrier(test.comm);
    if (test.rank == 0)
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    MPI_Barrier(test.comm);
  };
  auto unfinished = whole;
  unfinished.resize(whole.size() + 192);
  unfinished.resize(whole.size() + 5000, std::byte{77});
  with(unfinished);
  write_steps(path, all, 1, 2);
  check_steps(path, comm, 2);

  // Damage is told, not taken for the end.
  const wherry::array_series good(comm, path);
  const auto second = static_cast<std::size_t>(good.entries()[1].begin) - 192;
  const auto all_bytes = place.read("s");
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{30}, std::size_t{50}, second + 24, second + 45, second + 191}) {
    auto damaged = all_bytes;
    damaged[at] ^= std::byte{4};
    with(damaged);
    CHECK_THROWS_WITH(wherry::array_series(comm, path), "'");
  }
  // Of a file that was cut in its last array, or in its record, all others are there, and the next takes its place.
  const auto last = static_cast<std::size_t>(good.entries()[5].begin);
  for (const std::size_t bytes : {all_bytes.size() - 1, last + 1, last, last - 1, last - 190, last - 192}) {
    auto cut = all_bytes;
    cut.resize(bytes);
    with(cut);
    wherry::array_series series(comm, path);
    CHECK(series.entries().size() == 5 && series.steps("u in a slab") == std::vector<index_t>{0});
    fill(all.u, 1);
    series.write("u in a slab", 1, all.u, slab, {.buffer_bytes = 3000, .piece = 1024});
    check_steps(path, comm, 2);
  }
  auto half = all_bytes;  // a record that never was ours
  half.resize(half.size() + 100, std::byte{9});
  with(half);
  CHECK_THROWS_WITH(wherry::array_series(comm, path), "'");
  auto inside = all_bytes;  // an array's own bytes
  inside[second - 20] ^= std::byte{1};
  with(inside);
  {
    const wherry::array_series series(comm, path);
    CHECK_THROWS_WITH(series.read("u", 0, all.u), "damaged");
    clear(all.w);
    series.read("w", 0, all.w);
    check(all.w, 0, plane);
  }
  for (const auto& foreign : {std::vector<std::byte>(40, std::byte{'x'}), std::vector<std::byte>(3, std::byte{0x93}),
                              std::vector<std::byte>(40), std::vector<std::byte>(4000)}) {
    with(foreign);
    CHECK_THROWS_WITH(wherry::array_series(comm, path), "does not begin like");
    CHECK(place.read("s") == foreign);
  }
}

// Whoever has an older idea of a file writes nothing to it.
WHERRY_TEST(array_series_of_two_writers, ranks(1, 2, 3)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  arrays all(comm);
  const auto path = place / "s";
  fill(all.u, 1);
  wherry::array_series older(comm, path);
  older.write("u", 1, all.u);
  wherry::array_series newer(comm, path);
  newer.write("u", 2, all.u);
  newer.write("u", 3, all.u);
  CHECK_THROWS_WITH(older.write("u", 4, all.u), "'u' of step 2 was added since this array_series was opened");
  newer.write("u", 5, all.u);
  const std::vector<index_t> written{1, 2, 3, 5};
  CHECK(wherry::array_series(comm, path).steps("u") == written);
  {
    // While one is under way.
    wherry::array_series other(comm, path);
    wherry::array_writer writer(all.u);
    writer.start(newer, "u", 6);
    CHECK_THROWS_WITH(other.write("u", 7, all.u), "another array_series of this one, is writing to it");
    writer.wait();
  }
  const auto before = place.read("s");
  MPI_Barrier(test.comm);
  if (test.rank == 0) std::filesystem::resize_file(path, before.size() / 2);
  MPI_Barrier(test.comm);
  CHECK_THROWS_WITH(newer.write("u", 8, all.u), "changed since this array_series was opened");
  CHECK_EQUAL(place.read("s").size(), before.size() / 2);
  MPI_Barrier(test.comm);
  if (test.rank == 0) std::filesystem::create_symlink(path, place / "link");
  MPI_Barrier(test.comm);
  wherry::array_series linked(comm, place / "link");
  CHECK(linked.steps("u").size() >= 2);
  CHECK_THROWS_WITH(linked.write("u", 9, all.u), "it is a symbolic link");
  // One whose first array was never finished is a series still.
  {
    wherry::array_series first(comm, place / "t");
    wherry::array_writer given_up(all.u);
    given_up.start(first, "u", 1);
  }
  MPI_Barrier(test.comm);
  wherry::array_series again(comm, place / "t");
  CHECK(again.entries().empty());
  again.write("u", 1, all.u);
  CHECK(wherry::array_series(comm, place / "t").steps("u") == std::vector<index_t>{1});
}
