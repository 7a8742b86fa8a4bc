// Reduction loops that the compiler vectorises (CMakeLists.txt says with which flags).
#include <array>
#include <cstddef>
#include <type_traits>

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

template <class T> constexpr combine_kernel kernel_of(plans::known_operation what) {
  combine_kernel found = nullptr;
  const auto look = [&]<class Row>(const Row&) {
    if constexpr (Row::template has_meaning<T>)
      if (what == Row::what) found = combine<T, Row>;
  };
  std::apply([&](const auto&... row) { (look(row), ...); }, wherry::detail::operation_rows);
  return found;
}

}  // namespace

combine_kernel find_kernel(MPI_Op op, plans::number_place what) {
  return plans::visit_number(what, [known = known_by_mpi(op)]<class T>() { return kernel_of<T>(known); });
}

}  // namespace wherry::collective
