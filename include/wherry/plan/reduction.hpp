/// @file
/// Reductions combine an element with one that arrives for it, in halos, movers, index lists, groups of ranks and on
/// devices. A reduction is made from one of the standard's function objects, from `minimum` or `maximum`, or from a
/// function of two elements. Elements that are arrays are reduced number by number. Local, no MPI.
///
///     wherry::index_exchange sums(comm, lists, {.reverse = true, .update = std::plus<>{}}, x);
///     wherry::index_exchange peaks(comm, lists, {.reverse = true, .update = wherry::maximum{}}, x);
///     const auto half = [](double there, double arrived) { return there + arrived / 2; };
///     wherry::index_exchange halves(comm, lists, {.reverse = true, .update = half}, x);
///
/// `reduction_of<double>(op)` of an `MPI_Op` is in collective/mpi_operations.hpp. The typed collectives
/// (collective/typed.hpp) take the same reductions. Where MPI computes (the collectives `mpi` and `nonblocking`), MPI's
/// rules for NaNs hold.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "wherry/core/plain_algorithms.hpp"
#include "wherry/plan/typed_reduction.hpp"

namespace wherry {

namespace detail {

/// The bits of two numbers, combined by "or" if `either`, else by "and". Two equal numbers differ only if they are
/// zeros with different signs; then the result has a sign if `either`.
template <class T> constexpr T bits_of_both(T a, T b, bool either) {
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto x = std::bit_cast<bits>(a), y = std::bit_cast<bits>(b);
  return std::bit_cast<T>(either ? x | y : x & y);
}
/// The extreme of a and b. `found` and `again` are the results of the comparison with a first and with b first; they
/// are equal unless both numbers are zeros or one is a NaN. There is no branch, so compilers vectorise loops of it.
template <class T> constexpr T extreme(T a, T b, T found, T again, bool negative_zero) {
  if constexpr (sizeof(T) <= 8) {
    const T ordered = bits_of_both(found, again, negative_zero);
    return __builtin_isunordered(a, b) ? std::numeric_limits<T>::quiet_NaN() : ordered;
  } else {
    if (__builtin_isunordered(a, b)) return std::numeric_limits<T>::quiet_NaN();
    return static_cast<bool>(__builtin_signbit(found)) == negative_zero ? found : again;
  }
}

}  // namespace detail

/// The smaller of two elements. For floating-point numbers it is `minimum` of IEEE 754-2019: if one is a NaN, the
/// result is the one quiet NaN of the type, so that a NaN is not hidden from a solver; and -0 is less than +0. So the
/// bits of the result do not depend on the order of arrival. (With -ffast-math the compiler ignores NaNs and signed
/// zeros. A collective that MPI computes treats them as MPI does.)
struct minimum {
  template <class T> constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>)
      return detail::extreme<T>(a, b, b < a ? b : a, a < b ? a : b, true);
    else if constexpr (detail::is_small_float<T>)
      return T((*this)(float(a), float(b)));
    else
      return detail::least(a, b);
  }
};
/// The larger of two elements; NaNs and zeros are treated as by `minimum`.
struct maximum {
  template <class T> constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>)
      return detail::extreme<T>(a, b, a < b ? b : a, b < a ? a : b, false);
    else if constexpr (detail::is_small_float<T>)
      return T((*this)(float(a), float(b)));
    else
      return detail::most(a, b);
  }
};

