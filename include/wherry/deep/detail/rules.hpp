/// @file
/// The meaning of each verb of a description, in all passes. A rule applies to one member, or to one pointer in a
/// container, and has these members:
///
///     verb                         a number of its own, for fingerprints
///     token(writer)                the word that stands for the member in the object's bytes
///     objects(writer, token)       optional: whole objects that follow the object's bytes; their numbers come
///                                  with the token
///     contents(writer)             optional: the same for plain bytes
///     arrive(reader, token, raw)   makes the member from the token; `raw`: the member's memory holds no object yet
///     destroy(destroyer)           frees the objects that the member owns; the pass then sets a pointer to null
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/tokens.hpp"

namespace wherry::deep::detail {

/// Replaces a member by an empty `T`.
template <class T> T& made_empty(auto& reader, T& x, bool raw) {
  if (raw) return *in_its_place(reader, ::new (static_cast<void*>(std::addressof(x))) T());
  std::destroy_at(std::addressof(x));
  return *::new (static_cast<void*>(std::addressof(x))) T();
}

/// `m.owned(p)`, `m.owned(p, n)`; `Now`: `m.owned_now`.
template <class T, class Count, bool Now> struct owned_rule {
  static constexpr unsigned verb = Now ? 13 : 3;
  T*& p;
  Count n;

  std::uint64_t token(auto& w) const { return w.owned(p, checked_extent(n), Now); }
  void objects(auto& w, std::uint64_t token) const
    requires Now
  {
    if (token != 0) w.values_now(p, checked_extent(n).n);
  }
  void arrive(auto& r, std::uint64_t token, bool) const {
    p = nullptr;
    p = r.template owned<std::remove_cv_t<T>>(token, extent_of(n), Now);
  }
  void destroy(auto& d) const { d.owned(p, extent_of(n)); }
};

/// `m.shared(p)`, `m.shared(p, n)`; `Now`: `m.shared_now`.
template <class T, class Count, bool Now> struct shared_rule {
  static constexpr unsigned verb = Now ? 14 : 4;
  T*& p;
  Count n;

  std::uint64_t token(auto& w) const { return w.shared(p, checked_extent(n), Now); }
  void objects(auto& w, std::uint64_t token) const
    requires Now
  {
    if (token & tokens::fresh) w.values_now(p, checked_extent(n).n);
  }
  void arrive(auto& r, std::uint64_t token, bool) const {
    p = r.template shared<std::remove_cv_t<T>>(token, extent_of(n), Now);
  }
  void destroy(auto& d) const { d.shared(p, extent_of(n)); }
};

/// `m.owned(p, n, memory_space::device)`.
template <class T, class Count> struct device_rule {
  static constexpr unsigned verb = 5;
  T*& p;
  Count n;
  static constexpr const char* wrong = "an array in device memory can hold flat objects only";

  std::uint64_t token(auto& w) const {
    if constexpr (flat<std::remove_cv_t<T>>)
      return w.owned_on_device(p, checked_extent(n), sizeof(T));
    else
      refuse(wrong);
  }
  void arrive(auto& r, std::uint64_t token, bool) const {
    p = nullptr;
    if constexpr (flat<std::remove_cv_t<T>>)
      p = static_cast<T*>(r.owned_on_device(token, extent_of(n), sizeof(T), alignof(T)));
    else
      r.fail(wrong);
  }
  void destroy(auto& d) const { d.owned_on_device(p); }
};

/// `m.owned(u, n)` of a `unique_ptr<T[]>`.
template <class T, class Count> struct owned_array_rule {
  static constexpr unsigned verb = 6;
  std::unique_ptr<T[]>& p;
  Count n;

  std::uint64_t token(auto& w) const { return w.owned(p.get(), checked_extent(n)); }
  void arrive(auto& r, std::uint64_t token, bool raw) const {
    auto& x = made_empty(r, p, raw);
    if (token == 0) return;
    if (token - 1 != extent_of(n).n) return r.fail("an array of ", token - 1, " objects arrived, expected ", n);
    const std::size_t length = r.plausible(token - 1, least_bytes<T>);
    if (length != token - 1 || !r.guarded([&] { x.reset(new T[length]); }, about_bytes<T>(length))) return;
    r.defer_again(x.get(), length);
  }
  void destroy(auto& d) const {
    if (p && n > 0) d.visit(p.get(), static_cast<std::size_t>(n));
    p.reset();
  }
};

/// `m.shared(u)` of a `unique_ptr<T>`.
template <class T> struct shared_owner_rule {
  static constexpr unsigned verb = 7;
  std::unique_ptr<T>& p;

  std::uint64_t token(auto& w) const { return w.shared(p.get(), {}); }
  void arrive(auto& r, std::uint64_t token, bool raw) const {
    made_empty(r, p, raw).reset(r.template smart<std::remove_cv_t<T>>(token));
  }
  void destroy(auto& d) const { d.owned_outside_arena(p); }
};

/// `m.observed(p)`.
template <class T> struct observed_rule {
  static constexpr unsigned verb = 8;
  T*& p;

  std::uint64_t token(auto& w) const { return w.shared(p, {}); }
  void arrive(auto& r, std::uint64_t token, bool) const { p = r.template observed<std::remove_cv_t<T>>(token); }
  void destroy(auto&) const {}
};

/// `m.points_into(p, base, n)`.
template <class T, class Base, class Count> struct points_into_rule {
  static constexpr unsigned verb = 9;
  T*& p;
  Base* base;
  Count n;

  std::uint64_t token(auto&) const {
    if (p == nullptr) return 0;
    const auto index = static_cast<std::uint64_t>(p - base);
    if (base == nullptr || index > checked_count(n))
      refuse("m.points_into: the pointer points outside the array that starts at its base");
    return index + 1;
  }
  void arrive(auto& r, std::uint64_t token, bool) const {
    p = nullptr;
    if (token == 0) return;
    const std::uint64_t length = extent_of(n).n;
    if (base == nullptr || token - 1 > length || length > ~std::uint64_t{0} / 2)
      return r.fail("a pointer arrived to element ", token - 1, " of an array of ", n);
    p = base + (token - 1);
  }
  void destroy(auto&) const {}
};

/// `m.sized(x)`.
template <class Sequence> struct sized_rule {
  static constexpr unsigned verb = 10;
  using element = typename Sequence::value_type;
  Sequence& x;

  std::uint64_t token(auto& w) const {
    if constexpr (std::is_lvalue_reference_v<decltype(*x.begin())>)
      if (w.looks_at_memory())
        for (auto& each : x) w.brings(std::addressof(each));
    return x.size();
  }
  void arrive(auto& r, std::uint64_t token, bool raw) const {
    if (raw)
      make_container(r, std::addressof(x));
    else
      x.clear();
    const std::size_t n = r.plausible(token, sizeof(element));
    r.guarded([&] { x.resize(n); }, about_bytes<element>(n));
  }
  void destroy(auto&) const {}
};

}  // namespace wherry::deep::detail
