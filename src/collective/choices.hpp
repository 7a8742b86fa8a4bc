// Which implementation does what on one communicator, the same on all ranks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

#include "figures_of_call.hpp"
#include "rule_ranges.hpp"

namespace wherry::collective {

/// From so many bytes on, this place in the table of implementations; and who says so.
struct rule {
  std::int64_t from;
  int implementation;
  std::string_view source;  ///< a literal
};

inline constexpr std::string_view the_defaults = "the defaults";

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
    forget_decisions();
  }
  /// To below `to` alone: beyond, what did it before does.
  void choose_below(kind what, std::int64_t to, const rule& chosen) {
    auto& rules = rules_[static_cast<std::size_t>(what)];
    put_between(rules, chosen, to, rules.front());
    forget_decisions();
  }
  void set(kind what, std::vector<rule> rules) {
    rules_[static_cast<std::size_t>(what)] = std::move(rules);
    forget_decisions();
  }

  /// What has come of it for the last call of that kind, if that said the same; -1: who knows. Programs repeat
  /// themselves.
  int decided(const call& c) const {
    const auto& last = decisions_[static_cast<std::size_t>(c.kind)];
    return last.implementation >= 0 && last.figures == figures_of_call(c) ? last.implementation : -1;
  }
  void remember(const call& c, int implementation) {
    if (figures_say_all(c)) decisions_[static_cast<std::size_t>(c.kind)] = {figures_of_call(c), implementation};
  }

 private:
  void forget_decisions() { decisions_ = {}; }
  struct decision {
    figures_of_call figures;
    int implementation = -1;
  };
  std::array<std::vector<rule>, kinds> rules_;
  std::array<decision, kinds> decisions_{};
};

}  // namespace wherry::collective
