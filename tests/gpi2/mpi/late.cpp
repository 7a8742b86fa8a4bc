// gpi2 over a GASPI that is late, and as limited as a GASPI may be.
#include <GASPI.h>

#include <memory>
#include <optional>

#include "wherry/gpi2/gpi2.hpp"

#include "harness/before_tests.hpp"
#include "late_gaspi.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// Messages in pieces, few notifications, few segments.
constexpr int notifications = 20, segments = 6, longest = 100;

const before_tests start([] {
  gaspi_config_t limits;
  gaspi_config_get(&limits);
  limits.notification_num = notifications;
  limits.segment_max = segments;
  limits.transfer_size_max = longest;
  limits.queue_num = 2;
  gaspi_config_set(limits);
  wherry::use_gpi2();
  wherry::use_gpi2();  // nothing
});

gaspi_number_t segments_now() {
  gaspi_number_t number = 0;
  gaspi_segment_num(&number);
  return number;
}

// A ring of `values` cells a side.
struct ring {
  ring(MPI_Comm comm, wherry::index_t width, bool snapshot = false)
      : grid(comm, {.periodic = {true}}), u(grid.comm(), {2 * width}, width) {
    wherry::halo_options options;
    options.carry.transport = "gpi2";
    options.carry.snapshot = snapshot;
    exchange.emplace(grid, options, u);
  }
  void fill(int round) {
    for (wherry::index_t i = 0; i < u.core().extent(0); ++i) u(i) = value(grid.comm().rank(), i, round);
  }
  long wrong(int round) const {
    const int rank = grid.comm().rank(), size = grid.comm().size();
    const auto cells = u.core().extent(0), width = cells / 2;
    long count = 0;
    for (wherry::index_t i = 0; i < width; ++i) {
      count += u(-1 - i) == value((rank + size - 1) % size, cells - 1 - i, round) ? 0 : 1;
      count += u(cells + i) == value((rank + 1) % size, i, round) ? 0 : 1;
    }
    return count;
  }
  static double value(int rank, wherry::index_t i, int round) {
    return 1000.0 * rank + static_cast<double>(i) + 0.001 * round;
  }

  wherry::process_grid grid;
  wherry::field<double, 1> u;
  std::optional<wherry::halo_exchange> exchange;
};

}  // namespace

WHERRY_TEST(random_halos_over_late_gaspi, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 200, [&](random_case& now) {
    auto what = random_halo_case(now.random, test.size, {.fields = 2, .cells = 500});
    what.options.carry.transport = "gpi2";
    exchange_and_check(what, comms.pick(now.random), now);
  });
}

// The wire is used again as soon as GASPI has read it, and not before: the data of each round is its own.
WHERRY_TEST(many_rounds_in_pieces, ranks(2, 3, 4)) {
  for (const bool snapshot : {false, true}) {
    ring now(test.comm, 50, snapshot);
    long wrong = 0;
    for (int round = 0; round < 60; ++round) {
      now.fill(round);
      now.exchange->start();
      if (snapshot) now.fill(-1);
      now.exchange->wait();
      wrong += now.wrong(round);
    }
    CHECK_EQUAL(wrong, 0);
  }
  if (test.size > 2) {  // two ranks have one message each, on one queue
    CHECK(late_gaspi::times_full() > 0);
  }
  CHECK(late_gaspi::times_late() > 0);
}

// What one exchange has is another's when all ranks are through with it: few segments do for any number of them.
WHERRY_TEST(segments_are_used_again, ranks(2, 3, 4, 8)) {
  for (int i = 0; i < 80; ++i) {  // without that their notifications would take more segments than there may be
    ring now(test.comm, 20);
    now.fill(i);
    (*now.exchange)();
    REQUIRE(now.wrong(i) == 0);
  }
  CHECK(segments_now() <= 3);
}

WHERRY_TEST(what_does_not_fit_is_said, ranks(2, 3)) {
  std::vector<std::unique_ptr<ring>> kept;
  std::string said;
  try {  // each wants more than there is in reserve
    for (int i = 0; i < 2 * segments; ++i) kept.push_back(std::make_unique<ring>(test.comm, 1 << (16 + i / 2)));
  } catch (const wherry::error& failure) {
    CHECK(failure.kind() == wherry::error_kind::resource);
    said = failure.what();
  }
  CHECK(said.find("all 6 are in use") != std::string::npos);
  kept.resize(1);
  ring works(test.comm, 100);  // the next bind has found what is free
  works.fill(1);
  (*works.exchange)();
  CHECK_EQUAL(works.wrong(1), 0);
}

WHERRY_TEST(a_request_that_fails_names_it, ranks(2, 3)) {
  {
    ring now(test.comm, 2);
    const wherry_test::setting limit("timeout", "1", "0");
    if (test.rank == 0) late_gaspi::fail_once();
    std::string said;
    try {
      now.fill(1);
      (*now.exchange)();
    } catch (const wherry::error& failure) {
      said = failure.what();
    }
    if (test.rank == 0) {
      CHECK(said.find("gaspi_write_notify for rank 1 failed") != std::string::npos);
      CHECK(said.find("error -1") != std::string::npos);
    }
    MPI_Barrier(test.comm);
    now.exchange->abandon();
  }
  ring another(test.comm, 10);
  another.fill(2);
  (*another.exchange)();
  CHECK_EQUAL(another.wrong(2), 0);
}
