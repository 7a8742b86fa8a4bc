/// @file
/// The `m` of a description while an object is read: the object's bytes are in place, with tokens where its pointers
/// and containers will be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/undo_pass.hpp"
#include "wherry/deep/detail/verbs.hpp"

namespace wherry::deep {

/// Turns the tokens of one object into its pointers and containers.
class read_pass : public verbs<read_pass> {
 public:
  static constexpr bool reads = true;

  read_pass(reader& r, std::byte* object, std::size_t bytes) : r_(r), whole_{object, bytes} {}

  /// The number of members named so far, for `undo_pass`.
  std::size_t named() const { return named_; }

  template <class T> void skip(T& x) {
    ++named_;
    if (whole_.have(std::addressof(x))) detail::in_its_place(r_, ::new (static_cast<void*>(std::addressof(x))) T());
  }
  template <class Base, class T> void base(T& x) {
    if constexpr (detail::kind_of<Base>() == kind::polymorphic)
      detail::run_description(*this, static_cast<Base&>(x));
    else
      part(static_cast<Base&>(x));
  }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    const std::uint64_t token = slot(std::addressof(x), sizeof(T));
    rule.arrive(r_, token, whole_.have(std::addressof(x)));
    ++named_;
  }

 private:
  friend verbs<read_pass>;

  std::uint64_t slot(const void* member, std::size_t bytes) {
    if (!whole_.have(member)) return r_.count();
    std::uint64_t token = 0;
    std::memcpy(&token, member, bytes < sizeof token ? bytes : sizeof token);
    return token;
  }

  template <class T> void part(T& x) {
    detail::must_be_copyable<T>();
    constexpr kind k = detail::kind_of<T>();
    if constexpr (k == kind::flat) {
      if (!whole_.have(std::addressof(x))) r_.value(std::addressof(x));
    } else if constexpr (k == kind::pointer) {
      shared(x);
    } else if constexpr (k == kind::polymorphic) {
      if (whole_.have(std::addressof(x))) {
        r_.guarded([this, &x] { detail::in_its_place(r_, ::new (static_cast<void*>(std::addressof(x))) T()); });
        r_.defer_again(std::addressof(x), 1);
      } else {
        r_.value_again(x);
      }
      ++named_;
    } else if (!whole_.have(std::addressof(x))) {
      r_.value_again(x);
      ++named_;
    } else if constexpr (k == kind::described) {
      detail::run_description(*this, x);
    } else if constexpr (k == kind::known) {
      known<T>::read(r_, std::addressof(x), slot(std::addressof(x), sizeof(T)));
      ++named_;
    } else if constexpr (k == kind::composite) {
      detail::for_each_part(x, [this](auto& p) { this->part(p); });
    }
  }

  reader& r_;
  object_bytes whole_;
  std::size_t named_ = 0;
};

// An exception from a description becomes a failure of the stream, because the other end must be told.
template <class T> void reader::members(T& x) {
  read_pass pass(*this, nullptr, 0);
  guarded([&] { detail::run_description(pass, x); });
}

template <class T> void reader::undo_named(reader& r, void* object, std::size_t named) {
  T& x = *static_cast<T*>(object);
  detail::destroyer d(r.arena_ == nullptr);
  d.leave_shared_to(r.left_behind_);
  undo_pass pass(d, {reinterpret_cast<const std::byte*>(std::addressof(x)), sizeof(T)}, named);
  try {
    detail::run_description(pass, x);
  } catch (...) {
    // The description had come this far.
  }
  r.guarded([&d] { d.drain(); });
  pass.destroy_members();
}

template <class T> void reader::object(T* raw) {
  if constexpr (detail::kind_of<T>() == kind::polymorphic) {
    // noexcept: if the constructor throws, there is no object to continue with.
    if constexpr (std::is_default_constructible_v<T>) [&]() noexcept { ::new (static_cast<void*>(raw)) T(); }();
    if (in_arena_) destroy_with_arena(raw, [](void* x) { std::destroy_at(static_cast<T*>(x)); });
    const bool before = std::exchange(in_arena_, false);
    members(*raw);
    in_arena_ = before;
  } else {
    source_.read(static_cast<void*>(raw), sizeof(T));
    read_pass pass(*this, reinterpret_cast<std::byte*>(raw), sizeof(T));
    const std::size_t mark = stack_.size();
    if (!guarded([&] { detail::run_description(pass, *raw); }))
      make_again(raw, sizeof(T), mark, pass.named(), &undo_named<T>, [](void* x) {
        if constexpr (std::is_default_constructible_v<T>)
          ::new (x) T();
        else if constexpr (!std::is_trivially_destructible_v<T>)
          std::terminate();
      });
  }
}

}  // namespace wherry::deep
