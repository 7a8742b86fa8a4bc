/// @file
/// Takes an aggregate apart: the number of its members, and references to them.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "wherry/deep/detail/member_table.hpp"
#include "wherry/deep/flat.hpp"

namespace wherry::deep::aggregates {

/// Stands for a member of any type in expressions that are never evaluated. (It has a body because Clang looks into
/// constructors that accept anything, such as std::optional's, and then needs one.)
struct anything {
  explicit constexpr anything(std::size_t) {}
  template <class Type> operator Type() const noexcept { __builtin_trap(); }
};
/// Stands for a reference, or for any member that can be copied.
struct anything_to_refer_to {
  explicit constexpr anything_to_refer_to(std::size_t) {}
  template <class Type> operator Type&() const noexcept;
};
/// Stands for a union that is not flat. The contents of such a union are unknown, and an unnamed one cannot even be
/// taken apart.
struct any_union {
  template <class Type>
    requires(std::is_union_v<Type> && !is_flat<Type>)
  operator Type() const noexcept;
};
/// A type that converts to no other.
struct a_stranger {};
template <class Aggregate> struct a_base_of {
  template <class Type>
    requires(std::is_base_of_v<Type, Aggregate> && !std::is_same_v<Type, Aggregate>)
  operator Type() const noexcept;
};

template <class T> constexpr bool has_base = requires { T{a_base_of<T>{}}; };

template <class T, std::size_t... Left, std::size_t... Nested, std::size_t... Right>
constexpr bool takes(std::index_sequence<Left...>, std::index_sequence<Nested...>, std::index_sequence<Right...>) {
  return requires { T{anything(Left)..., {anything(Nested)...}, anything(Right)...}; };
}
template <class T, std::size_t Left, std::size_t Nested, std::size_t Right> constexpr bool takes_nested() {
  return takes<T>(std::make_index_sequence<Left>(), std::make_index_sequence<Nested>(),
                  std::make_index_sequence<Right>());
}
template <class T, class What = anything, std::size_t... Plain> constexpr bool takes(std::index_sequence<Plain...>) {
  return requires { T{What(Plain)...}; };
}
template <class T, class One, std::size_t... Left, std::size_t... Right>
constexpr bool takes_one(std::index_sequence<Left...>, std::index_sequence<Right...>) {
  return requires { T{anything(Left)..., One(), anything(Right)...}; };
}
template <class T, std::size_t... Left> constexpr bool takes_reference_after(std::index_sequence<Left...>) {
  return requires { T{anything(Left)..., anything_to_refer_to(0)}; };
}
template <class T, std::size_t... Left, std::size_t... Right>
constexpr bool takes_braces(std::index_sequence<Left...>, std::index_sequence<Right...>) {
  return requires { T{anything(Left)..., {}, anything(Right)...}; };
}

/// The number of initialisers that the braces of `T` accept. Elements of arrays are counted one by one, because the
/// braces around them may be left out.
template <class T, std::size_t Count = 0> constexpr std::size_t initializers() {
  if constexpr (Count > 256) {
    return Count;
  } else if constexpr (takes<T>(std::make_index_sequence<Count>()) &&
                       !takes<T>(std::make_index_sequence<Count + 1>())) {
    return Count;
  } else {
    return initializers<T, Count + 1>();
  }
}

/// The number of initialisers of the array that begins with initialiser `At`, for elements without a default; 1 if it
/// is not an array.
template <class T, std::size_t At, std::size_t All, std::size_t Length> constexpr std::size_t length_without_default() {
  if constexpr (Length <= 1) {
    return 1;
  } else if constexpr (takes_nested<T, At, Length, All - At - Length>() &&
                       !takes_nested<T, At, Length, All - At - Length + 1>()) {
    return Length;
  } else {
    return length_without_default<T, At, All, Length - 1>();
  }
}
/// The number of initialisers of the member that begins with initialiser `At`: empty braces can replace all of them.
/// (Filled braces could be a container's list of elements, which Clang then wants to copy.)
template <class T, std::size_t At, std::size_t All, std::size_t Length = 1> constexpr std::size_t length_of_member() {
  if constexpr (Length > All - At)
    return length_without_default<T, At, All, All - At>();
  else if constexpr (takes_braces<T>(std::make_index_sequence<At>(), std::make_index_sequence<All - At - Length>()))
    return Length;
  else
    return length_of_member<T, At, All, Length + 1>();
}

template <class T, std::size_t At, std::size_t All> constexpr std::size_t count_from() {
  if constexpr (At >= All) {
    return 0;
  } else {
    return 1 + count_from<T, At + length_of_member<T, At, All>(), All>();
  }
}

/// The number of members of an aggregate without base classes; `most_members + 1` if it has more.
template <class T> constexpr std::size_t count() {
  if constexpr (std::is_empty_v<T>) {
    return 0;
  } else {
    constexpr std::size_t all = initializers<T>();
    if constexpr (all > 256)
      return most_members + 1;
    else
      return count_from<T, 0, all>();
  }
}

/// True if the member that begins with initialiser `At` is a union that is not flat. (A class that begins with such a
/// union accepts the same initialiser, but also the next one; and some classes accept anything.)
template <class T, std::size_t At, std::size_t All> constexpr bool is_union_at() {
  using left = std::make_index_sequence<At>;
  using right = std::make_index_sequence<All - At - 1>;
  if constexpr (takes_one<T, any_union>(left(), right()))
    return !takes_one<T, any_union>(left(), std::make_index_sequence<All - At>()) &&
           !takes_one<T, a_stranger>(left(), right());
  else
    return false;
}
template <class T, std::size_t At, std::size_t All> constexpr bool has_union_from() {
  if constexpr (At >= All)
    return false;
  else if constexpr (is_union_at<T, At, All>())
    return true;
  else
    return has_union_from<T, At + length_of_member<T, At, All>(), All>();
}

/// True if `T` has references: only they accept an lvalue and nothing else.
template <class T, std::size_t... Fewer> constexpr bool takes_references(std::index_sequence<Fewer...>) {
  return (takes<T, anything_to_refer_to>(std::make_index_sequence<Fewer>()) || ...);
}

/// True if std::tuple_size gives `T` another number of bindings than it has members.
template <class T, std::size_t Members> constexpr bool binds_otherwise = false;
template <class T, std::size_t Members>
  requires requires { std::tuple_size<T>::value; }
constexpr bool binds_otherwise<T, Members> = std::tuple_size<T>::value != Members;

/// The reason why structured bindings cannot take an aggregate apart.
enum class obstacle { none, no_aggregate, base, many_members, reference, union_member, bit_field, other };

template <class T> constexpr obstacle obstacle_to_bindings() {
  constexpr std::size_t all = initializers<T>();
  if constexpr (all > 256) {
    constexpr bool refers = takes_references<T>(std::make_index_sequence<most_members + 1>());
    return refers ? obstacle::reference : obstacle::many_members;
  } else if constexpr (takes_reference_after<T>(std::make_index_sequence<all>())) {
    return obstacle::reference;
  } else if constexpr (takes_braces<T>(std::make_index_sequence<all>(), std::index_sequence<>())) {
    return obstacle::other;
  } else if constexpr (has_union_from<T, 0, all>()) {
    return obstacle::union_member;
  } else if constexpr (count<T>() > most_members) {
    return obstacle::many_members;
  } else if constexpr (binds_otherwise<T, count<T>()>) {
    return obstacle::other;
  } else {
    using all_parts = decltype(take_apart<count<T>()>(std::declval<T&>()));
    if constexpr (all_parts::has_reference)
      return obstacle::reference;
    else
      return all_parts::bindable ? obstacle::none : obstacle::bit_field;
  }
}

template <class T> constexpr obstacle obstacle_of() {
  if constexpr (!std::is_aggregate_v<T> || std::is_array_v<T> || std::is_union_v<T>)
    return obstacle::no_aggregate;
  else if constexpr (has_base<T>)
    return obstacle::base;
  else if constexpr (std::is_empty_v<T>)
    return obstacle::none;
  else
    return obstacle_to_bindings<T>();
}

template <class T> constexpr bool can_be_taken_apart() { return obstacle_of<T>() == obstacle::none; }

/// True if a member is a reference. (A class with a reference member cannot be assigned to; other classes are not
/// examined further.)
template <class T> constexpr bool has_reference() {
  if constexpr (std::is_aggregate_v<T> && !std::is_move_assignable_v<T>)
    return obstacle_of<T>() == obstacle::reference;
  else
    return false;
}

/// References to all members of `x`.
template <class T> constexpr auto members(T& x) { return take_apart<count<std::remove_const_t<T>>()>(x).references; }

}  // namespace wherry::deep::aggregates
