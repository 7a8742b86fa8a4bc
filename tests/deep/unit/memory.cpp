// Views that own by description, containers that take their memory from the arena, and how long a stream will be.
#include <cstddef>
#include <functional>
#include <map>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "deep/unit/leaf.hpp"

using namespace deep_tests;
using wherry::deep::array;
using wherry::deep::destroy;
using wherry::deep::packed_bytes;
using wherry_test::random_numbers;

// In these programs a span owns: nothing else points to its elements.
template <class T> struct wherry::deep::description<std::span<T>> {
  static void describe(auto& m, std::span<T>& x) {
    m.skip(x);
    T* first = x.data();
    std::size_t n = x.size();
    m(n);
    m.owned(first, n);
    if (first != x.data()) x = {first, first == nullptr ? 0 : n};  // arrived, or gone
  }
};

namespace {

struct two_spans {
  std::string name;
  std::span<leaf> leaves;
  std::span<double> numbers;
  template <class Message> void describe(Message& m) { m(name, leaves, numbers); }
};

// The view is not what owns: it is made again behind what does.
struct buffer_and_view {
  int n = 0;
  double* data = nullptr;
  std::span<double> tail;
  template <class Message> void describe(Message& m) {
    m.owned(data, n);
    m.skip(tail);
    if constexpr (Message::reads)
      if (data != nullptr && n > 0) tail = {data + 1, static_cast<std::size_t>(n - 1)};
  }
};

struct in_arena {
  std::pmr::vector<std::pmr::string> words;
  std::pmr::map<int, std::pmr::string> table;
  std::pmr::string name;
  in_arena* next = nullptr;
  template <class Message> void describe(Message& m) {
    m(words, table, name);
    m.shared(next);
  }
};

struct ring {
  std::string name;
  ring* next = nullptr;
  template <class Message> void describe(Message& m) {
    m(name);
    m.shared(next);
  }
};

// Containers that take memory without being told from where fail.
class no_default_resource {
 public:
  no_default_resource() : before_(std::pmr::set_default_resource(std::pmr::null_memory_resource())) {}
  no_default_resource(const no_default_resource&) = delete;
  no_default_resource& operator=(const no_default_resource&) = delete;
  ~no_default_resource() { std::pmr::set_default_resource(before_); }

 private:
  std::pmr::memory_resource* before_;
};

std::string long_word(random_numbers& random) {
  return std::string(static_cast<std::size_t>(random.between(100, 300)), static_cast<char>(random.between('a', 'z')));
}

template <class T> void check_packed_bytes(T&& root) { CHECK_EQUAL(packed_bytes(root), packed(root).size()); }

}  // namespace

WHERRY_UNIT_TEST(deep_spans_by_description) {
  for (const int n : {0, 1, 1000}) {
    const auto length = static_cast<std::size_t>(n);
    two_spans x{"spans", {new_leaves(n), length}, {new double[length + 2], length + 2}}, y;
    for (std::size_t i = 0; i < x.numbers.size(); ++i) x.numbers[i] = 0.5 * static_cast<double>(i);
    const auto bytes = packed(x);
    CHECK_EQUAL(x.leaves.size(), length);
    read_from(bytes, y);
    REQUIRE(y.leaves.size() == length && y.numbers.size() == length + 2);
    CHECK(y.leaves.data() != x.leaves.data() && y.numbers.data() != x.numbers.data());
    for (std::size_t i = 0; i < length; ++i) REQUIRE(y.leaves[i].name == x.leaves[i].name);
    for (std::size_t i = 0; i < length + 2; ++i) REQUIRE(y.numbers[i] == x.numbers[i]);
    CHECK_EQUAL(y.name, "spans");

    const int alive = counted::alive();
    two_spans cut;
    CHECK_THROWS(read_from({bytes.begin(), bytes.end() - 1}, cut));
    CHECK_EQUAL(counted::alive(), alive);
    CHECK(cut.leaves.empty() && cut.numbers.empty());

    destroy(x);
    destroy(y);
    CHECK(y.leaves.empty() && y.numbers.empty());
    CHECK_EQUAL(counted::alive(), 0);
  }
}

