// Packets of device fields: while one travels the device packs the next.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "harness/patient.hpp"
#include "support/case_runner.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

int launches = 0;

const wherry::device& device_that_counts() {
  static const wherry::device row = [] {
    wherry::device made = fake();
    made.move = [](wherry::device_stream stream, const wherry::device_moves& what, const wherry::field_places& fields) {
      ++launches;
      fake().move(stream, what, fields);
    };
    return made;
  }();
  return row;
}

// A periodic row of 100 cells with 40 of each neighbour's.
struct wide_row {
  static constexpr index_t cells = 100, width = 40, all = cells + 2 * width;

  explicit wide_row(const context& test)
      : grid(test.comm, {.periodic = {true}}),
        memory(wherry::make_on_device<double>(all)),
        host(all),
        rank(test.rank) {}
  static auto around(double* first) {
    return wherry::halo_inside(wherry::view<double, 1>(first, wherry::point<1>{all}), width);
  }
  void put(int round) {
    for (index_t i = 0; i < all; ++i)
      host[static_cast<std::size_t>(i)] = 1000.0 * round + 200.0 * rank + static_cast<double>(i);
    wherry::copy_on_device(memory.get(), host.data(), host.size() * sizeof(double));
  }
  std::vector<double> get() const {
    std::vector<double> image(all);
    wherry::copy_on_device(image.data(), memory.get(), image.size() * sizeof(double));
    return image;
  }

  wherry::process_grid grid;
  std::shared_ptr<double[]> memory;
  std::vector<double> host;
  int rank;
};

}  // namespace

WHERRY_TEST(packets_of_device_fields, ranks(1, 2, 3, 4)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  for (const auto& name : device_transports(test.comm))
    for (const bool back : {false, true}) {
      test.note(name);
      wide_row row(test);
      wherry::halo_options how{.reverse = back, .carry = {.transport = name, .packet_bytes = 96}};
      if (back) how.update = std::plus<>{};
      wherry::halo_exchange device(row.grid, how, wide_row::around(row.memory.get()));
      how.carry.transport = "auto";
      wherry::halo_exchange plain(row.grid, how, wide_row::around(row.host.data()));
      for (int round = 1; round <= 5; ++round) {
        row.put(round);
        device();
        plain();
        if (fault(row.get() != row.host)) FAIL(name + ": wrong in round " + std::to_string(round));
      }
    }
}

// Nobody has come yet, and the first two packets are packed; who gives up leaves all of them.
WHERRY_TEST(packets_are_packed_ahead, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  wherry::use_device(&device_that_counts());
  for (const std::string name : {"two_sided", "device_shared"}) {
    wide_row row(test);
    wherry::halo_exchange device(row.grid, {.carry = {.transport = name, .packet_bytes = 96}},
                                 wide_row::around(row.memory.get()));
    for (int round = 1; round <= 2; ++round) {
      row.put(round);
      patient_barrier(test.comm);
      launches = 0;
      if (test.rank == 0) {
        device.start();
        CHECK_EQUAL(launches, 2);
      }
      patient_barrier(test.comm);
      if (test.rank != 0) device.start();
      if (test.rank == 0 && round == 2) {
        device.bound().abandon();
      } else {
        device.wait();
        const auto from = (test.rank + test.size - 1) % test.size;
        CHECK_EQUAL(row.get()[0], 1000.0 * round + 200.0 * from + 100.0);
      }
    }
    exchange_once(test, {}, "");  // whoever waits for anything drives what was given up
  }
  wherry::use_device(&fake());
}
