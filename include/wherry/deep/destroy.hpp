/// @file
/// `destroy`: frees a structure along its description.
///
///     double* values = nullptr;
///     int n = 0;
///     wherry::deep::receive(comm, wherry::deep::array(values, n), from);
///     wherry::deep::destroy(values, n);
///
/// A structure in an arena is freed by `arena::clear` instead. Containers, and classes that free their pointers in
/// their destructors, need no call of `destroy`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/array_of.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/class_registry.hpp"
#include "wherry/deep/detail/item_stack.hpp"
#include "wherry/deep/detail/owned_once.hpp"
#include "wherry/deep/detail/tokens.hpp"
#include "wherry/deep/detail/verbs.hpp"
#include "wherry/deep/pointer_map.hpp"

namespace wherry::deep {

namespace detail {

class destroy_pass;

/// An object, or a shared owner of one, that other objects may still share when the object that named it has been
/// destroyed.
struct left_behind {
  void* object;
  extent n;
  std::shared_ptr<void> owner;
  void (*visit)(destroyer&, left_behind&);
};

/// Takes a structure apart without recursion on its depth. A description may look behind the pointers of its object, so
/// each pointer is set to null only after the description has run, and before the object behind it is freed: a
/// destructor that frees the same pointers then finds nothing to do. Shared objects are freed last, after all
/// descriptions have run.
class destroyer {
 public:
  using item = pending<destroyer>;

  /// @param frees false: pointers are set to null, and the objects behind them are left to their arena
  explicit destroyer(bool frees = true);
  ~destroyer();
  destroyer(const destroyer&) = delete;
  destroyer& operator=(const destroyer&) = delete;

  /// From now on shared objects are not freed, but recorded in `rest`.
  void leave_shared_to(std::vector<left_behind>& rest) { rest_ = &rest; }

  /// Takes the whole structure apart.
  /// @throws error(resource) if there is no memory to list the objects that are to be freed
  template <class T> void root(T& x) {
    take_apart(std::addressof(x), [](destroyer& d, void* object) {
      auto& here = *static_cast<T*>(object);
      if constexpr (is_array_of<T>) {
        d.owned(here.pointer, extent_of(here.count));
        here.pointer = nullptr;
      } else {
        if constexpr (!std::is_pointer_v<T>) d.spare(std::addressof(here));
        d.visit(here);
      }
    });
  }

  template <class T> void visit(T& x);
  template <class T> void visit(T* first, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) visit(first[i]);
  }

  template <class T> void owned(T* p, extent n) {
    if (is_to_be_freed(p, n)) later(p, n);
  }
  template <class T> void shared(T* p, extent n) {
    using object = std::remove_cv_t<T>;
    if (rest_ != nullptr)
      return leave({const_cast<object*>(p), n, nullptr,
                    [](destroyer& d, left_behind& x) { d.shared(static_cast<object*>(x.object), x.n); }});
    if (p != nullptr && frees_ && (n.is_array ? is_new(static_cast<const void*>(p)) : is_new(p))) {
      stack_.push({&visit_only<object>, const_cast<object*>(p), counted(n), nullptr});
      // Another object that points to it must still be able to look at it.
      bury({const_cast<object*>(p), counted(n), n.is_array ? &free_all<object> : &free_one<object>});
    }
  }
  /// Sets a pointer to null. A pointer inside the object that is being described is set when the description has run;
  /// any other pointer is set at once, because it may be gone by then.
  /// @return the old value of the pointer
  template <class T> T* forget(T*& p) {
    if (!whole_.have(&p)) return std::exchange(p, nullptr);
    forget_later(const_cast<std::remove_cv_t<T>**>(&p));
    return p;
  }
  /// Frees the object of a unique_ptr, which is never in an arena.
  template <class Owner> void owned_outside_arena(Owner& p) {
    if (p != nullptr) outside_arena(p.release());
  }
  template <class T> void outside_arena(T* p) { later(p, {}); }
  /// Visits the object of a shared_ptr and keeps it until the end, so that no destructor frees a long chain by
  /// recursion.
  template <class T> void shared_owner(std::shared_ptr<T>& p) {
    if (rest_ != nullptr)
      return leave({nullptr, {}, std::const_pointer_cast<std::remove_cv_t<T>>(p), [](destroyer& d, left_behind& x) {
                      auto owner = std::static_pointer_cast<std::remove_cv_t<T>>(std::move(x.owner));
                      d.shared_owner(owner);
                    }});
    if (p != nullptr && is_new(p.get())) {
      using object = std::remove_cv_t<T>;
      if constexpr (!bounded<object> || std::is_polymorphic_v<object>) {
        stack_.push({&visit_only<object>, const_cast<object*>(p.get()), 1, nullptr});
        keep(std::const_pointer_cast<object>(p));
      }
    }
    p.reset();
  }
  template <class T> void owned_on_device(T*& p) {
    if (p != nullptr) free_on_device(const_cast<std::remove_cv_t<T>*>(p));
    p = nullptr;
  }
  /// Marks an object that must not be freed here.
  void spare(const void* object) { is_new(object); }

  void drain();

 private:
  struct grave {
    void* object;
    std::size_t n;
    void (*free)(void*, std::size_t);
  };

