// Published layouts of device fields when a device is late, or fails, and when somebody goes.
#include <string>
#include <vector>

#include "wherry/device/device.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/notify/published_layouts.hpp"

#include "published_ring.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

template <class Step> void times_out(const context& test, const std::string& words, const Step& step) {
  const setting brief("timeout", "0.05", "0");
  try {
    step();
    FAIL("nothing was late: " + words);
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::timeout);
    CHECK_EQUAL(problem.peers(), std::vector<int>{test.rank});
    require_words(problem.what(), words);
  }
}

}  // namespace

// What waits for the device of rank 0 says so, and goes on.
WHERRY_TEST(a_publication_that_the_device_is_late_with, ranks(1, 2, 3).not_simulated("real time must pass")) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  for (int step = 0; step < 3; ++step) {
    auto door = test.rank == 0 ? wherry::detail::hold_fake_device(r.stream) : nullptr;
    r.put(step);
    CHECK(r.publish());  // does not wait for the stream
    if (test.rank == 0) {
      const bool packs = test.size > 1;
      if (packs)
        times_out(test, "still waits for the device of this rank to pack", [&] { r.layouts->await_readers(); });
      if (packs) CHECK(!r.layouts->await_readers(0.001));
    } else if (r.beside_first) {
      for (const double seconds : {0.0, 0.01}) CHECK(!r.read(seconds));
    }
    MPI_Barrier(test.comm);
    door.reset();
    while (!r.read(0.01)) {
    }
    CHECK(r.get() == r.exchanged(step));
    r.layouts->await_readers();
  }
}

// Two publications are ahead of readers whose device is late, and the third one is not: what they have yet to unpack
// stays. `read` in a stream does not wait for the stream.
WHERRY_TEST(publications_ahead_of_a_late_device, ranks(2, 3, 4).not_simulated("real time must pass")) {
  for (const bool lends : {true, false}) {
    const with_setting on("device", "fake", "auto");
    if (!lends) wherry::use_device(&device_that_keeps_its_own());
    {
      published_ring r(test);
      r.put(0);
      r.publish();
      auto door = test.rank != 0 ? wherry::detail::hold_fake_device(r.stream) : nullptr;
      r.read();
      // What went by way of the host the host has read, before the device unpacks it.
      const int last = lends ? 2 : 3;
      if (test.rank == 0) {
        CHECK(r.get() == r.exchanged(0));
        for (int step = 1; step <= last; ++step) {
          r.put(step);
          device_of_test().finish(r.stream);
          CHECK_EQUAL(r.publish(0.05), step < last);
        }
      }
      MPI_Barrier(test.comm);
      std::vector<double> first(streamed_ring::all);
      if (test.rank != 0) device_of_test().copy(r.stream, first.data(), r.table[0], published_ring::bytes);
      door.reset();
      if (test.rank != 0) {
        device_of_test().finish(r.stream);
        CHECK(first == r.exchanged(0));
        r.layouts->await_readers();  // which tells rank 0 what has been read
      }
      for (int step = 1; step <= last; ++step) {
        r.choose(step);
        if (test.rank != 0) r.put(step);
        if (test.rank != 0 || step == last) r.publish();
        r.read();
        CHECK(r.get() == r.exchanged(step));
      }
      r.layouts->await_readers();
    }
    wherry::use_device(&wherry::fake_device());
  }
}

// What is packed late leaves while this rank waits for something else.
WHERRY_TEST(others_waits_send_what_was_published_in_a_stream, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  wherry::field<double, 1> other(r.grid.comm(), {30}, 1);
  wherry::halo_exchange exchange(r.grid, {}, other);
  for (int step = 0; step < 4; ++step) {
    auto door = test.rank == 0 ? wherry::detail::hold_fake_device(r.stream) : nullptr;
    r.put(step);
    r.publish();
    door.reset();
    if (test.rank == 0) exchange();
    r.read();
    CHECK(r.get() == r.exchanged(step));
    if (test.rank != 0) exchange();
  }
}

// What a device packs is a copy: who goes has published it all the same.
WHERRY_TEST(layouts_that_go_leave_what_they_have_published, ranks(2, 3, 4)) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  for (int step = 0; step < 2; ++step) {
    r.put(step);
    r.publish();
    if (test.rank == 0 && step == 1) r.layouts.reset();
    if (test.rank != 0 || step == 0) {
      r.read();
      CHECK(r.get() == r.exchanged(step));
    }
  }
}

