/// @file
/// std::unique_ptr, std::shared_ptr and std::weak_ptr in a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep {

namespace detail {

/// The types in a smart pointer. A polymorphic object may be of any derived class, so that its type does not bound it.
template <class T> using pointee_types = std::conditional_t<std::is_polymorphic_v<T>, types<T*>, types<T>>;

}  // namespace detail

/// The object comes from `new`, also if the structure lies in an arena.
template <class T>
  requires(!std::is_array_v<T>)
struct known<std::unique_ptr<T>> {
  using pointer = std::unique_ptr<T>;
  using object = std::remove_cv_t<T>;
  using contains = detail::pointee_types<object>;

  static object* inside(pointer& x) { return const_cast<object*>(x.get()); }
  static std::uint64_t head(auto& w, pointer& x) {
    if constexpr (std::is_polymorphic_v<object>)
      return w.owned(inside(x), {});
    else
      return x ? 1 : 0;
  }
  static void contents(auto& w, pointer& x) {
    if (x) w.kept_value(*inside(x));
  }
  static void defer(auto& w, pointer& x) {
    if constexpr (!std::is_polymorphic_v<object>)
      if (x) w.defer(inside(x), 1);
  }
  static void visit(auto& d, pointer& x) { d.owned_outside_arena(x); }
  static void read(reader& r, pointer* raw, std::uint64_t head) {
    auto& x = *detail::in_its_place(r, ::new (static_cast<void*>(raw)) pointer());
    if (head == 0) return;
    if constexpr (std::is_polymorphic_v<object>) {
      x.reset(r.template owned_by_itself<object>(head));
    } else {
      if (head != 1) return r.fail("a unique_ptr owns more than one object");
      object* p = nullptr;
      if (!r.guarded([&p] { p = detail::allocate_object<object>(); })) return;
      if constexpr (bounded<object>)
        r.value_by_itself(p);
      else
        r.defer(p, 1, false);
      x.reset(p);
    }
  }
};

/// Shared and weak pointers use the numbers of `m.shared` and `m.observed`: a raw pointer to the same object finds it.
template <class T>
  requires(!std::is_array_v<T>)
struct known<std::shared_ptr<T>> {
  using pointer = std::shared_ptr<T>;
  using contains = types<T*>;

  static std::uint64_t head(auto& w, pointer& x) { return w.shared(x.get(), {}); }
  static void defer(auto&, pointer&) {}
  static void visit(auto& d, pointer& x) { d.shared_owner(x); }
  static void read(reader& r, pointer* raw, std::uint64_t head) {
    auto& x = *detail::in_its_place(r, ::new (static_cast<void*>(raw)) pointer());
    x = r.template shared_owner<std::remove_cv_t<T>>(head);
  }
};

/// The object travels; if no shared_ptr of the structure owns it, it is freed when the copy is complete.
template <class T>
  requires(!std::is_array_v<T>)
struct known<std::weak_ptr<T>> {
  using pointer = std::weak_ptr<T>;
  using contains = types<T*>;

  static std::uint64_t head(auto& w, pointer& x) { return w.shared(x.lock().get(), {}); }
  static void defer(auto&, pointer&) {}
  static void visit(auto&, pointer& x) { x.reset(); }
  static void read(reader& r, pointer* raw, std::uint64_t head) {
    auto& x = *detail::in_its_place(r, ::new (static_cast<void*>(raw)) pointer());
    x = r.template shared_owner<std::remove_cv_t<T>>(head);
  }
};

}  // namespace wherry::deep
