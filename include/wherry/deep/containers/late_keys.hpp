/// @file
/// Keys of sets and maps that can be compared only when the whole structure is there: what decides lies behind
/// pointers.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/reader.hpp"

namespace wherry::deep::detail {

template <class Container>
concept has_mapped = requires { typename Container::mapped_type; };
template <class Container>
concept has_unique_keys =
    !std::is_same_v<decltype(std::declval<Container&>().insert(std::declval<typename Container::value_type>())),
                    typename Container::iterator>;

template <class Key> constexpr bool is_address = std::is_pointer_v<Key>;
template <class T, class Deleter> constexpr bool is_address<std::unique_ptr<T, Deleter>> = true;
template <class T> constexpr bool is_address<std::shared_ptr<T>> = true;

template <class Container> constexpr bool compares_keys_themselves() {
  using key = typename Container::key_type;
  if constexpr (requires { typename Container::key_compare; })
    return is_one_of<typename Container::key_compare, std::less<key>, std::less<>, std::greater<key>, std::greater<>>;
  else
    return is_one_of<typename Container::hasher, std::hash<key>> &&
           is_one_of<typename Container::key_equal, std::equal_to<key>, std::equal_to<>>;
}

/// A key can be put in its place as soon as it has been read: it has all its parts in it, or it is a pointer that is
/// compared as an address.
template <class Container>
constexpr bool complete_at_once = bounded<typename Container::key_type> ||
                                  (is_address<typename Container::key_type> && compares_keys_themselves<Container>());

/// A key, and what belongs to it, outside of its container.
template <class Container> struct entry {
  typename Container::key_type key{};
};
template <has_mapped Container> struct entry<Container> {
  typename Container::key_type key{};
  typename Container::mapped_type mapped{};
};

template <class Container> class late_keys final : public late_work {
 public:
  explicit late_keys(Container& x) : container_(x) {}

  /// Stays where it is: something may be on its way into it.
  entry<Container>& add() { return entries_.emplace_back(); }

  void finish(reader& r) override {
    for (; !entries_.empty(); entries_.pop_front()) {
      entry<Container>& next = entries_.front();
      if constexpr (has_unique_keys<Container>)
        if (container_.contains(next.key)) return r.fail("the same key arrives twice");
      if constexpr (has_mapped<Container>)
        container_.emplace(std::move(next.key), std::move(next.mapped));
      else
        container_.emplace(std::move(next.key));
    }
  }
  void visit(destroyer& d) override {
    for (entry<Container>& left : entries_) {
      d.visit(left.key);
      if constexpr (has_mapped<Container>) d.visit(left.mapped);
    }
  }

 private:
  Container& container_;
  std::deque<entry<Container>> entries_;
};

}  // namespace wherry::deep::detail
