/// @file
/// The `m` of a description that threw while it was reading: the description runs once more, as far as it had come, and
/// the members that it names are freed.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "wherry/deep/destroy.hpp"
#include "wherry/deep/detail/verbs.hpp"

namespace wherry::deep {

/// Frees the members that a reading pass had named when it threw.
class undo_pass : public verbs<undo_pass> {
 public:
  static constexpr bool reads = true;

  /// @param named the number of members that the reading pass has counted
  undo_pass(detail::destroyer& d, const object_bytes& whole, std::size_t named) : d_(d), whole_(whole), left_(named) {}

  /// Destroys the members of the object. Only after the description has run, because it may look at them.
  void destroy_members() {
    for (const member& each : members_) each.destroy(each.at);
  }

  template <class T> void skip(T& x) {
    next();
    at_the_end(x);
  }
  template <class Base, class T> void base(T& x) {
    if constexpr (detail::kind_of<Base>() == kind::polymorphic)
      detail::run_description(*this, static_cast<Base&>(x));
    else
      part(static_cast<Base&>(x));
  }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    next();
    rule.destroy(d_);
    if constexpr (!std::is_pointer_v<T>)
      at_the_end(x);
    else if (!whole_.have(std::addressof(x)))
      x = nullptr;
  }

 private:
  friend verbs<undo_pass>;

  struct that_was_all {};
  struct member {
    void* at;
    void (*destroy)(void*);
  };

  void next() {
    if (left_ == 0) throw that_was_all();
    --left_;
  }
  template <class T> void at_the_end(T& x) {
    if constexpr (!std::is_trivially_destructible_v<T>)
      if (whole_.have(std::addressof(x)))
        members_.push_back({std::addressof(x), [](void* at) { std::destroy_at(static_cast<T*>(at)); }});
  }

  // The order and the counting must be those of the reading pass.
  template <class T> void part(T& x) {
    constexpr kind k = detail::kind_of<T>();
    if constexpr (k == kind::pointer) {
      this->shared(x);
    } else if constexpr (k != kind::flat) {
      if (k == kind::polymorphic || k == kind::known || !whole_.have(std::addressof(x))) {
        next();
        d_.visit(x);
        at_the_end(x);
      } else if constexpr (k == kind::described) {
        detail::run_description(*this, x);
      } else if constexpr (k == kind::composite) {
        detail::for_each_part(x, [this](auto& p) { this->part(p); });
      }
    }
  }

  detail::destroyer& d_;
  object_bytes whole_;
  std::size_t left_;
  std::vector<member> members_;
};

}  // namespace wherry::deep
