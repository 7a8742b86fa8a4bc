// Lists of rules, each of which holds from a size on to where the next one begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace wherry::collective {

/// From `one.from` on, to below `to`, this rule holds; beyond, what did before: nothing is beyond the largest figure.
/// @param rules of one collective, ascending by `from`
/// @param otherwise what holds where none does
template <class Rule> void put_between(std::vector<Rule>& rules, const Rule& one, std::int64_t to, Rule otherwise) {
  const auto later = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.from > to; });
  Rule beyond = later == rules.begin() ? std::move(otherwise) : *(later - 1);
  beyond.from = to;
  const auto covered = std::find_if(rules.begin(), later, [&](const auto& r) { return r.from >= one.from; });
  const auto place = rules.erase(covered, later);
  if (to == std::numeric_limits<std::int64_t>::max())
    rules.insert(place, one);
  else
    rules.insert(place, {one, beyond});
}

}  // namespace wherry::collective
