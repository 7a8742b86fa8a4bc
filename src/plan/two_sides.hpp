// Moves the two faces across the axis that is contiguous in memory together. The runs of one face end in the cache
// lines in which those of the other one begin, a row further on, so that together they fetch each line once. Halos of
// 250³ take 0.7 to 0.85 of the time, and those of 32³ and more that are one cell wide take 0.75 to 0.95
// (docs/design/decisions.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/plan/shape_table.hpp"

#include "interleaved.hpp"

namespace wherry::kernels {

/// Bytes of cache lines that the runs of two rows touch, one after the other and together.
struct lines_taken {
  std::int64_t one_by_one = 0, together = 0;

  void add(const std::int32_t* words, std::int64_t apart) {
    constexpr std::int64_t line = 64, word = 8;
    const std::int64_t run = words[1], step = std::abs(words[4]);
    const auto gap = std::min(std::abs(apart), step - std::abs(apart)) - run;  // to the other run, or to its next one
    one_by_one += 2 * (line + run - word);
    together += line + 2 * run + gap - word;
  }
  /// Together, faces of three doubles take 0.65 when they are unpacked, 0.8 when they are copied to the other side, and
  /// 0.95 when they are packed, which gains nothing.
  bool pay() const { return 20 * together <= 17 * one_by_one; }
};

/// True if the rows have so many runs that their lines do not stay in the nearest cache. Faces of 16 by 16 get slower.
template <class Rows> bool has_many_runs(const Rows& rows, std::size_t i) {
  constexpr std::int64_t many = 512;
  const auto* words = rows.from_words(i) != nullptr ? rows.from_words(i) : rows.to_words(i);
  std::int64_t runs = 1;
  for (int d = 0; words != nullptr && d < plans::shape_table::loops_in(words); ++d) runs *= words[3 + 2 * d];
  return runs >= many;
}

inline bool have_same_extents(const std::int32_t* from, const std::int32_t* to) {
  if (from[1] != to[1] || plans::shape_table::loops_in(from) != plans::shape_table::loops_in(to)) return false;
  for (int d = 0; d < plans::shape_table::loops_in(from); ++d)
    if (from[3 + 2 * d] != to[3 + 2 * d]) return false;
  return true;
}

/// True if the runs of two blocks of one shape, at this distance, lie between each other.
inline bool lie_between(const std::int32_t* words, std::int64_t apart) {
  const std::int64_t run = words[1], step = std::abs(words[4]);
  return leaves_gaps(words) && is_nested(words) && std::abs(apart) >= run && std::abs(apart) + run <= step;
}

/// True for two rows of one field whose runs lie between each other, mostly in the same lines.
template <class Rows> bool are_two_sides(const Rows& rows, std::size_t first, std::size_t next) {
  const auto *from = rows.from_words(first), *to = rows.to_words(first);
  const auto read = rows.from_offset(next) - rows.from_offset(first);
  const auto written = rows.to_offset(next) - rows.to_offset(first);
  if (from != nullptr && to != nullptr && !have_same_extents(from, to)) return false;
  if (from != nullptr && !lie_between(from, read)) return false;
  if (to != nullptr && !lie_between(to, written)) return false;
  lines_taken lines;
  if (from != nullptr) lines.add(from, read);
  if (to != nullptr) lines.add(to, written);
  return lines.pay();
}

/// Finds such pairs, once for a plan.
template <class Rows> void find_two_sides(const Rows& rows, std::size_t base, detail::row_pairs& pairs) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows.is_moved(i) || !has_many_runs(rows, i) || pairs.has_second(base + i)) continue;
    const auto end = std::min(rows.size(), i + rows_ahead::most);
    std::size_t apart = rows.dense_bytes(i);
    for (auto next = i + 1; next < end; ++next) {
      if (!rows.is_moved(next)) continue;
      if (rows.is_of_one_field(next, i) && !pairs.has_second(base + next)) {
        if (are_two_sides(rows, i, next)) pairs.add({base + i, base + next, apart});
        break;
      }
      apart += rows.dense_bytes(next);
    }
  }
}

template <class Rows> interleaved_copies two_sides(const Rows& rows, const detail::row_pair& pair) {
  const auto *from = rows.from_words(pair.first), *to = rows.to_words(pair.first);
  interleaved_copies both;
  both.are_two_sides = true;
  both.add(rows.from(pair.first), rows.to(pair.first));
  both.add(rows.from(pair.second) + (from == nullptr ? pair.apart_on_wire : 0),
           rows.to(pair.second) + (to == nullptr ? pair.apart_on_wire : 0));
  set_walk(both, from, to);
  return both;
}

/// Moves both rows together, unless one of them meets the other or a row between them. The second one is noted.
template <class Rows, class Move>
bool move_two_sides(const Rows& rows, const detail::row_pair& pair, rows_ahead& ahead, Move&& move) {
  ahead.reach(pair.first);
  if (ahead.has(pair.second)) return false;
  const row_ranges reads(rows.from_words(pair.first)), writes(rows.to_words(pair.first));
  const auto read_by = [&](std::size_t i) { return reads.of(rows.from_words(i), rows.from(i)); };
  const auto written_by = [&](std::size_t i) { return writes.of(rows.to_words(i), rows.to(i)); };
  const auto read = read_by(pair.second), written = written_by(pair.second);
  // The targets lie between each other, so only reads against writes count.
  if (written_by(pair.first).overlaps(read) || read_by(pair.first).overlaps(written)) return false;
  for (auto i = pair.first + 1; i < pair.second; ++i) {
    if (!rows.is_moved(i) || ahead.has(i)) continue;
    if (written_by(i).overlaps(read) || read_by(i).overlaps(written) || written_by(i).overlaps(written)) return false;
  }
  move(two_sides(rows, pair));
  ahead.add(pair.second);
  return true;
}

/// Finds the rows that may be moved together with later rows. It is done once for a plan; in most plans there are none.
template <class Rows> void find_together(const Rows& rows, std::size_t base, detail::rows_together& found) {
  mark_followed(rows, base, found.marked);
  const auto known = found.pairs.all().size();
  find_two_sides(rows, base, found.pairs);
  for (const auto& pair : found.pairs.all().subspan(known)) found.marked.add(pair.first);
}

/// Moves a marked row together with the rows that allow it, by `move(interleaved_copies)`, and notes them.
/// @return false if there are none; then nothing is moved
template <class Rows, class Move>
bool move_together(const Rows& rows, std::size_t base, std::size_t first, const detail::rows_together& found,
                   rows_ahead& ahead, Move&& move) {
  if (move_interleaved(rows, first, ahead, move)) return true;
  const auto* pair = found.pairs.at(base + first);
  return pair != nullptr && move_two_sides(rows, {first, pair->second - base, pair->apart_on_wire}, ahead, move);
}

}  // namespace wherry::kernels
