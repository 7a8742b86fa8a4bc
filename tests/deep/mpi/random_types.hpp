// Types drawn by numbers, from everything that a deep copy knows, values of them, and what it means that two values are
// the same: in all parts, and in who shares what with whom.
#pragma once

#include <array>
#include <bitset>
#include <complex>
#include <concepts>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "support/random.hpp"

namespace wherry_test {

enum class colour : short { red, green, blue };

struct flat_one {
  char c;
  double d[2];
  std::uint16_t h;
  bool operator==(const flat_one&) const = default;
};
// Nothing need be said of it.
template <class A, class B> struct aggregate {
  A first{};
  int number = 0;
  B second[2]{};
};
// Points to any others, and owns an array.
template <class A> struct vertex {
  A value{};
  std::vector<vertex*> edges;
  vertex* first = nullptr;
  int length = 0;
  A* array = nullptr;
  void describe(auto& m) {
    m(value, edges);
    m.shared(first);
    m.owned(array, length);
  }
};
struct animal {
  virtual ~animal() = default;
  int legs = 0;
  void describe(auto& m) { m(legs); }
};
struct dog : animal {
  std::string name;
  void describe(auto& m) {
    m.template base<animal>(*this);
    m(name);
  }
};

template <class T> constexpr bool holds_animals = false;
template <> constexpr bool holds_animals<std::unique_ptr<animal>> = true;
template <template <class...> class Outer, class... T>
constexpr bool holds_animals<Outer<T...>> = (holds_animals<T> || ...);
template <class T> constexpr bool holds_animals<T*> = holds_animals<T>;
template <class T, std::size_t N> constexpr bool holds_animals<std::array<T, N>> = holds_animals<T>;

template <std::uint64_t Seed, int Depth> constexpr auto draw();
template <std::uint64_t Seed, int Depth> using random_type = typename decltype(draw<Seed, Depth>())::type;

template <std::uint64_t Seed> constexpr auto draw_leaf() {
  constexpr auto which = scramble(Seed) % 8;
  if constexpr (which == 0)
    return std::type_identity<int>();
  else if constexpr (which == 1)
    return std::type_identity<double>();
  else if constexpr (which == 2)
    return std::type_identity<std::string>();
  else if constexpr (which == 3)
    return std::type_identity<flat_one>();
  else if constexpr (which == 4)
    return std::type_identity<std::complex<float>>();
  else if constexpr (which == 5)
    return std::type_identity<std::bitset<70>>();
  else if constexpr (which == 6)
    return std::type_identity<colour>();
  else
    return std::type_identity<std::unique_ptr<animal>>();
}
template <std::uint64_t Seed> constexpr auto draw_key() {
  if constexpr (Seed % 2 == 0)
    return std::type_identity<int>();
  else
    return std::type_identity<std::string>();
}
template <std::uint64_t Seed, int Depth> constexpr auto draw() {
  if constexpr (Depth == 0) {
    return draw_leaf<Seed>();
  } else {
    using a = random_type<hash(Seed, 1), Depth - 1>;
    using b = random_type<hash(Seed, 2), Depth - 1>;
    using key = typename decltype(draw_key<scramble(Seed + 1)>())::type;
    constexpr auto which = scramble(Seed) % 20;
    if constexpr (which == 0)
      return std::type_identity<std::vector<a>>();
    else if constexpr (which == 1)
      return std::type_identity<std::deque<a>>();
    else if constexpr (which == 2)
      return std::type_identity<std::list<a>>();
    else if constexpr (which == 3)
      return std::type_identity<std::forward_list<a>>();
    else if constexpr (which == 4)
      return std::type_identity<std::array<a, 3>>();
    else if constexpr (which == 5)
      return std::type_identity<std::stack<a>>();
    else if constexpr (which == 6)
      return std::type_identity<std::queue<a>>();
    else if constexpr (which == 7)
      return std::type_identity<std::map<key, a>>();
    else if constexpr (which == 8)
      return std::type_identity<std::multimap<key, a>>();
    else if constexpr (which == 9)
      return std::type_identity<std::unordered_map<key, a>>();
    else if constexpr (which == 10)
      return std::type_identity<std::tuple<std::set<key>, std::multiset<key>, a>>();
    else if constexpr (which == 11)
      return std::type_identity<std::pair<a, std::unordered_set<key>>>();
    else if constexpr (which == 12)
      return std::type_identity<std::optional<a>>();
    else if constexpr (which == 13)
      return std::type_identity<std::variant<int, a, std::vector<b>>>();
    else if constexpr (which == 14)
      return std::type_identity<std::tuple<a, char, b>>();
    else if constexpr (which == 15)
      return std::type_identity<std::unique_ptr<a>>();
    else if constexpr (which == 16)
      return std::type_identity<std::vector<std::shared_ptr<a>>>();
    else if constexpr (which == 17)
      return std::type_identity<aggregate<a, b>>();
    else if constexpr (which == 18)
      return std::type_identity<std::vector<vertex<a>*>>();
    else
      return std::type_identity<std::pair<std::vector<bool>, b>>();
  }
}

// Fills objects that are as new.
class filler {
 public:
  explicit filler(std::uint64_t seed) : random_(seed) {}

