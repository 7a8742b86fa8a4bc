// A fake device, whose memory the host cannot touch, and a structure that has some of it.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/deep/device.hpp"

namespace wherry_test {

// Pages without any right, but while the device's own copies run.
namespace fake_device {

inline std::map<void*, std::size_t>& pages() {
  static std::map<void*, std::size_t> them;
  return them;
}
inline std::size_t room(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes / page + 1) * page;
}
inline void* allocate(std::size_t bytes, std::size_t) {
  void* p = ::mmap(nullptr, room(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  pages()[p] = room(bytes);
  return p;
}
inline void free(void* p) {
  ::munmap(p, pages().at(p));
  pages().erase(p);
}
inline void with_access(const void* at, int right, auto copy) {
  auto found = pages().upper_bound(const_cast<void*>(at));
  --found;
  ::mprotect(found->first, found->second, right);
  copy();
  ::mprotect(found->first, found->second, PROT_NONE);
}
inline void copy_to_host(void* host, const void* device, std::size_t bytes) {
  with_access(device, PROT_READ, [&] { std::memcpy(host, device, bytes); });
}
inline void copy_to_device(void* device, const void* host, std::size_t bytes) {
  with_access(device, PROT_READ | PROT_WRITE, [&] { std::memcpy(device, host, bytes); });
}

inline void install() { wherry::deep::set_device_hooks({&allocate, &free, &copy_to_host, &copy_to_device}); }

}  // namespace fake_device

struct field {
  int n = 0;
  std::string name;
  double* on_device = nullptr;
  float* also_there = nullptr;
  int* on_host = nullptr;
  template <class Message> void describe(Message& m) {
    m(name);
    m.owned(on_device, n, wherry::memory_space::device);
    m.owned(also_there, 1, wherry::memory_space::device);
    m.owned(on_host, n);
  }
};

inline double value_in(const field& f, int i) { return 0.5 * i + f.n; }

inline void fill(field& f, int n) {
  f.n = n;
  f.name = "a field";
  f.on_host = new int[static_cast<std::size_t>(n)];
  std::fill_n(f.on_host, n, n);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = value_in(f, i);
  f.on_device = static_cast<double*>(fake_device::allocate(values.size() * sizeof(double), 8));
  if (n > 0) fake_device::copy_to_device(f.on_device, values.data(), values.size() * sizeof(double));
}

inline bool same(const field& a, const field& b) {
  if (a.n != b.n || a.name != b.name || a.on_device == nullptr || b.also_there != nullptr) return false;
  std::vector<double> values(static_cast<std::size_t>(a.n));
  if (a.n > 0) fake_device::copy_to_host(values.data(), a.on_device, values.size() * sizeof(double));
  for (int i = 0; i < a.n; ++i)
    if (values[static_cast<std::size_t>(i)] != value_in(b, i) || a.on_host[i] != b.on_host[i]) return false;
  return true;
}

}  // namespace wherry_test
