// What a deep copy may begin with, how large an object may be, and pointer maps of the user's own.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "deep/unit/leaf.hpp"

using namespace deep_tests;
using wherry::deep::array;
using wherry::deep::destroy;

namespace {

struct far_too_wide {
  double numbers[2000];
  std::string text;
  leaf* one = nullptr;
  template <class Message> void describe(Message& m) {
    m(text);
    m.owned(one);
  }
};

struct array_owner {
  int n = 0;
  std::unique_ptr<std::string[]> words;
  std::unique_ptr<int[]> numbers;
  template <class Message> void describe(Message& m) {
    m.owned(words, n);
    m.owned(numbers, n);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_roots) {
  int* p = new int(5);
  int* q = nullptr;
  read_from(packed(p), q);
  CHECK_EQUAL(*q, 5);
  CHECK_THROWS_WITH(read_from(packed(p), q), "not null");
  delete p;
  delete q;
  q = nullptr;

  int values[4] = {1, 2, 3, 4};
  int* first = values;
  const auto bytes = packed(array(first, 4));
  int n = -1;
  read_from(bytes, array(q, n));
  CHECK_EQUAL(n, 4);
  CHECK_EQUAL(q[3], 4);
  destroy(q, n);
  CHECK(q == nullptr);
  const int four = 4, five = 5;
  read_from(bytes, array(q, four));
  destroy(q, four);
  CHECK_THROWS_WITH(read_from(bytes, array(q, five)), "4 objects arrived where 5");
  CHECK_THROWS_WITH(read_from(bytes, array(q, 3)), "4 objects");
  CHECK(q == nullptr);
  std::size_t none = 7;
  int* nothing = nullptr;
  read_from(packed(array(nothing, 0)), array(q, none));
  CHECK(q == nullptr);
  CHECK_EQUAL(none, 0);

  leaf* leaves = new_leaves(1000);
  leaf* arrived = nullptr;
  read_from(packed(array(leaves, 1000)), array(arrived, n));
  CHECK_EQUAL(n, 1000);
  CHECK_EQUAL(arrived[999].name, "999");
  destroy(leaves, 1000);
  destroy(arrived, n);
  CHECK_EQUAL(counted::alive(), 0);

  std::vector<leaf*> list{new_leaf(1), nullptr, new_leaf(2)};
  list.push_back(list[0]);
  std::vector<leaf*> there;
  read_from(packed(list), there);
  CHECK(there.size() == 4 && there[3] == there[0] && there[2]->value == 2);
  destroy(list);
  destroy(there);
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_objects_wider_than_a_window) {
  auto x = std::make_unique<far_too_wide>();
  x->numbers[1999] = 5;
  x->text = "text";
  x->one = new_leaf(3);
  auto y = std::make_unique<far_too_wide>();
  read_from(packed(*x), *y);
  CHECK_EQUAL(y->numbers[1999], 5);
  CHECK_EQUAL(y->text, "text");
  CHECK_EQUAL(y->one->value, 3);
  destroy(*x);
  destroy(*y);
}

WHERRY_UNIT_TEST(deep_arrays_owned_by_unique_ptr) {
  array_owner x, y;
  x.n = 3;
  x.words.reset(new std::string[3]{"a", "b", std::string(100, 'c')});
  x.numbers.reset(new int[3]{1, 2, 3});
  read_from(packed(x), y);
  CHECK_EQUAL(y.words[2], x.words[2]);
  CHECK_EQUAL(y.numbers[2], 3);
}

WHERRY_UNIT_TEST(deep_maps_of_ones_own) {
  struct slow_map {
    std::unordered_map<const void*, std::uint64_t> known;
    const std::uint64_t* find(const void* p) const {
      const auto at = known.find(p);
      return at == known.end() ? nullptr : &at->second;
    }
    void insert(const void* p, std::uint64_t number) { known.emplace(p, number); }
  };
  std::vector<leaf*> list{new_leaf(1), new_leaf(2)};
  list.insert(list.end(), {list[0], nullptr, list[1]});
  memory_sink mine, ours;
  wherry::deep::pack<slow_map>(mine, list);
  wherry::deep::pack(ours, list);
  CHECK(mine.bytes() == ours.bytes());
  destroy(list);
}

namespace {

struct two_views {
  double *first = nullptr, *second = nullptr;
  int first_length = 0, second_length = 0;
  template <class Message> void describe(Message& m) {
    m.shared(first, first_length);
    m.shared(second, second_length);
  }
};

struct chain {
  chain* next = nullptr;
  template <class Message> void describe(Message& m) { m.owned_now(next); }
};

struct reads_behind {
  int* length = nullptr;
  leaf* leaves = nullptr;
  template <class Message> void describe(Message& m) {
    m.owned_now(length);
    m.owned(leaves, length == nullptr ? 0 : *length);
  }
};

struct with_length_inside {
  reads_behind inside;
  leaf* more = nullptr;
  template <class Message> void describe(Message& m) {
    m(inside);
    m.owned(more, inside.length == nullptr ? 0 : *inside.length);
  }
};

struct thrower {
  leaf *before = nullptr, *after = nullptr;
  std::string text;
  template <class Message> void describe(Message& m) {
    m.owned(before);
    m(text);
    if constexpr (Message::reads) {
      if (text == "throw") throw 42;
    }
    m.owned(after);
  }
};

// What it has named still waits when it throws.
struct throws_later {
  std::optional<std::list<thrower>> maybe;
  std::variant<int, std::deque<std::vector<thrower>>> choice;
  std::deque<throws_later> inside;
  int throws = 0;
  template <class Message> void describe(Message& m) {
    m(maybe, choice, inside);
    if constexpr (Message::reads)
      if (throws != 0) throw std::runtime_error("later");
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_shared_arrays_have_one_length) {
  double values[10] = {1, 2, 3};
  two_views x{values, values, 10, 10}, y;
  read_from(packed(x), y);
  CHECK(y.first == y.second && y.first[2] == 3);
  destroy(y);
  x.second_length = 4;
  CHECK_THROWS_WITH(packed(x), "an array of 10 objects a second time as an array of 4 objects");
  x = {values, values, 1, 10};
  CHECK_THROWS_WITH(packed(x), "an array of 1 objects a second time as an array of 10 objects");
  // A message that says so all the same: the second length, behind the two tokens, is changed.
  x = {values, values, 10, 10};
  auto bytes = packed(x);
  const int wrong = 1000;
  std::memcpy(bytes.data() + offsetof(two_views, second_length), &wrong, sizeof wrong);
  CHECK_THROWS_WITH(read_from(bytes, y), "is an array of 10 objects, expected an array of 1000 objects");
}

WHERRY_UNIT_TEST(deep_chains_are_not_for_now) {
  chain links[150];
  for (int i = 0; i + 1 < 150; ++i) links[i].next = &links[i + 1];
  CHECK_THROWS_WITH(packed(links[0]), "nested deeper than 100");
  chain copy;
  read_from(packed(links[60]), copy);
  int n = 0;
  for (const chain* at = &copy; at != nullptr; at = at->next) ++n;
  CHECK_EQUAL(n, 90);
  destroy(copy);
}

WHERRY_UNIT_TEST(deep_destroying_looks_behind_pointers) {
  reads_behind x{new int(3), new_leaves(3)}, y;
  read_from(packed(x), y);
  destroy(x);
  destroy(y);
  CHECK(y.length == nullptr && y.leaves == nullptr);
  CHECK_EQUAL(counted::alive(), 0);

  with_length_inside outer, copy;
  outer.inside = {new int(2), new_leaves(2)};
  outer.more = new_leaves(2);
  read_from(packed(outer), copy);
  CHECK_EQUAL(copy.more[1].value, 1);
  destroy(outer);
  destroy(copy);
  CHECK(copy.inside.length == nullptr && copy.more == nullptr);
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_descriptions_may_throw) {
  std::vector<thrower> x(3), y;
  for (auto& each : x) each.before = new_leaf(1), each.after = new_leaf(2), each.text = "text";
  x[1].text = "throw";
  int thrown = 0;
  try {
    read_from(packed(x), y);
  } catch (int number) {
    thrown = number;
  }
  CHECK_EQUAL(thrown, 42);
  for (const auto& each : y) CHECK(each.before == nullptr && each.after == nullptr);
  destroy(x);
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_descriptions_may_throw_while_things_wait) {
  for (const int where : {0, 1, 2}) {
    std::vector<throws_later> x(3), y;
    for (auto& each : x) {
      each.maybe.emplace(2);
      each.choice.emplace<1>(2).front().resize(2);
      each.inside.resize(2);
    }
    (where < 2 ? x[static_cast<std::size_t>(where)] : x[1].inside[1]).throws = 1;
    CHECK_THROWS(read_from(packed(x), y));
  }
}

WHERRY_UNIT_TEST(deep_constant_objects_have_owners) {
  std::vector<std::shared_ptr<const std::string>> x{std::make_shared<const std::string>("text")};
  x.push_back(x[0]);
  const auto y = copy_of(x);
  CHECK(y[0] == y[1] && *y[0] == "text");
  std::unique_ptr<const int> one = std::make_unique<const int>(5), other;
  read_from(packed(one), other);
  CHECK_EQUAL(*other, 5);
}
