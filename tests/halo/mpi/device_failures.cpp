// What goes wrong on the device of one rank: nobody is left waiting, no process ends. And what a device that is behind
// must not hold up.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

// The fake device with some functions of its own, in use while this lives.
class device_in_use {
 public:
  explicit device_in_use(const wherry::device& row) { wherry::use_device(&row); }
  ~device_in_use() { wherry::use_device(&fake()); }
  device_in_use(const device_in_use&) = delete;
  device_in_use& operator=(const device_in_use&) = delete;
};

bool is_broken = false;

const wherry::device& device_that_breaks() {
  static const wherry::device row = [] {
    auto made = fake();
    made.has_happened = [](wherry::detail::device_event event) {
      if (is_broken) throw wherry::error(wherry::error_kind::resource, "device 'fake'", "it has failed");
      return fake().has_happened(event);
    };
    return made;
  }();
  return row;
}

bool is_full = false;            // this rank's device …
std::size_t allowed_before = 0;  // … after so many allocations

const wherry::device& device_that_is_full() {
  static const wherry::device row = [] {
    auto made = fake();
    made.allocate = [](std::size_t bytes) -> void* {
      if (!is_full || bytes == 0) return fake().allocate(bytes);
      if (allowed_before == 0) return nullptr;
      --allowed_before;
      return fake().allocate(bytes);
    };
    return made;
  }();
  return row;
}

bool is_slow = false;  // this rank's device, behind each of its launches

const wherry::device& device_that_is_slow() {
  static std::vector<char> here(16 << 20), there(16 << 20);
  static const wherry::device row = [] {
    auto made = fake();
    made.move = [](wherry::device_stream stream, const wherry::device_moves& what, const wherry::field_places& fields) {
      fake().move(stream, what, fields);
      for (int i = 0; is_slow && i < 8; ++i) fake().copy(stream, here.data(), there.data(), here.size());
    };
    return made;
  }();
  return row;
}

}  // namespace

WHERRY_TEST(a_device_that_fails_is_an_error_and_no_end, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  const device_in_use row(device_that_breaks());
  for (const char* transport : {"auto", "two_sided"})
    for (const bool in_flight : {true, false}) {
      ring r(test);
      r.put(r.filled(1));
      const users_stream stream;
      bool told = false;
      try {
        wherry::halo_exchange exchange(r.grid, {.carry = {.transport = transport}},
                                       wherry::halo_inside(r.view(), ring::width));
        exchange();
        MPI_Barrier(test.comm);
        const wherry::in_stream here(stream);
        auto door = wherry::detail::hold_fake_device(stream);
        exchange.start();
        if (!in_flight) {
          door.reset();
          exchange.wait();
        }
        is_broken = test.rank == 0;
        door.reset();
        if (in_flight && test.rank == 0) exchange.wait();
        if (in_flight) exchange.abandon();  // the others, who would wait for it
        if (test.rank == 0) throw wherry::error(wherry::error_kind::resource, "the user", "it has failed");
      } catch (const wherry::error& failure) {
        told = says(failure.what(), "it has failed");
      }
      is_broken = false;  // what was given up leaves after all, and lets the others go on
      CHECK_EQUAL(told, test.rank == 0);
      MPI_Barrier(test.comm);
    }
}

WHERRY_TEST(memory_that_one_device_lacks_all_ranks_do_without, ranks(2, 3, 4)) {
  const with_setting on("device", "fake", "auto");
  const device_in_use row(device_that_is_full());
  for (const bool snapshot : {false, true})
    for (std::size_t given = 0; given < 10; ++given) {  // each of a bind's allocations fails once
      ring r(test);
      is_full = test.rank == test.size - 1;
      allowed_before = given;
      std::optional<wherry::halo_exchange> exchange;
      std::string why;
      try {
        exchange.emplace(r.grid, wherry::halo_options{.carry = {.snapshot = snapshot}},
                         wherry::halo_inside(r.view(), ring::width));
      } catch (const wherry::error& failure) {
        why = failure.what();
      }
      is_full = false;
      // All have it or none has.
      int have = exchange ? 1 : 0, all = 0;
      MPI_Allreduce(&have, &all, 1, MPI_INT, MPI_SUM, test.comm);
      CHECK(all == 0 || all == test.size);
      if (!exchange) CHECK(!why.empty());
      if (!exchange) continue;
      r.put(r.filled(4));
      (*exchange)();
      CHECK(r.get() == r.exchanged(4));
    }
}

