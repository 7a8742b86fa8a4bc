/// @file
/// An aggregate taken apart: how many members it has, and references to them.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace wherry::deep::aggregates {

/// What stands for a member of any type where nothing is evaluated. (It has a body because Clang looks into
/// constructors that take anything, such as std::optional's, and then wants one.)
struct anything {
  explicit constexpr anything(std::size_t) {}
  template <class Type> operator Type() const noexcept { __builtin_trap(); }
};
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
template <class T, std::size_t... Plain> constexpr bool takes(std::index_sequence<Plain...>) {
  return requires { T{anything(Plain)...}; };
}

/// With the elements of arrays counted one by one, because braces around them may be left out.
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

/// How many initializers the array that begins with initializer `At` takes; 1 for what is no array.
template <class T, std::size_t At, std::size_t All, std::size_t Length> constexpr std::size_t length_of_member() {
  if constexpr (Length <= 1) {
    return 1;
  } else if constexpr (takes_nested<T, At, Length, All - At - Length>() &&
                       !takes_nested<T, At, Length, All - At - Length + 1>()) {
    return Length;
  } else {
    return length_of_member<T, At, All, Length - 1>();
  }
}

template <class T, std::size_t At, std::size_t All> constexpr std::size_t count_from() {
  if constexpr (At >= All) {
    return 0;
  } else {
    return 1 + count_from<T, At + length_of_member<T, At, All, All - At>(), All>();
  }
}

constexpr std::size_t most_members = 32;

/// Members of an aggregate without base classes; `most_members + 1` for all that have more.
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

/// Whether structured bindings can take it apart here.
template <class T> constexpr bool can_be_taken_apart() {
  if constexpr (!std::is_aggregate_v<T> || std::is_array_v<T> || std::is_union_v<T> || has_base<T>)
    return false;
  else
    return count<T>() <= most_members;
}

/// References to all members.
template <class T> constexpr auto members(T& x) {
  constexpr std::size_t n = count<std::remove_const_t<T>>();
  if constexpr (n == 0) {
    return std::tuple<>();
  } else if constexpr (n == 1) {
    auto& [m1] = x;
    return std::tie(m1);
  } else if constexpr (n == 2) {
    auto& [m1, m2] = x;
    return std::tie(m1, m2);
  } else if constexpr (n == 3) {
    auto& [m1, m2, m3] = x;
    return std::tie(m1, m2, m3);
  } else if constexpr (n == 4) {
    auto& [m1, m2, m3, m4] = x;
    return std::tie(m1, m2, m3, m4);
  } else if constexpr (n == 5) {
    auto& [m1, m2, m3, m4, m5] = x;
    return std::tie(m1, m2, m3, m4, m5);
  } else if constexpr (n == 6) {
    auto& [m1, m2, m3, m4, m5, m6] = x;
    return std::tie(m1, m2, m3, m4, m5, m6);
  } else if constexpr (n == 7) {
    auto& [m1, m2, m3, m4, m5, m6, m7] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7);
  } else if constexpr (n == 8) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8);
  } else if constexpr (n == 9) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9);
  } else if constexpr (n == 10) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
  } else if constexpr (n == 11) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
  } else if constexpr (n == 12) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
  } else if constexpr (n == 13) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13);
  } else if constexpr (n == 14) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14);
  } else if constexpr (n == 15) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
  } else if constexpr (n == 16) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
  } else if constexpr (n == 17) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17);
  } else if constexpr (n == 18) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18);
  } else if constexpr (n == 19) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19);
  } else if constexpr (n == 20) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20);
  } else if constexpr (n == 21) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21);
  } else if constexpr (n == 22) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22);
  } else if constexpr (n == 23) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23] =
        x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23);
  } else if constexpr (n == 24) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24);
  } else if constexpr (n == 25) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25);
  } else if constexpr (n == 26) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26);
  } else if constexpr (n == 27) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27);
  } else if constexpr (n == 28) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28);
  } else if constexpr (n == 29) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29);
  } else if constexpr (n == 30) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30);
  } else if constexpr (n == 31) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31);
  } else if constexpr (n == 32) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32] = x;
    return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32);
  }
}

}  // namespace wherry::deep::aggregates
