#include "wherry/halo/decomposition.hpp"

#include <algorithm>

#include "wherry/core/allocation.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

namespace wherry {

thread_local std::size_t decomposition::lookups_ = 0;

decomposition::decomposition(std::vector<std::vector<index_t>> sizes, std::vector<bool> periodic) {
  const auto fail = [](std::string_view what) { throw error(error_kind::argument, "decomposition", what); };
  if (sizes.empty() || sizes.size() > max_halo_dimensions)
    fail(text("sizes has ", sizes.size(), " axes; 1 to ", max_halo_dimensions, " are possible"));
  if (periodic.size() != sizes.size())
    fail(text("periodic has ", periodic.size(), " entries for ", sizes.size(), " axes"));
  constexpr checked pieces{"decomposition", "number of pieces of an axis"},
      cells{"decomposition", "number of cells of an axis"}, all{"decomposition", "number of subdomains"};
  int subdomains = 1;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    axis_cuts made;
    made.sizes = std::move(sizes[a]);
    made.periodic = periodic[a];
    const int count = pieces.cast<int>(made.sizes.size());
    if (count == 0) fail(text("axis ", a, " has no pieces"));
    subdomains = all.product(subdomains, count);
    made.first.assign(1, 0);
    for (int p = 0; p < count; ++p) {
      const index_t size = made.sizes[static_cast<std::size_t>(p)];
      if (size < 0) fail(text("axis ", a, ", piece ", p, " has size ", size));
      made.first.push_back(cells.sum(made.first.back(), size));
      if (size > 0) ++made.filled;
    }
    made.below.assign(static_cast<std::size_t>(count), -1);
    made.above = made.below;
    const index_t rounds = made.periodic ? 2 : 1;  // the second round finds what lies around the edge
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
    axes_.push_back(std::move(made));
  }
}

decomposition decomposition::even(std::span<const index_t> cells, std::span<const int> pieces,
                                  std::vector<bool> periodic) {
  if (cells.size() != pieces.size())
    throw error(error_kind::argument, "decomposition::even",
                text("cells has ", cells.size(), " axes, pieces has ", pieces.size()));
  std::vector<std::vector<index_t>> sizes;
  for (std::size_t a = 0; a < cells.size(); ++a) {
    if (cells[a] < 0 || pieces[a] < 1)
      throw error(error_kind::argument, "decomposition::even",
                  text("axis ", a, " has ", cells[a], " cells for ", pieces[a], " pieces"));
    auto& axis = sizes.emplace_back();
    for (int p = 0; p < pieces[a]; ++p) axis.push_back(cells[a] / pieces[a] + (p < cells[a] % pieces[a] ? 1 : 0));
  }
  return decomposition(std::move(sizes), std::move(periodic));
}

int decomposition::subdomains() const {
  int count = 1;
  for (const auto& a : axes_) count *= static_cast<int>(a.sizes.size());
  return count;
}

int decomposition::neighbor(int axis, int piece, int direction) const {
  const auto& a = at(axis);
  return (direction < 0 ? a.below : a.above)[static_cast<std::size_t>(piece)];
}

bool decomposition::wraps_to_itself(int axis) const { return at(axis).periodic && at(axis).filled <= 1; }

int decomposition::number(const subdomain_coordinates& at) const {
  int result = 0;
  for (std::size_t a = axes_.size(); a-- > 0;) result = result * static_cast<int>(axes_[a].sizes.size()) + at[a];
  return result;
}

subdomain_coordinates decomposition::coordinates(int number) const {
  subdomain_coordinates result{};
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const int count = static_cast<int>(axes_[a].sizes.size());
    result[a] = number % count;
    number /= count;
  }
  return result;
}

bool decomposition::empty(const subdomain_coordinates& where) const {
  for (int a = 0; a < dimensions(); ++a)
    if (size(a, where[static_cast<std::size_t>(a)]) == 0) return true;
  return false;
}

int decomposition::owner(int number) const {
  if (!owners_.empty()) return owners_[static_cast<std::size_t>(number)];
  if (rank_strides_ == std::array<int, max_halo_dimensions>{}) return number;
  const auto at = coordinates(number);
  int rank = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) rank += at[a] * rank_strides_[a];
  return rank;
}

void decomposition::set_owners(std::vector<int> owners) {
  if (static_cast<int>(owners.size()) != subdomains())
    throw error(error_kind::argument, "decomposition::set_owners",
                text("owners has ", owners.size(), " entries for ", subdomains(), " subdomains"));
  owners_ = std::move(owners);
}

}  // namespace wherry
