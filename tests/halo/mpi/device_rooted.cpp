// Sections in device memory that a root scatters, gathers and broadcasts.
#include <algorithm>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "support/some_device.hpp"

using namespace wherry_test;

namespace {

double value_at(index_t i, index_t j) { return static_cast<double>(100 * i + j); }

std::vector<double> image_of(const wherry::field<double, 2>& f, std::size_t cells) {
  std::vector<double> image(cells);
  wherry::copy_on_device(image.data(), f.data(), cells * sizeof(double));
  return image;
}

}  // namespace

// The root's array is in the host's memory on the way out, and on the device on the way back.
WHERRY_TEST(a_root_scatters_to_devices_and_gathers_from_them, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::process_grid grid(test.comm, {.periodic = {false, false}});
  const wherry::point<2> cells{9, 7};
  constexpr std::size_t all = 63;
  const int root = test.size - 1;
  const auto mine = wherry::owned_box<2>(grid, cells);
  const auto core = mine.extents();
  constexpr int width = 1;
  wherry::field<double, 2> u(grid.comm(), core, width, {.space = wherry::memory_space::device});
  const auto whole = static_cast<std::size_t>((core[0] + 2 * width) * (core[1] + 2 * width));
  std::vector<double> host(all);
  for (index_t i = 0; i < cells[0]; ++i)
    for (index_t j = 0; j < cells[1]; ++j) host[static_cast<std::size_t>(i * cells[1] + j)] = value_at(i, j);
  const auto back = wherry::make_on_device<double>(all);
  using global_view = wherry::view<double, 2>;
  const auto order = wherry::c_layout<2>();
  wherry::scatter_exchange out(grid, test.rank == root ? global_view(host.data(), cells, order) : global_view{}, u,
                               {.root = root});
  wherry::gather_exchange in(
      grid, u, test.rank == root ? global_view(back.get(), cells, order, wherry::memory_space::device) : global_view{},
      {.root = root});
  for (int round = 0; round < 3; ++round) {
    if (round > 0) std::ranges::transform(host, host.begin(), [](double x) { return x + 1000; });
    out();
    const auto image = image_of(u, whole);
    for (index_t i = 0; i < core[0]; ++i)
      for (index_t j = 0; j < core[1]; ++j) {
        const auto place = &u[wherry::point<2>{i, j}] - u.data();
        CHECK_EQUAL(image[static_cast<std::size_t>(place)],
                    value_at(mine.lower[0] + i, mine.lower[1] + j) + 1000.0 * round);
      }
    in();
    if (test.rank != root) continue;
    std::vector<double> gathered(all);
    wherry::copy_on_device(gathered.data(), back.get(), all * sizeof(double));
    CHECK(gathered == host);
  }
}

WHERRY_TEST(a_root_broadcasts_sections_on_devices, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const wherry::point<2> cells{6, 5};
  constexpr std::size_t all = 30;
  const wherry::box<2> part{{1, 2}, {5, 4}};
  const auto memory = wherry::make_on_device<double>(all);
  const wherry::view<double, 2> array(memory.get(), cells, wherry::c_layout<2>(), wherry::memory_space::device);
  for (int root = 0; root < test.size; ++root) {
    wherry::bcast_exchange everywhere(grid, {.root = root}, wherry::section_of(array, part));
    std::vector<double> image(all, -1.0), found(all);
    const auto fill_part = [&] {
      for (index_t i = part.lower[0]; i < part.upper[0]; ++i)
        for (index_t j = part.lower[1]; j < part.upper[1]; ++j)
          image[static_cast<std::size_t>(i * cells[1] + j)] = value_at(i, j) + root;
    };
    if (test.rank == root) fill_part();
    wherry::copy_on_device(memory.get(), image.data(), all * sizeof(double));
    everywhere();
    fill_part();
    wherry::copy_on_device(found.data(), memory.get(), all * sizeof(double));
    CHECK(found == image);
  }
}
