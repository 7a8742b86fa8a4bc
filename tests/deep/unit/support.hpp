// There and back again: what the tests of deep copies share.
#pragma once

#include <cstdlib>
#include <utility>

#include "wherry/deep/pack.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

namespace deep_tests {

using wherry::memory_sink;
using wherry::memory_source;

template <class T> std::vector<std::byte> packed(T&& x) {
  memory_sink sink;
  wherry::deep::pack(sink, x);
  return std::move(sink).take();
}

template <class T>
auto read_from(const std::vector<std::byte>& bytes, T&& into, wherry::deep::read_options options = {}) {
  // Exactly these bytes, so that a sanitizer sees what reads behind them.
  memory_source source(bytes.data(), bytes.size());
  return wherry::deep::unpack(source, into, options);
}

template <class T> T copy_of(T& x) {
  T copy{};
  read_from(packed(x), copy);
  return copy;
}

template <class T> bool comes_back(T x) { return copy_of(x) == x; }

// Objects of this class are counted: what a copy leaves behind shows.
struct counted {
  counted() { ++alive(); }
  counted(const counted&) { ++alive(); }
  counted& operator=(const counted&) = default;
  ~counted() { --alive(); }
  static int& alive() {
    static int n = 0;
    return n;
  }
};

}  // namespace deep_tests
