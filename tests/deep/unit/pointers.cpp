// Every way in which a description names a pointer, there and back.
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "deep/unit/leaf.hpp"

using namespace deep_tests;
using wherry::deep::array;
using wherry::deep::destroy;

namespace {

struct everything {
  leaf* one = nullptr;
  leaf* several = nullptr;
  double* numbers = nullptr;
  const int* constants = nullptr;
  leaf* same = nullptr;
  leaf* same_again = nullptr;
  int count = 0;
  short other_count = 0;
  template <class Message> void describe(Message& m) {
    m.owned(one);
    m.owned(several, count);
    m.owned(numbers, 2 * count);
    m.owned(constants, other_count);
    m.shared(same);
    m.shared(same_again);
  }
};

struct header {
  int rows = 0, columns = 0;
  leaf* title = nullptr;
  template <class Message> void describe(Message& m) { m.shared(title); }
};
// The length of its array is behind a pointer.
struct table {
  header* head = nullptr;
  double* cells = nullptr;
  leaf* title = nullptr;
  header* head_again = nullptr;
  std::string after;
  template <class Message> void describe(Message& m) {
    m.shared_now(head);
    m.owned(cells, head == nullptr ? 0 : head->rows * head->columns);
    m.shared(title);
    m.shared_now(head_again);
    m(after);
  }
};
struct owning_table {
  int* length = nullptr;
  std::string between;
  header* heads = nullptr;
  int* values = nullptr;
  template <class Message> void describe(Message& m) {
    m.owned_now(length);
    m(between);
    m.owned_now(heads, *length);
    m.owned(values, heads[0].rows);
  }
};

struct cursor_into {
  std::vector<int> data;
  leaf* leaves = nullptr;
  int count = 0;
  int* at = nullptr;
  leaf* best = nullptr;
  int* end = nullptr;
  template <class Message> void describe(Message& m) {
    m(data);
    m.owned(leaves, count);
    m.points_into(at, data.data(), data.size());
    m.points_into(best, leaves, count);
    m.points_into(end, data.data(), data.size());
  }
};

// A tree whose children are owned by smart pointers, and know their parent.
struct base_part {
  std::string name;
  leaf* owned = nullptr;
  template <class Message> void describe(Message& m) {
    m(name);
    m.owned(owned);
  }
};
struct whole : base_part {
  std::vector<int> more;
  int plain = 0;
  template <class Message> void describe(Message& m) {
    m.template base<base_part>(*this);
    m(more);
  }
};

struct old_style {
  char* text;
  int length;
};
struct in_a_list {
  int value;
  in_a_list* next;
};
template <class Message> void describe(Message& m, in_a_list& x) { m.owned(x.next); }

class private_parts {
 public:
  explicit private_parts(std::string s = "") : text_(std::move(s)) {}
  const std::string& text() const { return text_; }

 private:
  friend struct wherry::deep::access;
  template <class Message> void describe(Message& m) { m(text_); }
  std::string text_;
};

// As in MEL: a container of pointers, then each pointer by itself.
struct one_by_one {
  std::vector<leaf*> edges;
  std::list<leaf*> others;
  std::vector<leaf*> owned;
  template <class Message> void describe(Message& m) {
    m.sized(edges);
    for (auto& e : edges) m.shared(e);
    m.sized(others);
    for (auto& e : others) m.owned(e);
    m.owned(owned);
  }
};

}  // namespace

template <> struct wherry::deep::description<old_style> {
  static void describe(auto& m, old_style& x) { m.owned(x.text, x.length); }
};

WHERRY_UNIT_TEST(deep_pointers_owned_and_shared) {
  everything x;
  x.one = new_leaf(42);
  x.count = 3;
  x.several = new_leaves(3);
  x.numbers = new double[6]{0, 1, 2, 3, 4, 5};
  x.other_count = 1;
  x.constants = new int[1]{7};
  x.same = x.same_again = new_leaf(9);
  const int before = counted::alive();
  everything y;
  const auto figures = read_from(packed(x), y);
  CHECK_EQUAL(counted::alive(), 2 * before);
  CHECK_EQUAL(figures.shared_objects, 2);  // the root and one leaf
  REQUIRE(y.one && y.several && y.numbers && y.constants && y.same);
  CHECK_EQUAL(y.one->value, 42);
  CHECK_EQUAL(y.one->name, x.one->name);
  CHECK_EQUAL(y.count, 3);
  CHECK_EQUAL(y.several[2].name, "2");
  CHECK_EQUAL(y.numbers[5], 5);
  CHECK_EQUAL(*y.constants, 7);
  CHECK(y.same == y.same_again);
  CHECK(y.same != x.same && y.one != x.one);
  destroy(x);
  CHECK_EQUAL(counted::alive(), before);
  destroy(y);
  CHECK_EQUAL(counted::alive(), 0);
  CHECK(y.one == nullptr && y.same_again == nullptr && y.numbers == nullptr);
}

WHERRY_UNIT_TEST(deep_null_pointers_and_empty_arrays) {
  everything x, y;
  x.numbers = new double[1];  // not null, but of no elements
  read_from(packed(x), y);
  CHECK(y.one == nullptr && y.several == nullptr && y.same == nullptr);
  CHECK(y.numbers != nullptr);
  destroy(x);
  destroy(y);
}

WHERRY_UNIT_TEST(deep_negative_counts_are_refused) {
  everything x;
  x.count = -1;
  x.numbers = new double[1];
  memory_sink sink;
  CHECK_THROWS_WITH(wherry::deep::pack(sink, x), "-1 objects");
  x.count = 0;
  destroy(x);
}

