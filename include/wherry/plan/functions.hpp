/// @file
/// The code that enters a plan at bind time: reductions that combine arriving data with data that is there, and the
/// gather and scatter functions of users. Local, no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "wherry/plan/block.hpp"
#include "wherry/plan/reduction.hpp"
#include "wherry/plan/typed_reduction.hpp"

namespace wherry::plans {

/// A data structure of the user's, which the library sees as two functions (GCL, section 1: the layer L1).
struct accessor {
  /// Copies the bytes of `region` from the structure to `wire`. `structure` is the field's pointer of this start.
  std::function<void(const void* structure, std::int64_t region, std::byte* wire)> gather;
  /// Copies the bytes of `region` from `wire` to the structure. If it throws, the next wait calls it again.
  std::function<void(void* structure, std::int64_t region, const std::byte* wire)> scatter;
};

/// The code that belongs to one plan. The `schedule` refers to its entries by their places.
struct functions {
  std::vector<typed_reduction> reductions;
  std::vector<accessor> accessors;  ///< by field; may be shorter if the last fields have no called blocks

  /// True if an operation (`store`, or a place in `reductions`) depends on the old value. Then the order of arrivals
  /// matters.
  bool combines(int operation) const {
    if (operation < 0) return false;
    const auto& op = reductions[static_cast<std::size_t>(operation)];
    if (op.by_block.empty()) return !op.stores;
    for (const typed_reduction& one : op.by_block)
      if (!one.stores) return true;
    return false;
  }
  /// The typed_reduction for a block with the operation `of_block` in a message with the operation `of_message`; null:
  /// the block is stored.
  const typed_reduction* on_arrival(int of_message, int of_block) const {
    if (of_message < 0) return nullptr;
    const auto& op = reductions[static_cast<std::size_t>(of_message)];
    if (op.by_block.empty()) return &op;
    const auto place = static_cast<std::size_t>(of_block);
    return place < op.by_block.size() ? &op.by_block[place] : nullptr;
  }
};

/// How the elements of some fields arrive: `store`, or a place in `functions::reductions`.
struct field_operations {
  std::vector<int> of_field{};  ///< by field; empty if all are stored
  /// The operation of messages whose fields arrive in different ways (`typed_reduction::by_block`); `store` if there is
  /// none.
  int mixture = detail::store;

  int of(std::size_t field) const { return of_field.empty() ? detail::store : of_field[field]; }
};

}  // namespace wherry::plans
