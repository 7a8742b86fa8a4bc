/// @file
/// What a description sees while an object is written. It runs twice: first each pointer and container is replaced, in
/// the copy of the object's bytes, by a token; then, behind those bytes, come the contents that are bounded by their
/// type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/deep/writer.hpp"

namespace wherry::deep {

/// First pass: patches the copy.
template <class Writer> class slot_pass {
 public:
  static constexpr bool reads = false;

  slot_pass(Writer& w, const std::byte* object, std::byte* copy, std::size_t bytes)
      : w_(w), object_(object), copy_(copy), bytes_(bytes), aside_(w.aside().size()) {}
  slot_pass(const slot_pass&) = delete;
  slot_pass& operator=(const slot_pass&) = delete;
  ~slot_pass() {
    if (w_.aside().size() != aside_) w_.aside().resize(aside_);
  }

  template <class... T> void operator()(T&... parts) {
    (must_not_be_named_plainly<T>(), ...);
    (part(parts), ...);
  }

  template <class T, countable Count = one_object>
  void owned(T*& p, Count n = {}, memory_space where = memory_space::host) {
    if (where == memory_space::host) return put(p, w_.owned(p, checked_extent(n)));
    if constexpr (flat<std::remove_cv_t<T>>)
      put(p, w_.owned_on_device(p, checked_extent(n)));
    else
      refuse("an array in device memory holds flat objects only");
  }
  template <class T> void owned(std::unique_ptr<T>& p) { part(p); }
  template <class T, countable Count> void owned(std::unique_ptr<T[]>& p, Count n) {
    put(p, w_.owned(p.get(), checked_extent(n)));
  }
  template <class T, class Allocator> void owned(std::vector<T*, Allocator>& x) {
    sized(x);
    for (T*& p : x) put(p, w_.owned(p, {}));
  }
  template <class T, countable Count = one_object> void shared(T*& p, Count n = {}) {
    put(p, w_.shared(p, checked_extent(n)));
  }
  template <class T> void shared(std::unique_ptr<T>& p) { put(p, w_.shared(p.get(), {})); }
  template <detail::sequence_of_owners Sequence> void shared(Sequence& x) {
    sized(x);
    for (auto& p : x) shared(p);
  }
  template <class T> void observed(T*& p) { put(p, w_.shared(p, {})); }
  template <class T, countable Count = one_object> void owned_now(T*& p, Count n = {}) {
    const std::uint64_t token = w_.owned(p, checked_extent(n), true);
    put(p, token);
    put_now(p, token == 0 ? 0 : checked_extent(n).n);
  }
  template <class T, countable Count = one_object> void shared_now(T*& p, Count n = {}) {
    const std::uint64_t token = w_.shared(p, checked_extent(n), true);
    put(p, token);
    put_now(p, token & tokens::fresh ? checked_extent(n).n : 0);
  }
  template <class T, class Base, countable Count> void points_into(T*& p, Base* base, Count n) {
    if (p == nullptr) return put(p, 0);
    const auto index = static_cast<std::uint64_t>(p - base);
    if (base == nullptr || index > checked_count(n)) refuse("m.points_into: the pointer points elsewhere");
    put(p, index + 1);
  }
  template <class T> void local(T& x) { clear(x); }
  template <class Sequence> void sized(Sequence& x) { put(x, x.size()); }
  /// A member by a rule of the caller's own: `rule.token(writer)` for its slot, `rule.contents(writer)` for what
  /// follows the object, `rule.arrive(reader, token, raw)` into raw memory or an object, `rule.destroy(destroyer)`.
  template <class T, class Rule> void by(T& x, const Rule& rule) { put(x, rule.token(w_)); }
  template <class Base, class T> void base(T& x) {
    static_assert(kind_of<Base>() != kind::polymorphic || kind_of<T>() == kind::polymorphic,
                  "deep copy: the base has enable_shared_from_this, which this class hides");
    part(static_cast<Base&>(x));
  }

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
      lay_aside(&token, sizeof token);
    }
  }
  void lay_aside(const void* bytes, std::size_t n) {
    const auto* const first = static_cast<const std::byte*>(bytes);
    w_.aside().insert(w_.aside().end(), first, first + n);
  }
  // Objects that come right behind this one: numbers of what they share are taken now.
  template <class T> void put_now(T* p, std::uint64_t n) {
    memory_sink objects;
    byte_sink* const before = w_.redirect(&objects);
    w_.values_now(p, static_cast<std::size_t>(n));
    w_.redirect(before);
    objects.finish();
    const std::uint64_t length = objects.bytes().size();
    lay_aside(&length, sizeof length);
    lay_aside(objects.bytes().data(), length);
  }

  template <class T> void part(T& x) {
    must_be_copyable<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      // Its bytes are in the copy; outside the object the second pass writes it.
    } else if constexpr (k == kind::pointer) {
      shared(x);
    } else if constexpr (k == kind::described) {
      run_description(*this, x);
    } else if constexpr (k == kind::polymorphic) {
      clear(x);
      w_.defer(&x, 1);
    } else if constexpr (k == kind::known) {
      put(x, known<T>::head(w_, x));
      if constexpr (!bounded<T>) known<T>::defer(w_, x);
    } else {
      for_each_part(x, [this](auto& p) {
        using member = std::remove_cvref_t<decltype(p)>;
        must_not_be_bare_pointer<member, T>();
        this->part(const_cast<member&>(p));
      });
    }
  }

  Writer& w_;
  const std::byte* object_;
  std::byte* copy_;
  std::size_t bytes_;
  std::size_t aside_;  // where that of this object begins
};

