// The choice of implementations on one communicator, the same on all ranks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

#include "brief_way.hpp"
#include "figures_of_call.hpp"
#include "rule_ranges.hpp"
#include "usage.hpp"

namespace wherry::collective {

/// A rule: the implementation for calls of this many bytes or more, and its source.
struct rule {
  std::int64_t from;
  int implementation;
  std::string_view source;  ///< a literal
};

inline constexpr std::string_view the_defaults = "the defaults";

/// The implementation of one call. All texts are never freed.
struct selection {
  int implementation;         ///< its place in the table
  std::string_view source;    ///< the source of the choice
  std::string_view obstacle;  ///< why the chosen one cannot do the call, so that this is MPI's own; else empty
  std::string_view wanted;    ///< the name of the chosen one in that case
};

/// The implementation of a call after the call has been checked, chosen for and prepared.
struct decision {
  figures_of_call figures;
  int wish = none;          ///< place of the implementation that the caller has named
  int implementation = -1;  ///< its place
  std::string_view name;
  brief_way way;
  fallen_calls* fell = nullptr;  ///< the counter, if MPI's own runs in place of the chosen one
  selection said{};              ///< the same with the reason

  static constexpr int none = -2;  ///< nothing has been decided yet
};
inline constexpr int nobody = -1;  ///< no implementation was named by the caller

/// The rules of one communicator, and the last decision for each kind of call.
class choices {
 public:
  /// The rule for a call. Rules are sorted by bytes; the first one begins at 0. Sizes that not all ranks know count as
  /// 0.
  const rule& of(kind what, std::int64_t bytes) const {
    const auto& rules = rules_[static_cast<std::size_t>(what)];
    std::size_t last = rules.size() - 1;
    while (last > 0 && rules[last].from > bytes) --last;
    return rules[last];
  }
  /// Adds a rule; older rules from its size on are removed.
  void choose(kind what, const rule& chosen) {
    auto& rules = rules_[static_cast<std::size_t>(what)];
    while (!rules.empty() && rules.back().from >= chosen.from) rules.pop_back();
    rules.push_back(chosen);
    forget_decisions();
  }
  /// From this size on takes over the rules of another set.
  void choose_as(const choices& those, kind what, std::int64_t from) {
    auto chosen = those.of(what, from);
    chosen.from = from;
    choose(what, chosen);
    for (const auto& later : those.rules_[static_cast<std::size_t>(what)])
      if (later.from > from) choose(what, later);
  }
  /// Adds a rule for sizes below `to` only; the older rules hold beyond.
  void choose_below(kind what, std::int64_t to, const rule& chosen) {
    auto& rules = rules_[static_cast<std::size_t>(what)];
    put_between(rules, chosen, to, rules.front());
    forget_decisions();
  }
  void set(kind what, std::vector<rule> rules) {
    rules_[static_cast<std::size_t>(what)] = std::move(rules);
    forget_decisions();
  }

  /// The decision for the last call of this kind and wish, if that call had the same arguments; else null. Programs
  /// repeat their calls.
  const decision* decided(const call& c, int wish = nobody) const {
    const auto& last = decisions_[wish != nobody][static_cast<std::size_t>(c.kind)];
    return last.wish == wish && last.figures == figures_of_call(c) ? &last : nullptr;
  }
  void remember(const call& c, int rank, const decision& made) {
    if (figures_say_all(c, rank)) decisions_[made.wish != nobody][static_cast<std::size_t>(c.kind)] = made;
  }

 private:
  void forget_decisions() { decisions_ = {}; }
  std::array<std::vector<rule>, kinds> rules_;
  // Calls without, and calls with an implementation named by the caller.
  std::array<std::array<decision, kinds>, 2> decisions_{};
};

}  // namespace wherry::collective
