/// @file
/// References to all members of an aggregate, by structured bindings: C++20 needs one written form for each number of
/// members.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace wherry::deep::aggregates {

constexpr std::size_t most_members = 32;

/// References to all members, with the types that they are declared with.
template <bool Bindable, class... Declared> struct parts {
  static constexpr bool bindable = true;
  static constexpr bool has_reference = (std::is_reference_v<Declared> || ...);
  std::tuple<std::remove_reference_t<Declared>&...> references;

  static constexpr parts of(std::remove_reference_t<Declared>&... members) { return {{members...}}; }
};
/// For aggregates with bit-fields, to which no reference can bind.
template <class... Declared> struct parts<false, Declared...> {
  static constexpr bool bindable = false;
  static constexpr bool has_reference = (std::is_reference_v<Declared> || ...);

  static constexpr parts of(const auto&...) { return {}; }
};

/// Takes `x` apart into its `N` members.
template <std::size_t N, class T> constexpr auto take_apart(T& x) {
  if constexpr (N == 0) {
    return parts<true>();
  } else if constexpr (N == 1) {
    auto& [m1] = x;
    return parts<requires { std::tie(m1); }, decltype(m1)>::of(m1);
  } else if constexpr (N == 2) {
    auto& [m1, m2] = x;
    return parts<requires { std::tie(m1, m2); }, decltype(m1), decltype(m2)>::of(m1, m2);
  } else if constexpr (N == 3) {
    auto& [m1, m2, m3] = x;
    return parts<requires { std::tie(m1, m2, m3); }, decltype(m1), decltype(m2), decltype(m3)>::of(m1, m2, m3);
  } else if constexpr (N == 4) {
    auto& [m1, m2, m3, m4] = x;
    return parts<requires { std::tie(m1, m2, m3, m4); }, decltype(m1), decltype(m2), decltype(m3), decltype(m4)>::of(
        m1, m2, m3, m4);
  } else if constexpr (N == 5) {
    auto& [m1, m2, m3, m4, m5] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5); }, decltype(m1), decltype(m2), decltype(m3), decltype(m4),
                 decltype(m5)>::of(m1, m2, m3, m4, m5);
  } else if constexpr (N == 6) {
    auto& [m1, m2, m3, m4, m5, m6] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6); }, decltype(m1), decltype(m2), decltype(m3), decltype(m4),
                 decltype(m5), decltype(m6)>::of(m1, m2, m3, m4, m5, m6);
  } else if constexpr (N == 7) {
    auto& [m1, m2, m3, m4, m5, m6, m7] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7); }, decltype(m1), decltype(m2), decltype(m3),
                 decltype(m4), decltype(m5), decltype(m6), decltype(m7)>::of(m1, m2, m3, m4, m5, m6, m7);
  } else if constexpr (N == 8) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8); }, decltype(m1), decltype(m2), decltype(m3),
                 decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8)>::of(m1, m2, m3, m4, m5, m6, m7,
                                                                                           m8);
  } else if constexpr (N == 9) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9); }, decltype(m1), decltype(m2), decltype(m3),
                 decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8), decltype(m9)>::of(m1, m2, m3, m4,
                                                                                                         m5, m6, m7, m8,
                                                                                                         m9);
  } else if constexpr (N == 10) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10); }, decltype(m1), decltype(m2),
                 decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8), decltype(m9),
                 decltype(m10)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
  } else if constexpr (N == 11) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11); }, decltype(m1), decltype(m2),
                 decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8), decltype(m9),
                 decltype(m10), decltype(m11)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
  } else if constexpr (N == 12) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12); }, decltype(m1), decltype(m2),
                 decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8), decltype(m9),
                 decltype(m10), decltype(m11), decltype(m12)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
  } else if constexpr (N == 13) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13); }, decltype(m1),
                 decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13)>::of(m1, m2, m3, m4, m5, m6,
                                                                                               m7, m8, m9, m10, m11,
                                                                                               m12, m13);
  } else if constexpr (N == 14) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14); }, decltype(m1),
                 decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14)>::of(m1, m2,
                                                                                                              m3, m4,
                                                                                                              m5, m6,
                                                                                                              m7, m8,
                                                                                                              m9, m10,
                                                                                                              m11, m12,
                                                                                                              m13, m14);
  } else if constexpr (N == 15) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15); }, decltype(m1),
                 decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14),
                 decltype(m15)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
  } else if constexpr (N == 16) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
  } else if constexpr (N == 17) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = x;
    return parts<requires { std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17); },
                 decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7),
                 decltype(m8), decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14),
                 decltype(m15), decltype(m16), decltype(m17)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12,
                                                                  m13, m14, m15, m16, m17);
  } else if constexpr (N == 18) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12,
                                                                  m13, m14, m15, m16, m17, m18);
  } else if constexpr (N == 19) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9,
                                                                                 m10, m11, m12, m13, m14, m15, m16, m17,
                                                                                 m18, m19);
  } else if constexpr (N == 20) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20)>::of(m1, m2, m3, m4, m5, m6,
                                                                                                m7, m8, m9, m10, m11,
                                                                                                m12, m13, m14, m15, m16,
                                                                                                m17, m18, m19, m20);
  } else if constexpr (N == 21) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20),
                 decltype(m21)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
                                    m19, m20, m21);
  } else if constexpr (N == 22) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
                                    m19, m20, m21, m22);
  } else if constexpr (N == 23) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23] =
        x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
               m23);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15,
                                                   m16, m17, m18, m19, m20, m21, m22, m23);
  } else if constexpr (N == 24) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12,
                                                                  m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
                                                                  m24);
  } else if constexpr (N == 25) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9,
                                                                                 m10, m11, m12, m13, m14, m15, m16, m17,
                                                                                 m18, m19, m20, m21, m22, m23, m24,
                                                                                 m25);
  } else if constexpr (N == 26) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26)>::of(m1, m2, m3, m4, m5, m6,
                                                                                                m7, m8, m9, m10, m11,
                                                                                                m12, m13, m14, m15, m16,
                                                                                                m17, m18, m19, m20, m21,
                                                                                                m22, m23, m24, m25,
                                                                                                m26);
  } else if constexpr (N == 27) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26, m27);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26),
                 decltype(m27)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
                                    m19, m20, m21, m22, m23, m24, m25, m26, m27);
  } else if constexpr (N == 28) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26, m27, m28);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26), decltype(m27),
                 decltype(m28)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
                                    m19, m20, m21, m22, m23, m24, m25, m26, m27, m28);
  } else if constexpr (N == 29) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26, m27, m28, m29);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26), decltype(m27),
                 decltype(m28), decltype(m29)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15,
                                                   m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28,
                                                   m29);
  } else if constexpr (N == 30) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26, m27, m28, m29, m30);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26), decltype(m27),
                 decltype(m28), decltype(m29), decltype(m30)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12,
                                                                  m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
                                                                  m24, m25, m26, m27, m28, m29, m30);
  } else if constexpr (N == 31) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26, m27, m28, m29, m30, m31);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26), decltype(m27),
                 decltype(m28), decltype(m29), decltype(m30), decltype(m31)>::of(m1, m2, m3, m4, m5, m6, m7, m8, m9,
                                                                                 m10, m11, m12, m13, m14, m15, m16, m17,
                                                                                 m18, m19, m20, m21, m22, m23, m24, m25,
                                                                                 m26, m27, m28, m29, m30, m31);
  } else if constexpr (N == 32) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32] = x;
    return parts<requires {
      std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
               m24, m25, m26, m27, m28, m29, m30, m31, m32);
    }, decltype(m1), decltype(m2), decltype(m3), decltype(m4), decltype(m5), decltype(m6), decltype(m7), decltype(m8),
                 decltype(m9), decltype(m10), decltype(m11), decltype(m12), decltype(m13), decltype(m14), decltype(m15),
                 decltype(m16), decltype(m17), decltype(m18), decltype(m19), decltype(m20), decltype(m21),
                 decltype(m22), decltype(m23), decltype(m24), decltype(m25), decltype(m26), decltype(m27),
                 decltype(m28), decltype(m29), decltype(m30), decltype(m31), decltype(m32)>::of(m1, m2, m3, m4, m5, m6,
                                                                                                m7, m8, m9, m10, m11,
                                                                                                m12, m13, m14, m15, m16,
                                                                                                m17, m18, m19, m20, m21,
                                                                                                m22, m23, m24, m25, m26,
                                                                                                m27, m28, m29, m30, m31,
                                                                                                m32);
  }
}

}  // namespace wherry::deep::aggregates