WHERRY_UNIT_TEST(deep_reading_behind_a_pointer) {
  header head{2, 3, nullptr};
  head.title = new_leaf(5);
  double cells[6] = {1, 2, 3, 4, 5, 6};
  table x{&head, cells, head.title, &head, "behind"}, y;
  read_from(packed(x), y);
  REQUIRE(y.head && y.cells && y.title);
  CHECK_EQUAL(y.head->rows * y.head->columns, 6);
  CHECK_EQUAL(y.cells[5], 6);
  CHECK(y.title == y.head->title);
  CHECK(y.head_again == y.head);
  CHECK_EQUAL(y.title->value, 5);
  CHECK_EQUAL(y.after, "behind");
  destroy(y);
  destroy(head);

  int length = 2, values[3] = {7, 8, 9};
  header heads[2] = {{3, 1, new_leaf(1)}, {4, 1, nullptr}};
  heads[1].title = heads[0].title;
  owning_table o{&length, "a string between", heads, values}, p;
  read_from(packed(o), p);
  REQUIRE(p.length && p.heads && p.values);
  CHECK_EQUAL(p.heads[1].rows, 4);
  CHECK(p.heads[1].title == p.heads[0].title);
  CHECK_EQUAL(p.values[2], 9);
  CHECK_EQUAL(p.between, o.between);
  destroy(heads[0].title);
  p.heads[1].title = nullptr;
  destroy(p.values, 3);
  destroy(p.heads, 2);
  destroy(p.length);
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_pointers_into_arrays) {
  cursor_into x;
  x.data = {1, 2, 3, 4};
  x.count = 3;
  x.leaves = new_leaves(3);
  x.at = &x.data[2];
  x.best = x.leaves + 1;
  x.end = x.data.data() + 4;
  cursor_into y;
  read_from(packed(x), y);
  CHECK(y.at == &y.data[2]);
  CHECK(y.best == y.leaves + 1);
  CHECK_EQUAL(y.best->name, "1");
  CHECK(y.end == y.data.data() + 4);
  destroy(y);
  x.at = x.data.data() + 100;
  memory_sink sink;
  CHECK_THROWS_WITH(wherry::deep::pack(sink, x), "points_into");
  destroy(x);
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_base_classes_and_other_descriptions) {
  whole x;
  x.name = "a base's";
  x.owned = new_leaf(1);
  x.more = {1, 2};
  x.plain = 5;
  whole y;
  read_from(packed(x), y);
  CHECK_EQUAL(y.name, x.name);
  CHECK_EQUAL(y.more, x.more);
  CHECK_EQUAL(y.plain, 5);
  CHECK_EQUAL(y.owned->value, 1);
  destroy(x);
  destroy(y);

  old_style text{new char[4]{'a', 'b', 'c', 0}, 4}, other{nullptr, 0};
  read_from(packed(text), other);
  CHECK_EQUAL(std::string(other.text), "abc");
  delete[] text.text;
  delete[] other.text;

  in_a_list last{2, nullptr}, first{1, &last}, copy{};
  read_from(packed(first), copy);
  CHECK_EQUAL(copy.next->value, 2);
  delete copy.next;

  private_parts secret("a text that is too long for the object itself"), seen;
  read_from(packed(secret), seen);
  CHECK_EQUAL(seen.text(), secret.text());
}

WHERRY_UNIT_TEST(deep_pointers_in_containers_one_by_one) {
  one_by_one x;
  for (int i = 0; i < 5; ++i) x.edges.push_back(new_leaf(i));
  x.edges.push_back(x.edges[2]);
  x.edges.push_back(nullptr);
  x.others = {new_leaf(7), nullptr};
  x.owned = {new_leaf(8), nullptr, new_leaf(9)};
  one_by_one y;
  read_from(packed(x), y);
  REQUIRE(y.edges.size() == 7 && y.others.size() == 2 && y.owned.size() == 3);
  CHECK(y.edges[5] == y.edges[2]);
  CHECK_EQUAL(y.edges[4]->value, 4);
  CHECK(y.edges[6] == nullptr);
  CHECK_EQUAL(y.others.front()->value, 7);
  CHECK_EQUAL(y.owned[2]->value, 9);
  destroy(x);
  destroy(y);
  CHECK_EQUAL(counted::alive(), 0);
}

namespace {

struct round_trip {
  int number = 0, next_number = 0;
  round_trip* next = nullptr;
  template <class Message> void describe(Message& m) {
    m.shared_now(next);
    if (next != nullptr) next_number = next->number;
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_shared_now_in_a_cycle) {
  round_trip a{1, 0, nullptr}, b{2, 0, &a};
  a.next = &b;
  round_trip* first = nullptr;
  round_trip* root = &a;
  deep_tests::read_from(deep_tests::packed(root), first);
  REQUIRE(first != nullptr && first->next != nullptr && first->next->next == first);
  CHECK(first->number == 1 && first->next_number == 2 && first->next->next_number == 1);
  wherry::deep::destroy(first);
}

namespace {

// Each looks behind what the others point to as well, also while it is destroyed.
struct looks_behind {
  leaf* common = nullptr;
  int* sum = nullptr;
  template <class Message> void describe(Message& m) {
    m.shared(common);
    if (sum != nullptr && common != nullptr) *sum += common->value;
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_shared_lives_until_all_have_looked) {
  int sum = 0;
  std::vector<looks_behind> several(3);
  leaf* const common = new_leaf(7);
  for (auto& one : several) one = {common, &sum};
  wherry::deep::destroy(several);
  CHECK_EQUAL(sum, 21);
  CHECK(several[2].common == nullptr);
  CHECK_EQUAL(counted::alive(), 0);
}
