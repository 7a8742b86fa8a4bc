// What the structures of tests end in: an object with text that is counted.
#pragma once

#include <cstddef>
#include <string>

#include "deep/unit/support.hpp"

namespace deep_tests {

struct leaf {
  int value = 0;
  std::string name;
  counted alive;
  template <class Message> void describe(Message& m) {
    m(name);
    m.skip(alive);
  }
};

inline leaf* new_leaf(int value) {
  auto* l = new leaf;
  l->value = value;
  l->name = std::string(static_cast<std::size_t>(value % 50), 'n');
  return l;
}
inline leaf* new_leaves(int n) {
  auto* p = new leaf[static_cast<std::size_t>(n)];
  for (int i = 0; i < n; ++i) {
    p[i].value = i;
    p[i].name = std::to_string(i);
  }
  return p;
}

}  // namespace deep_tests
