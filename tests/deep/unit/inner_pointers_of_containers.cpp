// Pointers into what containers and smart pointers hold: found with WHERRY_CHECK, in whatever order the two are met.
#include <array>
#include <cstddef>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "wherry/core/settings.hpp"

#include "deep/unit/support.hpp"

using namespace deep_tests;

namespace {

struct checked {
  checked() { wherry::configure("check", "1"); }
  ~checked() { wherry::configure("check", "0"); }
};

struct pod {
  int a = 1, b = 2;
  auto operator<=>(const pod&) const = default;
};
struct named {
  int a = 1;
  std::string s;
  auto operator<=>(const named&) const = default;
};

template <class Whole, class Element> struct whole_first {
  Whole whole;
  Element* part = nullptr;
  template <class Message> void describe(Message& m) { m(whole), m.shared(part); }
};
template <class Whole, class Element> struct part_first {
  Whole whole;
  Element* part = nullptr;
  template <class Message> void describe(Message& m) { m.shared(part), m(whole); }
};
template <class Whole, class Element> struct observes {
  Whole whole;
  Element* part = nullptr;
  std::shared_ptr<Element> owner;
  template <class Message> void describe(Message& m) { m.observed(part), m(whole, owner); }
};
/// Aggregates that nobody describes.
template <class Whole, class Element> struct shares {
  Whole whole;
  std::shared_ptr<Element> part;
};
template <class Whole, class Element> struct shares_first {
  std::shared_ptr<Element> part;
  Whole whole;
};
template <class Whole, class Element> struct shares_both {
  std::shared_ptr<Element> part;
  std::shared_ptr<Whole> whole;
};

template <class T> std::string error_of(T& x) {
  try {
    memory_sink sink;
    wherry::deep::pack(sink, x);
    return "none";
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::argument);
    return problem.text();
  }
}
template <class T> void must_be_found(T& x, const char* what) {
  if (error_of(x).find("a shared or observed pointer points to ") == std::string::npos)
    FAIL(std::string(what) + ": " + error_of(x));
}

/// Every way of pointing to what `get` finds in a `Whole` that is made from `whole`.
template <class Element, class Whole> void must_find(const Whole& whole, Element* (*get)(Whole&)) {
  const auto raw = [&](auto x, const char* what) {
    x.whole = whole;
    x.part = get(x.whole);
    must_be_found(x, what);
  };
  const auto smart = [&](auto x, const char* what) {
    x.whole = whole;
    x.part = {std::shared_ptr<int>(), get(x.whole)};
    must_be_found(x, what);
  };
  raw(whole_first<Whole, Element>(), "whole first");
  raw(part_first<Whole, Element>(), "part first");
  raw(observes<Whole, Element>(), "observed");
  smart(shares<Whole, Element>(), "shared");
  smart(shares_first<Whole, Element>(), "shared first");
  shares_both<Whole, Element> both;
  both.whole = std::make_shared<Whole>(whole);
  both.part = {both.whole, get(*both.whole)};
  must_be_found(both, "both shared");
}
template <class Element, class Sequence> void must_find_second(const Sequence& whole) {
  must_find<Element, Sequence>(whole, [](Sequence& x) { return std::addressof(*std::next(x.begin())); });
}
template <class Element> void must_find_in_sequences() {
  must_find_second<Element>(std::vector<Element>(3));
  must_find_second<Element>(std::deque<Element>(3));
  must_find_second<Element>(std::list<Element>(3));
  must_find_second<Element>(std::forward_list<Element>(3));
  must_find_second<Element>(std::array<Element, 3>());
}

}  // namespace

WHERRY_UNIT_TEST(deep_pointers_into_sequences_are_found) {
  const checked on;
  must_find_in_sequences<double>();
  must_find_in_sequences<pod>();
  must_find_in_sequences<named>();
  must_find_second<char>(std::string(100, 'c'));
  must_find_second<char>(std::string("short"));
  using nested = std::vector<std::vector<int>>;
  must_find<int, nested>(nested(2, {1, 2}), [](nested& x) { return &x[1][1]; });
  must_find<int, std::vector<pod>>(std::vector<pod>(2), [](std::vector<pod>& x) { return &x[1].b; });
}

