// The choices that were made by flags when this library was built (CRESTA, section 4.1).
#pragma once

#include <cstdint>
#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::crestacoll {

/// The implementation of a collective, by Wherry's names: "mpi", "nonblocking" (_NONBLOCK_), "one_sided" (_OS_) or
/// "coarray" (_CAF_).
std::string_view implementation_of(collective::kind what);

/// True with _PROTECTED_BUFFER.
bool protects_buffers();
/// TMP_OS_WIN_SIZE with _STATIC_OS_WIN: a number of elements of at most 8 bytes; else 0.
std::int64_t static_window_elements();
/// TMP_COARRAY_SIZE with _STATIC_COARRAYS: a number of elements; else 0.
std::int64_t static_coarray_elements();

}  // namespace wherry::crestacoll
