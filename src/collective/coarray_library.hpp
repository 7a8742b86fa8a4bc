// What libwherry_coarrays.so has (coarrays/coarray_memory.f90): a Fortran coarray of bytes, and one of counters.
#pragma once

#include <cstdint>
#include <string_view>

namespace wherry::collective {

struct coarray_library {
  int (*make)(std::int64_t bytes, std::int64_t counters);  ///< all processes; nonzero: there is no room
  void (*put)(int rank, std::int64_t place, const void* from, std::int64_t bytes);
  void (*count)(int rank, std::int64_t place, int value);
  void* (*bytes)();
  void* (*counters)();
};

/// Why there can be none; empty: it can be looked for. The same in all processes.
std::string_view built_without_coarrays();

/// Local, loaded once: null where it is not found. A program that is linked to Wherry::coarrays has it; else it is
/// looked for beside Wherry's library, and where the system looks.
const coarray_library* load_coarrays();

}  // namespace wherry::collective
