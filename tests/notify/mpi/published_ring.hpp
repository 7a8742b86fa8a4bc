// A ring of rows on a device, to publish.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/device/device.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/notify/published_layouts.hpp"

#include "harness/harness.hpp"
#include "support/some_device.hpp"

namespace wherry_test {

inline void require_words(const std::string& said, const std::string& words) {
  if (fault(said.find(words) == std::string::npos)) FAIL("'" + words + "' is not in: " + said);
}

// A ring of rows on the device in a stream of its own, which the host never waits for.
struct streamed_ring {
  static constexpr wherry::index_t cells = 300, width = 2, all = cells + 2 * width;

  streamed_ring(const context& test, MPI_Comm comm)
      : rank(test.rank), ranks(test.size), grid(comm, {.periodic = {true}}), stream(device_of_test().make_stream()) {
    for (auto& row : rows) row = wherry::make_on_device<double>(all);
  }
  ~streamed_ring() { device_of_test().end_stream(stream); }
  streamed_ring(const streamed_ring&) = delete;
  streamed_ring& operator=(const streamed_ring&) = delete;

  auto view() const {
    return wherry::halo_inside(
        wherry::view<double, 1>{rows[0].get(), {all}, wherry::fortran_layout<1>(), wherry::memory_space::device},
        width);
  }
  std::vector<double> filled(int of_rank, int step) const {
    std::vector<double> image(all, -1.0);
    for (wherry::index_t i = 0; i < cells; ++i)
      image[static_cast<std::size_t>(width + i)] = 1000.0 * step + 10.0 * of_rank + 0.01 * static_cast<double>(i);
    return image;
  }
  std::vector<double> exchanged(int step) const {
    auto image = filled(rank, step);
    const auto left = filled((rank + ranks - 1) % ranks, step), right = filled((rank + 1) % ranks, step);
    for (std::size_t i = 0; i < width; ++i) {
      image[i] = left[cells + i];
      image[width + cells + i] = right[width + i];
    }
    return image;
  }

  int rank, ranks;
  wherry::process_grid grid;
  wherry::device_stream stream;
  std::array<std::shared_ptr<double[]>, 4> rows;  // take turns
};

// A ring with its layouts on the fake device, and one row of it.
struct published_ring : streamed_ring {
  explicit published_ring(const context& test)
      : streamed_ring(test, test.comm),
        describes(grid, {}, view()),
        layouts(std::in_place, grid.comm(), describes.schedule()),
        beside_first(test.size > 1 && (rank == 1 || rank == test.size - 1)) {}
  ~published_ring() { device_of_test().finish(stream); }
  published_ring(const published_ring&) = delete;
  published_ring& operator=(const published_ring&) = delete;

  // The row of this step is meant from now on.
  void choose(int step) { table[0] = rows[static_cast<std::size_t>(step % 4)].get(); }
  void put(int step) {
    choose(step);
    images.push_back(filled(rank, step));
    device_of_test().copy(stream, table[0], images.back().data(), bytes);
  }
  std::vector<double> get() {
    std::vector<double> found(all);
    device_of_test().copy(stream, found.data(), table[0], bytes);
    device_of_test().finish(stream);
    return found;
  }
  bool publish(double seconds = wherry::no_limit) {
    const wherry::in_stream here(stream);
    return layouts->publish(table, seconds);
  }
  bool read(double seconds = wherry::no_limit) {
    const wherry::in_stream here(stream);
    return layouts->read(table, seconds);
  }

  static constexpr auto bytes = all * sizeof(double);
  std::deque<std::vector<double>> images;  // stay until the stream has read them
  void* table[1] = {rows[0].get()};
  wherry::halo_exchange describes;
  std::optional<wherry::published_layouts> layouts;
  bool beside_first;
};

// The fake device, which lends nothing.
inline const wherry::device& device_that_keeps_its_own() {
  static const wherry::device row = [] {
    auto made = wherry::fake_device();
    made.lend = [](void*, wherry::detail::device_ticket&) { return std::string("it keeps its own"); };
    return made;
  }();
  return row;
}

}  // namespace wherry_test
