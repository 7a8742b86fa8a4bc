/// @file
/// What a description sees while an object is read: its bytes are in place, tokens where its pointers and containers
/// will be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/deep/reader.hpp"

namespace wherry::deep {

class read_pass {
 public:
  static constexpr bool reads = true;

  read_pass(reader& r, std::byte* object, std::size_t bytes) : r_(r), object_(object), bytes_(bytes) {}

  template <class... T> void operator()(T&... parts) {
    (must_not_be_named_plainly<T>(), ...);
    (part(parts), ...);
  }

  template <class T, countable Count = one_object>
  void owned(T*& p, Count n = {}, memory_space where = memory_space::host) {
    const std::uint64_t token = slot(p);
    p = nullptr;
    if (where == memory_space::host)
      p = r_.owned<std::remove_cv_t<T>>(token, extent_of(n));
    else if constexpr (flat<std::remove_cv_t<T>>)
      p = r_.owned_on_device<std::remove_cv_t<T>>(token, extent_of(n));
    else
      r_.fail("an array in device memory holds flat objects only");
  }
  template <class T> void owned(std::unique_ptr<T>& p) { part(p); }
  template <class T, countable Count> void owned(std::unique_ptr<T[]>& p, Count n) {
    const std::uint64_t token = slot(p);
    auto& x = made_empty(p);
    if (token == 0) return;
    if (token - 1 != extent_of(n).n) return r_.fail("an array of ", token - 1, " objects arrived, not ", n);
    const std::size_t length = r_.plausible(token - 1, least_bytes<T>);
    if (length != token - 1 || !r_.guarded([&] { x.reset(new T[length]); }, detail::about_bytes<T>(length))) return;
    r_.defer_again(x.get(), length);
  }
  template <class T, class Allocator> void owned(std::vector<T*, Allocator>& x) {
    sized(x);
    for (T*& p : x) p = r_.owned<std::remove_cv_t<T>>(r_.count(), {});
  }
  template <class T, countable Count = one_object> void shared(T*& p, Count n = {}) {
    p = r_.shared<std::remove_cv_t<T>>(slot(p), extent_of(n));
  }
  template <class T> void shared(std::unique_ptr<T>& p) {
    const std::uint64_t token = slot(p);
    made_empty(p).reset(r_.smart<std::remove_cv_t<T>>(token));
  }
  template <detail::sequence_of_owners Sequence> void shared(Sequence& x) {
    sized(x);
    for (auto& p : x) shared(p);
  }
  template <class T> void observed(T*& p) { p = r_.observed<std::remove_cv_t<T>>(slot(p)); }
  template <class T, countable Count = one_object> void owned_now(T*& p, Count n = {}) {
    p = r_.owned<std::remove_cv_t<T>>(slot(p), extent_of(n), true);
  }
  template <class T, countable Count = one_object> void shared_now(T*& p, Count n = {}) {
    p = r_.shared<std::remove_cv_t<T>>(slot(p), extent_of(n), true);
  }
  template <class T, class Base, countable Count> void points_into(T*& p, Base* base, Count n) {
    const std::uint64_t token = slot(p);
    p = nullptr;
    if (token == 0) return;
    const std::uint64_t length = extent_of(n).n;
    if (base == nullptr || token - 1 > length || length > ~std::uint64_t{0} / 2)
      return r_.fail("a pointer to element ", token - 1, " of an array of ", n);
    p = base + (token - 1);
  }
  template <class T> void local(T& x) {
    if (inside(&x)) detail::in_its_place(r_, ::new (static_cast<void*>(&x)) T());
  }
  template <class Sequence> void sized(Sequence& x) {
    const std::uint64_t token = slot(x);
    if (inside(&x))
      detail::make_container(r_, &x);
    else
      x.clear();
    const std::size_t n = r_.plausible(token, sizeof(typename Sequence::value_type));
    r_.guarded([&] { x.resize(n); }, detail::about_bytes<typename Sequence::value_type>(n));
  }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    const std::uint64_t token = slot(x);
    rule.arrive(r_, token, inside(&x));
  }
  template <class Base, class T> void base(T& x) {
    if constexpr (kind_of<Base>() == kind::polymorphic)
      run_description(*this, static_cast<Base&>(x));
    else
      part(static_cast<Base&>(x));
  }

 private:
  bool inside(const void* member) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) - object_) < bytes_;
  }
  template <class T> std::uint64_t slot(const T& x) {
    if (!inside(&x)) return r_.count();
    std::uint64_t token = 0;
    std::memcpy(&token, static_cast<const void*>(&x), sizeof(T) < sizeof token ? sizeof(T) : sizeof token);
    return token;
  }

  // In an object whose bytes have just come there is only a token.
  template <class T> T& made_empty(T& x) {
    if (inside(&x)) return *detail::in_its_place(r_, ::new (static_cast<void*>(&x)) T());
    std::destroy_at(&x);
    return *::new (static_cast<void*>(&x)) T();
  }

  template <class T> void part(T& x) {
    must_be_copyable<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      if (!inside(&x)) r_.value(&x);
    } else if constexpr (k == kind::pointer) {
      shared(x);
    } else if constexpr (k == kind::polymorphic) {
      if (inside(&x)) {
        r_.guarded([this, &x] { detail::in_its_place(r_, ::new (static_cast<void*>(&x)) T()); });
        r_.defer_again(&x, 1);
      } else {
        r_.value_again(x);
      }
    } else if (!inside(&x)) {
      r_.value_again(x);
    } else if constexpr (k == kind::described) {
      run_description(*this, x);
    } else if constexpr (k == kind::known) {
      known<T>::read(r_, &x, slot(x));
    } else {
      for_each_part(x, [this](auto& p) {
        using member = std::remove_cvref_t<decltype(p)>;
        must_not_be_bare_pointer<member, T>();
        this->part(const_cast<member&>(p));
      });
    }
  }

  reader& r_;
  std::byte* object_;
  std::size_t bytes_;
};

// A description that throws is a failure of the stream: its other end must hear of it.
template <class T> void reader::members(T& x) {
  read_pass pass(*this, nullptr, 0);
  guarded([&] { run_description(pass, x); });
}

/// Tokens are no pointers: what its description has not brought to an end becomes an object without anything, and what
/// that had named by then is lost. Where there is no such object, or making it throws, the program ends.
template <class T> void reader::make_again(T* raw, std::size_t mark) {
  const bool before = in_arena_;
  drain(mark);  // what waits is on its way into the old one
  in_arena_ = before;
  [&]() noexcept {
    std::memset(static_cast<void*>(raw), 0, sizeof(T));
    if constexpr (std::is_default_constructible_v<T>)
      ::new (static_cast<void*>(raw)) T();
    else if constexpr (!std::is_trivially_destructible_v<T>)
      std::terminate();
  }();
}

template <class T> void reader::object(T* raw) {
  if constexpr (kind_of<T>() == kind::polymorphic) {
    // A constructor that throws leaves nothing to work with.
    [&]() noexcept { ::new (static_cast<void*>(raw)) T(); }();
    if (in_arena_) guarded([&] { arena_->destroy_later(raw, [](void* x) { std::destroy_at(static_cast<T*>(x)); }); });
    const bool before = std::exchange(in_arena_, false);
    members(*raw);
    in_arena_ = before;
  } else {
    source_.read(static_cast<void*>(raw), sizeof(T));
    read_pass pass(*this, reinterpret_cast<std::byte*>(raw), sizeof(T));
    const std::size_t mark = stack_.size();
    if (!guarded([&] { run_description(pass, *raw); })) make_again(raw, mark);
  }
}

}  // namespace wherry::deep
