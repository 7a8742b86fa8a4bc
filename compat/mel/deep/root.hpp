/// @file
/// Roots: converts the object, pointer, array or container of a call to a structure that Wherry copies.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/deep/pack.hpp"

#include "mel/deep/message.hpp"

namespace MEL::Deep::detail {

/// Stands for the first template argument of a call if it is not given.
struct unspecified {};

template <class T> struct subject {
  using type = T;
};
template <class T> struct subject<T*> {
  using type = T;
};
template <is_sequence T> struct subject<T> {
  using type = element_of<T>;
};
/// The type that an external function is for: that of the object, of the object behind the pointer, or of the elements
/// of the container.
template <class T> using subject_of = typename subject<T>::type;

/// The objects behind a root pointer. They count as shared, because pointers in the structure may lead back to them.
template <class T, auto Function> struct root_array {
  T* objects = nullptr;
  std::int64_t count = 0;
};
/// A container with an external function for its elements.
template <class Sequence, auto Function> struct root_sequence {
  Sequence object;
};

template <class Pass> constexpr bool writes = false;
template <template <class> class Pass, class Map> constexpr bool writes<Pass<wherry::deep::writer<Map>>> = true;

template <class Function> struct object_of;
template <class T, class HASH_MAP> struct object_of<void (*)(T&, Message<traversal, HASH_MAP>&)> {
  using type = T;
};
/// True if an external function is for a container as a whole, not for its elements.
template <auto F, class X>
constexpr bool is_for_whole = is_given<F> && std::is_same_v<typename object_of<decltype(F)>::type, X>;

template <auto F, class X> auto& as_root(X& x) {
  static_assert(
      !is_sequence<X> || !std::is_pointer_v<element_of<X>> || is_for_whole<F, X>,
      "MEL: a container of pointers says not what they point to: put it in a struct with a DeepCopy function, "
      "or give one for the container");
  if constexpr (is_sequence<X> && is_given<F> && !is_for_whole<F, X>)
    return *as_boxes<root_sequence<X, F>>(std::addressof(x));
  else
    return *as_boxes<boxed<X, F>>(std::addressof(x));
}

/// Calls `run(root)`, which writes the root.
template <auto F, class T, class Run> void from_array(T* p, std::int64_t len, Run run) {
  using object = std::remove_const_t<T>;
  root_array<object, F> root{const_cast<object*>(p), p == nullptr ? 0 : len};
  run(root);
}
template <auto F, class X, class Run> void from_root(X& x, Run run) {
  if constexpr (std::is_pointer_v<X>)
    from_array<F>(x, 1, run);
  else
    run(as_root<F>(const_cast<std::remove_const_t<X>&>(x)));
}

template <class Expected>
[[noreturn]] void wrong_length(std::string_view where, std::int64_t arrived, const Expected& expected) {
  throw wherry::error(wherry::error_kind::mismatch, where,
                      wherry::detail::text(arrived, " elements arrived, expected ", expected));
}

/// A length beside a pointer: a variable takes the number that arrives; a constant must be equal to it.
template <class Len>
concept length = std::integral<std::remove_cvref_t<Len>>;

/// Calls `run(root)`, which reads the root; then `len` is set or compared.
template <auto F, class T, length Len, class Run> void into_array(std::string_view where, T*& p, Len&& len, Run run) {
  root_array<T, F> root;
  run(root);
  using integer = std::remove_cvref_t<Len>;
  constexpr bool takes_any = std::is_same_v<Len, integer&>;
  const auto arrived = root.count;
  if (takes_any ? !std::in_range<integer>(arrived) : !std::cmp_equal(arrived, len)) {
    wherry::deep::destroy(root);
    wrong_length(where, arrived, takes_any ? std::numeric_limits<integer>::max() : len);
  }
  p = root.objects;
  if constexpr (takes_any) len = static_cast<integer>(arrived);
}
template <auto F, class X, class Run> void into_root(std::string_view where, X& x, Run run) {
  if constexpr (std::is_pointer_v<X>) {
    root_array<std::remove_pointer_t<X>, F> root;
    run(root);
    const auto arrived = root.count;
    if (arrived > 1) {
      wherry::deep::destroy(root);
      wrong_length(where, arrived, 1);
    }
    x = root.objects;
  } else {
    run(as_root<F>(x));
  }
}

}  // namespace MEL::Deep::detail

template <class T, auto Function> struct wherry::deep::description<MEL::Deep::detail::root_array<T, Function>> {
  using stands_for = std::tuple<std::int64_t, T*>;
  template <class Pass> static void describe(Pass& pass, MEL::Deep::detail::root_array<T, Function>& x) {
    if constexpr (MEL::Deep::detail::writes<Pass>) checked_count(x.count);
    using rule = MEL::Deep::detail::root_rule<MEL::Deep::detail::boxed<T, Function>, T>;
    pass.by(x.objects, rule{{x.objects, x.count < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(x.count)}});
  }
};

template <class Sequence, class T, class HASH_MAP, MEL::Deep::detail::external<T, HASH_MAP> F>
struct wherry::deep::description<MEL::Deep::detail::root_sequence<Sequence, F>> {
  using stands_for = Sequence;
  template <class Pass> static void describe(Pass& pass, MEL::Deep::detail::root_sequence<Sequence, F>& x) {
    MEL::Deep::detail::describe_in_turn<false>(pass, x, [&x](auto& by) {
      MEL::Deep::Message<MEL::Deep::detail::traversal, HASH_MAP> message(by);
      message.template packSTL<T, F>(x.object);
    });
  }
};