WHERRY_UNIT_TEST(deep_pointers_into_maps_and_sums_are_found) {
  const checked on;
  using by_name = std::map<std::string, named>;
  must_find<named, by_name>({{"a", {}}, {"b", {}}}, [](by_name& x) { return &x["b"]; });
  using by_number = std::unordered_map<int, double>;
  must_find<double, by_number>({{1, 1}, {2, 2}}, [](by_number& x) { return &x[2]; });
  using some = std::set<int>;
  must_find<const int, some>({1, 2}, [](some& x) { return &*x.begin(); });
  must_find<int, std::optional<pod>>(pod(), [](std::optional<pod>& x) { return &x->b; });
  must_find<named, std::optional<named>>(named(), [](std::optional<named>& x) { return &*x; });
  using either = std::variant<int, named>;
  must_find<named, either>(named(), [](either& x) { return &std::get<named>(x); });
  using two = std::tuple<int, std::vector<double>>;
  must_find<double, two>({1, {1, 2}}, [](two& x) { return &std::get<1>(x)[1]; });
}

namespace {

struct owner {
  int* part = nullptr;
  std::unique_ptr<std::vector<int>> list;
  std::unique_ptr<pod> object;
  pod *owned = nullptr, *now = nullptr;
  std::vector<pod> sized;
  template <class Message> void describe(Message& m) {
    m.shared(part);
    m(list, object);
    m.owned(owned);
    m.owned_now(now);
    m.sized(sized);
    for (auto& each : sized) m(each);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_pointers_into_what_is_owned_are_found) {
  const checked on;
  owner x;
  x.list = std::make_unique<std::vector<int>>(3);
  x.object = std::make_unique<pod>();
  pod owned, now;
  x.owned = &owned;
  x.now = &now;
  x.sized.resize(2);
  CHECK_EQUAL(error_of(x), "none");
  for (int* part : {&(*x.list)[2], &x.object->b, &owned.b, &now.b, &now.a, &x.sized[1].b}) {
    x.part = part;
    must_be_found(x, "owned");
  }
  int other = 3;
  x.part = &other;
  CHECK_EQUAL(error_of(x), "none");
}

// What points nowhere but to itself, and what only looks as if it lay in something else.
WHERRY_UNIT_TEST(deep_shared_containers_are_no_fault) {
  const checked on;
  using list = std::vector<int>;
  std::vector<std::shared_ptr<list>> twice(2, std::make_shared<list>(list{1, 2}));
  CHECK_EQUAL(error_of(twice), "none");
  std::vector<std::shared_ptr<std::optional<pod>>> sums(2, std::make_shared<std::optional<pod>>(pod()));
  CHECK_EQUAL(error_of(sums), "none");
  std::vector<std::shared_ptr<std::map<int, std::string>>> maps(2);
  maps[0] = maps[1] = std::make_shared<std::map<int, std::string>>();
  (*maps[0])[1] = "short";
  CHECK_EQUAL(error_of(maps), "none");
  std::pair<pod, std::shared_ptr<pod>> pair{{}, std::make_shared<pod>()};
  CHECK_EQUAL(error_of(pair), "none");
}

// Whatever the root is, and without being asked to check.
WHERRY_UNIT_TEST(deep_pointers_into_any_root_are_found) {
  std::pair<pod, std::shared_ptr<int>> pair;
  pair.second = {std::shared_ptr<int>(), &pair.first.b};
  must_be_found(pair, "pair");
  shares<pod, pod> aggregate;
  aggregate.part = {std::shared_ptr<int>(), &aggregate.whole};
  must_be_found(aggregate, "aggregate");
  std::tuple<std::vector<pod*>, pod> tuple;
  std::get<0>(tuple) = {nullptr, &std::get<1>(tuple)};
  must_be_found(tuple, "tuple");
}
