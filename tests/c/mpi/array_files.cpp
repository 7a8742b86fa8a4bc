// Array files by the C interface.
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;
using held_series = owned_handle<wherry_array_series, wherry_array_series_free>;
using held_writer = owned_handle<wherry_array_writer, wherry_array_writer_free>;

/// A path that all ranks of a test share and that is removed at its end.
class shared_path {
 public:
  explicit shared_path(const context& test) : test_(test) {
    int number = static_cast<int>(getpid());
    MPI_Bcast(&number, 1, MPI_INT, 0, test.comm);
    name_ = "/tmp/c_array_file_" + std::to_string(number) + ".wherry";
    remove_file();
  }
  shared_path(const shared_path&) = delete;
  shared_path& operator=(const shared_path&) = delete;
  ~shared_path() {
    MPI_Barrier(test_.comm);
    remove_file();
  }
  operator const char*() const { return name_.c_str(); }

 private:
  void remove_file() const {
    if (test_.rank == 0) std::remove(name_.c_str());
    MPI_Barrier(test_.comm);
  }
  const context& test_;
  std::string name_;
};

/// The core cells that `there` says were read have their numbers.
template <class There> void check_read(wherry_x_array array, There&& there, const std::string& title) {
  int wrong = 0;
  for_values<double>(array, [&](double value, const coordinates& p, const wherry_block& block, int c) {
    if (value != (is_inside(block.core, p) && there(p) ? number_of(p, c) : untouched)) ++wrong;
  });
  if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong");
}

}  // namespace

