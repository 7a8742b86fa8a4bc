// The elements of a sparse exchange, whose type is known at run time only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "wherry/c/arrays.h"
#include "wherry/c/sparse.h"
#include "wherry/sparse/arriving.hpp"

#include "convert.hpp"
#include "handles.hpp"

namespace wherry_c {

/// Elements that have arrived.
struct arrivals_object {
  wherry_type type = 0;
  int components = 1;
  std::size_t element = 1;  ///< bytes of an element
  std::vector<std::byte> all{};
  std::vector<int> sources{};
  std::vector<std::size_t> begins{};    ///< of the elements of each source; the library fills it
  std::vector<std::int64_t> offsets{};  ///< the same with the end of the last, for the program

  /// Completes `offsets` when the elements have arrived.
  void finish();
  std::int64_t count() const { return static_cast<std::int64_t>(all.size() / element); }
  /// The elements from `begin` to `end`.
  wherry_view view(std::int64_t begin, std::int64_t end);
};
template <> inline constexpr kind kind_of<arrivals_object> = kind::arrivals;

/// Where the library puts what arrives.
wherry::detail::sparse_target target_of(const std::shared_ptr<arrivals_object>& lists);

/// The index of the first element of each source, and the number of all.
std::vector<std::int64_t> ends_of(const std::vector<std::size_t>& begins, std::size_t all);

/// Options as far as they make sense, also before it throws.
/// @throws error(argument) for a negative count or limit, or null where ranks are wanted
void read_sparse_options(const wherry_sparse_options* given, std::string_view where, wherry::sparse_options& result);

}  // namespace wherry_c
