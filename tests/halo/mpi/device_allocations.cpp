// Exchanges of device fields that start again allocate nothing, neither on the host nor on the device.
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "support/case_runner.hpp"
#include "support/counted_allocations.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

thread_local long device_allocations = 0;

// What the fake device notes of the work that it is given is not counted.
template <auto Call> struct uncounted;
template <class... Arguments, void (*wherry::device::*Call)(Arguments...)> struct uncounted<Call> {
  static void call(Arguments... arguments) {
    const long before = allocations;
    (fake().*Call)(arguments...);
    allocations = before;
  }
};

void* counted_on_device(std::size_t bytes) {
  ++device_allocations;
  return fake().allocate(bytes);
}
void* counted_pinned(std::size_t bytes) {
  ++device_allocations;
  return fake().allocate_pinned(bytes);
}

const wherry::device& counting_device() {
  static const wherry::device row = [] {
    wherry::device made = fake();
    made.allocate = counted_on_device;
    made.allocate_pinned = counted_pinned;
    made.record = uncounted<&wherry::device::record>::call;
    made.hold_until = uncounted<&wherry::device::hold_until>::call;
    made.copy = uncounted<&wherry::device::copy>::call;
    made.move = uncounted<&wherry::device::move>::call;
    return made;
  }();
  return row;
}

}  // namespace

WHERRY_TEST(device_starts_allocate_nothing, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto"), aware("gpu_aware_mpi", "1", "auto");
  wherry::use_device(&counting_device());
  for (const std::string name : {"auto", "two_sided", "persistent", "shared", "device_shared", "device_two_sided"}) {
    test.note(name);
    ring one(test), other(test);
    const auto mine = wherry::halo_inside(one.view(), ring::width),
               next = wherry::halo_inside(other.view(), ring::width);
    wherry::halo_exchange exchange(one.grid, {.carry = {.transport = name}}, mine);
    const users_stream stream;
    const auto in_a_stream = [&] {
      const wherry::in_stream here(stream);
      exchange.start(next);
      exchange.wait();
    };
    for (int warm = 0; warm < 3; ++warm) {
      exchange(mine);
      in_a_stream();
    }
    long fewest = allocations;  // in the call that took fewest: who waits for long looks who is missing, which does
    const long began_on_device = device_allocations;
    for (int again = 0; again < 8; ++again) {
      const long began = allocations;
      exchange(again % 2 == 0 ? mine : next);
      in_a_stream();
      fewest = std::min(fewest, allocations - began);
    }
    CHECK_EQUAL(fewest, 0);
    CHECK_EQUAL(device_allocations, began_on_device);
    stream.finish();
  }
  wherry::use_device(&fake());
}
