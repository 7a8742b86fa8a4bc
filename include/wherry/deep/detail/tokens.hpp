/// @file
/// What stands in the stream for a pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>

#include "wherry/core/error.hpp"

namespace wherry::deep {

/// An owned pointer: 0 is null, 1 + count says that so many objects follow.
/// A shared pointer: 0 is null, k + 1 the object number k, a set highest bit a new object: the other bits count.
namespace tokens {

constexpr std::uint64_t fresh = std::uint64_t{1} << 63;
/// What a pointer to a polymorphic class has where others have a count: this and the mark of the object's class, when
/// that is not the class the pointer points to.
constexpr std::uint64_t by_class = std::uint64_t{1} << 32;

/// In batches of shared pointers, of 16, 32 or 64 bits: 0 null, 1 new, k + 2 the object number k.
constexpr std::size_t batch = 1000;

/// How deep objects may be nested that come `now`, by calls within calls.
constexpr int most_nested = 100;

}  // namespace tokens

[[noreturn]] inline void refuse(const std::string& why) { throw error(error_kind::argument, "deep copy", why); }

/// The count a user gave, which a description may have computed with.
template <class Count> std::uint64_t checked_count(Count n) {
  if (n < 0) refuse(wherry::detail::text("an array of ", n, " objects"));
  return static_cast<std::uint64_t>(n);
}

/// What a pointer points to: one object, from `new T`, or an array, from `new T[n]`, of one as well.
struct extent {
  std::uint64_t n = 1;
  bool is_array = false;
  bool operator==(const extent&) const = default;
};

inline std::string to_text(const extent& x) {
  return x.is_array ? wherry::detail::text("an array of ", x.n, " objects") : "one object";
}

/// `describe` gives a count as any integer; where it gives none it means one object.
struct one_object {};
template <class Count>
concept countable = std::numeric_limits<Count>::is_integer || std::is_same_v<Count, one_object>;

/// @throws wherry::error for a negative count
constexpr extent checked_extent(one_object) { return {}; }
template <class Count> extent checked_extent(Count n) { return {checked_count(n), true}; }
/// While nothing is trusted or everything goes: a negative count becomes one that fits no array.
constexpr extent extent_of(one_object) { return {}; }
template <class Count> constexpr extent extent_of(Count n) {
  return {n < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(n), true};
}

}  // namespace wherry::deep
