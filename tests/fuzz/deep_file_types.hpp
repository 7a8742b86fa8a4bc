// The structures that the fuzzer reads, and how one of a chosen size is made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "wherry/deep/file.hpp"
#include "wherry/deep/polymorphic.hpp"

#include "support/random.hpp"

namespace wherry_fuzz {

using wherry_test::random_numbers;

/// Owning pointers, and text in each object.
struct tree {
  std::uint32_t value = 0;
  tree *left = nullptr, *right = nullptr;
  std::string name;
  template <class Message> void describe(Message& m) {
    m.owned(left);
    m.owned(right);
    m(name);
  }
};

struct leaf {
  char letters[3] = {};
  tree* below = nullptr;
  template <class Message> void describe(Message& m) { m.owned(below); }
};

/// Arrays whose lengths are in the object, where a file can say what it likes.
struct sized {
  std::int64_t count = 0;
  std::uint16_t* numbers = nullptr;
  int leaf_count = 0;
  leaf* leaves = nullptr;
  template <class Message> void describe(Message& m) {
    m.owned(numbers, count);
    m.owned(leaves, leaf_count);
  }
};

/// Shared identity and cycles.
struct vertex {
  std::int32_t value = 0;
  std::vector<vertex*> links;
  vertex* back = nullptr;
  template <class Message> void describe(Message& m) {
    m(links);
    m.shared(back);
  }
};

struct graph {
  std::vector<vertex*> all;
  tree* shared_tree = nullptr;
  tree* same_tree = nullptr;
  template <class Message> void describe(Message& m) {
    m(all);
    m.shared(shared_tree);
    m.shared(same_tree);
  }
};

/// Most of what the standard library has.
struct basket {
  std::map<std::string, std::vector<std::int32_t>> lists;
  std::set<std::string> names;
  std::unordered_map<std::uint16_t, std::unique_ptr<tree>> trees;
  std::optional<std::string> title;
  std::vector<std::variant<double, std::string, std::vector<std::uint8_t>>> either;
  std::list<std::tuple<std::uint8_t, std::string>> rows;
  std::deque<std::shared_ptr<std::string>> texts;
  std::weak_ptr<std::string> first_text;
  std::array<std::string, 2> both;
  std::pair<std::vector<bool>, std::string> flags;
};

/// Classes behind a base, some of them shared.
struct shape {
  virtual ~shape() = default;
  std::string label;
  template <class Message> void describe(Message& m) { m(label); }
};
struct circle : shape {
  double radius = 1;
  template <class Message> void describe(Message& m) {
    m.template base<shape>(*this);
    m(radius);
  }
};
/// A file can make groups members of one another, a circle which nobody may break for their owner: each group is known.
struct group : shape {
  std::vector<std::shared_ptr<shape>> members;
  std::unique_ptr<shape> frame;
  inline static std::set<group*> alive;
  group() { alive.insert(this); }
  group(const group&) = delete;
  group& operator=(const group&) = delete;
  ~group() override { alive.erase(this); }
  template <class Message> void describe(Message& m) {
    m.template base<shape>(*this);
    m(members, frame);
  }
};
inline const wherry::deep::registered<circle, shape> circle_is_known("fuzzed circle");
inline const wherry::deep::registered<group, shape> group_is_known("fuzzed group");

struct drawing {
  std::vector<std::shared_ptr<shape>> shapes;
};

/// Frees the groups that only hold one another.
inline void break_circles() {
  std::vector<std::shared_ptr<shape>> members;
  for (auto* const each : group::alive) std::ranges::move(each->members, std::back_inserter(members));
}

/// A length that lies behind a pointer, and a pointer into an array.
struct lengths {
  std::int32_t count = 0;
};
struct behind {
  lengths* first = nullptr;
  std::uint8_t* bytes = nullptr;
  std::uint8_t* place = nullptr;
  template <class Message> void describe(Message& m) {
    m.owned_now(first);
    const auto count = first == nullptr ? 0 : first->count;
    m.owned(bytes, count);
    m.points_into(place, bytes, count);
  }
};

inline std::string text_of(random_numbers& random) {
  return std::string(static_cast<std::size_t>(random.between(0, 30)), static_cast<char>('a' + random.between(0, 25)));
}

inline tree* make_tree(random_numbers& random, int size) {
  if (size <= 0) return nullptr;
  auto* const made = new tree;
  made->value = static_cast<std::uint32_t>(random.next());
  made->name = text_of(random);
  const int left = random.between(0, size - 1);
  made->left = make_tree(random, left);
  made->right = make_tree(random, size - 1 - left);
  return made;
}

inline void make(tree*& made, random_numbers& random, int size) { made = make_tree(random, size); }

inline void make(sized& made, random_numbers& random, int size) {
  made.count = random.between(2, size + 2);
  made.numbers = static_cast<std::uint16_t*>(::operator new[](sizeof(std::uint16_t) * std::size_t(made.count)));
  for (std::int64_t i = 0; i < made.count; ++i) made.numbers[i] = static_cast<std::uint16_t>(random.next());
  made.leaf_count = random.between(2, size / 4 + 2);
  made.leaves = static_cast<leaf*>(::operator new[](sizeof(leaf) * std::size_t(made.leaf_count)));
  for (int i = 0; i < made.leaf_count; ++i) {
    auto* const each = ::new (made.leaves + i) leaf;
    each->below = make_tree(random, random.between(0, 3));
  }
}

inline void make(graph& made, random_numbers& random, int size) {
  for (int i = 0; i < size; ++i) made.all.push_back(new vertex{static_cast<std::int32_t>(random.next()), {}, nullptr});
  for (auto* const each : made.all) {
    for (int k = random.between(0, 4); k > 0; --k) each->links.push_back(random.one_of(made.all));
    if (random.chance(50)) each->back = random.one_of(made.all);
  }
  made.shared_tree = make_tree(random, random.between(0, 5));
  made.same_tree = random.chance(50) ? made.shared_tree : nullptr;
}

inline void make(basket& made, random_numbers& random, int size) {
  for (int i = 0; i < size; ++i) {
    made.lists[text_of(random)].assign(static_cast<std::size_t>(random.between(0, 5)), i);
    made.names.insert(text_of(random));
    made.trees[static_cast<std::uint16_t>(random.next())].reset(random.chance(50) ? new tree : nullptr);
    if (random.chance(50))
      made.either.emplace_back(text_of(random));
    else
      made.either.emplace_back(std::vector<std::uint8_t>(static_cast<std::size_t>(random.between(0, 9))));
    made.rows.emplace_back(static_cast<std::uint8_t>(i), text_of(random));
    made.texts.push_back(random.chance(50) && i > 0 ? made.texts.front() : std::make_shared<std::string>("text"));
    made.first_text = made.texts.front();
  }
  if (random.chance(50)) made.title = text_of(random);
  made.both[1] = text_of(random);
  made.flags.first.assign(static_cast<std::size_t>(size), true);
}

inline void make(drawing& made, random_numbers& random, int size) {
  for (int i = 0; i < size; ++i) {
    if (random.chance(50) || made.shapes.empty()) {
      made.shapes.push_back(std::make_shared<circle>());
    } else {
      const auto all = std::make_shared<group>();
      for (int k = random.between(0, 3); k > 0; --k) all->members.push_back(random.one_of(made.shapes));
      if (random.chance(50)) all->frame = std::make_unique<circle>();
      made.shapes.push_back(all);
    }
    made.shapes.back()->label = text_of(random);
  }
}

inline void make(behind& made, random_numbers& random, int size) {
  if (size == 0) return;
  made.first = new lengths{size + 1};
  made.bytes = static_cast<std::uint8_t*>(::operator new[](static_cast<std::size_t>(size) + 1));
  std::fill_n(made.bytes, size + 1, static_cast<std::uint8_t>(random.next()));
  made.place = made.bytes + random.between(0, size);
}

inline void make(std::vector<std::string>& made, random_numbers& random, int size) {
  for (int i = 0; i < size; ++i) made.push_back(text_of(random));
}

inline void make(std::vector<std::vector<std::vector<double>>>& made, random_numbers& random, int size) {
  made.resize(static_cast<std::size_t>(random.between(0, size)));
  for (auto& middle : made) {
    middle.resize(static_cast<std::size_t>(random.between(0, 3)));
    for (auto& inner : middle) inner.assign(static_cast<std::size_t>(random.between(0, 5)), 0.5);
  }
}

inline void make(std::vector<double>& made, random_numbers& random, int size) {
  made.assign(static_cast<std::size_t>(100 * size), static_cast<double>(random.between(0, 9)));
}

}  // namespace wherry_fuzz
