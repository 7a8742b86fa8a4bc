/// @file
/// Walks once through all types that a structure may hold, described ones included. The walk combines everything on
/// which both ends must agree into one number, and finds members that a description forgets before anything is sent.
///
/// Users specialise `version` and `is_looked_over` for their own types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/initializers.hpp"
#include "wherry/deep/detail/named_bytes.hpp"
#include "wherry/deep/detail/verbs.hpp"

namespace wherry::deep {

/// Specialise with another number when the meaning of `T` changes but its name, its size and the types of its members
/// do not. Files of another version are then refused, and so are messages from a program with another version.
template <class T> inline constexpr unsigned version = 0;

/// Each description is run once on an object from `T()`, to see which members it names. Specialise as false for a class
/// for which this must not happen: one with a description that leaves out members on purpose, for example those of a
/// union, or that cannot run on an empty object. Only the name and the size of such a class are compared, and members
/// that it forgets are not found.
template <class T> inline constexpr bool is_looked_over = true;

namespace detail {

/// True for a flat type without visible parts. Other types are not even asked whether they can be taken apart, because
/// Clang would look into their constructors.
template <class T, kind K>
constexpr bool is_one_value = [] {
  if constexpr (K != kind::flat)
    return false;
  else
    return is_flat<T> || !(is_pair_or_tuple<T> || is_std_array<T> || aggregates::can_be_taken_apart<T>());
}();

}  // namespace detail

/// Walks through types and hashes them.
class type_walk {
 public:
  explicit type_walk(std::uint64_t beginning) : hash_(beginning) {}

  std::uint64_t hash() const { return hash_; }
  /// A text about members that a description forgets, or an empty text.
  const std::string& problem() const { return problem_; }
  /// @throws error(argument) if a description forgets a member; this includes the descriptions of registered classes
  ///   that pointers lead to
  void must_be_complete() const;

  void add(std::uint64_t word) { hash_ = wherry::detail::hashed(hash_, word); }
  void add(std::string_view name) { hash_ = wherry::detail::hashed(hash_, name); }
  template <class T> [[gnu::cold]] void type();

 private:
  /// The address of this variable represents the type.
  template <class T> static constexpr char mark_of = 0;

  template <class... T> void parts(types<T...>) {
    (type<std::remove_cv_t<T>>(), ...);
    add(sizeof...(T));
  }
  template <class T> [[gnu::cold]] void class_with_description();
  template <class T> [[gnu::cold]] void names_of(T& blank, class_elements& elements);
  /// @return false for a type that was met before; it need not be walked through again
  bool is_new(const char* mark);
  /// Keeps the first problem.
  void report(std::string problem);

  std::uint64_t hash_;
  std::string problem_;
  std::vector<const char*> met_;
  std::vector<const std::type_info*> bases_;  // classes with pointers to them: objects of derived classes may be met
};

/// The `m` of a description that only records which members it names.
class name_pass : public verbs<name_pass> {
 public:
  name_pass(type_walk& walk, named_bytes& named) : walk_(walk), named_(named) {}
  name_pass(const name_pass&) = delete;
  name_pass& operator=(const name_pass&) = delete;
  ~name_pass() {
    for (void* each : pointers_) std::memset(each, 0, sizeof(void*));
  }

  template <class Object, countable Count = one_object> void owned_now(Object*& p, Count n = {}) {
    verbs::owned_now(p, n);
    stand_in(p);
  }
  template <class Object, countable Count = one_object> void shared_now(Object*& p, Count n = {}) {
    verbs::shared_now(p, n);
    stand_in(p);
  }
  template <class Member> void skip(Member& x) { name<Member>(std::addressof(x), 0); }
  template <class Base, class Object> void base(Object& x) {
    if constexpr (described<Base>)
      detail::run_description(*this, static_cast<Base&>(x));
    else
      part(static_cast<Base&>(x));
  }
  template <class Member, class Rule> void by(Member& x, const Rule&) {
    if constexpr (requires { Rule::verb; })
      name<Member>(std::addressof(x), Rule::verb);
    else
      name<Member>(std::addressof(x), 1);
    if constexpr (detail::is_unique_ptr<Member>)
      walk_.type<typename Member::pointer>();  // its length, if any, is named elsewhere
    else
      walk_.type<Member>();
  }

