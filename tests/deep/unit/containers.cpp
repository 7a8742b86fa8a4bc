// Every container of the standard library there and back: empty, of one element, of many, alone and nested.
#include <array>
#include <bitset>
#include <complex>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory_resource>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "deep/unit/support.hpp"

using namespace deep_tests;
using wherry_test::random_numbers;

namespace {

// A value of each type, from a random number.
template <class T> struct make {
  static T one(random_numbers& random) { return static_cast<T>(random.between(-1000, 1000)); }
};
template <> struct make<std::string> {
  static std::string one(random_numbers& random) {
    std::string s(static_cast<std::size_t>(random.between(0, 40)), ' ');
    for (char& c : s) c = static_cast<char>(random.between(0, 255));
    return s;
  }
};
template <class T> struct make<std::vector<T>> {
  static std::vector<T> one(random_numbers& random) {
    std::vector<T> v(static_cast<std::size_t>(random.between(0, 5)));
    for (T& x : v) x = make<T>::one(random);
    return v;
  }
};
template <class A, class B> struct make<std::pair<A, B>> {
  static std::pair<A, B> one(random_numbers& random) { return {make<A>::one(random), make<B>::one(random)}; }
};
template <class T> struct make<std::optional<T>> {
  static std::optional<T> one(random_numbers& random) {
    if (random.chance(50)) return std::nullopt;
    return make<T>::one(random);
  }
};

template <class Container, class Add> void in_all_sizes(random_numbers& random, Add add) {
  for (const int n : {0, 1, 2, 1000}) {
    Container x;
    for (int i = 0; i < n; ++i) add(x, random);
    CHECK(comes_back(x));
    // Among others, so that one that reads too much or too little is seen.
    std::pair<std::vector<Container>, std::string> several{{x, Container(), x}, "the end"};
    CHECK(comes_back(several));
  }
}

template <class T> void sequences_of(random_numbers& random) {
  const auto back = [](auto& x, random_numbers& r) { x.push_back(make<T>::one(r)); };
  in_all_sizes<std::vector<T>>(random, back);
  in_all_sizes<std::deque<T>>(random, back);
  in_all_sizes<std::list<T>>(random, back);
  in_all_sizes<std::forward_list<T>>(random, [](auto& x, random_numbers& r) { x.push_front(make<T>::one(r)); });
  in_all_sizes<std::stack<T>>(random, [](auto& x, random_numbers& r) { x.push(make<T>::one(r)); });
  in_all_sizes<std::queue<T>>(random, [](auto& x, random_numbers& r) { x.push(make<T>::one(r)); });
  in_all_sizes<std::stack<T, std::vector<T>>>(random, [](auto& x, random_numbers& r) { x.push(make<T>::one(r)); });
}

template <class K, class V> void associative_of(random_numbers& random) {
  const auto key = [](auto& x, random_numbers& r) { x.insert(make<K>::one(r)); };
  const auto entry = [](auto& x, random_numbers& r) { x.insert({make<K>::one(r), make<V>::one(r)}); };
  in_all_sizes<std::set<K>>(random, key);
  in_all_sizes<std::multiset<K>>(random, key);
  in_all_sizes<std::unordered_set<K>>(random, key);
  in_all_sizes<std::unordered_multiset<K>>(random, key);
  in_all_sizes<std::map<K, V>>(random, entry);
  in_all_sizes<std::multimap<K, V>>(random, entry);
  in_all_sizes<std::unordered_map<K, V>>(random, entry);
  in_all_sizes<std::unordered_multimap<K, V>>(random, entry);
}

struct plain {
  int a;
  double b[3];
  bool operator==(const plain&) const = default;
};
struct mixed {
  std::string name;
  int numbers[2][3];
  std::vector<plain> plains;
  std::string words[2];
  std::optional<double> maybe;
  bool operator==(const mixed&) const = default;
};
struct nothing {
  bool operator==(const nothing&) const = default;
};
struct tree {
  int value;
  std::vector<tree> children;
  bool operator==(const tree&) const = default;
};
enum class colour : unsigned char { red, green };

}  // namespace

WHERRY_UNIT_TEST(deep_sequences) {
  random_numbers random(test.seed);
  sequences_of<int>(random);
  sequences_of<double>(random);
  sequences_of<std::string>(random);
  sequences_of<std::vector<std::string>>(random);
  sequences_of<std::pair<int, std::string>>(random);
  in_all_sizes<std::vector<bool>>(random, [](auto& x, random_numbers& r) { x.push_back(r.chance(50)); });
}

WHERRY_UNIT_TEST(deep_associative_containers) {
  random_numbers random(test.seed);
  associative_of<int, double>(random);
  associative_of<std::string, std::vector<std::string>>(random);
  associative_of<int, std::optional<std::string>>(random);
}

