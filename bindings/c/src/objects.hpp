// The objects for which the handles of the C interface stand.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/c/exchange.h"
#include "wherry/core/communicator.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/motion/mover.hpp"
#include "wherry/transport/bound_pattern.hpp"

#include "errors.hpp"
#include "handles.hpp"

namespace wherry_c {

template <> inline constexpr kind kind_of<wherry::communicator> = kind::communicator;
template <> inline constexpr kind kind_of<wherry::process_grid> = kind::process_grid;

/// Any pattern that is bound and runs.
struct exchange_object {
  /// A field of the plan: `start_with` gives it the address of an array, some bytes further on. An array whose
  /// components lie apart is several fields.
  struct field_of_array {
    int array = 0;
    std::ptrdiff_t offset = 0;
    bool may_be_null = false;  ///< there are no elements
  };

  std::shared_ptr<wherry::bound_pattern> pattern;
  wherry::halo_exchange* halo = nullptr;  // the same, if it is one
  wherry::mover* mover = nullptr;         // the same, if it is one
  int boxes = 1;                          // of a halo exchange: each has the same number of arrays
  int arrays = 0;                         // of all boxes
  std::vector<field_of_array> fields;
  std::vector<void*> table = std::vector<void*>(fields.size());  // of the next start
  std::string text{};                                            // the last one that was asked for

  /// The addresses of the fields, if the arrays lie here.
  std::span<void* const> addresses(void* const* given) {
    static std::byte nowhere;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto* const array = static_cast<std::byte*>(given[static_cast<std::size_t>(fields[i].array)]);
      if (array != nullptr)
        table[i] = array + fields[i].offset;
      else
        table[i] = fields[i].may_be_null ? &nowhere : nullptr;
    }
    return table;
  }
};
template <> inline constexpr kind kind_of<exchange_object> = kind::exchange;

/// A field for each array.
inline std::vector<exchange_object::field_of_array> one_field_each(int arrays) {
  std::vector<exchange_object::field_of_array> result(static_cast<std::size_t>(arrays));
  for (int i = 0; i < arrays; ++i) result[static_cast<std::size_t>(i)].array = i;
  return result;
}

/// Runs a call that makes an object, and gives its handle. `*result` is null until the call has succeeded.
template <class Handle, class Make>
wherry_status creating(Handle* result, std::string_view where, Make&& make) noexcept {
  return guarded(where, [&] {
    if (result != nullptr) *result = nullptr;
    auto object = make();
    *result = new_handle<Handle>(std::move(object));
  });
}

}  // namespace wherry_c
