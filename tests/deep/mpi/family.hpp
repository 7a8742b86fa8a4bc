// A structure with everything: trees behind owning pointers, a pointer across the tree, containers, any size.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wherry/deep/destroy.hpp"
#include "wherry/deep/pack.hpp"

#include "support/random.hpp"

namespace wherry_test {

struct person {
  int age = 0;
  std::uint64_t number = 0;
  std::string name;
  std::vector<double> marks;
  person* child = nullptr;
  person* next = nullptr;       // the next child of the same parent
  person* companion = nullptr;  // anybody of the family, or oneself

  template <class Message> void describe(Message& m) {
    m(name, marks);
    m.shared(child);
    m.shared(next);
    m.shared(companion);
  }
};

// A family, freed as a whole.
class family {
 public:
  family() = default;
  family(std::uint64_t seed, int people) {
    random_numbers random(seed);
    std::vector<person*> all;
    for (int i = 0; i < people; ++i) {
      auto* p = new person{random.between(0, 99), random.next(), {}, {}, nullptr, nullptr, nullptr};
      p->name = std::string(static_cast<std::size_t>(random.between(0, 40)), static_cast<char>('a' + i % 26));
      p->marks.assign(static_cast<std::size_t>(random.between(0, 5)), static_cast<double>(random.between(0, 1000)));
      if (i > 0) {
        // Mostly of the one before: deep families.
        person* parent = random.chance(70) ? all.back() : random.one_of(all);
        p->next = parent->child;
        parent->child = p;
      }
      all.push_back(p);
    }
    for (auto* p : all)
      if (random.chance(40)) p->companion = random.one_of(all);
    head = all.empty() ? nullptr : all.front();
  }
  ~family() { clear(); }
  family(family&& other) noexcept : head(std::exchange(other.head, nullptr)) {}
  family& operator=(family&& other) noexcept {
    std::swap(head, other.head);
    return *this;
  }
  void clear() {
    wherry::deep::destroy(head);
    head = nullptr;
  }

  person* head = nullptr;
};

// The same shape and the same values: both are walked at once, and who corresponds to whom must be one to one.
inline bool same(const person* a, const person* b) {
  std::map<const person*, const person*> partners, back;
  std::vector<std::pair<const person*, const person*>> to_do;
  const auto meet = [&](const person* x, const person* y) {
    if (x == nullptr || y == nullptr) return x == y;
    const auto [there, fresh] = partners.try_emplace(x, y);
    const auto [here, also_fresh] = back.try_emplace(y, x);
    if (there->second != y || here->second != x || fresh != also_fresh) return false;
    if (fresh) to_do.emplace_back(x, y);
    return true;
  };
  if (!meet(a, b)) return false;
  while (!to_do.empty()) {
    const auto [x, y] = to_do.back();
    to_do.pop_back();
    if (x->age != y->age || x->number != y->number || x->name != y->name || x->marks != y->marks) return false;
    if (!meet(x->child, y->child) || !meet(x->next, y->next) || !meet(x->companion, y->companion)) return false;
  }
  return true;
}

}  // namespace wherry_test
