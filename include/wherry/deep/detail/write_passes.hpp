/// @file
/// The `m` of a description while an object is written. The description runs twice. The first pass replaces each
/// pointer and container in a copy of the object's bytes by a token. The second pass writes, after these bytes, the
/// contents that are bounded by their type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "wherry/deep/detail/verbs.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep {

/// First pass: puts tokens into the copy of the object's bytes.
template <class Writer> class slot_pass : public verbs<slot_pass<Writer>> {
 public:
  slot_pass(Writer& w, const std::byte* object, std::byte* copy, std::size_t bytes)
      : w_(w), whole_{object, bytes}, copy_(copy), aside_(w.aside()) {}
  slot_pass(const slot_pass&) = delete;
  slot_pass& operator=(const slot_pass&) = delete;
  ~slot_pass() {
    if (w_.aside() != aside_) w_.forget_aside(aside_);
  }

  template <class T> void skip(T& x) { clear(x); }
  template <class Base, class T> void base(T& x) {
    static_assert(detail::kind_of<Base>() != kind::polymorphic || detail::kind_of<T>() == kind::polymorphic,
                  "deep copy: the base has enable_shared_from_this, which this class hides");
    part(static_cast<Base&>(x));
  }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    const std::uint64_t token = rule.token(w_);
    put(std::addressof(x), sizeof(T), token);
    if constexpr (requires { rule.objects(w_, token); }) lay_aside([&] { rule.objects(w_, token); });
  }

 private:
  friend verbs<slot_pass>;
  friend content_pass<Writer>;

  /// Writes, to a buffer, objects that come right after this one. The numbers of shared objects are assigned now.
  template <class Write> void lay_aside(Write write) {
    memory_sink objects;
    byte_sink* const before = w_.redirect(&objects);
    write();
    w_.redirect(before);
    objects.finish();
    const std::uint64_t length = objects.bytes().size();
    w_.lay_aside(&length, sizeof length);
    w_.lay_aside(objects.bytes().data(), length);
  }
  std::byte* slot(const void* member) { return copy_ + (static_cast<const std::byte*>(member) - whole_.object); }
  template <class T> void clear(T& x) {
    if (whole_.have(std::addressof(x))) std::memset(slot(std::addressof(x)), 0, sizeof(T));
  }
  void put(const void* member, std::size_t bytes, std::uint64_t token) {
    if (whole_.have(member)) {
      if (bytes > sizeof token) std::memset(slot(member), 0, bytes);
      std::memcpy(slot(member), &token, bytes < sizeof token ? bytes : sizeof token);
    } else {
      // The second pass writes the token in its turn. Its number is assigned now, in the order in which the reader
      // assigns it.
      w_.lay_aside(&token, sizeof token);
    }
  }

  template <class T> void part(T& x) {
    detail::must_be_copyable<T>();
    constexpr kind k = detail::kind_of<T>();
    if constexpr (k == kind::flat) {
      // The copy has its bytes already; if it lies outside the object, the second pass writes it.
    } else if constexpr (k == kind::pointer) {
      this->shared(x);
    } else if constexpr (k == kind::described || k == kind::polymorphic) {
      if (!whole_.have(std::addressof(x))) {
        lay_aside([&] { w_.kept_value(x); });
      } else if constexpr (k == kind::described) {
        detail::run_description(*this, x);
      } else {
        clear(x);
        w_.defer(std::addressof(x), 1);
      }
    } else if constexpr (k == kind::known) {
      put(std::addressof(x), sizeof(T), known<T>::head(w_, x));
      if constexpr (!bounded<T>) known<T>::defer(w_, x);
    } else if constexpr (k == kind::composite) {
      detail::for_each_part(x, [this](auto& p) { this->part(p); });
    }
  }

  Writer& w_;
  object_bytes whole_;
  std::byte* copy_;
  std::size_t aside_;  // where the part of this object begins
};

/// Second pass: writes the contents that follow the object's bytes.
template <class Writer> class content_pass : public verbs<content_pass<Writer>> {
 public:
  content_pass(Writer& w, const slot_pass<Writer>& first) : w_(w), whole_(first.whole_), next_(first.aside_) {}

  template <class T> void skip(T&) {}
  template <class Base, class T> void base(T& x) { part(static_cast<Base&>(x)); }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    from_aside(std::addressof(x));
    if constexpr (requires { rule.objects(w_, 0); }) {
      objects_from_aside();
    } else if constexpr (requires { rule.contents(w_); }) {
      rule.contents(w_);
    }
  }

 private:
  friend verbs<content_pass>;

  void next_from_aside(std::size_t n) {
    w_.write_aside(next_, n);
    next_ += n;
  }
  void objects_from_aside() {
    const std::uint64_t length = w_.aside_word(next_);
    next_ += sizeof length;
    next_from_aside(length);
  }
  void from_aside(const void* member) {
    if (!whole_.have(member)) next_from_aside(sizeof(std::uint64_t));
  }

  template <class T> void part(T& x) {
    constexpr kind k = detail::kind_of<T>();
    if constexpr (k == kind::flat) {
      if (!whole_.have(std::addressof(x))) w_.kept_value(x);
    } else if constexpr (k == kind::pointer) {
      from_aside(std::addressof(x));
    } else if constexpr (k == kind::described || k == kind::polymorphic) {
      if (!whole_.have(std::addressof(x)))
        objects_from_aside();
      else if constexpr (k == kind::described)
        detail::run_description(*this, x);
    } else if constexpr (k == kind::known) {
      from_aside(std::addressof(x));
      if constexpr (bounded<T>) known<T>::contents(w_, x);
    } else if constexpr (k == kind::composite) {
      detail::for_each_part(x, [this](auto& p) { this->part(p); });
    }
  }

  Writer& w_;
  object_bytes whole_;
  std::size_t next_;
};

/// For a polymorphic object, whose own bytes cannot travel: writes every named member in its turn.
template <class Writer> class stream_pass : public verbs<stream_pass<Writer>> {
 public:
  explicit stream_pass(Writer& w) : w_(w) {}

  template <class T> void skip(T&) {}
  template <class Base, class T> void base(T& x) { detail::run_description(*this, static_cast<Base&>(x)); }
  template <class T, class Rule> void by(T&, const Rule& rule) {
    const std::uint64_t token = rule.token(w_);
    w_.count(token);
    if constexpr (requires { rule.objects(w_, token); })
      rule.objects(w_, token);
    else if constexpr (requires { rule.contents(w_); })
      rule.contents(w_);
  }

 private:
  friend verbs<stream_pass>;

  template <class T> void part(T& x) { w_.value(x); }

  Writer& w_;
};

}  // namespace wherry::deep
