#include "wherry/motion/section_places.hpp"

#include <algorithm>

namespace wherry::detail {
namespace {

std::size_t count_runs(std::span<const index_t> places) {
  std::size_t count = places.empty() ? 0 : 1;
  for (std::size_t i = 1; i < places.size(); ++i) count += places[i] != places[i - 1] + 1 ? 1 : 0;
  return count;
}

}  // namespace

section_places section_places::of(std::span<const index_t> places) {
  const auto count = count_runs(places);
  section_places result;
  if (count * sizeof(index_run) > places.size_bytes()) {
    result.single_ = places;
    return result;
  }
  result.runs_.resize(count);
  auto run = result.runs_.begin();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0 && places[i] != places[i - 1] + 1) ++run;
    if (run->count++ == 0) run->first = places[i];
  }
  return result;
}

section_places section_places::part(index_t begin, index_t end) const {
  // A part of a list of single places may be shorter as runs.
  if (!single_.empty())
    return of(single_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  section_places result;
  index_t at = 0;
  for (const auto& run : runs_) {
    const index_t first = std::max(begin, at), last = std::min(end, at + run.count);
    if (first < last) result.runs_.push_back({run.first + first - at, last - first});
    at += run.count;
  }
  return result;
}

}  // namespace wherry::detail
