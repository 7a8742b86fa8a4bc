// Lists of rules; each rule holds from its size to the beginning of the next one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace wherry::collective {

/// Puts in a rule from `one.from` to below `to`. Beyond, the older rules hold; nothing is beyond the largest number.
/// @param rules of one collective, ascending by `from`
/// @param otherwise the rule for sizes without one
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
