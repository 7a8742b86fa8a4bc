// The reductions that are known for every type of numbers.
#include "wherry/plan/reduction.hpp"

#include <array>
#include <complex>
#include <cstdint>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"

namespace wherry {
namespace {

/// Sums and products of signed integers wrap around; those of C++ would be undefined.
template <class Operation> struct wrapping {
  template <class T> T operator()(const T& a, const T& b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(Operation{}(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    else
      return static_cast<T>(Operation{}(a, b));
  }
};
template <class Operation> struct as_element {
  template <class T> T operator()(const T& a, const T& b) const { return static_cast<T>(Operation{}(a, b)); }
};

template <class T> inline constexpr bool has_an_order = std::is_arithmetic_v<T> || detail::is_small_float<T>;

template <class T, plans::known_operation What, class Function> const plans::typed_reduction* made(const char* name) {
  static const plans::typed_reduction reduction = plans::known_as(What, make_reduction<T>(name, Function{}));
  return &reduction;
}

/// The reduction, or null if it has no meaning for `T`.
template <class T> const plans::typed_reduction* known_for(plans::known_operation what) {
  using enum plans::known_operation;
  if (what == add) return made<T, add, wrapping<std::plus<>>>("add");
  if (what == multiply) return made<T, multiply, wrapping<std::multiplies<>>>("multiply");
  if constexpr (has_an_order<T>) {
    if (what == minimum) return made<T, minimum, wherry::minimum>("min");
    if (what == maximum) return made<T, maximum, wherry::maximum>("max");
  }
  if constexpr (std::is_integral_v<T>) {
    if (what == bit_and) return made<T, bit_and, as_element<std::bit_and<>>>("bit_and");
    if (what == bit_or) return made<T, bit_or, as_element<std::bit_or<>>>("bit_or");
    if (what == bit_xor) return made<T, bit_xor, as_element<std::bit_xor<>>>("bit_xor");
    if (what == logical_and) return made<T, logical_and, as_element<std::logical_and<>>>("logical_and");
    if (what == logical_or) return made<T, logical_or, as_element<std::logical_or<>>>("logical_or");
  }
  return nullptr;
}

/// The first of these types that has as many bytes.
template <class... T> const plans::typed_reduction* known_among(std::uint32_t bytes, plans::known_operation what) {
  const plans::typed_reduction* found = nullptr;
  ((found == nullptr && bytes == sizeof(T) ? void(found = known_for<T>(what)) : void()), ...);
  return found;
}

const plans::typed_reduction* known_on(const plans::element_type& type, plans::known_operation what) {
  switch (type.kind) {
    case plans::element_kind::boolean:
      return known_among<bool>(type.bytes, what);
    case plans::element_kind::character:
      return known_among<char, char16_t, char32_t>(type.bytes, what);
    case plans::element_kind::signed_integer:
      return known_among<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(type.bytes, what);
    case plans::element_kind::unsigned_integer:
      return known_among<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type.bytes, what);
    case plans::element_kind::floating:
      return known_among<float16, float, double, long double>(type.bytes, what);
    case plans::element_kind::brain_floating:
      return known_among<bfloat16>(type.bytes, what);
    case plans::element_kind::complex:
      return known_among<std::complex<float>, std::complex<double>, std::complex<long double>>(type.bytes, what);
    case plans::element_kind::bytes:
    case plans::element_kind::users:
      break;
  }
  return nullptr;
}

constexpr std::array names{"nothing", "add",    "min",     "max",         "convert",   "multiply",
                           "bit_and", "bit_or", "bit_xor", "logical_and", "logical_or"};

}  // namespace

std::string detail::name_of_function(const std::type_info& function) {
  return text("function ", name_hash(function.name()));
}

void detail::throw_no_meaning(const std::string& operation, const plans::element_type& type) {
  throw error(error_kind::argument, "reduction",
              text("'", operation, "' has no meaning for elements that are ", to_string(type),
                   "; make_reduction makes one of a function of yours"));
}

reduction::reduction(plans::typed_reduction made)
    : made_(std::make_shared<const plans::typed_reduction>(std::move(made))) {}

std::string reduction::name() const { return made_ ? made_->name : names[static_cast<std::size_t>(known_)]; }

const plans::typed_reduction* reduction::on(const plans::element_type& type) const {
  return made_ ? made_.get() : known_on(type, known_);
}

}  // namespace wherry
