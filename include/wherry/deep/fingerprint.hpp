/// @file
/// The fingerprint of a type: a number by which both ends of a stream know that they mean the same type.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "wherry/deep/array_of.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/type_walk.hpp"

namespace wherry::deep::detail {

/// The fingerprint of `T`. Local. Two types with the same fingerprint have the same layout, as far as the library can
/// see, and the same `version`s. For a type with a description these count: its name and size, the members that the
/// description names, their order and places, and in an aggregate the types of all members.
/// @throws wherry::error (argument) if a description forgets a member; the error names it
template <class T> std::uint64_t type_fingerprint() {
  using root = std::remove_cvref_t<T>;
  constexpr std::uint64_t beginning = 0x77686572727932U;  // "wherry2"
  type_walk walk(is_array_of<root> ? beginning + 1 : beginning);
  if constexpr (is_array_of<root>)
    walk.type<detail::pointee<std::remove_reference_t<decltype(std::declval<root>().pointer)>>>();
  else
    walk.type<root>();
  walk.must_be_complete();
  return walk.hash();
}

/// The fingerprint, computed once for each type.
template <class T> std::uint64_t fingerprint_once() {
  static const std::uint64_t value = type_fingerprint<T>();
  return value;
}

}  // namespace wherry::deep::detail