  template <class T> T one() {
    T x{};
    fill(x);
    return x;
  }

  template <class T>
    requires std::is_arithmetic_v<T>
  void fill(T& x) {
    x = static_cast<T>(random_.between(0, 100));
  }
  void fill(bool& x) { x = random_.chance(50); }
  void fill(colour& x) { x = static_cast<colour>(random_.between(0, 2)); }
  void fill(std::string& x) { x = std::string(static_cast<std::size_t>(random_.between(0, 30)), 's') + letter(); }
  void fill(flat_one& x) { x = {letter(), {1.5 * random_.between(0, 9), 2}, 7}; }
  void fill(std::complex<float>& x) { x = {static_cast<float>(random_.between(0, 9)), 1}; }
  void fill(std::bitset<70>& x) { x = random_.next(); }
  void fill(std::unique_ptr<animal>& x) {
    if (random_.chance(30)) return;
    if (random_.chance(50)) {
      x = std::make_unique<animal>();
    } else {
      auto d = std::make_unique<dog>();
      fill(d->name);
      x = std::move(d);
    }
    fill(x->legs);
  }
  template <class T>
    requires requires(T& x) { x.push_back(typename T::value_type()); } && (!std::same_as<T, std::string>)
  void fill(T& x) {
    for (int n = some(); n > 0; --n) x.push_back(one<typename T::value_type>());
  }
  template <class T> void fill(std::forward_list<T>& x) {
    for (int n = some(); n > 0; --n) x.push_front(one<T>());
  }
  template <class T>
    requires requires(T& x) { typename T::container_type; }
  void fill(T& x) {
    for (int n = some(); n > 0; --n) x.push(one<typename T::value_type>());
  }
  template <class T>
    requires requires(T& x) { typename T::key_type; }
  void fill(T& x) {
    for (int n = some(); n > 0; --n) {
      if constexpr (requires { typename T::mapped_type; })
        x.emplace(one<typename T::key_type>(), one<typename T::mapped_type>());
      else
        x.insert(one<typename T::key_type>());
    }
  }
  template <class T, std::size_t N> void fill(std::array<T, N>& x) {
    for (T& each : x) fill(each);
  }
  template <class... T> void fill(std::tuple<T...>& x) {
    std::apply([this](auto&... part) { (this->fill(part), ...); }, x);
  }
  template <class A, class B> void fill(std::pair<A, B>& x) { fill(x.first), fill(x.second); }
  template <class T> void fill(std::optional<T>& x) {
    if (random_.chance(60)) fill(x.emplace());
  }
  template <class A, class B, class C> void fill(std::variant<A, B, C>& x) {
    switch (random_.between(0, 2)) {
      case 0:
        return fill(x.template emplace<0>());
      case 1:
        return fill(x.template emplace<1>());
      default:
        return fill(x.template emplace<2>());
    }
  }
  template <class T>
    requires(!std::is_polymorphic_v<T>)
  void fill(std::unique_ptr<T>& x) {
    if (random_.chance(70)) fill(*(x = std::make_unique<T>()));
  }
  // Often one that somebody else has already.
  template <class T> void fill(std::shared_ptr<T>& x) {
    auto& known = shared_[typeid(T)];
    if (random_.chance(20)) return;
    if (!known.empty() && random_.chance(50)) {
      x = std::static_pointer_cast<T>(random_.one_of(known));
    } else {
      fill(*(x = std::make_shared<T>()));
      known.push_back(x);
    }
  }
  template <class A, class B> void fill(aggregate<A, B>& x) {
    fill(x.first), fill(x.number), fill(x.second[0]), fill(x.second[1]);
  }
  // Some vertices of a graph, among which all are that nobody else leads to.
  template <class A> void fill(std::vector<vertex<A>*>& x) {
    for (int n = some(); n > 0; --n) fill(*x.emplace_back(new vertex<A>));
    for (auto* v : std::vector(x)) {
      for (int n = some(); n > 0; --n) v->edges.push_back(random_.one_of(x));
      v->first = random_.chance(50) ? nullptr : random_.one_of(x);
      x.push_back(random_.one_of(x));
    }
  }
  template <class A> void fill(vertex<A>& x) {
    fill(x.value);
    x.length = some();
    if (random_.chance(50) || x.length == 0) {
      x.length = 0;
    } else {
      x.array = new A[static_cast<std::size_t>(x.length)]();
      for (int i = 0; i < x.length; ++i) fill(x.array[i]);
    }
  }

