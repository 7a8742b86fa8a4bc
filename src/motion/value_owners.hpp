// Finds the owner of each value on planes: the first box, in a fixed order of the cells around the value, that has such
// a cell.
#pragma once

#include <optional>
#include <vector>

#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/box_list.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

template <int N> class value_owners {
 public:
  /// Refers to the plan, which must outlive this object.
  value_owners(const floor_plan<N>& plan, const centring<N>& on, const domain<N>& space);

  /// The values in `window` that the box at `place` owns, as disjoint boxes. The result is the same on all ranks that
  /// know all boxes touching the cells around these values.
  box_list<N> owned(int place, const box<N>& window);

 private:
  const box<N>& cells_of(int place) const { return plan_.boxes()[static_cast<std::size_t>(place)]; }
  bool owns_only_upper(int place);
  box_list<N> owned_behind(int place, const box<N>& window, bool only_first = false) const;
  std::optional<box<N>> first_before(const box<N>& values, std::size_t corner) const;
  box_list<N> without_earlier(box_list<N> values, const box<N>& cells, std::size_t corner) const;

  const floor_plan<N>& plan_;
  const domain<N>& space_;
  box_index<N> index_;
  std::vector<point<N>> corners_;  // offsets from the cells around a value to the cell above it, in order of precedence
  enum class known : char { not_yet, no, yes };
  std::vector<known> only_upper_;  // one for each place
};

}  // namespace wherry
