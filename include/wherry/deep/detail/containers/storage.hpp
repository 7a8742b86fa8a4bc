/// @file
/// `storage`: deep copies of containers that keep their elements in storage of their own, such as matrices.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep {

/// Specialise this for a container that keeps flat elements side by side:
///
///     template <> struct wherry::deep::storage<matrix> {
///       static std::array<std::size_t, 2> size(const matrix& x);  // or one std::size_t
///       static void resize(matrix& x, std::array<std::size_t, 2> n);
///       static double* data(matrix& x);
///     };
///
/// The number of elements is the product of the sizes. The container needs a default constructor; `resize` may throw.
template <class T> struct storage;

template <class T>
concept has_storage = requires(T& x) {
  storage<T>::size(x);
  storage<T>::resize(x, storage<T>::size(x));
  *storage<T>::data(x);
};

namespace detail {

/// Calls `run(size)` for each size.
template <std::integral Size> void for_sizes(Size& n, auto run) { run(n); }
template <std::size_t N> void for_sizes(std::array<std::size_t, N>& n, auto run) {
  for (auto& each : n) run(each);
}
/// The product of the sizes; all bits set if it overflows.
std::uint64_t elements_of(auto sizes) {
  std::uint64_t all = 1;
  for_sizes(sizes, [&all](auto n) {
    if (__builtin_mul_overflow(all, static_cast<std::uint64_t>(n), &all)) all = ~std::uint64_t{0};
  });
  return all;
}

}  // namespace detail

template <has_storage T> struct known<T> {
  using container = storage<T>;
  using element = std::remove_cvref_t<decltype(*container::data(std::declval<T&>()))>;
  using contains = types<element>;
  static_assert(flat<element>,
                "deep copy: wherry::deep::storage is for elements without pointers: others want a description that "
                "says m.sized(x) and names them");

  static std::uint64_t head(auto&, T& x) { return detail::elements_of(container::size(x)); }
  static void contents(auto& w, T& x) {
    auto sizes = container::size(x);
    detail::for_sizes(sizes, [&w](auto n) { w.count(static_cast<std::uint64_t>(n)); });
    w.kept_values(container::data(x), static_cast<std::size_t>(detail::elements_of(sizes)));
  }
  static void read(reader& r, T* raw, std::uint64_t head) {
    T& x = *detail::make_container(r, raw);
    auto sizes = container::size(x);
    const auto before = sizes;
    detail::for_sizes(sizes, [&r](auto& n) { n = static_cast<std::remove_reference_t<decltype(n)>>(r.count()); });
    const std::size_t n = r.plausible(head, sizeof(element));
    if (r.failed()) return;
    if (detail::elements_of(sizes) != n) return r.fail("a container's sizes do not fit its ", n, " elements");
    if (!r.guarded(
            [&] {
              if (sizes != before) container::resize(x, sizes);
            },
            detail::about_bytes<element>(n)))
      return;
    if (container::size(x) != sizes) return r.fail("a container could not be resized to the size that arrived");
    if (n > 0) r.source().read(container::data(x), n * sizeof(element));
  }
};

}  // namespace wherry::deep
