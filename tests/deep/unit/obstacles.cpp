// Aggregates that nobody can take apart, each for its own reason; and what a description makes of one with a reference.
#include <any>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "deep/unit/support.hpp"

using namespace deep_tests;
namespace deep = wherry::deep;
using deep::aggregates::obstacle;
using deep::aggregates::obstacle_of;

namespace {

int one = 1;

struct refers_first {
  int& k = one;
  int n;
};
struct refers_without_default {
  int& k;
  std::vector<int> v;
};
struct refers_last {
  int n = 0;
  std::string s;
  int& k = one;
};
struct refers_to_constant {
  int n = 0;
  const int& k = one;
};
struct refers_to_temporary {
  int&& k = static_cast<int&&>(one);
  std::unique_ptr<int> p;
};
struct refers_to_move_only {
  std::unique_ptr<int> p;
  std::vector<int>& v;
};
static_assert(obstacle_of<refers_first>() == obstacle::reference);
static_assert(obstacle_of<refers_without_default>() == obstacle::reference);
static_assert(obstacle_of<refers_last>() == obstacle::reference);
static_assert(obstacle_of<refers_to_constant>() == obstacle::reference);
static_assert(obstacle_of<refers_to_temporary>() == obstacle::reference);
static_assert(deep::detail::kind_of<refers_to_constant>() == deep::kind::none);
static_assert(deep::detail::kind_of<refers_to_move_only>() == deep::kind::none);

union number {
  std::int64_t i;
  double d;
};
union flat_number {
  std::int64_t i;
  double d;
};
struct three {
  double x, y, z;
};
struct with_unnamed {
  bool whole;
  union {
    std::int64_t i;
    double d;
  };
};
struct begins_with_unnamed {
  union {
    three v;
    double a[3];
  };
  std::string s;
};
struct with_named {
  std::string s;
  number x;
};
struct with_many {
  number x[3];
  std::string s;
};
struct named_inside {
  number x;
  int n;
};
struct with_flat_one {
  flat_number x[2];
  std::string s;
};
struct around_named {
  named_inside x;
  std::string s;
};

struct plain_bits {
  unsigned a : 3, b : 5;
};
struct bits_and_more {
  std::string s;
  int n : 7;
};

struct base {
  int n;
};
struct derived : base {
  std::string s;
};

struct arrays {
  int a[3];
  std::string names[2];
  double m[2][2];
  std::array<std::string, 2> others;
};
struct odd_members {
  const int constant = 3;
  std::optional<std::string> o;
  std::map<int, std::string> m;
  std::tuple<int, std::string> t;
};
struct made_of_anything {
  made_of_anything() = default;
  template <class T> made_of_anything(T&&) {}
  template <class Message> void describe(Message& m) { m(text); }
  std::string text;
};
struct around_made_of_anything {
  int n;
  made_of_anything x;
  std::string s;
};
struct unmovable {
  std::atomic<int> a;
  std::mutex m;
};

}  // namespace

template <> inline constexpr bool wherry::deep::is_flat<flat_number> = true;
template <> inline constexpr bool wherry::deep::is_flat<named_inside> = true;
template <> inline constexpr bool wherry::deep::is_flat<plain_bits> = true;

namespace {

static_assert(obstacle_of<with_unnamed>() == obstacle::union_member);
static_assert(obstacle_of<begins_with_unnamed>() == obstacle::union_member);
static_assert(obstacle_of<with_named>() == obstacle::union_member);
static_assert(obstacle_of<with_many>() == obstacle::union_member);
static_assert(deep::detail::kind_of<with_flat_one>() == deep::kind::composite);
static_assert(deep::detail::kind_of<around_named>() == deep::kind::composite);
static_assert(deep::flat<named_inside> && deep::flat<flat_number>);
static_assert(obstacle_of<bits_and_more>() == obstacle::bit_field);
static_assert(deep::flat<plain_bits>);
static_assert(obstacle_of<derived>() == obstacle::base);
static_assert(deep::detail::kind_of<arrays>() == deep::kind::composite);
static_assert(deep::detail::kind_of<odd_members>() == deep::kind::composite);
static_assert(deep::detail::kind_of<around_made_of_anything>() == deep::kind::composite);
static_assert(obstacle_of<unmovable>() == obstacle::none && !deep::aggregates::has_reference<unmovable>());

/// What the description names travels; the reference stays.
struct bound {
  int& k = one;
  int n = 0;
  std::vector<int> v;
  template <class Message> void describe(Message& m) { m(n, v); }
};
/// Names what is referred to: that arrives where this object's reference leads.
std::string nobodys;
struct bound_through {
  const int size = 2;
  std::string& text = nobodys;
  std::vector<int> v;
  template <class Message> void describe(Message& m) { m(text, v); }
};
struct holder {
  std::vector<std::unique_ptr<bound>> several;
  bound inside;
};

}  // namespace

WHERRY_UNIT_TEST(deep_aggregates_of_odd_members) {
  arrays x{{1, 2, 3}, {"a", "b"}, {{1, 2}, {3, 4}}, {"c", "d"}};
  const auto y = copy_of(x);
  CHECK(y.a[2] == 3 && y.names[1] == "b" && y.m[1][0] == 3 && y.others[1] == "d");
  odd_members m{4, "o", {{1, "m"}}, {2, "t"}};
  odd_members n;
  read_from(packed(m), n);
  CHECK(n.constant == 4 && n.o == "o" && n.m.at(1) == "m" && std::get<1>(n.t) == "t");
}

WHERRY_UNIT_TEST(deep_a_description_leaves_references_alone) {
  int mine = 5, other = 6;
  bound x{mine, 7, {1, 2}}, y{other, 0, {}};
  read_from(packed(x), y);
  CHECK(&y.k == &other && other == 6 && y.n == 7 && y.v.size() == 2);
  std::string here = "here", there;
  bound_through a{2, here, {3}}, b{2, there, {}};
  read_from(packed(a), b);
  CHECK(there == "here" && &b.text == &there && b.v == std::vector{3});
  holder all{{}, {mine, 8, {4}}}, copies{{}, {other, 0, {}}};
  all.several.push_back(std::make_unique<bound>(bound{mine, 9, {5}}));
  read_from(packed(all), copies);
  CHECK(copies.several.size() == 1 && copies.several[0]->n == 9 && &copies.several[0]->k == &one);
  CHECK(copies.inside.n == 8 && copies.inside.v == std::vector{4});
}
