#include "part_finder.hpp"

#include <algorithm>
#include <cmath>

namespace wherry::particles {

part_finder::part_finder(const std::vector<cell_box>& parts, std::size_t dimensions)
    : parts_(parts), dimensions_(dimensions) {
  if (parts_.empty()) return;
  whole_ = parts_.front();
  for (const auto& part : parts_)
    for (std::size_t d = 0; d < dimensions; ++d) {
      whole_.lower[d] = std::min(whole_.lower[d], part.lower[d]);
      whole_.upper[d] = std::max(whole_.upper[d], part.upper[d]);
    }
  // About two bins for each box.
  const double wanted = std::pow(2.0 * static_cast<double>(parts_.size()), 1.0 / static_cast<double>(dimensions));
  std::size_t all = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto cells = whole_.upper[d] - whole_.lower[d];
    bin_[d] = std::max<index_t>(1, static_cast<index_t>(static_cast<double>(cells) / wanted));
    bins_[d] = (cells + bin_[d] - 1) / bin_[d];
    all *= static_cast<std::size_t>(bins_[d]);
  }
  std::vector<std::vector<int>> lists(all);
  for (std::size_t place = 0; place < parts_.size(); ++place) {
    auto at = parts_[place].lower;
    for (bool more = true; more;) {
      lists[bin_of(at)].push_back(static_cast<int>(place));
      more = false;
      for (std::size_t d = 0; d < dimensions && !more; ++d) {
        // The first cell of the next bin.
        at[d] = whole_.lower[d] + ((at[d] - whole_.lower[d]) / bin_[d] + 1) * bin_[d];
        more = at[d] < parts_[place].upper[d];
        if (!more) at[d] = parts_[place].lower[d];
      }
    }
  }
  for (const auto& list : lists) {
    begins_.push_back(places_.size());
    places_.insert(places_.end(), list.begin(), list.end());
  }
  begins_.push_back(places_.size());
}

std::size_t part_finder::bin_of(const cell& at) const {
  std::size_t bin = 0;
  for (std::size_t d = dimensions_; d-- > 0;)
    bin = bin * static_cast<std::size_t>(bins_[d]) + static_cast<std::size_t>((at[d] - whole_.lower[d]) / bin_[d]);
  return bin;
}

int part_finder::find(const cell& at) const {
  if (parts_.empty() || !whole_.contains(at, dimensions_)) return -1;
  const auto bin = bin_of(at);
  for (auto i = begins_[bin]; i < begins_[bin + 1]; ++i)
    if (parts_[static_cast<std::size_t>(places_[i])].contains(at, dimensions_)) return places_[i];
  return -1;
}

}  // namespace wherry::particles