  bool is_new(const void* object);
  template <class T> bool is_new(T* object) {
    if constexpr (std::is_polymorphic_v<T>)
      return is_new(dynamic_cast<const void*>(object));
    else
      return is_new(static_cast<const void*>(object));
  }

  void take_apart(void* root, void (*visit)(destroyer&, void* root));
  void free_on_device(void* p);
  bool is_to_be_freed(const volatile void* p, extent n);
  void bury(const grave& g);
  void keep(std::shared_ptr<void> owner);
  void leave(left_behind what);
  void forget_later(void* member);
  void forget_members(std::size_t since);

  template <class T> void later(T* p, extent n) {
    using object = std::remove_cv_t<T>;
    stack_.push({n.is_array ? &run<object, true> : &run<object, false>, const_cast<object*>(p), counted(n), nullptr});
  }
  // A count that does not fit in memory means that no object is known.
  static std::size_t counted(extent n) { return n.n == ~std::uint64_t{0} ? 0 : static_cast<std::size_t>(n.n); }

  template <class T> void visit_whole(T* p, std::size_t n) {
    if constexpr (std::is_polymorphic_v<T>) {
      if (n == 0) return;
      if (typeid(*p) != typeid(T)) return registered_class_as_it_is(typeid(*p)).visit(*this, dynamic_cast<void*>(p));
    }
    if constexpr (!std::is_abstract_v<T>) visit(p, n);
  }
  template <class T> static void visit_only(destroyer& d) {
    const item now = d.stack_.top();
    d.stack_.pop();
    d.visit_whole(static_cast<T*>(now.at), now.left);
  }
  template <class T, bool Array> static void run(destroyer& d) {
    const item now = d.stack_.top();
    d.stack_.pop();
    d.visit_whole(static_cast<T*>(now.at), now.left);
    if constexpr (Array)
      free_all<T>(now.at, now.left);
    else
      free_one<T>(now.at, 1);
  }
  template <class T> static void free_one(void* object, std::size_t) {
    T* const p = static_cast<T*>(object);
    if constexpr (std::has_virtual_destructor_v<T>) {
      delete p;
    } else if constexpr (!std::is_abstract_v<T>) {
      std::destroy_at(p);
      free_object(p);
    }
  }
  template <class T> static void free_all(void* objects, std::size_t n) {
    if constexpr (!std::is_abstract_v<T>) {
      std::destroy_n(static_cast<T*>(objects), n);
      free_array(static_cast<T*>(objects), n);
    }
  }

  bool frees_;
  std::vector<left_behind>* rest_ = nullptr;
  owned_once owned_once_;
  item_stack<item> stack_;
  pointer_map seen_;
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<grave> graves_;

  template <class T> void describe(T& x);

  object_bytes whole_{};        // the object that is being described, with all objects in it
  std::vector<void*> members_;  // its pointers that are to be set to null
};

/// The `m` of a description while its object is destroyed.
class destroy_pass : public verbs<destroy_pass> {
 public:
  explicit destroy_pass(destroyer& d) : d_(d) {}

  template <class T> void skip(T&) {}
  template <class Base, class T> void base(T& x) { d_.visit(static_cast<Base&>(x)); }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    rule.destroy(d_);
    if constexpr (std::is_pointer_v<T>) d_.forget(x);
  }

 private:
  friend verbs<destroy_pass>;

  template <class T> void part(T& x) { d_.visit(x); }
  template <class Sequence> void through(Sequence& x) { x.clear(); }

  destroyer& d_;
};

}  // namespace detail

// The descriptions of all objects around a member may look behind it: the outermost object decides when its pointers
// are set to null.
template <class T> void detail::destroyer::describe(T& x) {
  detail::destroy_pass pass(*this);
  if (whole_.have(std::addressof(x))) return detail::run_description(pass, x);
  const auto before = std::exchange(whole_, {reinterpret_cast<const std::byte*>(std::addressof(x)), sizeof(T)});
  const std::size_t mark = members_.size();
  detail::run_description(pass, x);
  forget_members(mark);
  whole_ = before;
}

template <class T> void detail::destroyer::visit(T& x) {
  constexpr kind k = detail::kind_of<T>();
  if constexpr (k == kind::pointer) {
    shared(x, {});
    x = nullptr;
  } else if constexpr (k == kind::described || k == kind::polymorphic) {
    describe(x);
  } else if constexpr (k == kind::known) {
    if constexpr (!bounded<T>) known<T>::visit(*this, x);
  } else if constexpr (k == kind::composite) {
    detail::for_each_part(x, [this](auto& part) { this->visit(part); });
  }
}

/// Frees all objects that `root` reaches through pointers, each shared object once, and sets those pointers to null.
/// Local. `root` may be a pointer (its object is freed as well), an array, an object or a container. It must not lie in
/// an arena. A single object is freed as one from `new T`; an array, even of one object, as one from `new T[n]`.
/// Objects from other allocations must not be freed with this function.
/// @throws error(resource) if there is no memory to list the objects that are to be freed; error(argument) if an object
///   is found to be owned twice
template <class T> void destroy(T&& root) { detail::destroyer().root(root); }
/// Frees the `n` objects at `p`, which come from `new T[n]`, and all objects that they reach. Local.
template <class T, class Count> void destroy(T*& p, Count n) { destroy(array(p, n)); }

}  // namespace wherry::deep
