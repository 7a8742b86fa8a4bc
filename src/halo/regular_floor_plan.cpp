#include "regular_floor_plan.hpp"

#include <algorithm>

#include "wherry/core/allocation.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

namespace wherry {

thread_local std::size_t regular_floor_plan::lookups_ = 0;

regular_floor_plan::regular_floor_plan(std::vector<std::vector<index_t>> sizes, std::vector<bool> periodic) {
  const auto fail = [](std::string_view what) { throw error(error_kind::argument, "process grid", what); };
  if (sizes.empty() || sizes.size() > max_halo_dimensions)
    fail(detail::text("'sizes' has ", sizes.size(), " axes, expected 1 to ", max_halo_dimensions));
  if (periodic.size() != sizes.size())
    fail(detail::text("'periodic' has ", periodic.size(), " entries, expected ", sizes.size(), ", one for each axis"));
  constexpr detail::checked pieces{"process grid", "number of pieces of an axis"},
      cells{"process grid", "number of cells of an axis"}, all{"process grid", "number of subdomains"};
  int subdomains = 1;
  std::vector<axis_cuts> axes;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    axis_cuts made;
    made.sizes = std::move(sizes[a]);
    made.periodic = periodic[a];
    const int count = pieces.cast<int>(made.sizes.size());
    if (count == 0) fail(detail::text("'sizes' has no pieces for axis ", a));
    subdomains = all.product(subdomains, count);
    made.first.assign(1, 0);
    for (int p = 0; p < count; ++p) {
      const index_t size = made.sizes[static_cast<std::size_t>(p)];
      if (size < 0) fail(detail::text("'sizes' has ", size, " for piece ", p, " of axis ", a, ", expected 0 or more"));
      made.first.push_back(cells.sum(made.first.back(), size));
      if (size > 0) ++made.filled;
    }
    made.below.assign(static_cast<std::size_t>(count), -1);
    made.above = made.below;
    const index_t rounds = made.periodic ? 2 : 1;  // the second round finds neighbours across the edge
    int last = -1;
    for (index_t i = 0; i < rounds * count; ++i) {
      const int p = static_cast<int>(i % count);
      made.below[static_cast<std::size_t>(p)] = last;
      if (made.sizes[static_cast<std::size_t>(p)] > 0) last = p;
    }
    last = -1;
    for (index_t i = rounds * count - 1; i >= 0; --i) {
      const int p = static_cast<int>(i % count);
      made.above[static_cast<std::size_t>(p)] = last;
      if (made.sizes[static_cast<std::size_t>(p)] > 0) last = p;
    }
    axes.push_back(std::move(made));
  }
  axes_ = std::make_shared<const std::vector<axis_cuts>>(std::move(axes));
}

int regular_floor_plan::subdomains() const {
  int count = 1;
  for (const auto& a : *axes_) count *= static_cast<int>(a.sizes.size());
  return count;
}

int regular_floor_plan::neighbor(int axis, int piece, int direction) const {
  const auto& a = at(axis);
  return (direction < 0 ? a.below : a.above)[static_cast<std::size_t>(piece)];
}

bool regular_floor_plan::wraps_to_itself(int axis) const { return at(axis).periodic && at(axis).filled <= 1; }

int regular_floor_plan::number(const subdomain_coordinates& at) const {
  int result = 0;
  for (std::size_t a = axes_->size(); a-- > 0;) result = result * static_cast<int>((*axes_)[a].sizes.size()) + at[a];
  return result;
}

subdomain_coordinates regular_floor_plan::coordinates(int number) const {
  subdomain_coordinates result{};
  for (std::size_t a = 0; a < axes_->size(); ++a) {
    const int count = static_cast<int>((*axes_)[a].sizes.size());
    result[a] = number % count;
    number /= count;
  }
  return result;
}

bool regular_floor_plan::empty(const subdomain_coordinates& where) const {
  for (int a = 0; a < dimensions(); ++a)
    if (size(a, where[static_cast<std::size_t>(a)]) == 0) return true;
  return false;
}

int regular_floor_plan::owner_at(int number, const subdomain_coordinates& at) const {
  const auto& by = strides_;
  if (by.between == std::array<int, max_halo_dimensions>{}) return number;
  int rank = 0;
  for (std::size_t a = 0; a < axes_->size(); ++a)
    rank += at[a] / by.brick[a] * by.between[a] + at[a] % by.brick[a] * by.inside[a];
  return rank;
}

}  // namespace wherry
