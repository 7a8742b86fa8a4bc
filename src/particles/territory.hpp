// The state that an exchange and its ghosts share: the space, its owners, this rank's part of it, and the number of
// moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "box_owners.hpp"
#include "part_finder.hpp"
#include "space_map.hpp"

namespace wherry::particles {

struct territory {
  /// @param whose null: the space is unknown
  territory(const communicator& on, space_map map, std::unique_ptr<box_owners> whose);

  bool has_space() const { return owners != nullptr; }
  real_box real(const cell_box& cells, bool is_float) const;
  /// @throws error(state) if arrays of this length still have the ghosts of a plan
  void require_no_ghosts(std::string_view where, std::size_t length) const;

  const communicator comm;
  const space_map space;
  const std::unique_ptr<box_owners> owners;

  std::vector<cell_box> own;                      ///< disjoint
  part_finder finder;                             ///< of them
  std::array<std::vector<real_box>, 2> own_real;  ///< of `double` and of `float` positions, in an upright space
  std::vector<int> neighbors;                     ///< ranks with boxes that touch this rank's, ascending, without it

  std::uint64_t moves = 0;  ///< that have ended
  /// The ghosts that lie behind this rank's particles since the move of this number.
  struct {
    std::uint64_t move = 0;
    std::size_t owned = 0, ghosts = 0;
  } tail;
};

}  // namespace wherry::particles
