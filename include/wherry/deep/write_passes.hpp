/// @file
/// What a description sees while an object is written. It runs twice: first each pointer and container is replaced, in
/// the copy of the object's bytes, by a token; then, behind those bytes, come the contents that are bounded by their
/// type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "wherry/deep/writer.hpp"

namespace wherry::deep {

/// First pass: patches the copy.
template <class Writer> class slot_pass {
 public:
  static constexpr bool reads = false;

  slot_pass(Writer& w, const std::byte* object, std::byte* copy, std::size_t bytes)
      : w_(w), object_(object), copy_(copy), bytes_(bytes) {}

  template <class... T> void operator()(T&... parts) { (part(parts), ...); }

  template <class T, countable Count = int> void owned(T*& p, Count n = 1) { put(p, w_.owned(p, checked_count(n))); }
  template <class T, countable Count = int> void shared(T*& p, Count n = 1) { put(p, w_.shared(p, checked_count(n))); }
  template <class T> void local(T& x) { clear(x); }
  template <class Base, class T> void base(T& x) { part(static_cast<Base&>(x)); }

 private:
  friend class content_pass<Writer>;

  bool inside(const void* member) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) - object_) < bytes_;
  }
  std::byte* slot(const void* member) { return copy_ + (static_cast<const std::byte*>(member) - object_); }

  template <class T> void clear(T& x) {
    if (inside(&x)) std::memset(slot(&x), 0, sizeof(T));
  }
  template <class T> void put(T& x, std::uint64_t token) {
    if (inside(&x)) {
      if constexpr (sizeof(T) > sizeof token) clear(x);
      std::memcpy(slot(&x), &token, std::min(sizeof(T), sizeof token));
    } else {
      // The second pass writes it where its turn comes; its number is taken now, as the reader takes it.
      std::vector<std::byte> bytes(sizeof token);
      std::memcpy(bytes.data(), &token, sizeof token);
      aside_.push_back(std::move(bytes));
    }
  }

  template <class T> void part(T& x) {
    must_be_copyable<T>();
    must_not_be_bare_pointer<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::described) {
      run_description(*this, x);
    } else if constexpr (k == kind::polymorphic) {
      clear(x);
      w_.defer(&x, 1);
    } else if constexpr (k == kind::known) {
      put(x, known<T>::head(w_, x));
      if constexpr (!bounded<T>) known<T>::defer(w_, x);
    } else if constexpr (k == kind::composite) {
      for_each_part(x, [this](auto& p) { part(p); });
    }
  }

  Writer& w_;
  const std::byte* object_;
  std::byte* copy_;
  std::size_t bytes_;
  std::vector<std::vector<std::byte>> aside_;
};

/// Second pass: writes what follows the object's bytes.
template <class Writer> class content_pass {
 public:
  static constexpr bool reads = false;

  content_pass(Writer& w, slot_pass<Writer>& first) : w_(w), first_(first) {}

  template <class... T> void operator()(T&... parts) { (part(parts), ...); }

  template <class T, countable Count = int> void owned(T*& p, Count = 1) { from_aside(&p); }
  template <class T, countable Count = int> void shared(T*& p, Count = 1) { from_aside(&p); }
  template <class T> void local(T&) {}
  template <class Base, class T> void base(T& x) { part(static_cast<Base&>(x)); }

 private:
  void from_aside(const void* member) {
    if (first_.inside(member)) return;
    const auto& bytes = first_.aside_[next_++];
    w_.sink().write(bytes.data(), bytes.size());
  }

  template <class T> void part(T& x) {
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::described) {
      run_description(*this, x);
    } else if constexpr (k == kind::known) {
      from_aside(&x);
      if constexpr (bounded<T>) known<T>::contents(w_, x);
    } else if constexpr (k == kind::composite) {
      for_each_part(x, [this](auto& p) { part(p); });
    }
  }

  Writer& w_;
  slot_pass<Writer>& first_;
  std::size_t next_ = 0;
};

/// For a polymorphic object, whose own bytes cannot travel: every member that is named is written in its turn.
template <class Writer> class stream_pass {
 public:
  static constexpr bool reads = false;

  explicit stream_pass(Writer& w) : w_(w) {}

  template <class... T> void operator()(T&... parts) { (part(parts), ...); }

  template <class T, countable Count = int> void owned(T*& p, Count n = 1) { w_.count(w_.owned(p, checked_count(n))); }
  template <class T, countable Count = int> void shared(T*& p, Count n = 1) {
    w_.count(w_.shared(p, checked_count(n)));
  }
  template <class T> void local(T&) {}
  template <class Base, class T> void base(T& x) { run_description(*this, static_cast<Base&>(x)); }

 private:
  template <class T> void part(T& x) {
    must_not_be_bare_pointer<T>();
    w_.value(x);
  }

  Writer& w_;
};

}  // namespace wherry::deep
