// The functions of libwherry_coarrays.so (coarrays/coarray_memory.f90): a Fortran coarray of bytes, and one of
// counters.
#pragma once

#include <cstdint>
#include <string_view>

namespace wherry::collective {

struct coarray_library {
  int (*make)(std::int64_t bytes, std::int64_t counters);  ///< called by all processes; nonzero: there is no room
  void (*put)(int rank, std::int64_t place, const void* from, std::int64_t bytes);
  void (*count)(int rank, std::int64_t place, int value);
  void* (*bytes)();
  void* (*counters)();
};

/// The reason why there can be no coarrays; empty: the library may be looked for. The same in all processes.
std::string_view built_without_coarrays();

/// Loads the library once; null if it is not found. Local. It is found in a program that is linked to Wherry::coarrays,
/// beside Wherry's own library, or where the system looks.
const coarray_library* load_coarrays();

}  // namespace wherry::collective