WHERRY_UNIT_TEST(deep_spans_as_roots_and_elements) {
  int numbers[4] = {1, 2, 3, 4};
  std::span<int> x(numbers), y;
  read_from(packed(x), y);
  REQUIRE(y.size() == 4 && y.data() != numbers);
  CHECK_EQUAL(y[3], 4);
  destroy(y);
  CHECK(y.empty());

  std::vector<std::span<int>> several{x.first(3), {}, x.last(2)}, copies;
  read_from(packed(several), copies);
  REQUIRE(copies.size() == 3 && copies[0].size() == 3 && copies[2].size() == 2);
  CHECK(copies[1].empty());
  CHECK_EQUAL(copies[0][2], 3);
  CHECK_EQUAL(copies[2][0], 3);
  destroy(copies);
}

WHERRY_UNIT_TEST(deep_views_are_made_again) {
  for (const int n : {0, 1, 5}) {
    buffer_and_view x, y;
    x.n = n;
    x.data = new double[static_cast<std::size_t>(n)];
    for (int i = 0; i < n; ++i) x.data[i] = i;
    if (n > 0) x.tail = {x.data + 1, static_cast<std::size_t>(n - 1)};
    read_from(packed(x), y);
    REQUIRE(y.tail.size() == x.tail.size());
    if (n > 0) CHECK(y.tail.data() == y.data + 1);
    if (n > 1) CHECK_EQUAL(y.tail.back(), n - 1);
    destroy(x);
    destroy(y);
  }
}

WHERRY_UNIT_TEST(deep_pmr_containers_take_their_memory_from_the_arena) {
  random_numbers random(test.seed);
  in_arena first, second;
  for (in_arena* x : {&first, &second}) {
    for (int i = 0; i < 50; ++i) x->words.emplace_back(long_word(random));
    for (int i = 0; i < 50; ++i) x->table.emplace(i, long_word(random));
    x->name = long_word(random);
  }
  first.next = &second;
  second.next = &first;
  in_arena* const root = &first;
  const auto bytes = packed(root);

  wherry::deep::arena arena(std::size_t{1} << 20);
  for (int round = 0; round < 2; ++round) {
    // One block holds it all, so that its addresses are those between the first and the last byte taken.
    const void* const begin = arena.take(1, 1);
    const std::size_t capacity = arena.capacity();
    in_arena* copy = nullptr;
    {
      const no_default_resource forbidden;
      read_from(bytes, copy, {.arena = &arena});
    }
    const void* const end = arena.take(1, 1);
    CHECK_EQUAL(arena.capacity(), capacity);
    const auto inside = [&](const void* p) { return std::less<>()(begin, p) && std::less<>()(p, end); };

    REQUIRE(copy != nullptr && copy->next != nullptr);
    CHECK(copy->next->next == copy);
    for (const in_arena* x : {&first, &second}) {
      const in_arena* y = x == &first ? copy : copy->next;
      CHECK(inside(y));
      CHECK(y->words == x->words && y->table == x->table && y->name == x->name);
      CHECK(inside(y->words.data()) && inside(y->name.data()));
      for (const auto& word : y->words) REQUIRE(inside(word.data()));
      for (const auto& entry : y->table) REQUIRE(inside(&entry) && inside(entry.second.data()));
    }
    arena.clear();
  }
}

WHERRY_UNIT_TEST(deep_packed_bytes_of_all_roots) {
  ring last{"the last one", nullptr}, first{std::string(1000, 'f'), &last};
  last.next = &first;
  ring* at = &first;
  check_packed_bytes(at);
  check_packed_bytes(first);
  ring* nowhere = nullptr;
  check_packed_bytes(nowhere);

  for (const int n : {0, 1, 3, 10'000}) {
    leaf* leaves = new_leaves(n);
    check_packed_bytes(array(leaves, n));
    destroy(leaves, n);
  }
  std::vector<double> numbers(100'000);
  double* some = numbers.data();
  check_packed_bytes(array(some, numbers.size()));

  std::vector<leaf*> list{new_leaf(1), nullptr, new_leaf(2)};
  list.insert(list.end(), 5000, list[0]);
  check_packed_bytes(list);
  destroy(list);
  check_packed_bytes(std::map<std::string, std::vector<ring>>{{"ring", {first, last}}, {"none", {}}});
  CHECK_EQUAL(counted::alive(), 0);
}
