#include "wherry/motion/index_set.hpp"

#include <algorithm>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr detail::checked new_member{"index_set", "member"}, members_of{"index_set", "number of members"};

index_t last_of(const detail::index_run& run) { return run.first + run.count; }

bool starts_before(const detail::index_run& a, const detail::index_run& b) { return a.first < b.first; }

}  // namespace

index_set::index_set(std::vector<index_t> members) {
  if (!std::is_sorted(members.begin(), members.end())) std::sort(members.begin(), members.end());
  for (const index_t m : members) append(m, new_member.sum(m, index_t{1}));
}

index_set::index_set(std::vector<detail::index_run> runs) {
  for (const auto& run : runs) {
    if (run.count < 0)
      throw error(error_kind::argument, "index_set",
                  detail::text("the run at ", run.first, " has ", run.count, " members, expected 0 or more"));
    static_cast<void>(new_member.sum(run.first, run.count));
  }
  if (!std::is_sorted(runs.begin(), runs.end(), starts_before)) std::sort(runs.begin(), runs.end(), starts_before);
  for (const auto& run : runs) append(run.first, last_of(run));
}

index_set index_set::range(index_t first, index_t last) {
  index_set result;
  result.append(first, last);
  return result;
}

void index_set::append(index_t first, index_t last) {
  if (first >= last) return;
  if (!runs_.empty() && first <= last_of(runs_.back())) {
    runs_.back().count = members_of.difference(std::max(last_of(runs_.back()), last), runs_.back().first);
  } else {
    places_.push_back(size());
    runs_.push_back({first, members_of.difference(last, first)});
  }
  static_cast<void>(members_of.sum(places_.back(), runs_.back().count));  // `size` must not overflow
}

std::size_t index_set::run_of(index_t member, std::size_t from) const {
  // Searches the next few runs first, because sections are mostly traversed run by run.
  std::size_t step = 1, low = from;
  while (low + step < runs_.size() && last_of(runs_[low + step - 1]) <= member) low += step, step *= 2;
  const auto end = runs_.begin() + static_cast<std::ptrdiff_t>(std::min(runs_.size(), low + step));
  const auto found = std::partition_point(runs_.begin() + static_cast<std::ptrdiff_t>(low), end,
                                          [&](const detail::index_run& run) { return last_of(run) <= member; });
  return static_cast<std::size_t>(found - runs_.begin());
}

bool index_set::contains(const index_set& other) const {
  index_t found = 0;
  for_each_place(other, [&](index_t, index_t count) { found += count; });
  return found == other.size();
}

index_t index_set::place_of(index_t member) const {
  const auto at = run_of(member);
  if (at == runs_.size() || runs_[at].first > member) return -1;
  return places_[at] + member - runs_[at].first;
}

index_t index_set::operator[](index_t place) const {
  if (place < 0 || place >= size())
    throw error(error_kind::argument, "index_set",
                detail::text("'place' is ", place, "; the set has ", size(), " members"));
  const auto at =
      static_cast<std::size_t>(std::upper_bound(places_.begin(), places_.end(), place) - places_.begin() - 1);
  return runs_[at].first + place - places_[at];
}

std::vector<box<1>> index_set::cover() const {
  std::vector<box<1>> boxes;
  boxes.reserve(runs_.size());
  for (const auto& run : runs_) boxes.push_back({{run.first}, {last_of(run)}});
  return boxes;
}

index_set index_set::from_cover(std::span<const box<1>> boxes) {
  std::vector<detail::index_run> runs;
  runs.reserve(boxes.size());
  for (const auto& b : boxes) runs.push_back({b.lower[0], b.extent(0)});
  return index_set(std::move(runs));
}

index_set intersection(const index_set& a, const index_set& b) {
  index_set result;
  std::size_t i = 0, j = 0;
  while (i < a.runs_.size() && j < b.runs_.size()) {
    const auto &x = a.runs_[i], &y = b.runs_[j];
    result.append(std::max(x.first, y.first), std::min(last_of(x), last_of(y)));
    // Skips many runs at once if the sets have little in common.
    if (last_of(x) <= last_of(y))
      i = a.run_of(std::max(y.first, last_of(x)), i);
    else
      j = b.run_of(std::max(x.first, last_of(y)), j);
  }
  return result;
}

index_set::index_set(std::initializer_list<index_t> members) : index_set(std::vector<index_t>(members)) {}

std::span<const detail::index_run> index_set::runs() const { return runs_; }

bool index_set::operator==(const index_set& other) const { return runs_ == other.runs_; }

index_set union_of(const index_set& a, const index_set& b) { return union_of({a, b}); }

index_set union_of(const std::vector<index_set>& sets) {
  std::vector<detail::index_run> all;
  for (const auto& set : sets) all.insert(all.end(), set.runs().begin(), set.runs().end());
  return index_set(std::move(all));
}

index_set difference(const index_set& a, const index_set& b) {
  index_set result;
  std::size_t j = 0;
  for (const auto& run : a.runs_) {
    index_t first = run.first;
    j = b.run_of(first, j);
    for (auto k = j; k < b.runs_.size() && b.runs_[k].first < last_of(run); ++k) {
      result.append(first, b.runs_[k].first);
      first = last_of(b.runs_[k]);
    }
    result.append(first, last_of(run));
  }
  return result;
}

index_set shift(const index_set& a, index_t offset) {
  std::vector<detail::index_run> runs(a.runs().begin(), a.runs().end());
  for (auto& run : runs) run.first = new_member.sum(run.first, offset);
  return index_set(std::move(runs));
}

}  // namespace wherry