WHERRY_TEST(arrays_are_written_and_read_with_other_plans, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const shared_path path(test);
  constexpr int cases = 8;
  for (int number = 0; number < cases; ++number) {
    const int n = number < 6 ? number + 1 : draw(random, 1, 3);
    const auto whole = random_box(random, n, 1, n > 4 ? 3 : 6);
    const auto a = random_tiling(random, whole, test.size, 3), b = random_tiling(random, whole, test.size, 3);
    const auto title = "case " + std::to_string(number);
    held_plan from, to, read;
    held_array u, v;
    a.make(from.out());
    b.make(to.out());
    wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options), others = options;
    options.ghost_width = wherry_same_widths(1);
    options.components = others.components = 2;
    others.layout = WHERRY_LAYOUT_C;
    succeeds(wherry_x_array_create(comm, from, WHERRY_FLOAT64, &options, u.out()));
    succeeds(wherry_x_array_create(comm, to, WHERRY_FLOAT64, &others, v.out()));
    fill_cores(u);
    clear(v);
    succeeds(wherry_write_array(path, u, nullptr, nullptr), title);
    std::int64_t filled = -1, wanted = 0, size = 0;
    succeeds(wherry_read_array(path, v, nullptr, nullptr, &filled), title);
    check_read(v, [&](const coordinates& p) { return a.has(p); }, title);
    for (const auto& one : a.boxes)
      for (const auto& other : b.boxes) {
        wherry_box common{};
        succeeds(wherry_box_intersection(one, other, &common));
        succeeds(wherry_box_size(common, &size));
        wanted += size;
      }
    CHECK_EQUAL(filled, wanted);
    // The content of the file.
    wherry_array_file_description known{};
    succeeds(wherry_describe_array_file(comm, path, &known));
    CHECK_EQUAL(std::vector<int>({known.dimensions, known.components, known.boxes}),
                std::vector<int>({n, 2, static_cast<int>(a.boxes.size())}));
    CHECK_EQUAL(std::string(known.type), std::string("float64"));
    CHECK_EQUAL(known.element, 8);
    succeeds(wherry_read_floor_plan(comm, path, read.out()));
    int boxes = 0;
    succeeds(wherry_floor_plan_size(read, &boxes, nullptr, nullptr));
    CHECK_EQUAL(boxes, known.boxes);
    // A section.
    const auto section = random_box(random, n, 1, 4);
    clear(v);
    succeeds(wherry_read_array(path, v, &section, nullptr, nullptr), title);
    check_read(v, [&](const coordinates& p) { return a.has(p) && is_inside(section, p); }, title + ", a section");
    succeeds(wherry_write_array(path, u, &section, nullptr), title);
    clear(v);
    succeeds(wherry_read_array(path, v, nullptr, nullptr, nullptr), title);
    check_read(v, [&](const coordinates& p) { return a.has(p) && is_inside(section, p); }, title + ", a file of it");
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(series_hold_steps_of_arrays, ranks(1, 2, 3)) {
  held_comm comm;
  held_plan plan;
  held_array u, v, triples;
  held_series series;
  held_writer writer;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const shared_path path(test);
  const wherry_box whole{2, {0, 0}, {9, 7}};
  succeeds(wherry_floor_plan_decompose(whole, test.size, nullptr, plan.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, nullptr, u.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, nullptr, v.out()));
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  options.numbers = 3;
  succeeds(wherry_x_array_create(comm, plan, WHERRY_INT16, &options, triples.out()));
  succeeds(wherry_array_series_create(comm, path, series.out()));
  fill_cores(u);
  wherry_array_file_options snapshot = WHERRY_INIT(wherry_array_file_options);
  snapshot.snapshot = 1;
  succeeds(wherry_array_series_write(series, "u", 5, u, nullptr, nullptr));
  succeeds(wherry_array_series_write(series, "t", 5, triples, nullptr, nullptr));
  const wherry_box row{2, {0, 3}, {9, 4}};
  succeeds(wherry_array_series_write(series, "cut", 5, u, &row, nullptr));
  succeeds(wherry_array_writer_create(u, nullptr, &snapshot, writer.out()));
  succeeds(wherry_array_writer_start_series(writer, series, "u", 8));
  fails("started", wherry_array_writer_start(writer, path), WHERRY_ERROR_STATE, "");
  clear(u);  // the writer has a copy
  int done = 0;
  while (done == 0) succeeds(wherry_array_writer_test(writer, &done));
  wherry_statistics written{};
  succeeds(wherry_array_writer_statistics(writer, &written));
  CHECK_EQUAL(written.exchanges, 1u);
  const char* text = nullptr;
  succeeds(wherry_array_writer_explain(writer, &text));
  CHECK(*text != '\0');
  // The file as another program finds it.
  series.out();
  succeeds(wherry_array_series_create(comm, path, series.out()));
  std::int64_t size = 0, steps[4] = {}, filled = 0;
  int count = 0;
  succeeds(wherry_array_series_size(series, &size));
  CHECK_EQUAL(size, 4);
  succeeds(wherry_array_series_steps(series, "u", 4, steps, &count));
  CHECK_EQUAL(count, 2);
  CHECK_EQUAL(steps[1], 8);
  wherry_array_series_entry entry{};
  succeeds(wherry_array_series_get(series, 2, &entry));
  CHECK_EQUAL(std::string(entry.name), std::string("cut"));
  wherry_array_file_description known{};
  succeeds(wherry_array_series_describe(series, "t", 5, &known));
  CHECK_EQUAL(std::string(known.type), std::string("int16[3]"));
  CHECK_EQUAL(known.element, 6);
  clear(v);
  succeeds(wherry_array_series_read(series, "u", 8, v, nullptr, nullptr, &filled));
  CHECK_EQUAL(filled, 63);
  check_read(v, [](const coordinates&) { return true; }, "step 8");
  clear(v);
  succeeds(wherry_array_series_read(series, "cut", 5, v, nullptr, nullptr, nullptr));
  check_read(v, [&](const coordinates& p) { return p[1] == 3; }, "a cut");
  // The writer writes files of one array, too.
  fill_cores(u);
  series.out();
  succeeds(wherry_array_writer_start(writer, path));
  succeeds(wherry_array_writer_wait(writer));
  clear(v);
  succeeds(wherry_read_array(path, v, nullptr, nullptr, nullptr));
  check_read(v, [](const coordinates&) { return true; }, "one array");
}

WHERRY_TEST(wrong_files_are_errors_of_all, ranks(1, 2, 3)) {
  held_comm comm;
  held_plan plan;
  held_array u, floats;
  held_series series;
  held_writer writer;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const bool last = test.rank == test.size - 1;
  const shared_path path(test);
  const wherry_box whole{2, {0, 0}, {9, 7}};
  succeeds(wherry_floor_plan_decompose(whole, test.size, nullptr, plan.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, nullptr, u.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT32, nullptr, floats.out()));
  fails("no file", wherry_read_array("/nowhere/x", u, nullptr, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "/nowhere/x");
  fails("no path", wherry_write_array(last ? nullptr : static_cast<const char*>(path), u, nullptr, nullptr),
        WHERRY_ERROR_ARGUMENT, "'path' is NULL");
  fails("no array", wherry_write_array(path, nullptr, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "'array' is NULL");
  wherry_box section = whole;
  if (last) section.dimensions = 1;
  fails("section", wherry_write_array(path, u, &section, nullptr), WHERRY_ERROR_ARGUMENT,
        "'section' has 1 dimensions, expected 2");
  wherry_array_file_options options = WHERRY_INIT(wherry_array_file_options);
  options.piece = 5;
  fails("piece", wherry_write_array(path, u, nullptr, &options), WHERRY_ERROR_ARGUMENT, "piece");
  succeeds(wherry_write_array(path, u, nullptr, nullptr));
  fails("type", wherry_read_array(path, floats, nullptr, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "float");
  fails("no series", wherry_array_series_create(comm, path, series.out()), WHERRY_ERROR_ARGUMENT, "");
  wherry_array_file_description known{};
  fails("no result", wherry_describe_array_file(comm, path, last ? nullptr : &known), WHERRY_ERROR_ARGUMENT,
        "'result' is NULL");
  if (test.rank == 0) std::remove(path);
  MPI_Barrier(test.comm);
  succeeds(wherry_array_series_create(comm, path, series.out()));
  fails("no name", wherry_array_series_write(series, last ? nullptr : "u", 0, u, nullptr, nullptr),
        WHERRY_ERROR_ARGUMENT, "'name' is NULL");
  fails("no array of one",
        wherry_array_series_write(series, "u", 0, last ? nullptr : static_cast<wherry_x_array>(u), nullptr, nullptr),
        WHERRY_ERROR_ARGUMENT, "'array' is NULL");
  succeeds(wherry_array_series_write(series, "u", 0, u, nullptr, nullptr));
  fails("twice", wherry_array_series_write(series, "u", 0, u, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "u");
  fails("not there", wherry_array_series_read(series, "u", 1, u, nullptr, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "");
  fails("no series of one",
        wherry_array_series_read(last ? nullptr : static_cast<wherry_array_series>(series), "u", 0, u, nullptr, nullptr,
                                 nullptr),
        WHERRY_ERROR_ARGUMENT, "'series' is NULL");
  wherry_array_series_entry entry{};
  fails("index", wherry_array_series_get(series, 1, &entry), WHERRY_ERROR_ARGUMENT, "'index' is 1");
  succeeds(wherry_array_writer_create(u, nullptr, nullptr, writer.out()));
  fails("no path", wherry_array_writer_start(writer, last ? nullptr : static_cast<const char*>(path)),
        WHERRY_ERROR_ARGUMENT, "'path' is NULL");
  fails("no writer", wherry_array_writer_wait(nullptr), WHERRY_ERROR_ARGUMENT, "'writer' is NULL");
  const auto copy = static_cast<wherry_array_series>(series);
  series.out();
  std::int64_t size = 0;
  fails("freed", wherry_array_series_size(copy, &size), WHERRY_ERROR_ARGUMENT,
        "is no wherry_array_series: it was freed");
}
