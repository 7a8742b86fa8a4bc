// What the flags of this library's build have chosen (paper 2, section 4.1).
#pragma once

#include <cstdint>
#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::crestacoll {

/// Of this collective, by Wherry's names: "mpi", "nonblocking" (_NONBLOCK_), "one_sided" (_OS_) or "coarray" (_CAF_).
std::string_view implementation_of(collective::kind what);

/// _PROTECTED_BUFFER
bool protects_buffers();
/// _STATIC_OS_WIN, and TMP_OS_WIN_SIZE: elements of at most 8 bytes; 0 without.
std::int64_t static_window_elements();
/// _STATIC_COARRAYS, and TMP_COARRAY_SIZE
std::int64_t static_coarray_elements();

}  // namespace wherry::crestacoll
