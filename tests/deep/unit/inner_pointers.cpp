// Pointers into the middle of what arrives by itself: an error of the writer that names both classes; what is found
// always, and what with WHERRY_CHECK.
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/settings.hpp"
#include "wherry/deep/file.hpp"

#include "deep/unit/leaf.hpp"

using namespace deep_tests;

namespace {

struct checked {
  checked() { wherry::configure("check", "1"); }
  ~checked() { wherry::configure("check", "0"); }
};

struct point {
  int first = 1, second = 2;
};

/// A root with pointers to all that it can have.
struct drawing {
  point origin;
  point* at = nullptr;
  int* coordinate = nullptr;
  leaf own;
  leaf* one = nullptr;
  std::vector<leaf*> several;
  std::vector<leaf> kept;
  point* points = nullptr;
  int count = 0;
  leaf* owned = nullptr;
  drawing* again = nullptr;
  leaf* seen = nullptr;
  template <class Message> void describe(Message& m) {
    m(own, kept);
    m.shared(one);
    m.shared(points, count);
    m.owned(owned);
    m.shared(at);
    m.shared(coordinate);
    m(several);
    m.shared(again);
    m.observed(seen);
  }
};

constexpr const char* in_root = "bytes from the beginning of (anonymous namespace)::drawing";
constexpr const char* at_root = "where (anonymous namespace)::drawing begins";

/// Sends what `set` makes of a drawing. @return the error, or nothing
std::string error_of(void (*set)(drawing&, leaf& other)) {
  leaf other;
  drawing x;
  set(x, other);
  std::string said;
  memory_sink sink;
  try {
    wherry::deep::pack(sink, x);
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::argument);
    said = problem.text();
  }
  delete[] x.points;
  if (x.owned != nullptr) delete x.owned;
  return said;
}

void must_say(const std::string& said, const std::string& first, const std::string& second) {
  if (wherry_test::fault(said.find(first) == std::string::npos || said.find(second) == std::string::npos))
    FAIL("'" + said + "' does not say '" + first + "' and '" + second + "'");
}

void set_points(drawing& x) {
  x.points = new point[4];
  x.count = 4;
}

}  // namespace

WHERRY_UNIT_TEST(deep_pointers_into_the_root_are_an_error) {
  const auto a_point = "points to (anonymous namespace)::point";
  const auto a_leaf = "points to deep_tests::leaf";
  must_say(error_of([](drawing& x, leaf&) { x.at = &x.origin; }), a_point, at_root);
  must_say(error_of([](drawing& x, leaf&) { x.coordinate = &x.origin.first; }), "points to int", at_root);
  must_say(error_of([](drawing& x, leaf&) { x.coordinate = &x.origin.second; }), "points to int",
           "inside another object that travels by itself, 4 " + std::string(in_root));
  must_say(error_of([](drawing& x, leaf&) { x.one = &x.own; }), a_leaf, in_root);
  must_say(error_of([](drawing& x, leaf&) { x.seen = &x.own; }), a_leaf, in_root);
  must_say(error_of([](drawing& x, leaf& other) { x.several = {&other, nullptr, &x.own}; }), a_leaf, in_root);
  must_say(error_of([](drawing& x, leaf&) { x.count = 2, x.points = nullptr, x.at = &x.origin; }), a_point, at_root);
}

WHERRY_UNIT_TEST(deep_the_root_itself_may_be_pointed_to) {
  CHECK_EQUAL(error_of([](drawing& x, leaf&) { x.again = &x; }), "");
  const checked on;
  CHECK_EQUAL(error_of([](drawing& x, leaf&) { x.again = &x; }), "");
  drawing x;
  x.again = &x;
  drawing y;
  read_from(packed(x), y);
  CHECK(y.again == &y);
}

// Two pointers to one address: of one object, and of its first member.
WHERRY_UNIT_TEST(deep_pointers_to_a_first_member_are_an_error) {
  const auto said = error_of([](drawing& x, leaf&) {
    set_points(x);
    x.count = 1;
    x.coordinate = &x.points[0].first;
  });
  must_say(said, "points to int", "where an object of another class begins");
  const checked on;
  const auto closer = error_of([](drawing& x, leaf&) {
    set_points(x);
    x.coordinate = &x.points[0].first;
  });
  must_say(closer, "points to int", "where (anonymous namespace)::point begins");
}

