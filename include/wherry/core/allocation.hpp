/// @file
/// Memory that is not to be had, as the library's own error.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace wherry {

/// Throws error(resource): "`bytes` bytes for `what` are not to be had"; 0: nobody knows how many. Needs no memory.
[[noreturn]] void throw_out_of_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank = -1);

/// What `make` returns, which allocates about `bytes` for `what`: std::bad_alloc and std::length_error become
/// error(resource) with the figure.
template <class Make>
decltype(auto) allocating(std::string_view where, std::string_view what, std::size_t bytes, Make&& make) {
  try {
    return std::forward<Make>(make)();
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(where, what, bytes);
  } catch (const std::length_error&) {
    throw_out_of_memory(where, what, bytes);
  }
}

}  // namespace wherry
