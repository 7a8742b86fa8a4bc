/// @file
/// std::stack, std::queue, std::priority_queue and std::vector<bool> in a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <stack>
#include <vector>

#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/containers/sequences.hpp"
#include "wherry/deep/detail/containers/vector.hpp"

namespace wherry::deep::detail {

/// Access to the container inside, which is a protected member.
template <class Adaptor> struct inside_of : Adaptor {
  static typename Adaptor::container_type& get(Adaptor& x) { return x.*&inside_of::c; }
};

template <class Adaptor> struct known_adaptor {
  using container = typename Adaptor::container_type;
  using inner = known<container>;
  using contains = typename inner::contains;

  static std::uint64_t head(auto& w, Adaptor& x) { return inner::head(w, inside_of<Adaptor>::get(x)); }
  static void contents(auto& w, Adaptor& x) { inner::contents(w, inside_of<Adaptor>::get(x)); }
  static void defer(auto& w, Adaptor& x) { inner::defer(w, inside_of<Adaptor>::get(x)); }
  static void visit(auto& d, Adaptor& x) { inner::visit(d, inside_of<Adaptor>::get(x)); }
  // A heap arrives in the order in which it was: it need not be built again, and no comparison sees an object that has
  // not arrived yet.
  static void read(reader& r, Adaptor* raw, std::uint64_t head) {
    ::new (static_cast<void*>(raw)) Adaptor();
    container& c = inside_of<Adaptor>::get(*raw);
    std::destroy_at(&c);
    inner::read(r, &c, head);
  }
};

}  // namespace wherry::deep::detail

namespace wherry::deep {

template <class... T> struct known<std::stack<T...>> : detail::known_adaptor<std::stack<T...>> {};
template <class... T> struct known<std::queue<T...>> : detail::known_adaptor<std::queue<T...>> {};
template <class... T> struct known<std::priority_queue<T...>> : detail::known_adaptor<std::priority_queue<T...>> {};

template <class Allocator> struct known<std::vector<bool, Allocator>> {
  using container = std::vector<bool, Allocator>;
  using contains = types<>;

  static std::uint64_t head(auto&, container& x) { return x.size(); }
  static void contents(auto& w, container& x) {
    for (std::size_t i = 0; i < x.size(); i += 8) {
      std::uint8_t bits = 0;
      for (std::size_t k = i; k < x.size() && k < i + 8; ++k) bits = static_cast<std::uint8_t>(bits | x[k] << (k - i));
      w.value(bits);
    }
  }
  static void read(reader& r, container* raw, std::uint64_t head) {
    container& x = *detail::make_container(r, raw);
    const std::size_t most = r.source().remaining();
    if (most != byte_source::unknown && head / 8 > most)
      r.fail("the stream announces ", head, " bits, for which it is too short");
    r.guarded([&] {
      for (std::size_t i = 0; i < head && !r.failed(); i += 8) {
        std::uint8_t bits;
        r.value(&bits);
        for (std::size_t k = i; k < head && k < i + 8; ++k) x.push_back(bits >> (k - i) & 1);
      }
    });
  }
};

}  // namespace wherry::deep
