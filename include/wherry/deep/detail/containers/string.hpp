/// @file
/// std::basic_string in a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "wherry/deep/detail/containers/vector.hpp"

namespace wherry::deep {

template <class Character, class Traits, class Allocator>
struct known<std::basic_string<Character, Traits, Allocator>> {
  using container = std::basic_string<Character, Traits, Allocator>;
  using contains = types<Character>;

  template <class Writer> static std::uint64_t head(Writer&, container& x) { return x.size(); }
  template <class Writer> static void contents(Writer& w, container& x) { w.kept_values(x.data(), x.size()); }

  static void read(reader& r, container* raw, std::uint64_t head) {
    container& x = *detail::make_container(r, raw);
    const std::size_t n = r.plausible(head, sizeof(Character));
    r.guarded(
        [&] {
          x.reserve(n);
          detail::append_flat(r, x, n);
        },
        detail::about_bytes<Character>(n));
  }
};

}  // namespace wherry::deep
