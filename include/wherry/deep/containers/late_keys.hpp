/// @file
/// Entries of sets and maps whose keys can be compared only when the whole structure is there.
#pragma once

#include <map>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/reader.hpp"

namespace wherry::deep::detail {

struct never {
  bool operator()(const auto&, const auto&) const { return false; }
};
/// As `Hash` with respect to exceptions, on which it depends whether a node keeps its hash.
template <class Hash, class Key> struct no_hash {
  std::size_t operator()(const Key&) const noexcept(std::is_nothrow_invocable_v<const Hash&, const Key&>) { return 0; }
};

/// The same nodes, in a container that looks at no key.
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
  using type = std::unordered_multiset<K, no_hash<Hash, K>, never, A>;
};
template <class K, class Hash, class Equal, class A> struct unsorted<std::unordered_multiset<K, Hash, Equal, A>> {
  using type = std::unordered_multiset<K, no_hash<Hash, K>, never, A>;
};
template <class K, class M, class Hash, class Equal, class A>
struct unsorted<std::unordered_map<K, M, Hash, Equal, A>> {
  using type = std::unordered_multimap<K, M, no_hash<Hash, K>, never, A>;
};
template <class K, class M, class Hash, class Equal, class A>
struct unsorted<std::unordered_multimap<K, M, Hash, Equal, A>> {
  using type = std::unordered_multimap<K, M, no_hash<Hash, K>, never, A>;
};

/// An entry is read where it will stay: its node goes over to the container at the end.
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
