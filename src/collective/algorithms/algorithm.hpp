// The classic algorithms of collectives as pure functions, behind one table. A plan depends on the ranks alone, never
// on counts. Nothing here allocates, except that a stage grows to its size when it is made for the first time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "collective/pattern.hpp"
#include "stage.hpp"

namespace wherry::collective {

/// Whose block sizes a rank must know.
enum class sizes_known : std::uint8_t {
  told,  ///< what MPI tells it in the v-forms, too
  all,   ///< all ranks those of all blocks: gatherv and scatterv tell the root alone
  equal  ///< all blocks have the same size
};

struct algorithm {
  std::string_view name;
  collective::pattern pattern = collective::pattern::barrier;
  std::string_view source{};  ///< where it was published
  /// Without: the result is x0 (op) x1 (op) ..., in the order of the ranks, and on all ranks that get it the same bits,
  /// whatever the association.
  bool needs_commutative = false;
  sizes_known sizes = sizes_known::told;
  bool in_place = true;     ///< input may be the same memory as work
  bool even_sizes = false;  ///< only among an even number of ranks

  // What makes the plan, among two ranks at least.
  int (*count_blocks)(const place&) = nullptr;
  int (*count_stages)(const place&) = nullptr;
  void (*fill)(const place&, int k, stage& into) = nullptr;
  block_range (*held_by)(const place&) = nullptr;  ///< null: all blocks

  bool can(const place& at) const {
    return (at.commutative || !needs_commutative) && !(even_sizes && at.size > 1 && at.size % 2 != 0);
  }
  /// Into how many blocks the buffers are divided: the same on all ranks. 0: a barrier.
  int blocks(const place& at) const { return count_blocks(at); }
  /// Of this rank: others may have more or fewer.
  int stages(const place& at) const;
  /// The k-th one, in place of what was there. O(1) for rings and pairs, O(log size) or O(blocks touched) for others.
  void make_stage(const place& at, int k, stage& into) const;
  /// The blocks of `work` for which this rank needs memory. May pass the last block: then it goes on with block 0.
  block_range held(const place& at) const;
};

/// All, by patterns.
std::span<const algorithm> algorithms();
/// Null: there is none.
const algorithm* find(std::string_view name, pattern what);

}  // namespace wherry::collective
