// The fake device's memory and queues.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "wherry/device/device.hpp"

#include "device/device_handles.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"
#include "support/with_setting.hpp"

using namespace wherry;
using namespace wherry_test;

namespace {

const device& fake() { return fake_device(); }

}  // namespace

WHERRY_UNIT_TEST(device_memory_is_known_by_its_address) {
  int host = 0;
  CHECK(!fake().owns(&host));
  CHECK(!fake().owns(nullptr));
  auto* piece = static_cast<std::byte*>(fake().allocate(1000));
  CHECK(fake().owns(piece));
  CHECK(fake().owns(piece + 999));
  CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(piece) % 256, std::uintptr_t{0});
  fake().release(piece);
  CHECK(fake().allocate(std::size_t{1} << 60) == nullptr);
  void *const none = fake().allocate(0), *const neither = fake().allocate(0);
  CHECK(none != neither && fake().owns(none));
  fake().release(none);
  fake().release(neither);
}

// All pieces are apart, whatever was given back before, and in the end all is one piece again.
WHERRY_UNIT_TEST(device_memory_is_never_given_twice) {
  random_numbers random(test.seed);
  struct piece {
    std::byte* first;
    std::size_t bytes;
  };
  std::vector<piece> taken;
  for (int i = 0; i < 2000; ++i) {
    if (random.chance(45) && !taken.empty()) {
      const auto at = static_cast<std::ptrdiff_t>(random.next() % taken.size());
      fake().release(taken[static_cast<std::size_t>(at)].first);
      taken.erase(taken.begin() + at);
      continue;
    }
    const piece next{nullptr, static_cast<std::size_t>(random.between(1, 5000))};
    taken.push_back({static_cast<std::byte*>(fake().allocate(next.bytes)), next.bytes});
    for (std::size_t k = 0; k + 1 < taken.size(); ++k)
      CHECK(taken[k].first + taken[k].bytes <= taken.back().first ||
            taken.back().first + taken.back().bytes <= taken[k].first);
  }
  for (const auto& one : taken) fake().release(one.first);
}

WHERRY_UNIT_TEST(device_copies_there_and_back) {
  std::vector<int> numbers{1, 2, 3, 4}, back(4);
  {
    const with_setting here("device", "fake", "auto");
    const auto there = make_on_device<int>(4);
    copy_on_device(there.get(), numbers.data(), sizeof(int) * 4);
    copy_on_device(back.data(), there.get(), sizeof(int) * 4);
  }
  CHECK(back == numbers);
}

// Work of a queue runs in order; what holds until an event never runs before it, whichever queue is taken first.
WHERRY_UNIT_TEST(device_queues_obey_events) {
  for (int round = 0; round < 50; ++round) {
    detail::seed_fake_device(hash(test.seed, round));
    device_bytes pinned(fake(), device_bytes::where::pinned, 64);
    device_bytes memory(fake(), device_bytes::where::on_device, 64);
    const owned_event written(fake());
    const owned_stream one(fake()), two(fake());
    std::memset(pinned.get(), round, 64);
    fake().copy(one, memory.get(), pinned.get(), 32);
    fake().copy(one, memory.get() + 32, memory.get(), 32);
    fake().record(written, one);
    fake().hold_until(two, written);
    device_bytes result(fake(), device_bytes::where::pinned, 64);
    fake().copy(two, result.get(), memory.get(), 64);
    fake().finish(two);
    CHECK(fake().has_happened(written));
    CHECK_EQUAL(std::memcmp(result.get(), pinned.get(), 64), 0);
  }
}

// An event that nobody has recorded has happened; one recorded again has not until then.
WHERRY_UNIT_TEST(device_events_can_be_recorded_again) {
  const owned_event event(fake());
  CHECK(fake().has_happened(event));
  const owned_stream stream(fake());
  for (int i = 0; i < 20; ++i) {
    fake().record(event, stream);
    fake().finish(stream);
    CHECK(fake().has_happened(event));
  }
}

WHERRY_UNIT_TEST(device_streams_are_the_innermost) {
  CHECK(in_stream::current() == nullptr);
  int a = 0, b = 0;
  {
    const in_stream outer({&a});
    CHECK_EQUAL(in_stream::current()->handle, static_cast<void*>(&a));
    {
      const in_stream inner({&b});
      CHECK_EQUAL(in_stream::current()->handle, static_cast<void*>(&b));
    }
    CHECK_EQUAL(in_stream::current()->handle, static_cast<void*>(&a));
  }
  CHECK(in_stream::current() == nullptr);
}

WHERRY_UNIT_TEST(device_that_is_not_there_is_named) {
  {
    const with_setting none("device", "none", "auto");
    CHECK(device_in_use() == nullptr);
    CHECK_THROWS_WITH(detail::allocate_on_device(8), "there is no device: WHERRY_DEVICE is 'none'");
  }
  const with_setting strange("device", "abacus", "auto");
  CHECK_THROWS_WITH(device_in_use(), "expected one of auto, none");
}

// What the library was built with starts without a driver, and says what is missing when it is asked for.
WHERRY_UNIT_TEST(device_that_is_absent_says_why) {
  const auto all = all_devices();
  if (std::none_of(all.begin(), all.end(), [](const auto* row) { return !row->absence().empty(); }))
    test.skip("every device that this library was built for is here");
  for (const auto* row : all) {
    const auto why = row->absence();
    if (why.empty()) continue;
    const with_setting wanted("device", row->name.c_str(), "auto");
    CHECK_THROWS_WITH(device_in_use(), why.c_str());
    CHECK_THROWS_WITH(use_device(row), why.c_str());
  }
}