// Who goes with its device late has read what it has: others may publish on.
WHERRY_TEST(a_late_reader_that_goes_is_waited_for_no_more, ranks(2).not_simulated("real time must pass")) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  for (int step = 0; step < 2; ++step) {
    r.put(step);
    device_of_test().finish(r.stream);
    r.publish();
  }
  auto door = test.rank == 1 ? wherry::detail::hold_fake_device(r.stream) : nullptr;
  for (int step = 0; step < 2; ++step) {
    r.choose(step);
    r.read();
  }
  if (test.rank == 1) {
    door.reset();
    r.layouts.reset();
  }
  MPI_Barrier(test.comm);
  if (test.rank != 0) return;
  r.put(2);
  CHECK(r.publish(5.0));
}

WHERRY_TEST(a_publication_of_memory_that_is_not_the_devices, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  r.put(0);
  r.publish();
  r.read();
  std::vector<double> of_the_host(streamed_ring::all);
  void* const wrong[] = {of_the_host.data()};
  const std::string words = "said to be in device memory, but device 'fake' does not know its pointer";
  if (test.size > 1)
    all_throw(test, "publish", wherry::error_kind::argument, words, [&] { r.layouts->publish(wrong); });
  all_throw(test, "read", wherry::error_kind::argument, words, [&] { r.layouts->read(wrong); });
  r.put(1);
  r.publish();
  r.read();
  CHECK(r.get() == r.exchanged(1));
}

namespace {

bool is_broken = false;  // asked whether something has happened
int launches_left = -1;  // before one fails; negative: none does
bool may_borrow = true;

const wherry::device& device_that_fails() {
  static const wherry::device row = [] {
    auto made = wherry::fake_device();
    made.has_happened = [](wherry::detail::device_event event) {
      if (is_broken) throw wherry::error(wherry::error_kind::resource, "device 'fake'", "it has failed");
      return wherry::fake_device().has_happened(event);
    };
    made.move = [](wherry::device_stream stream, const wherry::device_moves& what, const wherry::field_places& fields) {
      if (launches_left-- == 0) throw wherry::error(wherry::error_kind::resource, "device 'fake'", "it has failed");
      wherry::fake_device().move(stream, what, fields);
    };
    made.borrow = [](const wherry::detail::device_ticket& ticket, void*& memory) {
      return may_borrow ? wherry::fake_device().borrow(ticket, memory) : std::string("not today");
    };
    return made;
  }();
  return row;
}

class device_in_use {
 public:
  explicit device_in_use(const wherry::device& row) { wherry::use_device(&row); }
  ~device_in_use() { wherry::use_device(&wherry::fake_device()); }
  device_in_use(const device_in_use&) = delete;
  device_in_use& operator=(const device_in_use&) = delete;
};

}  // namespace

WHERRY_TEST(a_device_that_fails_while_it_publishes, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  const device_in_use row(device_that_fails());
  published_ring r(test);
  r.put(0);
  device_of_test().finish(r.stream);
  is_broken = test.rank == 0;
  try {
    r.layouts->publish(r.table);
    r.layouts->read(r.table);
    if (fault(is_broken)) FAIL("a device that has failed published and read");
  } catch (const wherry::error& problem) {
    CHECK(is_broken);
    require_words(problem.what(), "it has failed");
  }
  is_broken = false;
  if (test.rank == 0) {
    r.layouts->publish(r.table);
    r.layouts->read(r.table);
  }
  CHECK(r.get() == r.exchanged(0));
}

// A launch that fails once is tried again by the same call, in whichever step it was.
WHERRY_TEST(a_launch_that_fails_is_made_by_the_next_call, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  const device_in_use row(device_that_fails());
  published_ring r(test);
  for (int step = 0; step < 12; ++step) {
    r.put(step);
    launches_left = test.rank == 0 ? step % 3 : -1;
    int failures = 0;
    const auto again = [&](const auto& call) {
      for (;;) try {
          return call();
        } catch (const wherry::error& problem) {
          require_words(problem.what(), "it has failed");
          ++failures;
        }
    };
    again([&] { return r.publish(); });
    again([&] { return r.read(); });
    CHECK(failures <= 1);
    launches_left = -1;
    CHECK(r.get() == r.exchanged(step));
    again([&] { return r.layouts->await_readers(); });
  }
}

// Some had borrowed what others lend already: it is given back, and nobody reads there.
WHERRY_TEST(memory_that_one_rank_cannot_borrow, ranks(2, 3, 4)) {
  const with_setting on("device", "fake", "auto");
  const device_in_use row(device_that_fails());
  may_borrow = test.rank != test.size - 1;
  {
    published_ring r(test);
    require_words(r.layouts->explain(), "lends: not today");
    for (int step = 0; step < 4; ++step) {
      r.put(step);
      r.publish();
      r.read();
      CHECK(r.get() == r.exchanged(step));
    }
  }
  may_borrow = true;
}
