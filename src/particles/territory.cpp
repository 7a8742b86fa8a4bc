#include "territory.hpp"

#include <algorithm>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry::particles {

territory::territory(const communicator& on, space_map map, std::unique_ptr<box_owners> whose)
    : comm(on), space(std::move(map)), owners(std::move(whose)) {
  if (!has_space()) return;
  own = owners->own();
  finder = part_finder(own, space.dimensions());
  if (space.is_upright())
    for (const bool is_float : {false, true})
      for (const auto& part : own) own_real[is_float ? 1 : 0].push_back(real(part, is_float));
  for (auto part : own) {
    for (std::size_t d = 0; d < space.dimensions(); ++d) {
      --part.lower[d];
      ++part.upper[d];
    }
    owners->for_each_near(part, [&](int rank, const cell_box&, const cell&) {
      if (rank != comm.rank()) neighbors.push_back(rank);
    });
  }
  std::ranges::sort(neighbors);
  neighbors.erase(std::ranges::unique(neighbors).begin(), neighbors.end());
}

real_box territory::real(const cell_box& cells, bool is_float) const {
  real_box result;
  for (std::size_t d = 0; d < space.dimensions(); ++d) {
    result.lower[d] = space.cut(d, cells.lower[d], is_float);
    result.upper[d] = space.cut(d, cells.upper[d], is_float);
  }
  return result;
}

void territory::require_no_ghosts(std::string_view where, std::size_t length) const {
  if (tail.ghosts > 0 && tail.move == moves && length == tail.owned + tail.ghosts)
    throw error(error_kind::state, where,
                wherry::detail::text("the arrays still have ", tail.ghosts, " ghosts behind the ", tail.owned,
                                     " particles of this rank: call 'drop' of the ghosts first"),
                comm.rank());
}

}  // namespace wherry::particles
