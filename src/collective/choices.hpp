// The choosers of implementations for a communicator's calls, in their order of precedence, and the rules of them all.
// The rules are the same on all ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

#include "brief_way.hpp"
#include "figures_of_call.hpp"
#include "usage.hpp"

namespace wherry::collective {

struct communicator_state;

/// The choosers in order of precedence: the first one with a rule for a call chooses its implementation.
enum class chooser : std::uint8_t {
  caller,       ///< It names an implementation in `run` or `begin`, for this call alone.
  program,      ///< It calls `choose`.
  environment,  ///< It sets WHERRY_COLL or, for one collective, WHERRY_COLL_BCAST and so on.
  file,         ///< WHERRY_COLL_TUNING names it.
  defaults      ///< They are ours (default_rules.hpp), and have a rule for each call.
};
/// The names in texts for people. They are literals.
constexpr std::string_view name_of(chooser by) {
  constexpr std::array<std::string_view, 5> names{"the caller", "the program", "WHERRY_COLL", "the tuning file",
                                                  "the defaults"};
  return names[static_cast<std::size_t>(by)];
}

/// A rule: the implementation for calls of `from` bytes or more, but less than `to`.
struct rule {
  chooser by;
  int implementation;  ///< its place in the table
  std::int64_t from = 0, to = std::numeric_limits<std::int64_t>::max();
};

/// The implementation of one call. All texts are never freed.
struct selection {
  int implementation;         ///< its place in the table
  std::string_view source;    ///< the name of the chooser
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
  /// The first rule, in order of precedence, for a call of this size. Sizes that not all ranks know (-1) count as 0.
  /// @param wish the implementation that the caller has named, or `nobody`
  rule of(kind what, std::int64_t bytes, int wish = nobody) const {
    if (wish != nobody) return {chooser::caller, wish};
    const auto size = std::max<std::int64_t>(bytes, 0);
    const auto holds = [&](const rule& one) { return one.from <= size && size < one.to; };
    const auto& rules = rules_[static_cast<std::size_t>(what)];
    return *std::find_if(rules.begin(), rules.end(), holds);
  }
  /// Adds a rule in place of all older rules of the same chooser from its size on.
  void add(kind what, const rule& one) {
    auto& rules = rules_[static_cast<std::size_t>(what)];
    std::erase_if(rules, [&](const rule& old) { return old.by == one.by && old.from >= one.from; });
    rules.insert(std::find_if(rules.begin(), rules.end(), [&](const rule& old) { return old.by >= one.by; }), one);
    decisions_ = {};
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
  std::array<std::vector<rule>, kinds> rules_;  // of each kind in order of precedence
  // Calls without, and calls with an implementation named by the caller.
  std::array<std::array<decision, kinds>, 2> decisions_{};
};

/// Gives `on.chosen` the rules that hold from the beginning: those of the defaults, the file and the environment.
/// Collective.
/// @throws error(argument) for settings that name no implementation, error(resource) for a file that cannot be read
void begin_choices(communicator_state& on);

}  // namespace wherry::collective
