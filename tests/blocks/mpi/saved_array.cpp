// Array files that one process reads without MPI: every value of every box, by pieces, from whole files and from
// series.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "support/array_file_folder.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

const wherry::box<3> cube{{-3, 2, 0}, {11, 14, 10}};

float value(const wherry::point<3>& p, int component) {
  return static_cast<float>(p[0] + 20 * p[1] + 400 * p[2] + 8000 * component);
}

/// Counts the cells that a file has, and compares each with `value`.
index_t check_cells(const wherry::saved_array& file) {
  index_t cells = 0;
  long wrong = 0;
  for (std::size_t i = 0; i < file.boxes().size(); ++i)
    file.read(i, [&](const wherry::saved_array::saved_box& piece, std::span<const std::byte> bytes) {
      wrong += piece.number == file.boxes()[i].number ? 0 : 1;
      std::vector<float> values(bytes.size() / sizeof(float));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      wherry::box<3> there;
      for (std::size_t d = 0; d < 3; ++d) {
        there.lower[d] = piece.lower[d];
        there.upper[d] = piece.upper[d];
      }
      REQUIRE(std::ssize(values) == 2 * there.size());
      cells += there.size();
      std::size_t k = 0;
      for (int component = 0; component < 2; ++component)
        for (index_t z = there.lower[2]; z < there.upper[2]; ++z)
          for (index_t y = there.lower[1]; y < there.upper[1]; ++y)
            for (index_t x = there.lower[0]; x < there.upper[0]; ++x)
              wrong += values[k++] == value({x, y, z}, component) ? 0 : 1;
    });
  CHECK_EQUAL(wrong, 0);
  return cells;
}

}  // namespace

WHERRY_TEST(any_rank_reads_a_whole_array_alone, ranks(1, 2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const folder here(test);
  wherry::x_array<float, 3> u(comm, wherry::decompose(cube, comm.size(), {.largest = {5, 7, 4}}), {.components = 2});
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, &v = values](const auto& p) {
      for (int component = 0; component < 2; ++component) v(p, component) = value(p, component);
    });
  wherry::write_array(here / "u", u, {.piece = 1024});
  wherry::array_series series(comm, here / "run");
  series.write("u", 3, u);
  series.write("cut", 4, u, {{0, 0, 0}, {2, 5, 10}});

  const wherry::saved_array whole(here / "u");
  CHECK_EQUAL(whole.facts().type, "float32");
  CHECK_EQUAL(std::ssize(whole.boxes()), u.plan().size());
  for (const auto& one : whole.boxes()) {
    const auto& cells = u.plan()[one.number];
    CHECK(std::equal(one.lower.begin(), one.lower.end(), cells.lower.begin()) &&
          std::equal(one.upper.begin(), one.upper.end(), cells.upper.begin()));
  }
  CHECK_EQUAL(check_cells(whole), cube.size());

  const auto arrays = wherry::arrays_in_series(here / "run");
  REQUIRE(arrays.size() == 2);
  CHECK(arrays[1].name == "cut" && arrays[1].step == 4);
  CHECK_EQUAL(check_cells(wherry::saved_array(here / "run", arrays[0].begin, arrays[0].bytes)), cube.size());
  CHECK_EQUAL(check_cells(wherry::saved_array(here / "run", arrays[1].begin, arrays[1].bytes)), index_t{2 * 3 * 10});
  CHECK_THROWS_WITH(wherry::saved_array(here / "run"), "does not begin like an array file");
  CHECK_THROWS_WITH(wherry::arrays_in_series(here / "nothing"), "nothing");
  CHECK_THROWS_WITH(wherry::saved_array(here / "run", 1, 100), "too few");

  auto bytes = here.read("u");
  bytes[bytes.size() / 2] ^= std::byte{4};
  here.write("damaged", bytes);
  const wherry::saved_array damaged(here / "damaged");
  const auto read_all = [&] {
    for (std::size_t i = 0; i < damaged.boxes().size(); ++i) damaged.read(i, [](const auto&, const auto&) {});
  };
  CHECK_THROWS_WITH(read_all(), "are damaged: the checksum is wrong");
}
