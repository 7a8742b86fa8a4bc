// Arrays whose elements are numbered from 0, as index exchanges and ghost layers take them, and lists of indices.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/c/index.h"
#include "wherry/halo/index_lists.hpp"

#include "objects.hpp"

namespace wherry_c {

/// Index lists, and the same as the C program reads them.
struct index_lists_object {
  wherry::index_lists lists;
  std::vector<wherry_peer_indices> sends{}, receives{};

  explicit index_lists_object(wherry::index_lists given);
};
template <> inline constexpr kind kind_of<index_lists_object> = kind::index_lists;

/// Arrays with erased types: one field for an array whose components are side by side, otherwise one for each
/// component.
struct index_arrays {
  std::vector<wherry::detail::index_field> fields{};
  std::vector<exchange_object::field_of_array> places{};

  /// @param later true if `data` may be null although there are elements, because the array comes with a start
  /// @throws error(argument) that names the array by its number
  void add(const wherry_view& array, int number, bool later, std::string_view where);
};
/// @throws error(argument) for no arrays, and as `index_arrays::add`
index_arrays index_arrays_of(const wherry_view* arrays, int count, bool later, std::string_view where);

/// @throws error(argument) for a negative number of ghosts, or null where there are some
std::vector<wherry::ghost> ghosts_of(const wherry_ghost* ghosts, std::int64_t count, std::string_view where,
                                     std::string_view argument);

}  // namespace wherry_c
