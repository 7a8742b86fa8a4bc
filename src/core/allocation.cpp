#include "wherry/core/allocation.hpp"

#include <exception>

#include "wherry/core/error.hpp"

namespace wherry {

namespace {

// Made while there is memory for it.
const std::exception_ptr nothing_left = std::make_exception_ptr(
    error(error_kind::resource, "memory", "there is none left, not even for the text of an error"));

}  // namespace

void detail::throw_out_of_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank) {
  try {
    const auto missing = bytes > 0 ? detail::text(bytes, " bytes for ", what) : detail::text("memory for ", what);
    throw error(error_kind::resource, where, missing + " cannot be allocated", rank);
  } catch (const std::bad_alloc&) {
    std::rethrow_exception(nothing_left);
  }
}

}  // namespace wherry
