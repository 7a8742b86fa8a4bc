// Arrays behind raw pointers are freed by `delete[]`, single objects by `delete`: the classes' own destructors do it.
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include "deep_leaf.hpp"

using namespace deep_tests;
using wherry::deep::array;
using wherry::deep::destroy;
using wherry_test::random_numbers;

namespace {

struct alignas(128) wide {
  std::string text = "wide";
  template <class Message> void describe(Message& m) { m(text); }
};

struct owner {
  int n = 0, points = 0;
  leaf* many = nullptr;
  leaf* one = nullptr;
  wide* wides = nullptr;
  double* numbers = nullptr;
  leaf* shared = nullptr;
  owner* inside = nullptr;

  owner() = default;
  owner(const owner&) = delete;
  ~owner() {
    delete[] many;
    delete one;
    delete[] wides;
    delete[] numbers;
    delete[] shared;
    delete[] inside;
  }
  template <class Message> void describe(Message& m) {
    m.owned(many, n);
    m.owned(one);
    m.owned(wides, n);
    m.owned(numbers, points);
    m.shared(shared, n);
    m.owned(inside, n);
  }
};

void fill(owner& x, int n, int depth) {
  x.n = x.points = n;
  x.many = new_leaves(n);
  x.one = new_leaf(1);
  x.wides = new wide[static_cast<std::size_t>(n)];
  x.numbers = new double[static_cast<std::size_t>(n)]();
  x.shared = new_leaves(n);
  x.inside = new owner[static_cast<std::size_t>(n)];
  if (depth > 0)
    for (int i = 0; i < n; ++i) fill(x.inside[i], n, depth - 1);
}

// How `new T[n]` lies in its memory: `allocate_array` must do the same.
template <class T> struct spy : T {
  static inline void* begin;
  static void* operator new[](std::size_t bytes) { return begin = ::operator new(bytes, std::align_val_t{128}); }
  static void operator delete[](void* p) { ::operator delete(p, std::align_val_t{128}); }
};
template <class T> void lies_as_with_new() {
  using spied = spy<T>;
  auto* const p = new spied[5];
  const auto before = reinterpret_cast<std::byte*>(p) - static_cast<std::byte*>(spied::begin);
  CHECK_EQUAL(static_cast<std::size_t>(before), wherry::deep::bytes_before_array<spied>);
  const std::size_t count = before == 0 ? 5 : reinterpret_cast<const std::size_t*>(p)[-1];
  delete[] p;
  auto* const ours = wherry::deep::allocate_array<spied>(5);
  CHECK_EQUAL(reinterpret_cast<std::byte*>(ours) - static_cast<std::byte*>(spied::begin), before);
  CHECK_EQUAL(before == 0 ? 5 : reinterpret_cast<const std::size_t*>(ours)[-1], count);
  wherry::deep::free_array(ours);
}

struct two_pointers {
  leaf* a = nullptr;
  leaf* b = nullptr;
  int n = 1;
  template <class Message> void describe(Message& m) {
    m.shared(a);
    m.shared(b, n);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_arrays_are_freed_by_their_owner) {
  for (const int n : {0, 1, 2, 3}) {
    {
      owner x, y;
      fill(x, n, 2);
      read_from(packed(x), y);
      for (int i = 0; i < n; ++i) CHECK_EQUAL(y.many[i].name, std::to_string(i));
      for (int i = 0; i < n; ++i) CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(y.wides + i) % alignof(wide), 0u);
    }  // by the destructors
    CHECK_EQUAL(counted::alive(), 0);
    {
      owner x, y;
      fill(x, n, 2);
      read_from(packed(x), y);
      destroy(x);  // also what `new` made
      destroy(y);
    }
    CHECK_EQUAL(counted::alive(), 0);
  }
}

WHERRY_UNIT_TEST(deep_arrays_as_roots) {
  for (const int n : {1, 5}) {
    leaf *x = new_leaves(n), *y = nullptr, *z = nullptr;
    const auto bytes = packed(array(x, n));
    int arrived = 0;
    read_from(bytes, array(y, arrived));
    CHECK_EQUAL(arrived, n);
    delete[] y;
    read_from(bytes, array(z, arrived));
    destroy(z, arrived);
    destroy(x, n);
    CHECK_EQUAL(counted::alive(), 0);
  }
}

WHERRY_UNIT_TEST(deep_arrays_lie_as_with_new) {
  struct flat {
    char c[3];
  };
  lies_as_with_new<flat>();
  lies_as_with_new<leaf>();
  lies_as_with_new<wide>();
}

// One object and an array of one are freed differently: a pointer is to one of them.
WHERRY_UNIT_TEST(deep_one_object_is_no_array) {
  two_pointers x;
  x.a = x.b = new_leaf(1);
  CHECK_THROWS_WITH(packed(x), "one object is met again as an array of 1 objects");
  delete x.a;
}