 private:
  int some() { return random_.between(0, 3); }
  char letter() { return static_cast<char>('a' + random_.between(0, 25)); }

  random_numbers random_;
  std::map<std::type_index, std::vector<std::shared_ptr<void>>> shared_;
};

// Compares two structures that are walked side by side.
class comparison {
 public:
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string> ||
             std::same_as<T, flat_one> || std::same_as<T, std::complex<float>> || std::same_as<T, std::bitset<70>> ||
             std::same_as<T, std::vector<bool>>
  bool same(const T& a, const T& b) {
    return a == b;
  }
  bool same(const std::unique_ptr<animal>& a, const std::unique_ptr<animal>& b) {
    if (!a || !b) return !a && !b;
    const auto *da = dynamic_cast<const dog*>(a.get()), *db = dynamic_cast<const dog*>(b.get());
    return (da == nullptr) == (db == nullptr) && a->legs == b->legs && (da == nullptr || da->name == db->name);
  }
  template <class T>
    requires requires(const T& x) { *x.begin(); } &&
             (!std::same_as<T, std::string> && !std::same_as<T, std::vector<bool>>)
  bool same(const T& a, const T& b) {
    if (std::distance(a.begin(), a.end()) != std::distance(b.begin(), b.end())) return false;
    if constexpr (requires { typename T::hasher; }) {
      for (const auto& x : a) {
        const auto found = b.find(key_of(x));
        if (found == b.end() || !same(x, *found)) return false;
      }
    } else {
      for (auto i = a.begin(), k = b.begin(); i != a.end(); ++i, ++k)
        if (!same(*i, *k)) return false;
    }
    return true;
  }
  template <class T>
    requires requires { typename T::container_type; }
  bool same(const T& a, const T& b) {
    struct open : T {
      static const auto& of(const T& x) { return x.*&open::c; }
    };
    return same(open::of(a), open::of(b));
  }
  template <class... T> bool same(const std::tuple<T...>& a, const std::tuple<T...>& b) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(a), std::get<I>(b)) && ...);
    }(std::index_sequence_for<T...>());
  }
  template <class A, class B> bool same(const std::pair<A, B>& a, const std::pair<A, B>& b) {
    return same(a.first, b.first) && same(a.second, b.second);
  }
  template <class T> bool same(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
  }
  template <class... T> bool same(const std::variant<T...>& a, const std::variant<T...>& b) {
    return a.index() == b.index() &&
           std::visit([&](const auto& x) { return same(x, std::get<std::remove_cvref_t<decltype(x)>>(b)); }, a);
  }
  template <class T>
    requires(!std::is_polymorphic_v<T>)
  bool same(const std::unique_ptr<T>& a, const std::unique_ptr<T>& b) {
    return a && b ? same(*a, *b) : !a && !b;
  }
  template <class T> bool same(const std::shared_ptr<T>& a, const std::shared_ptr<T>& b) {
    return same(a.get(), b.get()) && a.use_count() == b.use_count();
  }
  template <class A, class B> bool same(const aggregate<A, B>& a, const aggregate<A, B>& b) {
    return same(a.first, b.first) && a.number == b.number && same(a.second[0], b.second[0]) &&
           same(a.second[1], b.second[1]);
  }
  // Who corresponds to whom must be one to one.
  template <class T> bool same(T* a, T* b) {
    if (a == nullptr || b == nullptr) return a == b;
    const auto [there, fresh] = partners_.try_emplace({a, typeid(T)}, b);
    const auto [here, also_fresh] = back_.try_emplace({b, typeid(T)}, a);
    if (there->second != b || here->second != a || fresh != also_fresh) return false;
    return !fresh || same(*a, *b);
  }
  template <class A> bool same(const vertex<A>& a, const vertex<A>& b) {
    if (!same(a.value, b.value) || !same(a.edges, b.edges) || !same(a.first, b.first) || a.length != b.length)
      return false;
    if ((a.array == nullptr) != (b.array == nullptr)) return false;
    for (int i = 0; i < a.length; ++i)
      if (!same(a.array[i], b.array[i])) return false;
    return true;
  }

 private:
  template <class K, class V> static const K& key_of(const std::pair<const K, V>& x) { return x.first; }
  template <class K> static const K& key_of(const K& x) { return x; }

  using met = std::pair<const void*, std::type_index>;
  std::map<met, const void*> partners_, back_;
};

template <class T> bool same_structure(const T& a, const T& b) { return comparison().same(a, b); }

}  // namespace wherry_test
