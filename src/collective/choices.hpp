// Which implementation does what on one communicator, the same on all ranks.
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

/// From so many bytes on, this place in the table of implementations; and who says so.
struct rule {
  std::int64_t from;
  int implementation;
  std::string_view source;  ///< a literal
};

inline constexpr std::string_view the_defaults = "the defaults";

/// What does one call. All words are for ever valid.
struct selection {
  int implementation;         ///< place in the table
  std::string_view source;    ///< who has chosen it
  std::string_view obstacle;  ///< why what was chosen cannot do it, so that this is MPI; else empty
  std::string_view wanted;    ///< then what that was
};

/// Who does a call, once that has been checked, chosen and made ready.
struct decision {
  figures_of_call figures;
  int wish = none;          ///< place of the implementation that the caller has named
  int implementation = -1;  ///< place
  std::string_view name;
  brief_way way;
  fallen_calls* fell = nullptr;  ///< where MPI does it for another one: those calls
  selection said{};              ///< the same, and why

  static constexpr int none = -2;  ///< nothing has been decided yet
};
inline constexpr int nobody = -1;  ///< has been named by the caller

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
  /// From there on what these say, with their own rules beyond.
  void choose_as(const choices& those, kind what, std::int64_t from) {
    auto chosen = those.of(what, from);
    chosen.from = from;
    choose(what, chosen);
    for (const auto& later : those.rules_[static_cast<std::size_t>(what)])
      if (later.from > from) choose(what, later);
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

  /// What has come of it for the last call of that kind and of the caller's wish, if that said the same; null: who
  /// knows. Programs repeat themselves.
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
  std::array<std::array<decision, kinds>, 2> decisions_{};  // without a wish of the caller's, with one
};

}  // namespace wherry::collective