// The fields are the user's from `start` to `wait`, those that things arrive in, too.
WHERRY_TEST(a_snapshot_in_a_stream_arrives_when_it_is_waited_for, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  for (const char* transport : {"auto", "two_sided"}) {
    ring r(test);
    wherry::halo_exchange exchange(r.grid, {.carry = {.transport = transport, .snapshot = true}},
                                   wherry::halo_inside(r.view(), ring::width));
    const users_stream stream;
    const wherry::in_stream here(stream);
    const auto image = r.filled(5), other = r.filled(6);
    std::vector<double> before(ring::all), after(ring::all);
    constexpr auto bytes = ring::all * sizeof(double);
    stream.copy(r.row.get(), image.data(), bytes);
    exchange.start();
    {
      const auto door = wherry::detail::hold_fake_device(stream);
      stream.copy(before.data(), r.row.get(), bytes);  // who reads the old halo still
      stream.copy(r.row.get(), other.data(), bytes);   // who writes the field again
      exchange.wait();
    }
    stream.copy(after.data(), r.row.get(), bytes);
    stream.finish();
    CHECK(before == image);
    auto wanted = r.exchanged(5);
    std::copy(other.begin() + ring::width, other.end() - ring::width, wanted.begin() + ring::width);
    CHECK(after == wanted);
  }
}

// Giving up waits for the stream all the same (docs/device.md): somebody else lets it through.
WHERRY_TEST(a_start_that_waits_for_packing_has_its_time, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto"), limit("timeout", "0.2", "0");
  ring r(test);
  wherry::halo_exchange exchange(r.grid, {.carry = {.snapshot = true}}, wherry::halo_inside(r.view(), ring::width));
  const users_stream stream;
  const wherry::in_stream here(stream);
  auto door = wherry::detail::hold_fake_device(stream);
  std::thread opens([&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    door.reset();
  });
  std::string why;
  try {
    exchange.start();
  } catch (const wherry::error& failure) {
    if (failure.kind() == wherry::error_kind::timeout) why = failure.what();
  }
  opens.join();
  CHECK(says(why, "still waits for the device of this rank to pack"));
  MPI_Barrier(test.comm);
}

// A rank whose device is behind says what it has read before it says what it has packed since: a peer whose wait is
// over by that has room for the start after it, which then waits for nothing that this rank does.
WHERRY_TEST(what_is_read_is_told_before_what_is_packed, ranks(3)) {
  const with_setting on("device", "fake", "auto"), limit("timeout", "20", "0");
  const device_in_use row(device_that_is_slow());
  ring r(test);
  // Ranks 1 and 2 exchange with rank 0 only.
  wherry::index_lists lists;
  const auto some = [](int peer, index_t from) {
    wherry::peer_indices all{peer, {}};
    for (index_t i = 0; i < 20; ++i) all.at.push_back(from + i);
    return all;
  };
  if (test.rank == 0) {
    lists.sends = {some(1, 0), some(2, 0)};
    lists.receives = {some(1, 20), some(2, 40)};
  } else {
    lists.sends = {some(0, 0)};
    lists.receives = {some(0, 20)};
  }
  wherry::index_exchange exchange(test.comm, lists, wherry::index_options{.carry = {.transport = "device_shared"}},
                                  r.view());
  const users_stream stream;
  is_slow = test.rank == 0;
  std::optional<wherry::in_stream> here;
  if (test.rank == 0) here.emplace(wherry::device_stream(stream));
  for (int number = 1; number <= 3; ++number) {
    if (test.rank == 2 && number == 2) std::this_thread::sleep_for(std::chrono::seconds(1));
    exchange.start();
    if (number == 3 && test.rank != 0) MPI_Barrier(test.comm);
    exchange.wait();
  }
  if (test.rank == 0) MPI_Barrier(test.comm);
  here.reset();
  stream.finish();
  is_slow = false;
  CHECK_EQUAL(exchange.statistics().exchanges, 3);
  MPI_Barrier(test.comm);
}
