// Arrays behind raw pointers are freed by `delete[]`, single objects by `delete`: the classes' own destructors do it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "deep/unit/leaf.hpp"

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
  auto* const ours = wherry::deep::detail::allocate_array<spied>(5);
  CHECK_EQUAL(reinterpret_cast<std::byte*>(ours) - static_cast<std::byte*>(spied::begin), before);
  CHECK_EQUAL(before == 0 ? 5 : reinterpret_cast<const std::size_t*>(ours)[-1], count);
  wherry::deep::detail::free_array(ours, 5);
}

// Classes with memory of their own.
struct own_sized {
  int x = 0;
  static inline std::size_t taken = 0;
  static void* operator new[](std::size_t bytes) {
    taken += bytes;
    return std::malloc(bytes);
  }
  static void operator delete[](void* p, std::size_t bytes) {
    taken -= bytes;
    std::free(p);
  }
  static void* operator new(std::size_t bytes) {
    taken += bytes;
    return std::malloc(bytes);
  }
  static void operator delete(void* p, std::size_t bytes) {
    taken -= bytes;
    std::free(p);
  }
};
using row = std::string[4];
struct unusual {
  int n = 0;
  own_sized* many = nullptr;
  own_sized* one = nullptr;
  row* rows = nullptr;
  unusual() = default;
  unusual(const unusual&) = delete;
  ~unusual() {
    delete[] many;
    delete one;
    delete[] rows;
  }
  void describe(auto& m) {
    m.owned(many, n);
    m.owned(one);
    m.owned(rows, n);
  }
};

struct virtual_one {
  virtual ~virtual_one() = default;
  int x = 3;
  void describe(auto& m) { m(x); }
};
struct virtual_many {
  int n = 0;
  virtual_one *owned = nullptr, *shared = nullptr;
  void describe(auto& m) {
    m.owned(owned, n);
    m.shared(shared, n);
  }
};

struct many_wide {
  std::uint64_t n = ~std::uint64_t{0} / sizeof(virtual_one) + 2;
  virtual_one* all = nullptr;
  void describe(auto& m) { m.owned(all, n); }
};

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

WHERRY_UNIT_TEST(deep_arrays_of_unusual_types) {
  for (const int n : {0, 1, 3}) {
    {
      unusual x, y, z;
      x.n = n;
      x.many = new own_sized[static_cast<std::size_t>(n)];
      x.one = new own_sized;
      x.rows = new row[static_cast<std::size_t>(n)];
      for (int i = 0; i < n; ++i) x.rows[i][3] = "text that is too long to lie in the string itself";
      const auto bytes = packed(x);
      read_from(bytes, y);
      read_from(bytes, z);
      for (int i = 0; i < n; ++i) CHECK_EQUAL(y.rows[i][3], x.rows[i][3]);
      destroy(z);
    }
    CHECK_EQUAL(own_sized::taken, 0u);
  }
}

WHERRY_UNIT_TEST(deep_arrays_of_polymorphic_objects) {
  for (const int n : {0, 1, 4}) {
    virtual_many x{n, new virtual_one[static_cast<std::size_t>(n)], new virtual_one[static_cast<std::size_t>(n)]}, y;
    if (n > 0) x.owned[n - 1].x = 8;
    read_from(packed(x), y);
    if (n > 0) CHECK(y.owned[n - 1].x == 8 && y.shared[0].x == 3);
    destroy(x);
    destroy(y);
  }
}

// Of a stream whose length nobody knows: an array whose bytes are more than can be counted.
WHERRY_UNIT_TEST(deep_arrays_too_long_to_count) {
  class endless final : public wherry::byte_source {
   public:
    explicit endless(const std::vector<std::byte>& bytes) { at_ = bytes.data(), end_ = at_ + bytes.size(); }

   private:
    void more() override { throw std::runtime_error("no more"); }
    void close(bool) override {}
  };
  many_wide z, zz;
  const std::uint64_t token = z.n + 1;
  auto bytes = packed(z);
  std::memcpy(bytes.data() + offsetof(many_wide, all), &token, sizeof token);
  bytes.resize(4096);
  endless source(bytes);
  CHECK_THROWS(wherry::deep::unpack(source, zz));
  CHECK(zz.all == nullptr);
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
  CHECK_THROWS_WITH(packed(x), "m.shared describes one object a second time as an array of 1 objects");
  delete x.a;
}
