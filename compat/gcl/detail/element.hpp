// Converts GCL's element types to Wherry's.
#pragma once

#include <cstddef>
#include <type_traits>

#include "wherry/core/travels_as_bytes.hpp"

namespace GCL::detail {

/// The bytes of a T with a copy constructor: GCL moves elements as bytes, whatever their constructors are.
template <class T> struct bytes_of {
  alignas(T) std::byte bytes[sizeof(T)];
};

/// The element type of a field for Wherry.
template <class T>
using element = std::conditional_t<wherry::travels_as_bytes<T>, T,
                                   std::conditional_t<std::is_const_v<T>, const bytes_of<T>, bytes_of<T>>>;

template <class T> constexpr void require_element() {
  static_assert(wherry::travels_as_bytes<T> || (std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T>),
                "GCL: an element is its bytes; one that owns memory, or has virtual functions, does not travel");
}

}  // namespace GCL::detail
