/// @file
/// Turns a failed allocation into the library's own error(resource), which names the purpose of the memory and the
/// number of bytes.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace wherry::detail {

/// Throws error(resource), which says that `bytes` bytes for `what` cannot be had; 0 bytes means that the number is
/// unknown. The call works without free memory: if there is none for the text, it throws an error that was made when
/// the program started.
[[noreturn]] void throw_out_of_memory(std::string_view where, std::string_view what, std::size_t bytes, int rank = -1);

/// Returns the result of `make()`. Local. `make` allocates about `bytes` bytes for `what`.
/// @throws error(resource) in place of a std::bad_alloc or a std::length_error that `make` throws
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

}  // namespace wherry::detail
