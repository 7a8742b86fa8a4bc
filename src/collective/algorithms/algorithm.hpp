// The classic algorithms of collectives as pure functions, behind one table. A plan depends only on the ranks, never on
// counts. Nothing here allocates, except that a stage grows to its size when it is first made.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "collective/pattern.hpp"
#include "stage.hpp"

namespace wherry::collective {

/// The block sizes that a rank must know.
enum class sizes_known : std::uint8_t {
  told,  ///< those that MPI tells it, in the v-forms as well
  all,   ///< those of all blocks, on all ranks: gatherv and scatterv tell only the root
  equal  ///< all blocks have the same size
};

/// One row of the table.
struct algorithm {
  std::string_view name;
  collective::pattern pattern = collective::pattern::barrier;
  std::string_view source{};  ///< where it was published
  /// If false, the result is x0 (op) x1 (op) …, in the order of the ranks, with the same bits on all ranks that get it,
  /// whatever the association.
  bool needs_commutative = false;
  sizes_known sizes = sizes_known::told;
  bool in_place = true;     ///< the input may be the same memory as the work buffer
  bool even_sizes = false;  ///< only among an even number of ranks

  // The functions that make the plan, for two ranks at least.
  int (*count_blocks)(const place&) = nullptr;
  int (*count_stages)(const place&) = nullptr;
  void (*fill)(const place&, int k, stage& into) = nullptr;
  block_range (*held_by)(const place&) = nullptr;  ///< null: all blocks

  bool can(const place& at) const {
    return (at.commutative || !needs_commutative) && !(even_sizes && at.size > 1 && at.size % 2 != 0);
  }
  /// The number of blocks into which the buffers are divided: the same on all ranks. 0: a barrier.
  int blocks(const place& at) const { return count_blocks(at); }
  /// The number of stages of this rank; others may have more or fewer.
  int stages(const place& at) const;
  /// Makes the k-th stage in place of the old content. O(1) for rings and pairs; O(log size) or O(blocks touched) for
  /// others.
  void make_stage(const place& at, int k, stage& into) const;
  /// The blocks of `work` for which this rank needs memory. If the range passes the last block, it continues with block
  /// 0.
  block_range held(const place& at) const;
};

/// All algorithms, sorted by pattern.
std::span<const algorithm> algorithms();
/// The algorithm of this name; null if there is none.
const algorithm* find(std::string_view name, pattern what);

}  // namespace wherry::collective
