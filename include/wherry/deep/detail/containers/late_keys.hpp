/// @file
/// Entries of sets and maps with keys that can be compared only after the whole structure has arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/detail/reader.hpp"

namespace wherry::deep::detail {

struct never {
  bool operator()(const auto&, const auto&) const { return false; }
};
/// Hashes the address of the key, which lies in its node. It is noexcept if `Hash` is, because the standard library
/// decides by this whether nodes store their hashes.
template <class Hash, class Key> struct hash_of_place {
  std::size_t operator()(const Key& key) const noexcept(std::is_nothrow_invocable_v<const Hash&, const Key&>) {
    return reinterpret_cast<std::uintptr_t>(std::addressof(key)) / 16;
  }
};

/// The container type with the same nodes that never compares a key.
template <class Container> struct unsorted;
template <class K, class Compare, class A> struct unsorted<std::set<K, Compare, A>> {
  using type = std::multiset<K, never, A>;
};
template <class K, class Compare, class A> struct unsorted<std::multiset<K, Compare, A>> {
  using type = std::multiset<K, never, A>;
};
template <class K, class M, class Compare, class A> struct unsorted<std::map<K, M, Compare, A>> {
  using type = std::multimap<K, M, never, A>;
};
template <class K, class M, class Compare, class A> struct unsorted<std::multimap<K, M, Compare, A>> {
  using type = std::multimap<K, M, never, A>;
};
template <class K, class Hash, class Equal, class A> struct unsorted<std::unordered_set<K, Hash, Equal, A>> {
  using type = std::unordered_multiset<K, hash_of_place<Hash, K>, never, A>;
};
template <class K, class Hash, class Equal, class A> struct unsorted<std::unordered_multiset<K, Hash, Equal, A>> {
  using type = std::unordered_multiset<K, hash_of_place<Hash, K>, never, A>;
};
template <class K, class M, class Hash, class Equal, class A>
struct unsorted<std::unordered_map<K, M, Hash, Equal, A>> {
  using type = std::unordered_multimap<K, M, hash_of_place<Hash, K>, never, A>;
};
template <class K, class M, class Hash, class Equal, class A>
struct unsorted<std::unordered_multimap<K, M, Hash, Equal, A>> {
  using type = std::unordered_multimap<K, M, hash_of_place<Hash, K>, never, A>;
};

template <class T, class... Seen> constexpr bool holds_pointers();
template <class... T, class... Seen> constexpr bool any_holds_pointers(types<T...>, types<Seen...>) {
  return (holds_pointers<T, Seen...>() || ...);
}
/// True if a `T` visibly holds pointers; classes with descriptions are not examined.
template <class T, class... Seen> constexpr bool holds_pointers() {
  constexpr kind k = kind_of<T>();
  if constexpr (k == kind::pointer)
    return true;
  else if constexpr (is_one_of<T, Seen...>)
    return false;
  else if constexpr (k == kind::composite)
    return any_holds_pointers(typename part_types<T>::type(), types<T, Seen...>());
  else if constexpr (k == kind::known)
    return any_holds_pointers(typename known<T>::contains(), types<T, Seen...>());
  else
    return false;
}

/// True if the order of the container may depend on objects behind pointers, and on other sets in these: such a
/// container is filled after all others.
template <class Container> constexpr bool looks_behind_pointers() {
  using key = typename Container::key_type;
  if constexpr (requires { typename Container::key_compare; })
    return holds_pointers<key>() &&
           !is_one_of<typename Container::key_compare, std::less<key>, std::less<>, std::greater<key>, std::greater<>>;
  else
    return holds_pointers<key>() && !(is_one_of<typename Container::hasher, std::hash<key>> &&
                                      is_one_of<typename Container::key_equal, std::equal_to<key>, std::equal_to<>>);
}

/// Reads each entry in its final node; all nodes move to the container at the end.
template <class Container> class late_keys final : public late_work {
 public:
  explicit late_keys(Container& x) : container_(x), entries_(x.get_allocator()) {}

  auto& add() {
    if constexpr (requires { typename Container::mapped_type; })
      return *entries_.emplace_hint(entries_.end(), std::piecewise_construct, std::tuple<>(), std::tuple<>());
    else
      return *entries_.emplace_hint(entries_.end());
  }

  void finish(reader& r) override {
    container_.merge(entries_);
    if (!entries_.empty()) r.fail("the same key arrives twice");
  }
  void visit(destroyer& d) override { known<typename unsorted<Container>::type>::visit(d, entries_); }

 private:
  Container& container_;
  typename unsorted<Container>::type entries_;
};

}  // namespace wherry::deep::detail
