/// @file
/// What enters a plan as code rather than data, at bind time: reductions, and a user's gather and scatter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/core/plain_algorithms.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/plan/element.hpp"

namespace wherry {

/// Operations that are known for what they do: those that a device can do, too.
enum class known_operation : std::uint8_t { none, add, minimum, maximum, convert };

/// What happens on arrival instead of storing. Called once per contiguous run, or per equally spaced runs, never per
/// element.
struct reduction {
  std::string name;         ///< what the operation is to other ranks, which compare it
  std::size_t element = 1;  ///< bytes of one element in the field
  /// `into[i] = into[i] (op) from[i]` for `count` elements. The two never overlap.
  std::function<void(void* into, const void* from, std::size_t count)> apply;
  std::size_t wire_element = 0;  ///< bytes of one element as it arrives; 0: as in the field
  /// What was there before does not matter: arrivals may then come in any order, and two at one place are an error.
  bool stores = false;
  /// The same for `rows` of `count` elements whose targets begin `stride` bytes apart. May be missing; with short rows,
  /// as in the faces of a box, it is several times faster.
  std::function<void(void* into, std::ptrdiff_t stride, const void* from, std::size_t count, std::size_t rows)>
      apply_rows{};
  element_type type{};       ///< what it works on: one element is one or more of these
  element_type wire_type{};  ///< the same as it arrives
  /// Not empty: no operation of its own, but for messages whose blocks arrive in different ways. `block::operation`
  /// is a place in this list, or `store`.
  std::vector<reduction> by_block{};
  known_operation known = known_operation::none;  ///< `apply` does what this says for the two types

  /// Bytes of one element as it arrives.
  std::size_t arriving() const { return wire_element != 0 ? wire_element : element; }
};

/// "'add' of 8-byte floating-point": what two ranks compare.
std::string identity(const reduction& operation);

/// What messages name whose blocks arrive by several of these, or are stored.
reduction operations_by_block(const std::vector<reduction>& operations);

inline reduction known_as(known_operation what, reduction made) {
  made.known = what;
  return made;
}

/// A reduction from any binary function of two elements: `make_reduction<double>("add", std::plus<>{})`.
template <class T, class Operation> reduction make_reduction(std::string name, Operation operation);

/// The sum. That of signed integers wraps around, as MPI_SUM does; C++'s own must not overflow.
template <class T> reduction add() {
  return known_as(known_operation::add, make_reduction<T>("add", [](const T& a, const T& b) {
                    if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(std::uint64_t))
                      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
                    else
                      return static_cast<T>(a + b);
                  }));
}

/// The smaller of two. For floating-point numbers it is `minimum` of IEEE 754-2019: a NaN stays (where it is from
/// should be found, and a solver's residual must not hide it), as the one quiet NaN of the type, and -0 is less than
/// +0. So the result's bits do not depend on the order of arrival. (Not with -ffast-math, which knows neither.)
template <class T> T smaller(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (__builtin_isunordered(a, b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return __builtin_signbit(a) ? a : b;
  }
  return detail::least(a, b);
}
/// The larger of two; NaN and zeros as in `smaller`.
template <class T> T larger(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (__builtin_isunordered(a, b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return __builtin_signbit(a) ? b : a;
  }
  return detail::most(a, b);
}

template <class T> reduction minimum() {
  return known_as(known_operation::minimum,
                  make_reduction<T>("min", [](const T& a, const T& b) { return smaller(a, b); }));
}
template <class T> reduction maximum() {
  return known_as(known_operation::maximum,
                  make_reduction<T>("max", [](const T& a, const T& b) { return larger(a, b); }));
}

/// What arrives as elements of another type than the field's: `operation(there, arrived)` is what is then there.
///     make_conversion<double, float>("add", [](double there, float arrived) { return there + arrived; })
/// The wire carries the sender's elements. The receiving blocks say so by their `wire_element`, here sizeof(float); the
/// sending blocks are like any others.
template <class To, class From, class Operation> reduction make_conversion(std::string name, Operation operation);

/// Stores each element as assignment would convert it.
template <class To, class From> reduction convert() {
  auto result =
      make_conversion<To, From>("convert", [](const To&, const From& arrived) { return static_cast<To>(arrived); });
  result.stores = true;
  result.known = known_operation::convert;
  return result;
}

/// A user's own data structure, seen by the library as two functions (paper 1, section 1: the layer L1).
struct accessor {
  /// Copies the region's bytes out of the structure to `wire`. `structure` is the field's pointer of this start.
  std::function<void(const void* structure, std::int64_t region, std::byte* wire)> gather;
  /// Copies the region's bytes from `wire` into the structure.
  std::function<void(void* structure, std::int64_t region, const std::byte* wire)> scatter;
};

/// The code of one plan. `schedule` refers to it by place.
struct functions {
  std::vector<reduction> reductions;
  std::vector<accessor> accessors;  ///< one a field that has called blocks; else may be shorter

  /// Does an operation (`store`, or a place in `reductions`) keep what was there before? Then order matters.
  bool combines(int operation) const {
    if (operation < 0) return false;
    const auto& op = reductions[static_cast<std::size_t>(operation)];
    if (op.by_block.empty()) return !op.stores;
    for (const reduction& one : op.by_block)
      if (!one.stores) return true;
    return false;
  }
  /// What is done with a block of operation `of_block` in a message of operation `of_message`. Null: it is stored.
  const reduction* on_arrival(int of_message, int of_block) const {
    if (of_message < 0) return nullptr;
    const auto& op = reductions[static_cast<std::size_t>(of_message)];
    if (op.by_block.empty()) return &op;
    const auto place = static_cast<std::size_t>(of_block);
    return place < op.by_block.size() ? &op.by_block[place] : nullptr;
  }
};

}  // namespace wherry

template <class To, class From, class Operation>
wherry::reduction wherry::make_conversion(std::string name, Operation operation) {
  static_assert(wherry::travels_as_bytes<To> && wherry::travels_as_bytes<From>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  reduction made;
  made.name = std::move(name);
  made.element = sizeof(To);
  made.wire_element = sizeof(From);
  made.type = element_of<To>();
  made.wire_type = element_of<From>();
  made.apply = [operation](void* into, const void* from, std::size_t count) {
    auto* target = static_cast<To*>(into);
    const auto* source = static_cast<const From*>(from);
    for (std::size_t i = 0; i < count; ++i) target[i] = operation(target[i], source[i]);
  };
  made.apply_rows = [operation](void* into, std::ptrdiff_t stride, const void* from, std::size_t count,
                                std::size_t rows) {
    auto* row = static_cast<std::byte*>(into);
    const auto* source = static_cast<const From*>(from);
    for (; rows > 0; --rows, row += stride, source += count) {
      auto* target = reinterpret_cast<To*>(row);
      for (std::size_t i = 0; i < count; ++i) target[i] = operation(target[i], source[i]);
    }
  };
  return made;
}

template <class T, class Operation> wherry::reduction wherry::make_reduction(std::string name, Operation operation) {
  static_assert(wherry::travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  return make_conversion<T, T>(std::move(name), std::move(operation));
}
