/// @file
/// Sets and maps of all eight kinds in a deep copy. A key is inserted at once if its type bounds it, else at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "wherry/deep/detail/containers/late_keys.hpp"
#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/containers/places.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep::detail {

template <class Container>
concept has_mapped = requires { typename Container::mapped_type; };
template <class Container> struct entry_types {
  using type = types<typename Container::key_type>;
};
template <has_mapped Container> struct entry_types<Container> {
  using type = types<typename Container::key_type, typename Container::mapped_type>;
};

template <class Container> struct known_associative {
  using key = typename Container::key_type;
  using contains = typename entry_types<Container>::type;
  static constexpr bool is_bounded = all_bounded(contains(), types<>());

  static std::uint64_t head(auto&, Container& x) { return x.size(); }
  static void contents(auto& w, Container& x) {
    for (auto& entry : x) write_entry(w, entry);
  }
  template <class Writer> static void defer(Writer& w, Container& x) {
    if (!x.empty()) w.defer({&write_step<Writer>, &x, x.size(), place_of(x, x.begin())});
  }
  static void visit(auto& d, Container& x) {
    for (auto& entry : x) each_part(entry, [&d](auto& part) { d.visit(part); });
    x.clear();
  }

  static void read(reader& r, Container* raw, std::uint64_t head) {
    must_be_default_constructible<key>();
    if constexpr (has_mapped<Container>) must_be_default_constructible<typename Container::mapped_type>();
    Container& x = *make_container(r, raw);
    const std::size_t n = r.plausible(head, least_sum(contains(), types<>()));
    r.guarded([&] {
      if constexpr (requires { x.reserve(n); }) x.reserve(n);
      if constexpr (is_bounded) {
        for (std::size_t i = 0; i < n && !r.failed(); ++i) read_entry(r, x);
      } else if (n > 0) {
        if constexpr (bounded<key>) {
          r.defer({&read_step<Container>, &x, n, nullptr});
        } else {
          auto& late = r.at_the_end(std::make_unique<late_keys<Container>>(x), looks_behind_pointers<Container>());
          r.defer({&read_step<late_keys<Container>>, &late, n, nullptr});
        }
      }
    });
  }

 private:
  /// Calls `run(key)`, and `run(mapped)` for a map.
  static void each_part(auto& entry, auto run) {
    if constexpr (has_mapped<Container>) {
      run(const_cast<key&>(entry.first));
      run(entry.second);
    } else {
      run(const_cast<key&>(entry));
    }
  }
  static void write_entry(auto& w, auto& entry) {
    each_part(entry, [&w](auto& part) { w.kept_value(part); });
  }
  template <class Writer> static void write_step(Writer& w) {
    const std::size_t here = w.waiting();
    do {
      auto& now = w.top();
      Container& x = *static_cast<Container*>(now.at);
      auto at = at_place(x, now.other);
      auto& entry = *at;
      const bool last = now.left == 1;
      if (last) {
        w.pop();
      } else {
        now.other = place_of(x, ++at);
        --now.left;
      }
      write_entry(w, entry);
      if (last) return;
    } while (w.waiting() == here);
  }

  static void read_entry(reader& r, Container& x) {
    key k{};
    r.value_again(k);
    r.guarded([&] {
      const std::size_t before = x.size();
      if constexpr (has_mapped<Container>) {
        auto at =
            x.emplace_hint(x.end(), std::piecewise_construct, std::forward_as_tuple(std::move(k)), std::tuple<>());
        if (x.size() > before) return r.value_again(at->second);
      } else {
        x.emplace_hint(x.end(), std::move(k));
      }
      if (x.size() == before) r.fail("the same key arrives twice");
    });
  }
  static void read_entry(reader& r, late_keys<Container>& x) {
    r.guarded([&] { each_part(x.add(), [&r](auto& part) { r.value_again(part); }); });
  }
  template <class Into> static void read_step(reader& r) {
    const std::size_t here = r.waiting();
    do {
      auto& now = r.top();
      Into& x = *static_cast<Into*>(now.at);
      const bool last = now.left == 1 || r.failed();
      if (last)
        r.pop();
      else
        --now.left;
      if (!r.failed()) read_entry(r, x);
      if (last) return;
    } while (r.waiting() == here);
  }
};

}  // namespace wherry::deep::detail

namespace wherry::deep {

template <class... T> struct known<std::set<T...>> : detail::known_associative<std::set<T...>> {};
template <class... T> struct known<std::multiset<T...>> : detail::known_associative<std::multiset<T...>> {};
template <class... T> struct known<std::map<T...>> : detail::known_associative<std::map<T...>> {};
template <class... T> struct known<std::multimap<T...>> : detail::known_associative<std::multimap<T...>> {};
template <class... T> struct known<std::unordered_set<T...>> : detail::known_associative<std::unordered_set<T...>> {};
template <class... T>
struct known<std::unordered_multiset<T...>> : detail::known_associative<std::unordered_multiset<T...>> {};
template <class... T> struct known<std::unordered_map<T...>> : detail::known_associative<std::unordered_map<T...>> {};
template <class... T>
struct known<std::unordered_multimap<T...>> : detail::known_associative<std::unordered_multimap<T...>> {};

}  // namespace wherry::deep
