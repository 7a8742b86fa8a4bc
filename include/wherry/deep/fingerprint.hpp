/// @file
/// A number for a type: that both ends of a stream mean the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/deep/array_of.hpp"
#include "wherry/deep/describe.hpp"

namespace wherry::deep {

/// Specialise with another number when what `T` means changes and neither its name, its size nor its members' types
/// show it: files of another version are then refused, and so are messages of another program.
template <class T> inline constexpr unsigned version = 0;

namespace detail {

using wherry::detail::hashed;

template <class T, class... Seen> std::uint64_t fingerprint(std::uint64_t before);

template <class... T, class... Seen>
std::uint64_t fingerprint_of_parts(std::uint64_t before, types<T...>, types<Seen...>) {
  ((before = fingerprint<std::remove_cv_t<T>, Seen...>(before)), ...);
  return hashed(before, sizeof...(T));
}

template <class T, class... Seen> std::uint64_t fingerprint(std::uint64_t before) {
  constexpr kind k = kind_of<T>();
  before = hashed(before, static_cast<std::uint64_t>(k) | std::uint64_t{version<T>} << 8);
  if constexpr (std::is_array_v<T>) {
    return fingerprint<std::remove_extent_t<T>, Seen...>(hashed(before, std::extent_v<T>));
  } else if constexpr (k == kind::flat && !is_flat<T> && (is_pair_or_tuple<T> || aggregates::can_be_taken_apart<T>())) {
    return fingerprint_of_parts(hashed(before, sizeof(T)), typename part_types<T>::type(), types<Seen...>());
  } else if constexpr (k == kind::flat) {
    before = hashed(before, sizeof(T) << 8 | alignof(T));
    if constexpr (is_flat<T>) before = hashed(before, typeid(T).name());
    return hashed(before, std::is_floating_point_v<T> * 4U + std::is_integral_v<T> * 2U + std::is_signed_v<T>);
  } else if constexpr (is_one_of<T, Seen...>) {
    // No type contains itself but through an aggregate.
    return hashed(before, sizeof...(Seen));
  } else if constexpr (k == kind::pointer) {
    return fingerprint<std::remove_cv_t<std::remove_pointer_t<T>>, Seen...>(before);
  } else if constexpr (k == kind::composite) {
    return fingerprint_of_parts(hashed(before, sizeof(T)), typename part_types<T>::type(), types<T, Seen...>());
  } else if constexpr (k == kind::known) {
    return fingerprint_of_parts(hashed(before, sizeof(T)), typename known<T>::contains(), types<Seen...>());
  } else if constexpr (requires { typename description<T>::stands_for; }) {
    return fingerprint<typename description<T>::stands_for, T, Seen...>(before);
  } else {
    return hashed(hashed(before, sizeof(T)), typeid(T).name());
  }
}

}  // namespace detail

/// Two types with the same fingerprint have the same layout as far as anybody can see, and the same `version`s; types
/// with a description, whose members nobody sees, must have the same name and size.
template <class T> std::uint64_t type_fingerprint() {
  using root = std::remove_cvref_t<T>;
  constexpr std::uint64_t beginning = 0x77686572727931U;  // "wherry1"
  if constexpr (is_array_of<root>)
    return detail::fingerprint<detail::pointee<std::remove_reference_t<decltype(std::declval<root>().pointer)>>>(
        beginning + 1);
  else
    return detail::fingerprint<root>(beginning);
}

}  // namespace wherry::deep
