#include "default_choices.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "wherry/collective/tuning.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "core/collective.hpp"
#include "core/collective_names.hpp"
#include "core/crowding.hpp"
#include "core/plain_file.hpp"
#include "implementations.hpp"

namespace wherry::collective {
namespace {

int place_of(std::string_view name, std::string_view said_by, int rank) {
  const int place = implementation_named(name);
  if (place >= 0) return place;
  std::string names;
  for (const auto& row : implementations()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  throw error(error_kind::argument, "collective",
              wherry::detail::text(said_by, " names '", name, "', and implementations are ", names), rank);
}

void take_ours(communicator_state& on, bool crowded) {
  const bool shares = on.one_node && on.board != nullptr && on.comm.size() > 1;
  for (int k = 0; k < kinds; ++k) {
    const auto what = static_cast<kind>(k);
    on.chosen.set(what,
                  our_rules(what, shares && (on.around != nullptr || !is_of_neighbors(what)), on.comm.size(), crowded));
  }
}

/// The text of the tuning file, read on rank 0.
/// @throws error(resource) on rank 0 if it cannot be read. A file that the first calls of this run will write need not
///   exist yet
std::string text_of(const std::string& file) {
  constexpr std::int64_t most = 16 << 20;
  const auto refuse = [&](std::string_view why) {
    throw error(error_kind::resource, "collective",
                wherry::detail::text("WHERRY_COLL_TUNING: cannot read '", file, "': ", why));
  };
  try {
    const auto all = text_in_file(file, most, "collective");
    if (!all && file != current_settings().collective_tune) refuse("there is no such file");
    return all.value_or("");
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

said_by_first ask_first(communicator_state& on) {
  said_by_first said{{}, node_is_crowded()};
  collectively(on.comm, "collective", [&] {
    const auto& file = current_settings().collective_tuning;
    if (on.comm.rank() == 0 && !file.empty()) said.tuning = text_of(file);
  });
  std::array<std::uint64_t, 2> words{said.tuning.size(), said.crowded ? 1u : 0u};
  patient::bcast(on.comm, "collective", std::as_writable_bytes(std::span(words)), 0);
  said.crowded = words[1] != 0;
  said.tuning.resize(words[0]);
  if (words[0] > 0) patient::bcast(on.comm, "collective", std::as_writable_bytes(std::span(said.tuning)), 0);
  return said;
}

void take_tuned(communicator_state& on, const std::string& said) {
  if (said.empty()) return;
  auto rules = read_tuning(said, on.comm.rank(), on.comm.size(), on.nodes.nodes());
  std::sort(rules.begin(), rules.end(), [](const auto& a, const auto& b) {
    // So that the order is the same on all ranks.
    return std::tie(a.from, a.implementation) < std::tie(b.from, b.implementation);
  });
  const auto ours = on.chosen;
  for (const auto& one : rules) {
    if (one.implementation == "default")
      on.chosen.choose_as(ours, one.what, one.from);
    else
      on.chosen.choose(one.what,
                       {one.from, place_of(one.implementation, "the tuning file", on.comm.rank()), "the tuning file"});
  }
}

void take_settings(communicator_state& on) {
  const auto& given = current_settings();
  for (std::size_t k = 0; k < given.collective.size(); ++k) {
    const bool alone = !given.collective[k].empty();
    const auto& name = alone ? given.collective[k] : given.collectives;
    if (name.empty()) continue;
    const auto variable =
        alone ? wherry::detail::text("WHERRY_COLL, of ", collective_names[k], ",") : std::string("WHERRY_COLL");
    on.chosen.choose(static_cast<kind>(k), {0, place_of(name, variable, on.comm.rank()), "WHERRY_COLL"});
  }
}

// The limit for alltoalls by `shared`, in bytes of all blocks of a rank. Among more than two ranks with a core each,
// Open MPI reads directly from the other process, and above this limit the data that ranks write for each other no
// longer stays in their caches. 8 of 16 cores of a Xeon: with blocks of 32 KiB `shared` takes 0.91 of Open MPI's time,
// with 256 KiB 1.6 to 2.3; 16 ranks: with 4 KiB 0.4, with 32 KiB 1.3 to 1.6.
constexpr std::int64_t most_sent_twice = 256 << 10;
#if defined(OPEN_MPI)
constexpr bool mpi_copies_once = true;  // with its default installation
#else
constexpr bool mpi_copies_once = false;  // not measured
#endif

}  // namespace

std::vector<rule> our_rules(kind what, bool shares, int ranks, bool crowded) {
  std::vector<rule> rules{{0, shares ? implementation_named("shared") : mpi_itself, the_defaults}};
  if (shares && what == kind::alltoall && mpi_copies_once && ranks > 2 && !crowded)
    rules.push_back({most_sent_twice / ranks + 1, mpi_itself, the_defaults});
  return rules;
}

void choose_by_default(communicator_state& on) {
  const auto said = ask_first(on);
  take_ours(on, said.crowded);
  take_tuned(on, said.tuning);
  take_settings(on);
}

}  // namespace wherry::collective
