#include "choices.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>

#include "wherry/collective/tuning.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "communicator_state.hpp"
#include "core/collective.hpp"
#include "core/collective_names.hpp"
#include "core/crowding.hpp"
#include "core/plain_file.hpp"
#include "default_rules.hpp"
#include "implementations.hpp"

namespace wherry::collective {
namespace {

int place_of(std::string_view name, std::string_view said_by, int rank) {
  const int place = implementation_named(name);
  if (place >= 0) return place;
  throw error(error_kind::argument, "collective",
              wherry::detail::text(said_by, " names '", name, "', expected one of ", names_of_implementations()), rank);
}

/// The text of the tuning file, read on rank 0.
std::string text_of(const std::string& file) {
  constexpr std::int64_t most = 16 << 20;
  const auto refuse = [&](std::string_view why) -> std::string {
    throw error(error_kind::resource, "collective",
                wherry::detail::text("WHERRY_COLL_TUNING: cannot read '", file, "': ", why));
  };
  try {
    const auto all = text_in_file(file, most, "collective");
    return all ? *all : refuse("there is no such file");
  } catch (const error& problem) {
    if (problem.kind() == error_kind::argument) refuse(problem.text());
    throw;
  }
}

/// Facts that ranks might see differently: all ranks take those of rank 0.
struct said_by_first {
  std::string tuning;
  bool crowded;  ///< of its node
};

said_by_first ask_first(const communicator& comm) {
  said_by_first said{{}, node_is_crowded()};
  wherry::detail::collectively(comm, "collective", [&] {
    const auto& file = current_settings().collective_tuning;
    if (comm.rank() == 0 && !file.empty()) said.tuning = text_of(file);
  });
  std::array<std::uint64_t, 2> words{said.tuning.size(), said.crowded ? 1u : 0u};
  patient::bcast(comm, "collective", std::as_writable_bytes(std::span(words)), 0);
  said.crowded = words[1] != 0;
  said.tuning.resize(words[0]);
  if (words[0] > 0) patient::bcast(comm, "collective", std::as_writable_bytes(std::span(said.tuning)), 0);
  return said;
}

void add_defaults(communicator_state& on, bool crowded) {
  const bool shares = on.one_node && on.board != nullptr && on.comm.size() > 1;
  for (int k = 0; k < kinds; ++k) {
    const auto what = static_cast<kind>(k);
    const bool has_neighbors = on.around != nullptr || !is_of_neighbors(what);
    add_default_rules(on.chosen, what, shares && has_neighbors, on.comm.size(), crowded);
  }
}

void add_tuned(communicator_state& on, std::string_view file) {
  auto tuned = read_tuning(file, on.comm.rank(), on.comm.size(), on.nodes.nodes());
  std::sort(tuned.begin(), tuned.end(), [](const auto& a, const auto& b) {
    // So that the order is the same on all ranks.
    return std::tie(a.what, a.from, a.implementation) < std::tie(b.what, b.from, b.implementation);
  });
  for (std::size_t i = 0; i < tuned.size(); ++i) {
    const auto& one = tuned[i];
    if (one.implementation == "default") continue;
    rule found{chooser::file, place_of(one.implementation, name_of(chooser::file), on.comm.rank()), one.from};
    if (i + 1 < tuned.size() && tuned[i + 1].what == one.what) found.to = tuned[i + 1].from;
    on.chosen.add(one.what, found);
  }
}

void add_settings(communicator_state& on) {
  const auto& given = current_settings();
  for (std::size_t k = 0; k < given.collective.size(); ++k) {
    const bool alone = !given.collective[k].empty();
    const auto& name = alone ? given.collective[k] : given.collectives;
    if (name.empty()) continue;
    const auto variable =
        alone ? wherry::detail::text("WHERRY_COLL, of ", collective_names[k], ",") : std::string("WHERRY_COLL");
    on.chosen.add(static_cast<kind>(k), {chooser::environment, place_of(name, variable, on.comm.rank())});
  }
}

}  // namespace

void begin_choices(communicator_state& on) {
  const auto said = ask_first(on.comm);
  add_defaults(on, said.crowded);
  add_tuned(on, said.tuning);
  add_settings(on);
}

}  // namespace wherry::collective