 private:
  friend verbs<name_pass>;

  template <class Member> void part(Member& x) {
    name<Member>(std::addressof(x), 2);
    walk_.type<Member>();
  }
  template <class Member> void name(const void* member, unsigned verb) {
    walk_.add(verb);
    walk_.add(named_.add(member, sizeof(Member)));
  }

  /// Puts an object behind the pointer, because the description may look at it.
  template <class Object> void stand_in(Object*& p) {
    using object = std::remove_cv_t<Object>;
    if constexpr (std::is_default_constructible_v<object>) {
      if (p != nullptr) return;
      auto blank = std::make_shared<object>();
      pointers_.push_back(const_cast<object**>(&p));
      p = blank.get();
      stand_ins_.push_back(std::move(blank));
    }
  }

  type_walk& walk_;
  named_bytes& named_;
  std::vector<std::shared_ptr<void>> stand_ins_;
  std::vector<void*> pointers_;  // to be set to null again
};

template <class T> void type_walk::type() {
  constexpr kind k = detail::kind_of<T>();
  add(static_cast<std::uint64_t>(k) | std::uint64_t{version<T>} << 8);
  if constexpr (std::is_void_v<T>) {
  } else if constexpr (std::is_array_v<T>) {
    add(std::extent_v<T>);
    type<std::remove_extent_t<T>>();
  } else if constexpr (detail::is_one_value<T, k>) {
    add(sizeof(T) << 8 | alignof(T));
    if constexpr (is_flat<T>) add(typeid(T).name());
    add(std::is_floating_point_v<T> * 4U + std::is_integral_v<T> * 2U + std::is_signed_v<T>);
  } else if constexpr (k == kind::pointer) {
    using object = detail::pointee<T>;
    if constexpr (std::is_polymorphic_v<object>) bases_.push_back(&typeid(object));
    type<object>();
  } else if (is_new(&mark_of<T>)) {
    if constexpr (k == kind::flat || k == kind::composite) {
      add(sizeof(T));
      parts(typename detail::part_types<T>::type());
    } else if constexpr (k == kind::known) {
      add(sizeof(T));
      parts(typename known<T>::contains());
    } else if constexpr (requires { typename description<T>::stands_for; }) {
      type<typename description<T>::stands_for>();
    } else {
      add(sizeof(T));
      add(typeid(T).name());
      if constexpr (k == kind::described || k == kind::polymorphic) class_with_description<T>();
    }
  }
}

template <class T> void type_walk::class_with_description() {
  if constexpr (is_looked_over<T> && std::is_default_constructible_v<T>) {
    class_elements elements;
    if constexpr (has_initializers<T>) {
      note_initializers<T>([&]<class Member>(std::in_place_type_t<Member>) {
        elements.add<Member>();
        // Named members are walked through when the description names them.
        add(sizeof(Member));
        if constexpr (std::is_arithmetic_v<Member> || std::is_enum_v<Member>)
          type<Member>();
        else if constexpr (std::is_class_v<Member> && std::is_trivially_copyable_v<Member>)
          add(typeid(Member).name());
      });
    }
    const blank_memory memory(sizeof(T), alignof(T));
    try {
      T& blank = *::new (memory.get()) T();
      const detail::destroyed_at_end<T> end{blank};
      names_of(blank, elements);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      // The description cannot run on an empty object: only the members that it named until then are known, on both
      // sides alike.
    }
  }
}

template <class T> void type_walk::names_of(T& blank, class_elements& elements) {
  named_bytes named(std::addressof(blank), sizeof(T), alignof(T), typeid(T));
  name_pass pass(*this, named);
  detail::run_description(pass, blank);
  if constexpr (aggregates::has_reference<T>()) {
    // The place of the reference, and so the other bytes without a name, cannot be known.
  } else if constexpr (detail::kind_of<T>() == kind::polymorphic) {
    if constexpr (detail::knows_its_owner<T>) detail::name_owner(named, blank);
    report(named.lost(detail::value_bytes<T>(), std::is_polymorphic_v<T>));
  } else if (elements.fill(sizeof(T), alignof(T))) {
    report(named.forgotten(elements));
  } else {
    report(named.pointer_into_itself());
  }
}

}  // namespace wherry::deep
