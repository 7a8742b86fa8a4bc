// What tests of device fields exchange: a ring of rows on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/some_device.hpp"

namespace wherry_test {

using wherry::index_t;

inline const wherry::device& fake() { return wherry::fake_device(); }

// The device's stream and event, and pinned memory of the host.
class users_stream {
 public:
  users_stream() : stream_(device_of_test().make_stream()) {}
  ~users_stream() { device_of_test().end_stream(stream_); }
  users_stream(const users_stream&) = delete;
  users_stream& operator=(const users_stream&) = delete;
  operator wherry::device_stream() const { return stream_; }
  void copy(void* to, const void* from, std::size_t bytes) const { device_of_test().copy(stream_, to, from, bytes); }
  void finish() const { device_of_test().finish(stream_); }

 private:
  wherry::device_stream stream_;
};

// A ring of rows on the device, whose ends are halos: 2 cells on each side.
struct ring {
  static constexpr index_t cells = 100, width = 2, all = cells + 2 * width;

  explicit ring(const context& test)
      : rank(test.rank),
        ranks(test.size),
        grid(test.comm, {.periodic = {true}}),
        row(wherry::make_on_device<double>(all)) {}

  wherry::view<double, 1> view() const {
    return {row.get(), wherry::point<1>{all}, wherry::fortran_layout<1>(), wherry::memory_space::device};
  }
  static double value(int of_rank, index_t place, int round) {
    return 1000.0 * round + 10.0 * of_rank + 0.01 * static_cast<double>(place);
  }
  std::vector<double> filled(int round) const {
    std::vector<double> image(all, -1.0);
    for (index_t i = 0; i < cells; ++i) image[static_cast<std::size_t>(width + i)] = value(rank, i, round);
    return image;
  }
  std::vector<double> exchanged(int round) const {
    auto image = filled(round);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (index_t i = 0; i < width; ++i) {
      image[static_cast<std::size_t>(i)] = value(left, cells - width + i, round);
      image[static_cast<std::size_t>(width + cells + i)] = value(right, i, round);
    }
    return image;
  }
  std::size_t bytes() const { return all * sizeof(double); }
  void put(const std::vector<double>& image) const { wherry::copy_on_device(row.get(), image.data(), bytes()); }
  std::vector<double> get() const {
    std::vector<double> image(all);
    wherry::copy_on_device(image.data(), row.get(), bytes());
    return image;
  }

  int rank, ranks;
  wherry::process_grid grid;
  std::shared_ptr<double[]> row;
};

inline bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// A few rounds, all on the device; what `explain` says has these words in it.
inline void exchange_once(const context& test, const wherry::carry_options& how, const std::string& expected) {
  ring r(test);
  wherry::halo_exchange exchange(r.grid, {.carry = how}, wherry::halo_inside(r.view(), ring::width));
  for (int round = 1; round < 5; ++round) {
    r.put(r.filled(round));
    exchange();
    CHECK(r.get() == r.exchanged(round));
  }
  if (fault(!says(exchange.explain(), expected))) FAIL("does not say '" + expected + "': " + exchange.explain());
}

}  // namespace wherry_test
