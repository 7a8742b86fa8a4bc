/// @file
/// Decides at compile time how a deep copy treats each type: as flat, described, known or a composite of such types.
/// For any other type, the compiler's error names the missing description. A type with pointers names them in a
/// function:
///
///     struct tree {
///       tree *left = nullptr, *right = nullptr;
///       template <class Message> void describe(Message& m) { m.owned(left), m.owned(right); }
///     };
///
/// The calls of `m` are: `m(x, …)` for members that are not raw pointers; `m.owned(p)` and `m.owned(p, n)` for an
/// object or an array of n objects that only `p` owns; `m.shared(p)` for an object that several pointers share;
/// `m.observed(p)` for a pointer to an object that a shared_ptr or an `m.shared` owns somewhere in the structure;
/// `m.shared(u)` for a unique_ptr whose object others observe; `m.points_into(p, base, n)` for a pointer into the array
/// of n objects at `base`; `m.skip(x)` for a member that does not travel; `m.template base<B>(*this)` for a
/// base class. docs/deep_descriptions.md explains them and has a few more.
///
/// A description names every member that has pointers or is a container. Members without pointers, such as numbers,
/// travel by themselves. A polymorphic class must name all its members, because its bytes do not travel; it names a
/// count `n` before the pointer that needs it. No description is needed for numbers, for standard containers and smart
/// pointers, and for aggregates of these without raw pointers.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "wherry/deep/detail/aggregates.hpp"
#include "wherry/deep/flat.hpp"
#include "wherry/plan/element.hpp"