WHERRY_UNIT_TEST(deep_pointers_into_other_objects_are_found_when_checked) {
  const auto into_points = [](drawing& x, leaf&) {
    set_points(x);
    x.at = x.points + 2;
  };
  const auto into_member = [](drawing& x, leaf&) {
    set_points(x);
    x.coordinate = &x.points[3].second;
  };
  const auto to_owned = [](drawing& x, leaf&) {
    x.owned = new_leaf(3);
    x.one = x.owned;
  };
  const auto into_vector = [](drawing& x, leaf&) {
    x.kept.resize(3);
    x.one = &x.kept[1];
  };
  const auto to_the_only_one = [](drawing& x, leaf&) {
    x.kept.resize(1);
    x.several = {&x.kept[0]};
  };
  const auto observed = [](drawing& x, leaf&) {
    x.kept.resize(3);
    x.seen = &x.kept[2];
  };
  CHECK_EQUAL(error_of(into_points), "");  // nobody looks
  CHECK_EQUAL(error_of(into_vector), "");
  const checked on;
  const auto a_leaf = "points to deep_tests::leaf inside another object that travels by itself, ";
  must_say(error_of(into_points), "points to (anonymous namespace)::point inside another object",
           ", 16 bytes from the beginning of (anonymous namespace)::point");
  must_say(error_of(into_member), "points to int inside another object",
           ", 28 bytes from the beginning of (anonymous namespace)::");
  must_say(error_of(to_owned), a_leaf, ", 0 bytes from the beginning of deep_tests::leaf");
  must_say(error_of(into_vector), a_leaf, std::to_string(sizeof(leaf)) + " bytes from the beginning of");
  must_say(error_of(to_the_only_one), a_leaf, ", 0 bytes from the beginning of deep_tests::leaf");
  must_say(error_of(observed), a_leaf, std::to_string(2 * sizeof(leaf)) + " bytes from the beginning of");
}

namespace {

/// The pointer inside comes first, and what it lies in later.
struct early {
  int* inside = nullptr;
  point* around = nullptr;
  std::shared_ptr<int> aliased;
  template <class Message> void describe(Message& m) {
    m.shared(inside);
    m.shared(around);
    m(aliased);
  }
};

struct shape {
  virtual ~shape() = default;
  int number = 0;
  leaf* name = nullptr;
  template <class Message> void describe(Message& m) {
    m(number);
    m.shared(name);
  }
};
/// Objects with virtual functions inside of others, which are not a fault.
struct frame {
  shape inner;
  std::optional<leaf> title;
  std::array<shape, 2> more;
  frame* next = nullptr;
  shape* outer = nullptr;
  template <class Message> void describe(Message& m) {
    m(inner, title, more);
    m.shared(next);
    m.shared(outer);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_pointers_that_come_before_what_they_point_into) {
  const checked on;
  point p;
  early x;
  x.inside = &p.second;
  x.around = &p;
  CHECK_THROWS_WITH(packed(x), "points to int inside another object that travels by itself, 4 bytes");
  x.inside = &p.first;
  CHECK_THROWS_WITH(packed(x), "begins");
  x.inside = nullptr;
  const auto whole = std::make_shared<point>();
  x.around = nullptr;
  x.aliased = std::shared_ptr<int>(whole, &whole->second);  // of which nothing but this is told
  CHECK_EQUAL(*copy_of(x).aliased, 2);
  x.aliased = std::shared_ptr<int>(whole, &p.second);
  x.around = &p;
  CHECK_THROWS_WITH(packed(x), "points to int inside another object");
}

WHERRY_UNIT_TEST(deep_what_lies_in_others_and_is_no_fault) {
  const checked on;
  frame a, b;
  a.next = &b;
  b.next = &a;
  shape lone;
  a.outer = b.outer = &lone;
  a.title.emplace();
  lone.name = new_leaf(7);
  a.inner.name = b.more[1].name = lone.name;
  std::vector<frame> list(3);
  for (auto& each : list) each = a;
  packed(list);
  frame c;
  read_from(packed(a), c);
  CHECK(c.next->next == &c && c.outer == c.next->outer && c.inner.name == c.outer->name);
  a.outer = &b.more[1];
  CHECK_THROWS_WITH(packed(a), "points to (anonymous namespace)::shape inside another object");
  delete lone.name;
  wherry::deep::destroy(c);
}

namespace {

/// A map of the user's keeps numbers as they are.
struct plain_map {
  std::map<const void*, std::uint64_t> all;
  const std::uint64_t* find(const void* p) const {
    const auto found = all.find(p);
    return found != all.end() ? &found->second : nullptr;
  }
  void insert(const void* p, std::uint64_t number) {
    CHECK_EQUAL(number, all.size());
    all.emplace(p, number);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_pointers_into_the_root_and_another_map) {
  drawing x;
  leaf other;
  x.several = {&other, &other};
  memory_sink first, second;
  wherry::deep::pack<plain_map>(first, x);
  x.coordinate = &x.origin.second;
  CHECK_THROWS_WITH(wherry::deep::pack<plain_map>(second, x), in_root);
}

WHERRY_UNIT_TEST(deep_a_pointer_into_the_root_leaves_no_file) {
  const auto path = std::filesystem::temp_directory_path() / "wherry_inner_pointer.deep";
  std::filesystem::remove(path);
  drawing x;
  x.one = &x.own;
  CHECK_THROWS_WITH(wherry::deep::write(path.string(), x), in_root);
  CHECK(!std::filesystem::exists(path));
}
