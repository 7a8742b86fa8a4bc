/// @file
/// The code that enters a plan at bind time: reductions that combine arriving data with data that is there, and the
/// gather and scatter functions of users. Local, no MPI.
///
///     const auto larger_magnitude = wherry::make_reduction<double>(
///         "absmax", [](double a, double b) { return std::abs(a) > std::abs(b) ? a : b; });
///     wherry::index_exchange sums(comm, lists, {.reverse = true, .update = wherry::add<double>()}, x);
///     wherry::index_exchange peaks(comm, lists, {.reverse = true, .update = larger_magnitude}, x);
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

/// The operations whose meaning is known, so that a device can apply them too.
enum class known_operation : std::uint8_t { none, add, minimum, maximum, convert };

/// An operation on arriving data, in place of storing it. Its functions are called once for each contiguous run or
/// group of equally spaced runs, and never for each element.
struct reduction {
  std::string name;         ///< the name by which ranks compare operations
  std::size_t element = 1;  ///< bytes of one element in the field
  /// Computes `into[i] = into[i] (op) from[i]` for `count` elements. The two arrays never overlap.
  std::function<void(void* into, const void* from, std::size_t count)> apply;
  std::size_t wire_element = 0;  ///< bytes of one element on the wire; 0: as in the field
  /// True if the result does not depend on the old value. Arrivals may then come in any order, and two arrivals at one
  /// place are an error.
  bool stores = false;
  /// Does the same as `apply` for `rows` rows of `count` elements, whose targets begin `stride` bytes apart. Optional;
  /// for short rows, as in the faces of a box, it is several times faster than `apply`.
  std::function<void(void* into, std::ptrdiff_t stride, const void* from, std::size_t count, std::size_t rows)>
      apply_rows{};
  element_type type{};       ///< the type in the field; an element consists of one or more of these
  element_type wire_type{};  ///< the type on the wire
  /// If it is not empty, this is no operation of its own, but serves messages whose blocks arrive in different ways:
  /// `block::operation` is a place in this list, or `store`.
  std::vector<reduction> by_block{};
  known_operation known = known_operation::none;  ///< the operation that `apply` performs, if it is known

  /// Bytes of one element on the wire.
  std::size_t arriving() const { return wire_element != 0 ? wire_element : element; }
};

/// The identity that ranks compare: "'add' of 8-byte floating-point".
std::string identity(const reduction& operation);

/// The reduction of messages whose blocks arrive by several of these `operations`, or are stored.
reduction operations_by_block(const std::vector<reduction>& operations);

/// Marks the reduction `made` as one that performs `what`.
inline reduction known_as(known_operation what, reduction made) {
  made.known = what;
  return made;
}

/// Makes a reduction from any function of two elements: `make_reduction<double>("add", std::plus<>{})`. All ranks
/// must give the same name.
template <class T, class Operation> reduction make_reduction(std::string name, Operation operation);

/// The sum. Sums of signed integers wrap around as MPI_SUM does; plain C++ addition would be undefined.
template <class T> reduction add() {
  return known_as(known_operation::add, make_reduction<T>("add", [](const T& a, const T& b) {
                    if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(std::uint64_t))
                      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
                    else
                      return static_cast<T>(a + b);
                  }));
}

/// The smaller of two elements. For floating-point numbers it is `minimum` of IEEE 754-2019: if one is a NaN, the
/// result is the one quiet NaN of the type, so that a NaN is not hidden from a solver; and -0 is less than +0. So the
/// bits of the result do not depend on the order of arrival. (With -ffast-math the compiler ignores NaNs and signed
/// zeros.)
template <class T> T smaller(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (__builtin_isunordered(a, b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return __builtin_signbit(a) ? a : b;
  }
  return detail::least(a, b);
}
/// The larger of two elements; NaNs and zeros are treated as in `smaller`.
template <class T> T larger(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (__builtin_isunordered(a, b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return __builtin_signbit(a) ? b : a;
  }
  return detail::most(a, b);
}

/// The minimum, as `smaller` defines it.
template <class T> reduction minimum() {
  return known_as(known_operation::minimum,
                  make_reduction<T>("min", [](const T& a, const T& b) { return smaller(a, b); }));
}
/// The maximum, as `larger` defines it.
template <class T> reduction maximum() {
  return known_as(known_operation::maximum,
                  make_reduction<T>("max", [](const T& a, const T& b) { return larger(a, b); }));
}

/// Makes a reduction for data that arrives as elements of another type than the field's. The result of
/// `operation(there, arrived)` is stored:
///     make_conversion<double, float>("add", [](double there, float arrived) { return there + arrived; });
/// The wire carries the sender's elements. The receiving blocks must have `wire_element` set, here to sizeof(float);
/// the sending blocks are ordinary ones.
template <class To, class From, class Operation> reduction make_conversion(std::string name, Operation operation);

/// A conversion that stores each element as an assignment would convert it.
template <class To, class From> reduction convert() {
  auto result =
      make_conversion<To, From>("convert", [](const To&, const From& arrived) { return static_cast<To>(arrived); });
  result.stores = true;
  result.known = known_operation::convert;
  return result;
}

/// A data structure of the user's, which the library sees as two functions (GCL, section 1: the layer L1).
struct accessor {
  /// Copies the bytes of `region` from the structure to `wire`. `structure` is the field's pointer of this start.
  std::function<void(const void* structure, std::int64_t region, std::byte* wire)> gather;
  /// Copies the bytes of `region` from `wire` to the structure.
  std::function<void(void* structure, std::int64_t region, const std::byte* wire)> scatter;
};

/// The code that belongs to one plan. The `schedule` refers to its entries by their places.
struct functions {
  std::vector<reduction> reductions;
  std::vector<accessor> accessors;  ///< by field; may be shorter if the last fields have no called blocks

  /// True if an operation (`store`, or a place in `reductions`) depends on the old value. Then the order of arrivals
  /// matters.
  bool combines(int operation) const {
    if (operation < 0) return false;
    const auto& op = reductions[static_cast<std::size_t>(operation)];
    if (op.by_block.empty()) return !op.stores;
    for (const reduction& one : op.by_block)
      if (!one.stores) return true;
    return false;
  }
  /// The reduction for a block with the operation `of_block` in a message with the operation `of_message`; null: the
  /// block is stored.
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
