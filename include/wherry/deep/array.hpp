/// @file
/// A pointer with its length, as the root of a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "wherry/deep/reader.hpp"
#include "wherry/deep/tokens.hpp"

namespace wherry::deep {

/// See `array`. `Count` is `int&`, `const int&`, `int`, …
template <class T, class Count> struct array_of {
  T*& pointer;
  Count count;

  void take(reader& r) {
    const std::uint64_t token = r.count();
    pointer = nullptr;
    if constexpr (std::is_lvalue_reference_v<Count> && !std::is_const_v<std::remove_reference_t<Count>>) {
      using integer = std::remove_reference_t<Count>;
      const std::uint64_t n = token == 0 ? 0 : token - 1;
      if (!std::in_range<integer>(n)) r.fail(text("an array of ", n, " objects is too long for its count's type"));
      count = 0;
      if (r.failed()) return;
      pointer = r.owned<T>(token, n);
      if (pointer != nullptr) count = static_cast<integer>(n);
    } else {
      const std::uint64_t n = token == 0 ? 0 : token - 1;
      if (std::cmp_not_equal(n, count))
        r.fail(text("an array of ", n, " objects arrived where ", count, " are expected"));
      else
        pointer = r.owned<T>(token, n);
    }
  }
};

template <class T> inline constexpr bool is_array_of = false;
template <class T, class Count> inline constexpr bool is_array_of<array_of<T, Count>> = true;

/// `n` objects at `p` as one root. On the reading side a count that can be assigned to takes the number that arrives;
/// with a constant another number is an error. What arrives is freed with `deep::destroy(p, n)`, or `delete[]` where
/// the type has no destructor of its own (and `delete` for one object).
template <class T, class Count> array_of<T, Count&&> array(T*& p, Count&& n) { return {p, std::forward<Count>(n)}; }

}  // namespace wherry::deep
