/// @file
/// A number for a type: that both ends of a stream mean the same.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "wherry/deep/array_of.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/type_walk.hpp"

namespace wherry::deep {

/// Two types with the same fingerprint have the same layout as far as anybody can see, and the same `version`s. Of a
/// type with a description count: its name and size, what it names, in which order and where, and in an aggregate the
/// types of all members.
/// @throws wherry::error (argument) where a description forgets a member, which the error names
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

namespace detail {

/// The same, made once.
template <class T> std::uint64_t fingerprint_once() {
  static const std::uint64_t value = type_fingerprint<T>();
  return value;
}

}  // namespace detail

}  // namespace wherry::deep
