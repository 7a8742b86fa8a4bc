// Arrays in device memory: a fake device whose memory the host cannot touch.
#include "wherry/deep/device.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "wherry/device/device.hpp"

#include "deep/mpi/counted_device.hpp"
#include "deep/unit/support.hpp"
#include "support/with_setting.hpp"

using namespace deep_tests;
using namespace wherry_test;
using wherry::deep::destroy;

WHERRY_UNIT_TEST(deep_device_without_hooks) {
  wherry::deep::set_device_hooks({});
  double d = 1;
  field f;
  f.on_device = &d;
  f.n = 1;
  memory_sink sink;
  CHECK_THROWS_WITH(wherry::deep::pack(sink, f), "set_device_hooks");
}

WHERRY_UNIT_TEST(deep_device_arrays_travel_through_the_host) {
  counted_device::install();
  for (const int n : {0, 1, 1000, 100'001}) {
    field x, y;
    fill(x, n);
    read_from(packed(x), y);
    CHECK(same(y, x) && y.on_device != x.on_device);
    destroy(x);
    destroy(y);
    CHECK_EQUAL(counted_device::pieces().size(), 0);
  }
}

// Without hooks of the user's the device in use is asked.
WHERRY_UNIT_TEST(deep_device_arrays_are_of_the_device_in_use) {
  wherry::deep::set_device_hooks({});
  const with_setting on("device", "fake", "auto");
  std::vector<double> numbers(1000, 2.5), arrived(1000);
  auto there = wherry::make_on_device<double>(1000);
  wherry::copy_on_device(there.get(), numbers.data(), 8000);
  field x, y;
  x.n = 1000;
  x.on_device = there.get();
  x.also_there = static_cast<float*>(counted_device::row().allocate(4));
  x.on_host = new int[1000]{};
  read_from(packed(x), y);
  CHECK(counted_device::row().owns(y.on_device) && y.on_device != x.on_device);
  wherry::copy_on_device(arrived.data(), y.on_device, 8000);
  CHECK(arrived == numbers);
  destroy(y);
  x.on_device = nullptr;
  x.n = 0;
  destroy(x);
}

namespace {

struct strings_anywhere {
  bool on_device = false;
  std::string* words = nullptr;
  void describe(auto& m) { m.owned(words, 1, on_device ? wherry::memory_space::device : wherry::memory_space::host); }
};

}  // namespace

// A message may say that they were there.
WHERRY_UNIT_TEST(deep_device_memory_has_no_strings) {
  counted_device::install();
  strings_anywhere x, y;
  x.words = new std::string[1]{"word"};
  auto bytes = packed(x);
  bytes[offsetof(strings_anywhere, on_device)] = std::byte{1};
  CHECK_THROWS_WITH(read_from(bytes, y), "an array in device memory can hold flat objects only");
  CHECK(y.words == nullptr);
  destroy(x);
}

WHERRY_UNIT_TEST(deep_device_memory_goes_with_the_arena_and_with_failures) {
  counted_device::install();
  field x;
  fill(x, 50'000);
  const auto bytes = packed(x);
  {
    wherry::deep::arena arena;
    field y;
    read_from(bytes, y, {.arena = &arena});
    CHECK_EQUAL(counted_device::pieces().size(), 2);
  }
  CHECK_EQUAL(counted_device::pieces().size(), 1);
  field z;
  CHECK_THROWS(read_from({bytes.begin(), bytes.begin() + 1000}, z));
  CHECK_THROWS(read_from({bytes.begin(), bytes.end() - 1000}, z));
  CHECK_EQUAL(counted_device::pieces().size(), 1);
  destroy(x);
}
