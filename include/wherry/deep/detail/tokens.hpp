/// @file
/// Tokens: the words that stand for pointers in a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>

#include "wherry/core/error.hpp"

namespace wherry::deep {

/// The token of an owning pointer: 0 is null, 1 + n says that n objects follow. The token of a sharing pointer: 0 is
/// null, k + 1 is object number k, and a token with the highest bit set is a new object; its other bits are the count.
namespace tokens {

constexpr std::uint64_t fresh = std::uint64_t{1} << 63;
/// If an object is of another class than its pointer names, the token of a pointer to a polymorphic class holds this
/// bit and the mark of the object's class in place of the count.
constexpr std::uint64_t by_class = std::uint64_t{1} << 32;

/// The tokens in a batch of sharing pointers. They have 16, 32 or 64 bits each: 0 is null, 1 is a new object, k + 2 is
/// object number k.
constexpr std::size_t batch = 1000;

/// The deepest nesting of `owned_now` and `shared_now`, which are nested calls.
constexpr int most_nested = 100;

}  // namespace tokens

/// @throws error(argument) with this text
[[noreturn]] inline void refuse(const std::string& why) { throw error(error_kind::argument, "deep copy", why); }

/// Converts a count of a user's description.
/// @throws error(argument) for a negative count
template <class Count> std::uint64_t checked_count(Count n) {
  if (n < 0) refuse(wherry::detail::text("an array is described with ", n, " objects, expected 0 or more"));
  return static_cast<std::uint64_t>(n);
}

/// The object or array behind a pointer: one object from `new T`, or an array from `new T[n]`, which may have one
/// element.
struct extent {
  std::uint64_t n = 1;
  bool is_array = false;
  bool operator==(const extent&) const = default;
};

inline std::string to_text(const extent& x) {
  return x.is_array ? wherry::detail::text("an array of ", x.n, " objects") : "one object";
}

/// The count of a verb that is called without one: one object. Any integer type is a count.
struct one_object {};
template <class Count>
concept countable = std::numeric_limits<Count>::is_integer || std::is_same_v<Count, one_object>;

/// The extent of a count from a user's description.
/// @throws wherry::error (argument) for a negative count
constexpr extent checked_extent(one_object) { return {}; }
template <class Count> extent checked_extent(Count n) { return {checked_count(n), true}; }
/// The extent of a count while reading or destroying: a negative count becomes one that fits no array, and is not an
/// error here.
constexpr extent extent_of(one_object) { return {}; }
template <class Count> constexpr extent extent_of(Count n) {
  return {n < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(n), true};
}

}  // namespace wherry::deep