WHERRY_UNIT_TEST(deep_priority_queue_keeps_its_order) {
  random_numbers random(test.seed);
  std::priority_queue<int> queue;
  for (int i = 0; i < 500; ++i) queue.push(random.between(0, 100));
  auto copy = copy_of(queue);
  CHECK_EQUAL(copy.size(), queue.size());
  for (; !queue.empty(); queue.pop(), copy.pop()) CHECK_EQUAL(copy.top(), queue.top());
}

WHERRY_UNIT_TEST(deep_strings_of_all_kinds) {
  CHECK(comes_back(std::string("short")));
  CHECK(comes_back(std::string(100'000, 'x')));
  CHECK(comes_back(std::wstring(L"wide and much longer than what fits into the object")));
  CHECK(comes_back(std::u8string(u8"eight")));
  CHECK(comes_back(std::u16string(u"sixteen, and much longer than what fits into the object")));
  CHECK(comes_back(std::u32string(U"thirty-two")));
}

WHERRY_UNIT_TEST(deep_values_of_other_kinds) {
  CHECK(comes_back(7));
  CHECK(comes_back(colour::green));
  CHECK(comes_back(std::complex<double>(1, 2)));
  CHECK(comes_back(std::bitset<100>("1011")));
  CHECK(comes_back(std::array<std::string, 3>{"a", std::string(50, 'b'), ""}));
  CHECK(comes_back(std::array<int, 0>{}));
  CHECK(comes_back(std::array<std::string, 0>{}));
  CHECK(comes_back(std::tuple<int, std::string, double>(1, "two", 3)));
  CHECK(comes_back(std::tuple<nothing, std::string, nothing, int>({}, "beside nothing", {}, 4)));
  CHECK(comes_back(std::vector<std::pair<int, double>>{{1, 2}, {3, 4}}));
  CHECK(comes_back(std::optional<int>()));
  CHECK(comes_back(std::optional<int>(3)));
  CHECK(comes_back(std::optional<std::string>("a string that is too long to be short")));
  CHECK(comes_back(std::optional<std::optional<int>>(std::optional<int>())));
  using choice = std::variant<int, std::string, std::vector<double>>;
  CHECK(comes_back(std::vector<choice>{1, "two", std::vector<double>{3, 4}}));
  CHECK(comes_back(std::vector<std::variant<std::monostate, char>>{std::monostate(), 'x'}));
  CHECK(comes_back(std::vector<nothing>(3)));
}

WHERRY_UNIT_TEST(deep_aggregates_need_no_description) {
  const mixed one{"one", {{1, 2, 3}, {4, 5, 6}}, {{1, {2, 3, 4}}, {5, {6, 7, 8}}}, {"left", std::string(99, 'r')}, 2.5};
  CHECK(comes_back(one));
  CHECK(comes_back(std::vector<mixed>{one, {}, one}));
  CHECK(comes_back(std::map<std::string, mixed>{{"a", one}, {"b", {}}}));
  static_assert(wherry::deep::flat<plain>);
  static_assert(!wherry::deep::flat<mixed>);
}

WHERRY_UNIT_TEST(deep_types_that_contain_themselves) {
  tree root{1, {{2, {{3, {}}, {4, {}}}}, {5, {}}}};
  CHECK(comes_back(root));
  random_numbers random(test.seed);
  std::vector<tree*> all{&root};
  for (int i = 0; i < 1000; ++i) {
    tree* parent = random.one_of(all);
    // A vector that grows moves its elements: children are reserved once.
    if (parent->children.capacity() < 8) {
      if (!parent->children.empty()) continue;
      parent->children.reserve(8);
    }
    if (parent->children.size() == 8) continue;
    all.push_back(&parent->children.emplace_back(tree{i, {}}));
  }
  CHECK(comes_back(root));
}

WHERRY_UNIT_TEST(deep_pmr_containers) {
  std::pmr::vector<std::pmr::string> words{"a", std::pmr::string(100, 'b')};
  CHECK(comes_back(words));
  CHECK(comes_back(std::pmr::map<int, std::pmr::string>{{1, "one"}, {2, std::pmr::string(100, 'x')}}));
  CHECK(comes_back(std::pmr::list<std::pmr::vector<int>>{{1, 2}, {}}));
}

WHERRY_UNIT_TEST(deep_copy_replaces_what_was_there) {
  std::vector<std::string> words{"new"};
  std::vector<std::string> old{std::string(1000, 'o'), "old"};
  read_from(packed(words), old);
  CHECK_EQUAL(old, words);
  std::map<std::string, int> table{{"a", 1}}, before{{"z", 26}, {"y", 25}};
  read_from(packed(table), before);
  CHECK(before == table);
}

WHERRY_UNIT_TEST(deep_packed_bytes_is_what_pack_writes) {
  const std::vector<std::string> words{"a", std::string(100'000, 'b'), "c"};
  CHECK_EQUAL(wherry::deep::packed_bytes(words), packed(words).size());
  const std::vector<int> numbers(1'000'000);
  CHECK_EQUAL(wherry::deep::packed_bytes(numbers), packed(numbers).size());
}
