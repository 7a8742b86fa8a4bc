#include "one_copy_row.hpp"

#include <unistd.h>

#include "wherry/core/settings.hpp"

namespace wherry {
namespace {

constexpr std::int64_t line = 64;

// Measured on 2 cores of an EPYC with bench/halo: rows of 512 B are faster through staging (64^3: 104 against 152 us),
// rows of 1 KiB in place (128^3: 570 against 750 us).
constexpr std::int64_t long_row = 1024;

// The same, rows of 24 B: through staging while the lines they lie in are still in some cache (128^3, 6 MB of lines a
// rank, L2 of 1 MB: 820 against 1340 us), in place once they come from memory anyway (250^3, 24 MB: 5050 against 7650
// us).
constexpr std::int64_t cached_lines = 12;  // times the second-level cache

/// Bytes of the cache lines that a block lies in, rather than its own bytes.
std::int64_t lines_of(const block& b) {
  if (b.kind != block::form::strided || b.run == 0) return b.bytes();
  const auto runs = b.bytes() / b.run;
  return runs * ((b.run + line - 1) / line * line);
}

std::int64_t second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const auto bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
  return 1 << 20;
}

}  // namespace

std::int64_t one_copy_row(const schedule& plan) {
  if (const auto asked = current_settings().one_copy_row; asked != 0) return static_cast<std::int64_t>(asked);
  std::int64_t lines = 0;
  for (const auto& stage : plan.stages)
    for (const auto& m : stage.receives)
      for (const auto& b : m.blocks) lines += lines_of(b);
  return lines > cached_lines * second_level_cache() ? 1 : long_row;
}

}  // namespace wherry
