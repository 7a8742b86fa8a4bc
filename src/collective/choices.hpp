// Which implementation does what on one communicator, the same on all ranks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// From so many bytes on, this place in the table of implementations; and who says so.
struct rule {
  std::int64_t from;
  int implementation;
  std::string_view source;  ///< a literal
};

class choices {
 public:
  /// The rules of a kind, by ascending bytes; the first one is from 0. Sizes that not all ranks know count as 0.
  const rule& of(kind what, std::int64_t bytes) const {
    const auto& rules = rules_[static_cast<std::size_t>(what)];
    std::size_t last = rules.size() - 1;
    while (last > 0 && rules[last].from > bytes) --last;
    return rules[last];
  }
  /// What was chosen from there on before, goes.
  void choose(kind what, const rule& chosen) {
    auto& rules = rules_[static_cast<std::size_t>(what)];
    while (!rules.empty() && rules.back().from >= chosen.from) rules.pop_back();
    rules.push_back(chosen);
  }
  void set(kind what, std::vector<rule> rules) { rules_[static_cast<std::size_t>(what)] = std::move(rules); }

 private:
  std::array<std::vector<rule>, kinds> rules_;
};

}  // namespace wherry::collective
