/// @file
/// Reductions of elements of one type, as plans hold them, and those that users make of functions of their own. Local,
/// no MPI. For sums, minima and other operations that the library knows, `reduction` (plan/reduction.hpp) is enough.
///
///     const auto larger_magnitude = wherry::make_reduction<double>(
///         "absmax", [](double a, double b) { return std::abs(a) > std::abs(b) ? a : b; });
///     wherry::index_exchange peaks(comm, lists, {.reverse = true, .update = larger_magnitude}, x);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/plan/element.hpp"

namespace wherry {

namespace plans {

/// The operations whose meaning the library knows, so that they apply to every type of numbers, on devices, too
/// (docs/device.md lists the exceptions).
enum class known_operation : std::uint8_t {
  none,
  add,
  minimum,
  maximum,
  convert,
  multiply,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or
};

/// An operation on arriving elements of one type, in place of storing them. Its functions are called once for each
/// contiguous run or group of equally spaced runs, and never for each element.
struct typed_reduction {
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
  std::vector<typed_reduction> by_block{};
  known_operation known = known_operation::none;  ///< the operation that `apply` performs, if it is known

  /// Bytes of one element on the wire.
  std::size_t arriving() const { return wire_element != 0 ? wire_element : element; }
};

/// The identity that ranks compare: "'add' of 8-byte floating-point".
std::string identity(const typed_reduction& operation);

/// The reduction of messages whose blocks arrive by several of these `operations`, or are stored.
typed_reduction operations_by_block(const std::vector<typed_reduction>& operations);

/// Marks the reduction `made` as one that performs `what`.
inline typed_reduction known_as(known_operation what, typed_reduction made) {
  made.known = what;
  return made;
}

}  // namespace plans

/// Makes a reduction from any function of two elements: `make_reduction<double>("add", std::plus<>{})`. All ranks
/// must give the same name.
template <class T, class Operation> plans::typed_reduction make_reduction(std::string name, Operation operation);

/// Makes a reduction for data that arrives as elements of another type than the field's. The result of
/// `operation(there, arrived)` is stored:
///     make_conversion<double, float>("add", [](double there, float arrived) { return there + arrived; });
/// The wire carries the sender's elements. The receiving blocks must have `wire_element` set, here to sizeof(float);
/// the sending blocks are ordinary ones.
template <class To, class From, class Operation>
plans::typed_reduction make_conversion(std::string name, Operation operation);

/// A conversion that stores each element as an assignment would convert it.
template <class To, class From> plans::typed_reduction convert() {
  auto result =
      make_conversion<To, From>("convert", [](const To&, const From& arrived) { return static_cast<To>(arrived); });
  result.stores = true;
  result.known = plans::known_operation::convert;
  return result;
}

}  // namespace wherry

template <class To, class From, class Operation>
wherry::plans::typed_reduction wherry::make_conversion(std::string name, Operation operation) {
  static_assert(wherry::travels_as_bytes<To> && wherry::travels_as_bytes<From>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  plans::typed_reduction made;
  made.name = std::move(name);
  made.element = sizeof(To);
  made.wire_element = sizeof(From);
  made.type = plans::element_of<To>();
  made.wire_type = plans::element_of<From>();
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

template <class T, class Operation>
wherry::plans::typed_reduction wherry::make_reduction(std::string name, Operation operation) {
  static_assert(wherry::travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  return make_conversion<T, T>(std::move(name), std::move(operation));
}
