/// @file
/// What stands in the stream for a pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

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
  if (n < 0) refuse(text("an array of ", n, " objects"));
  return static_cast<std::uint64_t>(n);
}

/// `describe` gives a count as any integer; none is one object.
template <class Count>
concept countable = std::numeric_limits<Count>::is_integer;

}  // namespace wherry::deep
