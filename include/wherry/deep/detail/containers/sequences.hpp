/// @file
/// std::deque, std::list and std::forward_list in a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <iterator>
#include <list>

#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/containers/places.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep::detail {

/// Adds `n` elements to an empty container and returns the place of the first.
template <class Sequence> auto append_elements(Sequence& x, std::size_t n) {
  if constexpr (requires { x.emplace_back(); }) {
    for (std::size_t i = 0; i < n; ++i) x.emplace_back();
  } else {
    for (std::size_t i = 0; i < n; ++i) x.emplace_front();
  }
  return x.begin();
}

/// A container with elements that never move; the stack works on one after another.
template <class Sequence> struct known_sequence {
  using element = typename Sequence::value_type;
  using contains = types<element>;

  static std::uint64_t head(auto&, Sequence& x) {
    return static_cast<std::uint64_t>(std::distance(x.begin(), x.end()));
  }
  static void contents(auto& w, Sequence& x) {
    for (auto& e : x) w.kept_value(e);
  }
  template <class Writer> static void defer(Writer& w, Sequence& x) {
    walk(w, x, head(w, x), [](Writer& to, element& e) { to.kept_value(e); });
  }
  static void visit(auto& d, Sequence& x) {
    for (auto& e : x) d.visit(e);
    x.clear();
  }
  static void read(reader& r, Sequence* raw, std::uint64_t head) {
    must_be_default_constructible<element>();
    Sequence& x = *make_container(r, raw);
    const std::size_t n = r.plausible(head, least_bytes<element>);
    r.guarded(
        [&] {
          if constexpr (!std::is_default_constructible_v<element>) {
            // The assertion above has reported this.
          } else if constexpr (bounded<element> && requires { x.emplace_back(); }) {
            for (std::size_t i = 0; i < n && !r.failed(); ++i) r.value_again(x.emplace_back());
          } else if constexpr (bounded<element>) {
            auto last = x.before_begin();
            for (std::size_t i = 0; i < n && !r.failed(); ++i) r.value_again(*(last = x.emplace_after(last)));
          } else {
            append_elements(x, n);
            walk(r, x, n, [](reader& from, element& e) { from.value_again(e); });
          }
        },
        about_bytes<element>(n));
  }

 private:
  template <class Side, class Do> static void walk(Side& side, Sequence& x, std::uint64_t n, Do) {
    if (n > 0) side.defer({&step<Side, Do>, &x, static_cast<std::size_t>(n), place_of(x, x.begin())});
  }
  template <class Side, class Do> static void step(Side& side) {
    const std::size_t here = side.waiting();
    do {
      auto& now = side.top();
      Sequence& x = *static_cast<Sequence*>(now.at);
      auto at = at_place(x, now.other);
      element& e = *at;
      const bool last = now.left == 1;
      if (last) {
        side.pop();
      } else {
        now.other = place_of(x, ++at);
        --now.left;
      }
      Do()(side, e);
      if (last) return;
    } while (side.waiting() == here);
  }
};

}  // namespace wherry::deep::detail

namespace wherry::deep {

template <class T, class Allocator>
struct known<std::deque<T, Allocator>> : detail::known_sequence<std::deque<T, Allocator>> {};
template <class T, class Allocator>
struct known<std::list<T, Allocator>> : detail::known_sequence<std::list<T, Allocator>> {};
template <class T, class Allocator>
struct known<std::forward_list<T, Allocator>> : detail::known_sequence<std::forward_list<T, Allocator>> {};

}  // namespace wherry::deep
