// A structure with everything that needs care: what it points to, what is shared, a way back to the root, containers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wherry/deep/checkpoint.hpp"
#include "wherry/deep/destroy.hpp"

#include "support/random.hpp"

namespace wherry_test {

struct knot {
  std::uint64_t value = 0;
  knot *left = nullptr, *right = nullptr;
  std::string name;

  template <class Message> void describe(Message& m) {
    m.owned(left);
    m.owned(right);
    m(name);
  }
};

/// The whole of rank `owner` in step `step`.
struct forest {
  std::uint64_t owner = 0, step = 0;
  std::vector<double> weights;
  std::vector<std::string> names;
  knot* root = nullptr;
  forest* itself = nullptr;

  template <class Message> void describe(Message& m) {
    m(weights, names);
    m.owned(root);
    m.shared(itself);
  }
};

inline knot* grow(std::uint64_t seed, int depth) {
  if (depth == 0) return nullptr;
  auto* const made = new knot;
  made->value = hash(seed, depth);
  made->name.assign(made->value % 40, static_cast<char>('a' + seed % 26));
  made->left = grow(hash(seed, 1), depth - 1);
  made->right = made->value % 4 == 0 ? nullptr : grow(hash(seed, 2), depth - 1);
  return made;
}

inline bool same(const knot* a, const knot* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->value == b->value && a->name == b->name && same(a->left, b->left) && same(a->right, b->right);
}

/// Owns its trees, and is where it was made: it points to itself.
class planted {
 public:
  planted(std::uint64_t owner, std::uint64_t step, int depth = 6) {
    it.owner = owner;
    it.step = step;
    const auto seed = hash(owner, step);
    it.weights.assign(seed % 3000, static_cast<double>(step));
    for (std::uint64_t i = 0; i < seed % 7; ++i) it.names.emplace_back(seed % 50, 'x');
    it.root = grow(seed, depth);
    it.itself = &it;
  }
  planted(const planted&) = delete;
  planted& operator=(const planted&) = delete;
  ~planted() {
    it.itself = nullptr;
    wherry::deep::destroy(it);
  }
  forest it;
};

/// Whether a forest that has arrived is that of `owner` in `step`.
inline bool is_forest_of(const forest& found, std::uint64_t owner, std::uint64_t step, int depth = 6) {
  const planted expected(owner, step, depth);
  return found.owner == owner && found.step == step && found.weights == expected.it.weights &&
         found.names == expected.it.names && same(found.root, expected.it.root) && found.itself == &found;
}

}  // namespace wherry_test