namespace detail {

/// The numbers for which an operation has a meaning.
enum class meant_for { all_numbers, numbers_in_order, integers };

/// An operation: the function object that stands for it, and its name in texts.
template <plans::known_operation What, class Function, meant_for Numbers> struct operation_row {
  using function = Function;
  static constexpr plans::known_operation what = What;
  template <class T>
  static constexpr bool has_meaning = Numbers == meant_for::all_numbers ||
                                      (Numbers == meant_for::numbers_in_order ? !is_complex<T> : std::is_integral_v<T>);
  std::string_view name;

  /// Computes a (op) b. Sums and products of signed integers wrap around; those of C++ would be undefined.
  template <class T> static constexpr T of(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T> && Numbers != meant_for::numbers_in_order)
      return static_cast<T>(Function{}(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    else
      return static_cast<T>(Function{}(a, b));
  }
};

/// The table of the operations.
inline constexpr std::tuple operation_rows{
    operation_row<plans::known_operation::add, std::plus<>, meant_for::all_numbers>{"add"},
    operation_row<plans::known_operation::multiply, std::multiplies<>, meant_for::all_numbers>{"multiply"},
    operation_row<plans::known_operation::minimum, minimum, meant_for::numbers_in_order>{"min"},
    operation_row<plans::known_operation::maximum, maximum, meant_for::numbers_in_order>{"max"},
    operation_row<plans::known_operation::bit_and, std::bit_and<>, meant_for::integers>{"bit_and"},
    operation_row<plans::known_operation::bit_or, std::bit_or<>, meant_for::integers>{"bit_or"},
    operation_row<plans::known_operation::bit_xor, std::bit_xor<>, meant_for::integers>{"bit_xor"},
    operation_row<plans::known_operation::logical_and, std::logical_and<>, meant_for::integers>{"logical_and"},
    operation_row<plans::known_operation::logical_or, std::logical_or<>, meant_for::integers>{"logical_or"}};

/// The operation that a function object performs on numbers of every type.
template <class Function>
inline constexpr plans::known_operation known_by = std::apply(
    [](auto... row) {
      auto found = plans::known_operation::none;
      ((std::is_same_v<Function, typename decltype(row)::function> ? void(found = row.what) : void()), ...);
      return found;
    },
    operation_rows);

/// The element type of a function of two elements.
template <class Call> struct operand;
template <class Result, class A, class B> struct operand<Result (*)(A, B)> {
  static_assert(std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>, "a reduction takes two equal elements");
  using type = std::remove_cvref_t<A>;
};
template <class Result, class A, class B> struct operand<Result (*)(A, B) noexcept> : operand<Result (*)(A, B)> {};
template <class C, class Result, class A, class B>
struct operand<Result (C::*)(A, B) const> : operand<Result (*)(A, B)> {};
template <class C, class Result, class A, class B>
struct operand<Result (C::*)(A, B) const noexcept> : operand<Result (*)(A, B)> {};
template <class Function> struct operand_of : operand<decltype(&Function::operator())> {};
template <class Function> inline constexpr bool is_any_function = false;
template <class Result, class... Arguments>
inline constexpr bool is_any_function<std::function<Result(Arguments...)>> = true;

[[noreturn]] void throw_no_meaning(const std::string& operation, const plans::element_type& type);

/// A name that is the same in all processes that run the same program.
std::string name_of_function(const std::type_info& function);

}  // namespace detail

/// A function object that is known for numbers of every type: `std::plus<>`, `std::multiplies<>`, `minimum`, `maximum`,
/// `std::bit_and<>`, `std::bit_or<>`, `std::bit_xor<>`, `std::logical_and<>` or `std::logical_or<>`.
template <class Function>
concept known_function = detail::known_by<Function> != plans::known_operation::none;
/// A function object `T f(T, T)` whose call operator is no template, such as a lambda without `auto` parameters. Ranks
/// compare the type of the function object. A pointer to a function and a `std::function` do not say which function
/// they call, so they need a name: `make_reduction`.
template <class Function>
concept function_of_elements =
    !known_function<Function> && !detail::is_any_function<Function> && requires { &Function::operator(); };

/// A rule that combines an element with one that arrives for it. Copies are cheap. The
/// constructors allocate memory, so construct one before a loop and not inside it.
class reduction {
 public:
  /// An operation on numbers of every type for which it has a meaning. Sums and products of signed integers wrap around
  /// as those of MPI do.
  template <known_function Function> reduction(Function) : known_(detail::known_by<Function>) {}
  explicit reduction(plans::known_operation known) : known_(known) {}
  /// A function `T f(T there, T arrived)`. All ranks give the same function. Ranks that run different programs use
  /// `make_reduction`, which gives the function a name.
  template <function_of_elements Function>
  reduction(Function function)
      : reduction(make_reduction<typename detail::operand_of<Function>::type>(
            detail::name_of_function(typeid(Function)), std::move(function))) {}
  /// Takes a reduction of elements of one type that `make_reduction`, `make_conversion` or `make_device_reduction`
  /// made.
  reduction(plans::typed_reduction made);

  /// The name in texts: "add", "max", or that of a reduction for one type.
  std::string name() const;
  /// The reduction of elements of this type, or null if the operation has no meaning for it. One that was made for one
  /// type is returned whatever `type` is; the code that binds it compares the types.
  const plans::typed_reduction* on(const plans::element_type& type) const;

 private:
  plans::known_operation known_ = plans::known_operation::none;
  std::shared_ptr<const plans::typed_reduction> made_;
};

/// The reduction of elements of type `T`.
/// @throws error(argument) if the operation has no meaning for them
template <class T> plans::typed_reduction reduction_of(const reduction& how) {
  const auto type = plans::element_of<T>();
  const auto* const found = how.on(type);
  if (found == nullptr) detail::throw_no_meaning(how.name(), type);
  return *found;
}

}  // namespace wherry
