// Sets and maps whose keys are compared by what lies behind pointers, or not.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "deep/unit/leaf.hpp"

using namespace deep_tests;
using wherry::deep::destroy;
using wherry_test::random_numbers;

namespace {

struct by_name {
  bool operator()(const auto& a, const auto& b) const { return a->name < b->name; }
};
struct hash_of_name {
  std::size_t operator()(const auto& x) const { return std::hash<std::string>()(x->name); }
};
struct same_name {
  bool operator()(const auto& a, const auto& b) const { return a->name == b->name; }
};

// Each town knows others, itself among them, by their names.
struct town {
  std::string name;
  std::set<town*, by_name> near;
  std::unordered_map<town*, double, hash_of_name, same_name> miles;
  std::multiset<town*, by_name> visited;
  std::set<town*> any_order;
  std::map<town*, std::set<town*, by_name>, by_name> by_way_of;
  town* next = nullptr;
  counted alive;
  template <class Message> void describe(Message& m) {
    m(name, near, miles, visited, any_order, by_way_of);
    m.shared(next);
    m.skip(alive);
  }
};

town* some_country(int n, random_numbers& random) {
  std::vector<town*> all;
  for (int i = 0; i < n; ++i) {
    auto* t = new town;
    t->name = std::to_string(random.next());
    t->next = all.empty() ? nullptr : all.back();
    all.push_back(t);
  }
  for (town* t : all)
    for (int i = 0; i < 4; ++i) {
      town* const other = random.one_of(all);
      t->near.insert(other);
      t->miles.emplace(other, i);
      t->visited.insert({other, other});
      t->any_order.insert(other);
      t->by_way_of[other].insert(t->near.begin(), t->near.end());
    }
  return all.back();
}

std::vector<std::string> names(const auto& towns) {
  std::vector<std::string> list;
  for (const town* t : towns) list.push_back(t->name);
  return list;
}

bool same(const town* a, const town* b) {
  for (; a != nullptr && b != nullptr; a = a->next, b = b->next) {
    if (a->name != b->name || names(a->near) != names(b->near) || names(a->visited) != names(b->visited)) return false;
    if (a->any_order.size() != b->any_order.size() || a->miles.size() != b->miles.size()) return false;
    for (const auto& [to, miles] : a->miles) {
      const auto found = b->miles.find(to);  // by its name
      if (found == b->miles.end() || found->second != miles || found->first == to) return false;
    }
    for (const auto& [to, others] : a->by_way_of) {
      const auto found = b->by_way_of.find(to);
      if (found == b->by_way_of.end() || names(found->second) != names(others)) return false;
    }
  }
  return a == b;
}

// Keys that own, with descriptions of their own.
struct person {
  leaf* id = nullptr;
  std::vector<person> children;
  template <class Message> void describe(Message& m) {
    m(children);
    m.owned(id);
  }
  bool operator<(const person& other) const { return id->value < other.id->value; }
};

struct links {
  int number = 0;
  std::map<std::shared_ptr<links>, int> next;
  std::map<std::unique_ptr<links>, int, std::less<>> own;
  template <class Message> void describe(Message& m) { m(next, own); }
};

// Compared through std::less all the same.
struct ranked {
  int rank = 0;
  void describe(auto&) {}
};
bool operator<(const std::shared_ptr<ranked>& a, const std::shared_ptr<ranked>& b) { return a->rank < b->rank; }

// Compared by a set that has to be filled before.
struct label {
  std::string text;
  void describe(auto& m) { m(text); }
  bool operator<(const label& other) const { return text < other.text; }
};
struct thing {
  std::set<label> labels;
  void describe(auto& m) { m(labels); }
};
struct by_labels {
  bool operator()(const thing* a, const thing* b) const {
    return std::lexicographical_compare(a->labels.begin(), a->labels.end(), b->labels.begin(), b->labels.end());
  }
};
struct shelf {
  std::vector<thing*> all;
  std::set<thing*, by_labels> sorted;
  void describe(auto& m) { m(all, sorted); }
};

// Things arrive before the room that sorts them.
struct sorted_room {
  struct deep_less {
    bool operator()(const std::shared_ptr<thing>& a, const std::shared_ptr<thing>& b) const {
      return by_labels()(a.get(), b.get());
    }
  };
  std::set<std::shared_ptr<thing>, deep_less> sorted;
  void describe(auto& m) { m(sorted); }
};
struct library {
  std::unique_ptr<sorted_room> room;
  std::vector<std::shared_ptr<thing>> all;
  void describe(auto& m) { m(room, all); }
};

// Stays where it is read.
struct cursor {
  std::mutex lock;
  int numbers[4] = {};
  int* at = nullptr;
  void describe(auto& m) {
    m.skip(lock);
    m.points_into(at, numbers, 4);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_keys_compared_by_what_they_point_to) {
  random_numbers random(test.seed);
  for (const int n : {1, 2, 3, 50}) {
    town *x = some_country(n, random), *y = nullptr;
    const auto bytes = packed(x);
    read_from(bytes, y);
    CHECK(same(x, y));
    destroy(y);
    {
      wherry::deep::arena memory;
      read_from(bytes, y, {.arena = &memory});
      CHECK(same(x, y));
    }
    destroy(x);
    CHECK_EQUAL(counted::alive(), 0);
  }
}

WHERRY_UNIT_TEST(deep_keys_that_are_smart_pointers) {
  const auto named = [](const char* name) {
    auto one = std::make_shared<town>();
    one->name = name;
    return one;
  };
  std::map<std::shared_ptr<town>, std::string, by_name> x;
  for (const char* name : {"c", "a", "b"}) x[named(name)] = name;
  const auto y = copy_of(x);
  std::string order;
  for (const auto& [key, value] : y) order += key->name + value;
  CHECK_EQUAL(order, std::string("aabbcc"));

  std::unordered_set<std::unique_ptr<town>, hash_of_name, same_name> owned, arrived;
  for (const char* name : {"c", "a", "b"}) {
    auto one = std::make_unique<town>();
    one->name = name;
    owned.insert(std::move(one));
  }
  read_from(packed(owned), arrived);
  CHECK_EQUAL(arrived.size(), 3u);
  for (const auto& each : owned) CHECK(arrived.contains(each));
}

WHERRY_UNIT_TEST(deep_keys_with_descriptions) {
  std::map<person, std::pmr::string> x;
  for (const int i : {5, 1, 3}) {
    person p{new_leaf(i), std::vector<person>(2)};
    p.children[1].id = new_leaf(7);
    x.emplace(std::move(p), std::to_string(i));
  }
  wherry::deep::arena memory;
  for (auto* arena : {static_cast<wherry::deep::arena*>(nullptr), &memory}) {
    std::map<person, std::pmr::string> y;
    read_from(packed(x), y, {.arena = arena});
    std::string order;
    for (const auto& [key, value] : y) order += std::to_string(key.id->value) + std::string(value);
    CHECK_EQUAL(order, std::string("113355"));
    CHECK_EQUAL(y.begin()->first.children.at(1).id->value, 7);
    if (arena == nullptr) destroy(y);
  }
  destroy(x);
  memory.clear();
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_keys_with_their_own_less) {
  std::set<std::shared_ptr<ranked>> x;
  for (const int rank : {3, 1, 2}) {
    auto one = std::make_shared<ranked>();
    one->rank = rank;
    x.insert(one);
  }
  int expected = 1;
  for (const auto& each : copy_of(x)) CHECK_EQUAL(each->rank, expected++);
}

WHERRY_UNIT_TEST(deep_keys_compared_by_sets) {
  shelf x, y;
  for (const char* text : {"c", "a", "b"}) {
    x.all.push_back(new thing{{label{text}, label{"z"}}});
    x.sorted.insert(x.all.back());
  }
  read_from(packed(x), y);
  std::string order;
  for (const thing* each : y.sorted) order += each->labels.begin()->text;
  CHECK_EQUAL(order, std::string("abc"));
  CHECK(y.sorted.contains(y.all[0]));
  destroy(x);
  destroy(y);
}

WHERRY_UNIT_TEST(deep_keys_that_are_sets) {
  town a, b;
  a.name = "a", b.name = "b";
  std::set<std::set<town*>> x{{&a}, {&b}, {&a, &b}}, y;
  read_from(packed(x), y);
  REQUIRE(y.size() == 3);
  std::size_t towns = 0;
  for (const auto& each : y) towns += each.size();
  CHECK_EQUAL(towns, 4u);
  for (const auto& each : y) CHECK(y.contains(each));
  destroy(y);

  library l, m;
  for (const char* text : {"c", "a", "b"}) {
    l.all.push_back(std::make_shared<thing>());
    l.all.back()->labels.insert(label{text});
  }
  l.room = std::make_unique<sorted_room>();
  l.room->sorted.insert(l.all.begin(), l.all.end());
  read_from(packed(l), m);
  std::string order;
  for (const auto& each : m.room->sorted) order += each->labels.begin()->text;
  CHECK_EQUAL(order, std::string("abc"));
}

// In time that grows with their number.
WHERRY_UNIT_TEST(deep_many_late_keys) {
  std::vector<town*> all;
  std::unordered_multiset<town*, hash_of_name, same_name> x, y;
  for (int i = 0; i < 100000; ++i) {
    all.push_back(new town);
    all.back()->name = std::to_string(i);
    x.insert(all.back());
  }
  read_from(packed(x), y);
  CHECK_EQUAL(y.size(), x.size());
  for (town* each : all) CHECK(y.contains(each));
  destroy(x);
  destroy(y);
}

WHERRY_UNIT_TEST(deep_mapped_values_do_not_move) {
  std::map<label, cursor> x, y;
  std::unordered_map<town*, cursor, hash_of_name, same_name> z, zz;
  town t;
  for (auto* c : {&x[{"a"}], &x[{"b"}], &z[&t]}) {
    c->numbers[2] = 7;
    c->at = c->numbers + 2;
  }
  read_from(packed(x), y);
  read_from(packed(z), zz);
  for (auto* c : {&y.at({"a"}), &y.at({"b"}), &zz.begin()->second}) CHECK(c->at == c->numbers + 2 && *c->at == 7);
  destroy(zz);
}

// Twice the same key, and a message that breaks off anywhere: an error, and nothing is left behind.
WHERRY_UNIT_TEST(deep_keys_that_cannot_be_put_in) {
  std::multiset<leaf*, by_name> x;
  for (const int i : {4, 4, 2}) x.insert(new_leaf(i));
  const auto bytes = packed(x);
  std::set<leaf*, by_name> y;
  CHECK_THROWS_WITH(read_from(bytes, y), "the same key arrives twice");
  CHECK(y.empty());
  CHECK_EQUAL(counted::alive(), 3);
  destroy(x);

  random_numbers random(test.seed);
  town *country = some_country(5, random), *copy = nullptr;
  const auto whole = packed(country);
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 50) {
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_THROWS(read_from(part, copy));
    CHECK(copy == nullptr);
    CHECK_EQUAL(counted::alive(), 5);
  }
  destroy(country);
}

// A chain by way of keys is no deeper than any other.
WHERRY_UNIT_TEST(deep_chains_by_way_of_keys) {
  links x, y;
  links* at = &x;
  for (int i = 1; i < 100000; ++i) {
    if (i % 2 == 0) {
      const auto next = std::make_shared<links>();
      at->next[next] = i;
      at = next.get();
    } else {
      auto next = std::make_unique<links>();
      at = at->own.emplace(std::move(next), i).first->first.get();
    }
    at->number = i;
  }
  read_from(packed(x), y);
  int n = 0;
  for (const links* p = &y; p != nullptr; ++n) {
    CHECK_EQUAL(p->number, n);
    p = !p->next.empty() ? p->next.begin()->first.get() : !p->own.empty() ? p->own.begin()->first.get() : nullptr;
  }
  CHECK_EQUAL(n, 100000);
  destroy(x);
  destroy(y);
}
