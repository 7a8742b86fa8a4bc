/// @file
/// std::optional and std::variant in a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep {

template <class T> struct known<std::optional<T>> {
  using contains = types<T>;

  static std::uint64_t head(auto&, std::optional<T>& x) { return x.has_value() ? 1 : 0; }
  static void contents(auto& w, std::optional<T>& x) {
    if (x) w.kept_value(*x);
  }
  static void defer(auto& w, std::optional<T>& x) {
    if (x) w.defer(std::addressof(*x), 1);
  }
  static void visit(auto& d, std::optional<T>& x) {
    if (x) d.visit(*x);
  }
  static void read(reader& r, std::optional<T>* raw, std::uint64_t head) {
    static_assert(std::is_default_constructible_v<T>,
                  "deep copy: what is in an optional must have a default constructor");
    auto& x = *detail::in_its_place(r, ::new (static_cast<void*>(raw)) std::optional<T>());
    if (head == 0) return;
    if (head != 1) return r.fail("an optional arrived with ", head, " values, expected 0 or 1");
    r.guarded([&] { x.emplace(); });
    if (!x) return;
    if constexpr (bounded<T>)
      r.value_again(*x);
    else
      r.defer_again(std::addressof(*x), 1);
  }
};

template <class... T> struct known<std::variant<T...>> {
  using variant = std::variant<T...>;
  using contains = types<T...>;

  static std::uint64_t head(auto&, variant& x) {
    if (x.valueless_by_exception()) refuse("a variant has no value (valueless_by_exception), and cannot be copied");
    return x.index();
  }
  static void contents(auto& w, variant& x) {
    std::visit([&w](auto& value) { w.kept_value(value); }, x);
  }
  static void defer(auto& w, variant& x) {
    std::visit([&w](auto& value) { w.defer(std::addressof(value), 1); }, x);
  }
  static void visit(auto& d, variant& x) {
    if (!x.valueless_by_exception()) std::visit([&d](auto& value) { d.visit(value); }, x);
  }
  static void read(reader& r, variant* raw, std::uint64_t head) {
    static_assert((std::is_default_constructible_v<T> && ...),
                  "deep copy: what is in a variant must have a default constructor");
    auto& x = *detail::in_its_place(r, ::new (static_cast<void*>(raw)) variant());
    if (head >= sizeof...(T))
      return r.fail("a variant arrived with alternative ", head, ", expected 0 to ", sizeof...(T) - 1);
    emplace(r, x, head, std::index_sequence_for<T...>());
  }

 private:
  template <std::size_t... I>
  static void emplace(reader& r, variant& x, std::uint64_t index, std::index_sequence<I...>) {
    ((I == index ? emplace_one<I>(r, x) : void()), ...);
  }
  template <std::size_t I> static void emplace_one(reader& r, variant& x) {
    if (!r.guarded([&x] { x.template emplace<I>(); })) return;
    if constexpr (bounded<variant>)
      r.value_again(std::get<I>(x));
    else
      r.defer_again(std::addressof(std::get<I>(x)), 1);
  }
};

}  // namespace wherry::deep
