// Arrays in device memory: a fake device whose memory the host cannot touch.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "wherry/deep/device.hpp"

#include "deep_support.hpp"

using namespace deep_tests;
using wherry::memory_space;
using wherry::deep::destroy;

namespace {

// Pages without any right, but while the device's own copies run.
namespace fake {

std::map<void*, std::size_t>& pages() {
  static std::map<void*, std::size_t> them;
  return them;
}
std::size_t room(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes / page + 1) * page;
}
void* allocate(std::size_t bytes, std::size_t) {
  void* p = ::mmap(nullptr, room(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  pages()[p] = room(bytes);
  return p;
}
void free(void* p) {
  ::munmap(p, pages().at(p));
  pages().erase(p);
}
void with_access(const void* at, int right, auto copy) {
  auto found = pages().upper_bound(const_cast<void*>(at));
  --found;
  ::mprotect(found->first, found->second, right);
  copy();
  ::mprotect(found->first, found->second, PROT_NONE);
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  with_access(device, PROT_READ, [&] { std::memcpy(host, device, bytes); });
}
void copy_to_device(void* device, const void* host, std::size_t bytes) {
  with_access(device, PROT_READ | PROT_WRITE, [&] { std::memcpy(device, host, bytes); });
}

void install() { wherry::deep::set_device_hooks({&allocate, &free, &copy_to_host, &copy_to_device}); }

}  // namespace fake

struct field {
  int n = 0;
  std::string name;
  double* on_device = nullptr;
  float* also_there = nullptr;
  int* on_host = nullptr;
  template <class Message> void describe(Message& m) {
    m(name);
    m.owned(on_device, n, memory_space::device);
    m.owned(also_there, 1, memory_space::device);
    m.owned(on_host, n);
  }
};

double value(int i) { return 0.5 * i; }

void fill(field& f, int n) {
  f.n = n;
  f.name = "a field";
  f.on_host = new int[static_cast<std::size_t>(n)];
  std::fill_n(f.on_host, n, n);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = value(i);
  f.on_device = static_cast<double*>(fake::allocate(values.size() * sizeof(double), 8));
  if (n > 0) fake::copy_to_device(f.on_device, values.data(), values.size() * sizeof(double));
}

}  // namespace

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
  fake::install();
  for (const int n : {0, 1, 1000, 100'001}) {
    field x, y;
    fill(x, n);
    read_from(packed(x), y);
    CHECK_EQUAL(y.n, n);
    REQUIRE(y.on_device != nullptr && y.on_device != x.on_device);
    CHECK(y.also_there == nullptr);
    std::vector<double> back(static_cast<std::size_t>(n));
    if (n > 0) fake::copy_to_host(back.data(), y.on_device, back.size() * sizeof(double));
    for (int i = 0; i < n; ++i) REQUIRE(back[static_cast<std::size_t>(i)] == value(i));
    destroy(x);
    destroy(y);
    CHECK_EQUAL(fake::pages().size(), 0);
  }
}

WHERRY_UNIT_TEST(deep_device_memory_goes_with_the_arena_and_with_failures) {
  fake::install();
  field x;
  fill(x, 50'000);
  const auto bytes = packed(x);
  {
    wherry::deep::arena arena;
    field y;
    read_from(bytes, y, {.arena = &arena});
    CHECK_EQUAL(fake::pages().size(), 2);
  }
  CHECK_EQUAL(fake::pages().size(), 1);
  field z;
  CHECK_THROWS(read_from({bytes.begin(), bytes.begin() + 1000}, z));
  CHECK_THROWS(read_from({bytes.begin(), bytes.end() - 1000}, z));
  CHECK_EQUAL(fake::pages().size(), 1);
  destroy(x);
}
