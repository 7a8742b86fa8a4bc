// Reduction loops that the compiler vectorises (CMakeLists.txt says with which flags).
#include <array>
#include <cstddef>
#include <tuple>

#include "wherry/plan/numbers.hpp"
#include "wherry/plan/reduction.hpp"

#include "predefined_operations.hpp"
#include "reducer.hpp"

namespace wherry::collective {
namespace {

template <class T, class Operation>
void combine(std::byte* out, const std::byte* left, const std::byte* right, std::size_t count) {
  auto* to = reinterpret_cast<T*>(out);
  const auto* a = reinterpret_cast<const T*>(left);
  const auto* b = reinterpret_cast<const T*>(right);
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) to[i] = Operation::of(a[i], b[i]);
}

/// The kernels for one type of numbers, by operation.
using kernels = std::array<combine_kernel, static_cast<std::size_t>(plans::known_operation::logical_or) + 1>;

template <class T> constexpr kernels kernels_of() {
  kernels all{};
  const auto add = [&]<class Row>(const Row&) {
    if constexpr (Row::template has_meaning<T>) all[static_cast<std::size_t>(Row::what)] = combine<T, Row>;
  };
  std::apply([&](const auto&... row) { (add(row), ...); }, wherry::detail::operation_rows);
  return all;
}

/// All kernels, by place of the numbers in their table.
constexpr auto all_kernels =
    std::apply([]<class... Row>(Row...) { return std::array{kernels{}, kernels_of<typename Row::type>()...}; },
               wherry::detail::number_rows);

}  // namespace

combine_kernel find_kernel(MPI_Op op, wherry::detail::number_place what) {
  return all_kernels[what][static_cast<std::size_t>(known_by_mpi(op))];
}

}  // namespace wherry::collective
