// Turns pairs of blocks of a schedule into the moves of the copy kernel: two walks over memory, in the largest units
// that fit both.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "wherry/device/detail/device_moves.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// A reduction as a device does it. @throws error(argument) if it is a user's code that does not run on devices, or
/// works on elements with which no device computes
struct operation_on_device {
  bool copies = true;
  plans::known_operation what = plans::known_operation::none;
  wherry::detail::number_place into = wherry::detail::no_number, arriving = wherry::detail::no_number;
  const own_operation* own = nullptr;

  operation_on_device() = default;
  /// @param how null: storing
  explicit operation_on_device(const plans::typed_reduction* how);
  std::int64_t bytes() const;           ///< bytes of a number where it arrives
  std::int64_t bytes_arriving() const;  ///< bytes of a number as it comes
};

class move_builder {
 public:
  /// @param plan the schedule whose index lists the blocks name
  /// @param alignment of all fields' pointers, in bytes: 1, 2, 4, 8 or 16
  move_builder(const plans::schedule& plan, std::int64_t alignment) : plan_(plan), alignment_(alignment) {}

  /// Adds two blocks with equally many elements. All operations of the user's own that are added must be the same one.
  /// @throws error(argument) if a block is moved by a user's functions
  void add(const plans::block& from, const plans::block& to, const operation_on_device& how = {});
  bool empty() const { return moves.empty(); }
  /// Divides all that was added among groups of threads.
  void finish();

  // The results. Their pointers are made by `move_table`.
  std::vector<device_move> moves;
  std::vector<move_loop> loops;
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;
  std::vector<move_piece> pieces;
  bool long_moves = false, only_copies = true, numbers_apart = false;
  const own_operation* own = nullptr;

 private:
  struct stored_list {
    std::int32_t bytes;
    std::int64_t first;
    std::int64_t farthest = 0;
  };
  move_side side_of(const plans::block& b, std::int64_t unit);
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

  const plans::schedule& plan_;
  std::int64_t alignment_;
  std::int64_t reach_ = 0;  // in units, of the side that is being added
  std::map<std::int64_t, stored_list> lists_;
};

}  // namespace wherry
