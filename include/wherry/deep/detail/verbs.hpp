/// @file
/// The verbs of a description, defined once for all passes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/rules.hpp"
#include "wherry/deep/detail/tokens.hpp"

namespace wherry::deep {

/// The bytes of one object, to tell whether a member lies inside.
struct object_bytes {
  const std::byte* object;
  std::size_t bytes;

  bool have(const void* member) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) - object) < bytes;
  }
};

/// The base class of each `Pass`, which has `by(member, rule)` (see rules.hpp), `part(member)` for members that
/// describe themselves, `skip(member)`, `base<B>(object)` and `reads`. Every call in a description becomes one of
/// these.
template <class Pass> class verbs {
 public:
  static constexpr bool reads = false;

  template <class... T> void operator()(T&... parts) { (named_plainly(parts), ...); }

  template <class T, countable Count = one_object> void owned(T*& p, Count n = {}) {
    by_pointer(p, detail::owned_rule<T, Count, false>{p, n});
  }
  template <class T, countable Count> void owned(T*& p, Count n, memory_space where) {
    if (where == memory_space::host) return owned(p, n);
    by_pointer(p, detail::device_rule<T, Count>{p, n});
  }
  template <class T> void owned(std::unique_ptr<T>& p) { pass().part(p); }
  template <class T, countable Count> void owned(std::unique_ptr<T[]>& p, Count n) {
    pass().by(p, detail::owned_array_rule<T, Count>{p, n});
  }
  template <class T, class Allocator> void owned(std::vector<T*, Allocator>& x) {
    sized(x);
    for (T*& p : x) owned(p);
    pass().through(x);
  }
  template <class T, countable Count = one_object> void shared(T*& p, Count n = {}) {
    by_pointer(p, detail::shared_rule<T, Count, false>{p, n});
  }
  template <class T> void shared(std::unique_ptr<T>& p) { pass().by(p, detail::shared_owner_rule<T>{p}); }
  template <detail::sequence_of_owners Sequence> void shared(Sequence& x) {
    sized(x);
    for (auto& p : x) shared(p);
    pass().through(x);
  }
  template <class T> void observed(T*& p) { by_pointer(p, detail::observed_rule<T>{p}); }
  template <class T, countable Count = one_object> void owned_now(T*& p, Count n = {}) {
    by_pointer(p, detail::owned_rule<T, Count, true>{p, n});
  }
  template <class T, countable Count = one_object> void shared_now(T*& p, Count n = {}) {
    by_pointer(p, detail::shared_rule<T, Count, true>{p, n});
  }
  template <class T, class Base, countable Count> void points_into(T*& p, Base* base, Count n) {
    pass().by(p, detail::points_into_rule<T, Base, Count>{p, base, n});
  }
  // Any other argument is an error at compile time.
  template <class T, class... More> void owned(const T&, const More&...) { detail::must_not_be_constant<T>(); }
  template <class T, class... More> void shared(const T&, const More&...) { detail::must_not_be_constant<T>(); }
  template <class T> void observed(const T&) { detail::must_not_be_constant<T>(); }
  template <class T, class... More> void owned_now(const T&, const More&...) { detail::must_not_be_constant<T>(); }
  template <class T, class... More> void shared_now(const T&, const More&...) { detail::must_not_be_constant<T>(); }
  template <class Sequence> void sized(Sequence& x) { pass().by(x, detail::sized_rule<Sequence>{x}); }

 protected:
  verbs() = default;
  ~verbs() = default;

  /// Called after all elements of a container have been named.
  template <class Sequence> void through(Sequence&) {}

 private:
  Pass& pass() { return static_cast<Pass&>(*this); }

  template <class T> void named_plainly(T& part) {
    detail::must_not_be_named_plainly<T>();
    detail::must_be_copyable<T>();
    if constexpr (detail::is_copyable<T> && detail::kind_of<T>() != kind::pointer) pass().part(part);
  }
  template <class T, class Rule> void by_pointer(T*& p, const Rule& rule) {
    using object = std::remove_cv_t<T>;
    detail::must_be_copyable<object>();
    if constexpr (detail::is_copyable<object>) pass().by(p, rule);
  }
};

}  // namespace wherry::deep
