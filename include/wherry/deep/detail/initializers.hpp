/// @file
/// Finds the types of an aggregate's members from the initialisers that its braces accept. No member is touched, so
/// that unions and bit-fields may be among them. The elements of arrays are counted one by one.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "wherry/deep/detail/aggregates.hpp"

namespace wherry::deep {

namespace detail {

constexpr std::size_t most_initializers = 256;

template <class T, std::size_t Count>
constexpr bool takes_so_many = aggregates::takes<T>(std::make_index_sequence<Count>());

/// The largest number of initialisers in [Few, Many).
template <class T, std::size_t Few, std::size_t Many> constexpr std::size_t initializers_between() {
  if constexpr (Many - Few == 1) {
    return Few;
  } else {
    constexpr std::size_t middle = Few + (Many - Few) / 2;
    if constexpr (takes_so_many<T, middle>)
      return initializers_between<T, middle, Many>();
    else
      return initializers_between<T, Few, middle>();
  }
}
/// The largest number of initialisers; 0 if there are too many. Doubling finds it, because a type accepts any smaller
/// number, too.
template <class T, std::size_t Tried = 4> constexpr std::size_t initializers() {
  if constexpr (!takes_so_many<T, Tried>)
    return initializers_between<T, Tried == 4 ? 0 : Tried / 2, Tried>();
  else if constexpr (Tried >= most_initializers)
    return 0;
  else
    return initializers<T, 2 * Tried>();
}

/// Converts to a member of any type, and reports the type.
template <class Note> struct noting {
  Note* note;
  template <class Type> operator Type() const {
    (*note)(std::in_place_type<Type>);
    if constexpr (std::is_union_v<Type> && std::is_trivially_destructible_v<Type>)
      return Type{};
    else if constexpr (std::is_default_constructible_v<Type>)
      return Type();
    else
      throw std::exception();
  }
};
template <class T, class Note, std::size_t... I> void note_all(Note& note, std::index_sequence<I...>) {
  const auto one = [&note](std::size_t) { return noting<Note>{&note}; };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wconversion"  // a std::optional may choose the conversion of its value
  [[maybe_unused]] const T made{one(I)...};
#pragma GCC diagnostic pop
}

template <class T>
concept braces_name_members = std::is_aggregate_v<T> && !std::is_union_v<T> && !std::is_empty_v<T>;

}  // namespace detail

/// True if `note_initializers` works for `T`.
template <class T>
constexpr bool has_initializers = [] {
  if constexpr (detail::braces_name_members<T>)
    return !aggregates::has_base<T> && !aggregates::has_reference<T>() && detail::initializers<T>() > 0;
  else
    return false;
}();

/// Calls `note(std::in_place_type<Member>)` for all members in their order, up to the first without a default
/// constructor.
template <class T, class Note> void note_initializers(Note note) {
  try {
    detail::note_all<T>(note, std::make_index_sequence<detail::initializers<T>()>());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    // The members after this one are unknown.
  }
}

}  // namespace wherry::deep