/// Second pass: writes what follows the object's bytes.
template <class Writer> class content_pass {
 public:
  static constexpr bool reads = false;

  content_pass(Writer& w, slot_pass<Writer>& first) : w_(w), first_(first), next_(first.aside_) {}

  template <class... T> void operator()(T&... parts) { (part(parts), ...); }

  template <class T, class... Rest> void owned(T*& p, Rest...) { from_aside(&p); }
  template <class T> void owned(std::unique_ptr<T>& p) { part(p); }
  template <class T, class Count> void owned(std::unique_ptr<T[]>& p, Count) { from_aside(&p); }
  template <class T, class Allocator> void owned(std::vector<T*, Allocator>& x) {
    from_aside(&x);
    for (T*& p : x) from_aside(&p);
  }
  template <class T, class... Rest> void shared(T*& p, Rest...) { from_aside(&p); }
  template <class T> void shared(std::unique_ptr<T>& p) { from_aside(&p); }
  template <detail::sequence_of_owners Sequence> void shared(Sequence& x) {
    from_aside(&x);
    for (auto& p : x) from_aside(&p);
  }
  template <class T> void observed(T*& p) { from_aside(&p); }
  template <class T, class... Rest> void owned_now(T*& p, Rest...) { now_from_aside(&p); }
  template <class T, class... Rest> void shared_now(T*& p, Rest...) { now_from_aside(&p); }
  template <class T, class Base, class Count> void points_into(T*& p, Base*, Count) { from_aside(&p); }
  template <class T> void local(T&) {}
  template <class Sequence> void sized(Sequence& x) { from_aside(&x); }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    from_aside(&x);
    rule.contents(w_);
  }
  template <class Base, class T> void base(T& x) { part(static_cast<Base&>(x)); }

 private:
  void next_from_aside(std::size_t n) {
    w_.sink().write(w_.aside().data() + next_, n);
    next_ += n;
  }
  void from_aside(const void* member) {
    if (!first_.inside(member)) next_from_aside(sizeof(std::uint64_t));
  }
  void now_from_aside(const void* member) {
    from_aside(member);
    std::uint64_t length;
    std::memcpy(&length, w_.aside().data() + next_, sizeof length);
    next_ += sizeof length;
    next_from_aside(length);
  }

  template <class T> void part(T& x) {
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      if (!first_.inside(&x)) w_.value(x);
    } else if constexpr (k == kind::pointer) {
      from_aside(&x);
    } else if constexpr (k == kind::described) {
      run_description(*this, x);
    } else if constexpr (k == kind::known) {
      from_aside(&x);
      if constexpr (bounded<T>) known<T>::contents(w_, x);
    } else if constexpr (k == kind::composite) {
      for_each_part(x, [this](auto& p) { this->part(const_cast<std::remove_cvref_t<decltype(p)>&>(p)); });
    }
  }

  Writer& w_;
  slot_pass<Writer>& first_;
  std::size_t next_;
};

/// For a polymorphic object, whose own bytes cannot travel: every member that is named is written in its turn.
template <class Writer> class stream_pass {
 public:
  static constexpr bool reads = false;

  explicit stream_pass(Writer& w) : w_(w) {}

  template <class... T> void operator()(T&... parts) {
    (must_not_be_named_plainly<T>(), ...);
    (part(parts), ...);
  }

  template <class T, countable Count = one_object>
  void owned(T*& p, Count n = {}, memory_space where = memory_space::host) {
    if (where == memory_space::host) return w_.count(w_.owned(p, checked_extent(n)));
    if constexpr (flat<std::remove_cv_t<T>>)
      w_.count(w_.owned_on_device(p, checked_extent(n)));
    else
      refuse("an array in device memory holds flat objects only");
  }
  template <class T> void owned(std::unique_ptr<T>& p) { part(p); }
  template <class T, countable Count> void owned(std::unique_ptr<T[]>& p, Count n) {
    w_.count(w_.owned(p.get(), checked_extent(n)));
  }
  template <class T, class Allocator> void owned(std::vector<T*, Allocator>& x) {
    sized(x);
    for (T*& p : x) owned(p);
  }
  template <class T, countable Count = one_object> void shared(T*& p, Count n = {}) {
    w_.count(w_.shared(p, checked_extent(n)));
  }
  template <class T> void shared(std::unique_ptr<T>& p) { w_.count(w_.shared(p.get(), {})); }
  template <detail::sequence_of_owners Sequence> void shared(Sequence& x) {
    sized(x);
    for (auto& p : x) shared(p);
  }
  template <class T> void observed(T*& p) { w_.count(w_.shared(p, {})); }
  template <class T, countable Count = one_object> void owned_now(T*& p, Count n = {}) {
    w_.count(w_.owned(p, checked_extent(n), true));
    if (p != nullptr) w_.values_now(p, checked_extent(n).n);
  }
  template <class T, countable Count = one_object> void shared_now(T*& p, Count n = {}) {
    const std::uint64_t token = w_.shared(p, checked_extent(n), true);
    w_.count(token);
    if (token & tokens::fresh) w_.values_now(p, checked_extent(n).n);
  }
  template <class T, class Base, countable Count> void points_into(T*& p, Base* base, Count n) {
    if (p == nullptr) return w_.count(0);
    const auto index = static_cast<std::uint64_t>(p - base);
    if (base == nullptr || index > checked_count(n)) refuse("m.points_into: the pointer points elsewhere");
    w_.count(index + 1);
  }
  template <class T> void local(T&) {}
  template <class Sequence> void sized(Sequence& x) { w_.count(x.size()); }
  template <class T, class Rule> void by(T&, const Rule& rule) {
    w_.count(rule.token(w_));
    rule.contents(w_);
  }
  template <class Base, class T> void base(T& x) { run_description(*this, static_cast<Base&>(x)); }

 private:
  template <class T> void part(T& x) { w_.value(x); }

  Writer& w_;
};

}  // namespace wherry::deep
