#include "one_copy_row.hpp"

#include <unistd.h>

#include "wherry/core/settings.hpp"

namespace wherry {
namespace {

constexpr std::int64_t line = 64;

// Measured on 2 cores of an EPYC with bench/halo and bench/blocks, cores near to one another and far apart, as time in
// place / through staging. Rows of 512 B: 64^3 split along z 0.7 to 1.0, boxes of 64^3 0.7 to 0.9.
constexpr std::int64_t long_row = 512;

// Rows of 256 B: 32^3 split along z 1.0 to 1.5, boxes of 32^3 with 2 MB to move 0.88. What does not fit the
// second-level cache gains nothing from staging there.
constexpr std::int64_t row_beyond_cache = 256;

// Rows of 24 B: through staging while the lines they lie in are still in some cache (128^3 split along x, 6 MB of lines
// a rank, L2 of 1 MB: 820 against 1340 us), in place once they come from memory anyway (250^3, 24 MB: 5050 against 7650
// us).
constexpr std::int64_t cached_lines = 12;  // times the second-level cache

/// Bytes of the cache lines that a block lies in, rather than its own bytes.
std::int64_t lines_of(const block& b) {
  if (b.kind != block::form::strided || b.run == 0) return b.bytes();
  const auto runs = b.bytes() / b.run;
  return runs * ((b.run + line - 1) / line * line);
}

/// Of the blocks whose rows are at least so long.
std::int64_t lines_to_receive(const schedule& plan, const std::vector<stage>& stages, std::int64_t shortest_row) {
  std::int64_t lines = 0;
  for (const auto& stage : stages)
    for (const auto& m : stage.receives)
      for (const auto& row : plan.rows_of(m)) {
        const auto b = plan.shapes[row.shape];
        if (b.run >= shortest_row) lines += lines_of(b);
      }
  return lines;
}

std::int64_t second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const auto bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
  return 1 << 20;
}

}  // namespace

std::int64_t one_copy_row(const schedule& plan, const std::vector<stage>& stages) {
  if (const auto asked = current_settings().one_copy_row; asked != 0) return static_cast<std::int64_t>(asked);
  const auto cache = second_level_cache();
  const std::int64_t all = lines_to_receive(plan, stages, 0);
  const std::int64_t row = all > cache ? row_beyond_cache : long_row;
  const std::int64_t in_short_rows = all - lines_to_receive(plan, stages, row);
  // The edges of faces of long rows are not worth a second way.
  return all > cached_lines * cache || 2 * in_short_rows < all ? 1 : row;
}

}  // namespace wherry
