#include "one_copy_row.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "wherry/core/settings.hpp"
#include "wherry/transport/calibration.hpp"

#include "plan/interleaved.hpp"
#include "plan/shape_figures.hpp"

namespace wherry {
namespace {

constexpr std::int64_t line = 64;

// The default limits (calibration.hpp) decide which rows are read in place. They come from measurements of the time in
// place / through staging, on 2 cores of an EPYC, near to one another and far apart, with bench/halo and bench/blocks:
// - Rows of 512 B gain in place: 64^3 split along z took 0.7 to 1.0 of the time, boxes of 64^3 0.7 to 0.9.
// - Rows of 256 B gain only beyond the second-level cache, where staging saves nothing: 32^3 split along z took 1.0 to
//   1.5, boxes of 32^3 with 2 MB to move 0.88.
// - Rows of 24 B go through staging while their lines are still in some cache (128^3 split along x, 6 MB of lines for
//   each rank, L2 of 1 MB: 820 against 1340 us), and in place once the lines come from memory anyway (250^3, 24 MB:
//   5050 against 7650 us).
//
// Data that a later stage hands on has just arrived here and is written again in the next exchange. If other ranks have
// read it in place, each of those writes waits for its cache line. Dimension by dimension on 8 of 16 cores of a Xeon,
// 16^3 and 32^3 cells took 96 and 205 us in place, 44 and 142 us through staging; beyond the second-level cache in
// place is still faster (64^3: 669 against 853 us).
//
// Fields that lie between each other, as in an array of structures, are read in place together, so that each cache line
// is fetched once. On an Intel Xeon, a lattice-Boltzmann halo of 64^3 and 128^3 cells took 0.42 of the time of a
// hand-packed one, and 0.57 through staging; split along x 0.50 and 0.55. The steps took the same time either way.

std::int64_t lines_in(std::int64_t run) { return (run + line - 1) / line * line; }

/// Bytes of the cache lines in which blocks lie, which may be more than the blocks' own bytes: of all blocks, and of
/// the blocks whose rows reach either limit.
struct moved_lines {
  const transports::calibration& limits;
  std::int64_t all = 0, in_rows = 0, in_long_rows = 0;

  void add(const plans::schedule& plan, const plans::message& m) {
    const auto rows = plan.rows_of(m);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (lies_between_others(plan, rows, i))
        add_long(wire_bytes_of(plan.shapes, rows[i].shape));
      else
        add(plan.shapes, rows[i].shape);
    }
  }

 private:
  /// True if another field's row lies between the rows of this one. The other one stands nearby in the list, before or
  /// after: the faces to both sides may take turns.
  static bool lies_between_others(const plans::schedule& plan, std::span<const plans::block_row> rows, std::size_t i) {
    const auto* const words = plan.shapes.strided_words(rows[i].shape);
    if (!kernels::leaves_gaps(words)) return false;
    const auto place_of = [&](const plans::block_row& row) {
      return static_cast<const std::byte*>(plan.fields[static_cast<std::size_t>(row.field)].place) + row.offset;
    };
    const auto has_place = [&](const plans::block_row& row) {
      return plan.fields[static_cast<std::size_t>(row.field)].place != nullptr;
    };
    if (!has_place(rows[i])) return false;
    const auto* const mine = place_of(rows[i]);
    const auto end = std::min(rows.size(), i + kernels::rows_ahead::most_between + 2);
    for (auto k = i - std::min(i, kernels::rows_ahead::most_between + 1); k < end; ++k) {
      if (rows[k].shape != rows[i].shape || rows[k].field == rows[i].field || !has_place(rows[k])) continue;
      const auto* const other = place_of(rows[k]);
      const auto* const first = std::min(mine, other);
      if (kernels::lies_between(words, first, first, std::max(mine, other))) return true;
    }
    return false;
  }

  void add(const plans::shape_table& shapes, std::uint32_t shape) {
    if (const small_shape small(shapes, shape); small)
      if (const auto runs = small.runs(); runs >= 0) return add(small.run(), runs * lines_in(small.run()));
    const auto b = shapes[shape];
    const bool strided = b.kind == plans::block::form::strided && b.run != 0;
    add(b.run, strided ? b.bytes() / b.run * lines_in(b.run) : b.bytes());
  }

  void add_long(std::int64_t bytes) {
    all += bytes;
    in_rows += bytes;
    in_long_rows += bytes;
  }
  void add(std::int64_t run, std::int64_t lines) {
    all += lines;
    if (run >= limits.row_beyond_cache) in_rows += lines;
    if (run >= limits.long_row) in_long_rows += lines;
  }
};

constexpr auto none = std::numeric_limits<std::int64_t>::max();

/// In such a plan a later stage mostly hands on data that has arrived in an earlier one.
bool sends_in_several_stages(const std::vector<plans::stage>& stages) {
  return std::count_if(stages.begin(), stages.end(), [](const plans::stage& s) { return !s.sends.empty(); }) > 1;
}

}  // namespace

std::int64_t one_copy_row(const plans::schedule& plan, const std::vector<plans::stage>& stages) {
  if (const auto asked = current_settings().one_copy_row; asked != 0) return static_cast<std::int64_t>(asked);
  const auto cache = transports::second_level_cache();
  const auto& limits = transports::current_calibration();
  // A mesh's ghosts arrive one behind the other, wherever they come from, so the rows that leave are looked at, too:
  // they resemble the rows that the other ranks send.
  moved_lines arriving{limits}, leaving{limits};
  for (const auto& stage : stages) {
    for (const auto& m : stage.receives) arriving.add(plan, m);
    for (const auto& m : stage.sends) leaving.add(plan, m);
  }
  const auto& lines = leaving.all - leaving.in_long_rows > arriving.all - arriving.in_long_rows ? leaving : arriving;
  const bool beyond_cache = lines.all > cache;
  if (!beyond_cache && sends_in_several_stages(stages)) return none;
  const std::int64_t row = beyond_cache ? limits.row_beyond_cache : limits.long_row;
  const std::int64_t in_short_rows = lines.all - (beyond_cache ? lines.in_rows : lines.in_long_rows);
  // If the lines fill the second-level cache `cached_lines` times, or if fewer than half of them belong to short rows,
  // everything is read in place: a few short rows, such as the edges of faces, are not worth a second way.
  return lines.all / cache >= limits.cached_lines || 2 * in_short_rows < lines.all ? 1 : row;
}

}  // namespace wherry