namespace wherry::deep {

/// Specialise this for a type that you cannot change: `static void describe(auto& m, T& x)` names its pointers and
/// containers. If `T` only wraps another type, which the other side may use instead, add `using stands_for = …`.
template <class T> struct description;

/// Types that the library knows: containers, strings and smart pointers. Specialised in detail/.
template <class T> struct known;

/// Gives the library access to a private `describe`: such a class declares `friend struct wherry::deep::access;`.
struct access {
  template <class T, class Message> static auto describe(T& x, Message& m) -> decltype(x.describe(m)) {
    return x.describe(m);
  }
  template <class Result, class Class, class Message> static Class class_of(Result (Class::*)(Message&));
  template <class Result, class Class, class Message> static Class class_of(Result (Class::*)(Message&) const);
  /// The class that declares the description of `T`: `T` itself or a base.
  template <class T, class Message> static auto describer() -> decltype(class_of(&T::template describe<Message>));
};

namespace detail {

/// A message type for compile-time tests that only ask whether a type has a description.
struct any_message {
  static constexpr bool reads = false;
  template <class... T> void operator()(T&...);
  template <class... T> void owned(T&&...);
  template <class... T> void shared(T&&...);
  template <class... T> void owned_now(T&&...);
  template <class... T> void shared_now(T&&...);
  template <class... T> void observed(T&&...);
  template <class... T> void points_into(T&&...);
  template <class... T> void skip(T&&...);
  template <class... T> void sized(T&&...);
  template <class Base, class T> void base(T&&);
};

/// True for a class with std::enable_shared_from_this, which holds a weak pointer that must not be overwritten.
template <class T>
concept knows_its_owner = requires(T& x) { x.shared_from_this(); };

/// True for a class with a part that must stay as its constructor makes it. A reference that hides behind a
/// constructor, in a class with a description, is not recognised.
template <class T>
constexpr bool is_made_before_it_is_read =
    std::is_polymorphic_v<T> || knows_its_owner<T> || aggregates::has_reference<T>();

template <class T> constexpr bool is_unique_ptr = false;
template <class T, class Deleter> constexpr bool is_unique_ptr<std::unique_ptr<T, Deleter>> = true;

template <class T> constexpr bool is_owner_of_array = false;
template <class T, class Deleter> constexpr bool is_owner_of_array<std::unique_ptr<T, Deleter>> = std::is_array_v<T>;
template <class T> constexpr bool is_owner_of_array<std::shared_ptr<T>> = std::is_array_v<T>;
template <class T> constexpr bool is_owner_of_array<std::weak_ptr<T>> = std::is_array_v<T>;
/// A container of unique_ptrs.
template <class T>
concept sequence_of_owners = requires(T& x, std::size_t n) { x.resize(n); } && is_unique_ptr<typename T::value_type>;

template <class T, class Message>
concept described_outside = requires(Message& m, T& x) { description<T>::describe(m, x); };
template <class T, class Message>
concept described_inside = requires(Message& m, T& x) { access::describe(x, m); };
template <class T, class Message>
concept described_freely = requires(Message& m, T& x) { describe(m, x); };

/// True if the description of `T` is that of a base, and `T` has members that the base does not have.
template <class T> constexpr bool inherits_description() {
  if constexpr (requires { access::describer<T, any_message>(); }) {
    using describer = decltype(access::describer<T, any_message>());
    return !described_outside<T, any_message> && !described_freely<T, any_message> && sizeof(T) != sizeof(describer);
  } else {
    return false;
  }
}

template <class T> constexpr bool is_complete = requires { sizeof(T); };

template <class T> constexpr bool is_pair_or_tuple = false;
template <class A, class B> constexpr bool is_pair_or_tuple<std::pair<A, B>> = true;
template <class... T> constexpr bool is_pair_or_tuple<std::tuple<T...>> = true;
template <class T> constexpr bool is_view = false;
template <class... T> constexpr bool is_view<std::basic_string_view<T...>> = true;
template <class T, std::size_t N> constexpr bool is_view<std::span<T, N>> = true;
template <class T> constexpr bool is_view<std::reference_wrapper<T>> = true;
template <class T> constexpr bool is_std_array = false;
template <class T, std::size_t N> constexpr bool is_std_array<std::array<T, N>> = true;

}  // namespace detail

/// True if `T` has a description, in one of the three forms.
template <class T>
concept described = std::is_class_v<T> && (detail::described_outside<T, detail::any_message> ||
                                           detail::described_inside<T, detail::any_message> ||
                                           detail::described_freely<T, detail::any_message>);

namespace detail {

/// Runs the description of `x`. A description outside the class takes precedence, so that a user can replace the
/// description of another library's class.
template <class Message, class T> void run_description(Message& m, T& x) {
  if constexpr (detail::described_outside<T, any_message>)
    description<T>::describe(m, x);
  else if constexpr (detail::described_freely<T, any_message>)
    describe(m, x);
  else
    access::describe(x, m);
}

}  // namespace detail

/// How a deep copy treats a type.
enum class kind { flat, pointer, known, described, polymorphic, composite, none };

namespace detail {

template <class T> constexpr kind kind_of();

// `Seen` lists the types that are being examined, so that a type that contains itself ends the search.
template <class T, class... Seen> constexpr bool is_one_of = (std::is_same_v<T, Seen> || ...);

template <class Tuple> struct flat_members;
template <class... T> struct flat_members<std::tuple<T&...>> {
  static constexpr bool value = ((kind_of<std::remove_const_t<T>>() == kind::flat) && ...);
};
template <class T>
constexpr bool members_are_flat = flat_members<decltype(aggregates::members(std::declval<T&>()))>::value;

template <class T> struct flat_elements;
template <class A, class B> struct flat_elements<std::pair<A, B>> {
  static constexpr bool value = kind_of<A>() == kind::flat && kind_of<B>() == kind::flat;
};
template <class... T> struct flat_elements<std::tuple<T...>> {
  static constexpr bool value = ((kind_of<T>() == kind::flat) && ...);
};
template <class T, std::size_t N> struct flat_elements<std::array<T, N>> {
  static constexpr bool value = N == 0 || kind_of<T>() == kind::flat;
};

template <class T> constexpr kind kind_of_class() {
  if constexpr (described<T>) {
    return is_made_before_it_is_read<T> ? kind::polymorphic : kind::described;
  } else if constexpr (is_view<T>) {
    return kind::none;
  } else if constexpr (is_flat<T>) {
    static_assert(std::is_trivially_copyable_v<T>, "deep copy: is_flat<T> is for trivially copyable types");
    return kind::flat;
  } else if constexpr (is_complete<known<T>>) {
    return kind::known;
  } else if constexpr (is_pair_or_tuple<T> || is_std_array<T>) {
    return flat_elements<T>::value ? kind::flat : kind::composite;
  } else if constexpr (std::is_empty_v<T> && std::is_trivially_copyable_v<T>) {
    return kind::flat;
  } else if constexpr (aggregates::can_be_taken_apart<T>()) {
    if constexpr (!std::is_trivially_copyable_v<T>)
      return kind::composite;
    else
      return members_are_flat<T> ? kind::flat : kind::composite;
  } else {
    return kind::none;
  }
}

/// How a deep copy treats `T`, which is not const.
template <class T> constexpr kind kind_of() {
  if constexpr (std::is_array_v<T>) {
    constexpr kind of_element = kind_of<std::remove_all_extents_t<T>>();
    return of_element == kind::flat || of_element == kind::none ? of_element : kind::composite;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return kind::flat;
  } else if constexpr (std::is_pointer_v<T>) {
    return std::is_object_v<std::remove_pointer_t<T>> ? kind::pointer : kind::none;
  } else if constexpr (std::is_class_v<T>) {
    return detail::kind_of_class<T>();
  } else if constexpr (std::is_union_v<T>) {
    return is_flat<T> ? kind::flat : kind::none;
  } else {
    return kind::none;
  }
}

}  // namespace detail

/// True if the bytes of a `T` are all that a copy needs.
template <class T> constexpr bool flat = detail::kind_of<T>() == kind::flat;

namespace detail {

/// The reason why an aggregate without a description cannot be taken apart.
template <class T> constexpr aggregates::obstacle obstacle_of() {
  if constexpr (std::is_class_v<T> && kind_of<T>() == kind::none)
    return aggregates::obstacle_of<T>();
  else
    return aggregates::obstacle::none;
}

/// Ends the compilation if `T` cannot be copied, with a text that names the missing description.
template <class T> constexpr void must_be_copyable() {
  constexpr bool known = kind_of<T>() != kind::none;
  static_assert(!std::is_void_v<T>, "deep copy: nobody knows what a void* points to: describe a pointer to what it is");
  static_assert(!std::is_const_v<T>,
                "deep copy: what is read is changed: no member is const, and no `describe` is a const function");
  static_assert(std::is_void_v<T> || std::is_object_v<T>,
                "deep copy: an object is needed, not a reference or a function");
  static_assert(!detail::is_owner_of_array<T>,
                "deep copy: nobody knows how long the array of a smart pointer is: of a unique_ptr<T[]> m.owned(p, n) "
                "says it; instead of a shared_ptr<T[]> use one of a vector");
  static_assert(!detail::is_unique_ptr<T> || detail::is_owner_of_array<T> || known,
                "deep copy: nobody can make what the deleter of this unique_ptr is for: m.skip(p), or a description "
                "that says how it travels");
  constexpr auto obstacle = obstacle_of<T>();
  constexpr bool refers = obstacle == aggregates::obstacle::reference;
  static_assert(
      !refers,
      "deep copy: a member of this aggregate is a reference, which cannot refer to what arrives: make it a "
      "pointer, or give the aggregate `template <class M> void describe(M& m)`, which leaves the reference as "
      "the default constructor makes it");
  constexpr bool hides = obstacle == aggregates::obstacle::union_member ||
                         obstacle == aggregates::obstacle::bit_field || obstacle == aggregates::obstacle::other;
  static_assert(!hides,
                "deep copy: an aggregate with bit-fields, with packed members or with a union cannot be taken apart: "
                "give it `template <class M> void describe(M& m)` that names its pointers and containers; "
                "wherry::deep::is_flat<T> = true says that its bytes are all");
  static_assert(
      known || !std::is_object_v<T> || std::is_const_v<T> || detail::is_unique_ptr<T> || detail::is_owner_of_array<T> ||
          refers || hides,
      "deep copy: nothing is known of this type. Give it `template <class M> void describe(M& m)` that names its "
      "pointers and containers, as in m(a, b) or m.owned(p), or specialise wherry::deep::description<T> when it "
      "is not yours; wherry::deep::is_flat<T> = true says that its bytes are all; a view or a function pointer cannot "
      "travel by itself");
  static_assert(
      !detail::inherits_description<T>(),
      "deep copy: this class has its description from a base, which knows nothing of the members that it adds: "
      "write one that begins with m.template base<B>(*this)");
  static_assert(
      kind_of<T>() != kind::polymorphic || std::is_default_constructible_v<T> || std::is_abstract_v<T>,
      "deep copy: a polymorphic class, one with enable_shared_from_this, and one with a reference, is built by "
      "its default constructor before it is read: write one");
}

/// True if `must_be_copyable` accepts `T`. Code that depends on this causes no second compile error after the first
/// one.
template <class T>
constexpr bool is_copyable = std::is_object_v<T> && !std::is_const_v<T> && kind_of<T>() != kind::none;

/// Ends the compilation: a description names variables, not constants or temporary objects.
template <class T> constexpr void must_not_be_constant() {
  static_assert(
      std::is_const_v<T> && !std::is_const_v<T>,
      "deep copy: m.owned(p, n), m.shared(p) and their like name a pointer that is a variable, for what is read is "
      "changed, and n is an integer: no member is const, and no `describe` is a const function");
}

/// Ends the compilation for a raw pointer in an aggregate without a description: it may own its object or not.
template <class Member, class Whole> constexpr void must_not_be_bare_pointer() {
  constexpr bool named = std::is_array_v<Whole> || detail::is_std_array<Whole> || detail::is_pair_or_tuple<Whole>;
  static_assert(named || kind_of<std::remove_all_extents_t<Member>>() != kind::pointer,
                "deep copy: a raw pointer in an aggregate says not whether it owns: give the aggregate "
                "`template <class M> void describe(M& m) { m.owned(p); }` (or m.shared(p), m.owned(p, n), m.skip(p))");
}
/// Ends the compilation for an element without a default constructor: elements are made before they are read.
template <class T> constexpr void must_be_default_constructible() {
  static_assert(
      std::is_default_constructible_v<T>,
      "deep copy: an element of a container is built by its default constructor before it is read: write one");
}
/// Ends the compilation for `m(p)` with a raw pointer `p`.
template <class T> constexpr void must_not_be_named_plainly() {
  static_assert(kind_of<T>() != kind::pointer,
                "deep copy: m(p) says not whether the pointer owns: write m.owned(p), m.shared(p), m.observed(p), "
                "m.owned(p, n) or m.skip(p)");
}

template <class Pointer> using pointee = std::remove_cv_t<std::remove_pointer_t<Pointer>>;

template <class T, class Do, std::size_t... I> void for_elements(T& x, const Do& run, std::index_sequence<I...>) {
  using std::get;
  (run(get<I>(x)), ...);
}

/// Calls `run(part)` for each element of a pair, tuple or array, or for each member of an aggregate, constant or not.
template <class T, class Do> void for_each_part(T& x, Do run) {
  const auto one = [&run](auto& part) {
    using member = std::remove_cvref_t<decltype(part)>;
    must_not_be_bare_pointer<member, T>();
    run(const_cast<member&>(part));
  };
  if constexpr (std::is_array_v<T> || detail::is_std_array<T>) {
    for (auto& element : x) one(element);
  } else if constexpr (detail::is_pair_or_tuple<T>) {
    detail::for_elements(x, one, std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    auto parts = aggregates::members(x);
    detail::for_elements(parts, one, std::make_index_sequence<std::tuple_size_v<decltype(parts)>>());
  }
}

}  // namespace detail

/// The types of the parts of a composite, as `types<A, B, …>`.
template <class... T> struct types {};

namespace detail {

template <class Tuple> struct member_types;
template <class... T> struct member_types<std::tuple<T&...>> {
  using type = types<T...>;
};
template <class T> struct part_types {
  using type = typename member_types<decltype(aggregates::members(std::declval<T&>()))>::type;
};
template <class T, std::size_t N> struct part_types<T[N]> {
  using type = types<T>;
};
template <class T, std::size_t N> struct part_types<std::array<T, N>> {
  using type = types<T>;
};
template <class A, class B> struct part_types<std::pair<A, B>> {
  using type = types<std::remove_const_t<A>, B>;
};
template <class... T> struct part_types<std::tuple<T...>> {
  using type = types<T...>;
};

template <class T, class... Seen> constexpr bool is_bounded();
template <class... T, class... Seen> constexpr bool all_bounded(types<T...>, types<Seen...>) {
  return (is_bounded<T, Seen...>() && ...);
}

template <class T, class... Seen> constexpr bool is_bounded() {
  constexpr kind k = kind_of<T>();
  if constexpr (k == kind::flat)
    return true;
  else if constexpr (is_one_of<T, Seen...>)
    return false;
  else if constexpr (k == kind::composite)
    return all_bounded(typename part_types<T>::type(), types<T, Seen...>());
  else if constexpr (k == kind::known)
    return all_bounded(typename known<T>::contains(), types<T, Seen...>());
  else
    return false;
}

}  // namespace detail

/// True if the type bounds how deep a `T` nests (a string, a vector of strings): it is written and read at once, by
/// nested calls. A type that contains pointers, a description or itself is deferred to the stack instead.
template <class T> constexpr bool bounded = detail::is_bounded<T>();

namespace detail {

template <class T, class... Seen> constexpr std::size_t fewest_bytes();
template <class... T, class... Seen> constexpr std::size_t least_sum(types<T...>, types<Seen...>) {
  return (fewest_bytes<T, Seen...>() + ... + 0);
}
template <class T, class... Seen> constexpr std::size_t fewest_bytes() {
  constexpr kind k = kind_of<T>();
  if constexpr (is_one_of<T, Seen...>)
    return 1;
  else if constexpr (k == kind::flat || k == kind::described)
    return sizeof(T);
  else if constexpr (k == kind::known)
    return sizeof(std::uint64_t);
  else if constexpr (std::is_array_v<T>)
    return std::extent_v<T> * fewest_bytes<std::remove_extent_t<T>, Seen...>();
  else if constexpr (is_std_array<T>)
    return std::tuple_size_v<T> * fewest_bytes<typename T::value_type, Seen...>();
  else if constexpr (k == kind::composite)
    return least_sum(typename part_types<T>::type(), types<T, Seen...>());
  else
    return 1;
}

/// The fewest bytes of a `T` in a stream: a count that arrives may not ask for more memory than the stream can fill.
template <class T> constexpr std::size_t least_bytes = detail::fewest_bytes<T>();

}  // namespace detail

}  // namespace wherry::deep
