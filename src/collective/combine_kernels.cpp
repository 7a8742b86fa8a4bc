// Reduction loops that the compiler vectorises (CMakeLists.txt says with which flags).
#include <cstdint>
#include <cstring>
#include <functional>

#include "wherry/plan/reduction.hpp"

#include "reducer.hpp"

namespace wherry::collective {
namespace {

template <class Operation> struct wrapping {
  // Sums and products of signed numbers wrap around in every MPI; in C++ signed overflow is undefined.
  template <class T> T operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>)
      return Operation{}(a, b);
    else
      return static_cast<T>(Operation{}(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }
};
template <class Operation> struct bitwise {
  template <class T> T operator()(const T& a, const T& b) const { return static_cast<T>(Operation{}(a, b)); }
};

template <class T, class Operation>
void combine(std::byte* out, const std::byte* left, const std::byte* right, std::size_t count) {
  auto* to = reinterpret_cast<T*>(out);
  const auto* a = reinterpret_cast<const T*>(left);
  const auto* b = reinterpret_cast<const T*>(right);
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) to[i] = Operation{}(a[i], b[i]);
}

template <class T> combine_kernel of(MPI_Op op) {
  if (op == MPI_SUM) return combine<T, wrapping<std::plus<>>>;
  if (op == MPI_MAX) return combine<T, maximum>;
  if (op == MPI_MIN) return combine<T, minimum>;
  if (op == MPI_PROD) return combine<T, wrapping<std::multiplies<>>>;
  if constexpr (std::is_integral_v<T>) {
    if (op == MPI_BAND) return combine<T, bitwise<std::bit_and<>>>;
    if (op == MPI_BOR) return combine<T, bitwise<std::bit_or<>>>;
    if (op == MPI_BXOR) return combine<T, bitwise<std::bit_xor<>>>;
  }
  return nullptr;
}

}  // namespace

combine_kernel find_kernel(MPI_Op op, number what) {
  switch (what) {
    case number::none:
      return nullptr;
    case number::float32:
      return of<float>(op);
    case number::float64:
      return of<double>(op);
    case number::int8:
      return of<std::int8_t>(op);
    case number::int16:
      return of<std::int16_t>(op);
    case number::int32:
      return of<std::int32_t>(op);
    case number::int64:
      return of<std::int64_t>(op);
    case number::uint8:
      return of<std::uint8_t>(op);
    case number::uint16:
      return of<std::uint16_t>(op);
    case number::uint32:
      return of<std::uint32_t>(op);
    case number::uint64:
      return of<std::uint64_t>(op);
  }
  return nullptr;
}

}  // namespace wherry::collective
