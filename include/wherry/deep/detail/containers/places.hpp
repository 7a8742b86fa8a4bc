/// @file
/// Stores an iterator in one word, so that a stack item can hold it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace wherry::deep::detail {

/// True for node-based containers, where an iterator is one pointer. For other containers the distance from the
/// beginning is stored.
template <class Container>
constexpr bool iterator_is_a_word =
    sizeof(typename Container::iterator) == sizeof(void*) && std::is_trivially_copyable_v<typename Container::iterator>;

template <class Container> void* place_of(Container& x, typename Container::iterator at) {
  void* place = nullptr;
  if constexpr (iterator_is_a_word<Container>) {
    std::memcpy(&place, &at, sizeof place);
  } else {
    const auto distance = static_cast<std::uintptr_t>(std::distance(x.begin(), at));
    std::memcpy(&place, &distance, sizeof place);
  }
  return place;
}

template <class Container> typename Container::iterator at_place(Container& x, void* place) {
  if constexpr (iterator_is_a_word<Container>) {
    typename Container::iterator at;
    std::memcpy(static_cast<void*>(&at), &place, sizeof place);
    return at;
  } else {
    std::ptrdiff_t distance;
    std::memcpy(&distance, &place, sizeof place);
    return std::next(x.begin(), distance);
  }
}

}  // namespace wherry::deep::detail
