// Hooks for a device, and a structure that has some of its memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/deep/device.hpp"
#include "wherry/device/device.hpp"

namespace wherry_test {

// Hooks that count what they have given.
namespace counted_device {

// The fake one, where there is none.
inline const wherry::device& row() {
  const auto* here = wherry::device_in_use();
  return here != nullptr ? *here : wherry::fake_device();
}

inline std::set<void*>& pieces() {
  static std::set<void*> them;
  return them;
}
inline void* allocate(std::size_t bytes, std::size_t) {
  return *pieces().insert(row().allocate(std::max<std::size_t>(bytes, 1))).first;
}
inline void free(void* p) {
  row().release(p);
  pieces().erase(p);
}
inline void copy(void* to, const void* from, std::size_t bytes) {
  row().copy({}, to, from, bytes);
  row().finish({});
}

inline void install() { wherry::deep::set_device_hooks({&allocate, &free, &copy, &copy}); }

}  // namespace counted_device

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
  f.on_device = static_cast<double*>(counted_device::allocate(values.size() * sizeof(double), 8));
  if (n > 0) counted_device::copy(f.on_device, values.data(), values.size() * sizeof(double));
}

inline bool same(const field& a, const field& b) {
  if (a.n != b.n || a.name != b.name || a.on_device == nullptr || b.also_there != nullptr) return false;
  std::vector<double> values(static_cast<std::size_t>(a.n));
  if (a.n > 0) counted_device::copy(values.data(), a.on_device, values.size() * sizeof(double));
  for (int i = 0; i < a.n; ++i)
    if (values[static_cast<std::size_t>(i)] != value_in(b, i) || a.on_host[i] != b.on_host[i]) return false;
  return true;
}

}  // namespace wherry_test
