// Blocks of a schedule turned into what the copy kernel moves: the same two walks, in the largest units that fit both.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "wherry/device/detail/device_moves.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// What a device makes of an operation. @throws error(argument) where it is the user's own code, which does not run
/// there, or works on elements that no device counts with.
struct operation_on_device {
  move_operation what = move_operation::copy;
  number_kind into = number_kind::uint8, arriving = number_kind::uint8;
  const own_operation* own = nullptr;

  operation_on_device() = default;
  /// @param how null: stored
  explicit operation_on_device(const reduction* how);
  std::int64_t bytes() const;           ///< of a number where it arrives
  std::int64_t bytes_arriving() const;  ///< of the same as it comes
};

class move_builder {
 public:
  /// @param plan whose lists indexed blocks name
  /// @param alignment of all fields' pointers, in bytes: 1, 2, 4, 8 or 16
  move_builder(const schedule& plan, std::int64_t alignment) : plan_(plan), alignment_(alignment) {}

  /// Two blocks of as many elements; of operations of the user's own, one for all that is added.
  /// @throws error(argument) for blocks of a user's functions
  void add(const block& from, const block& to, const operation_on_device& how = {});
  bool empty() const { return moves.empty(); }
  /// Divides all that was added among groups of threads.
  void finish();

  // What was made; pointers come with `move_table`.
  std::vector<device_move> moves;
  std::vector<move_loop> loops;
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;
  std::vector<move_piece> pieces;
  bool long_moves = false, only_copies = true;
  const own_operation* own = nullptr;

 private:
  struct stored_list {
    std::int32_t bytes;
    std::int64_t first;
    std::int64_t farthest = 0;
  };
  move_side side_of(const block& b, std::int64_t unit);
  const stored_list& list_of(std::int64_t number);
  void note_reach(std::int64_t extent, std::int64_t stride);
  void add_loop(std::int64_t extent, std::int64_t stride, std::int64_t unit);
  bool are_alike(const device_move& move) const;
  std::vector<std::int64_t> shape_of(const device_move& move) const;
  bool are_near(const device_move& first, const device_move& second) const;
  void join(device_move& first, const device_move& second);
  void join_pairs();
  std::int64_t place_of(const move_side& side, std::uint64_t unit) const;
  void sort_pieces();

  const schedule& plan_;
  std::int64_t alignment_;
  std::int64_t reach_ = 0;  // units, of the side that is being added
  std::map<std::int64_t, stored_list> lists_;
};

}  // namespace wherry
