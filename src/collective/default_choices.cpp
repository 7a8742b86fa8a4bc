#include "default_choices.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
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

// An alltoall between more than two ranks that have a core each, in bytes of a block. Open MPI reads straight from the
// other process, and from here on what ranks write for each other no longer stays in their caches: 8 of 16 cores of a
// Xeon, blocks of 32 KiB 0.91 of its time, of 256 KiB 1.6 to 1.9; 16 ranks, 4 KiB 0.4, 32 KiB 1.3, 256 KiB 2.2.
constexpr std::int64_t most_sent_twice = 256 << 10;
#if defined(OPEN_MPI)
constexpr bool mpi_copies_once = true;
#else
constexpr bool mpi_copies_once = false;  // nobody has measured it
#endif

/// Where nobody has measured: what was best on the machines that we know (docs/performance.md).
void take_ours(communicator_state& on) {
  const bool shares = on.one_node && on.board != nullptr && on.comm.size() > 1;
  for (int k = 0; k < kinds; ++k) {
    const auto what = static_cast<kind>(k);
    const bool ours = shares && (on.around != nullptr || !is_of_neighbors(what));
    std::vector<rule> rules{{0, ours ? implementation_named("shared") : mpi_itself, the_defaults}};
    if (ours && what == kind::alltoall && mpi_copies_once && on.comm.size() > 2 && !exceed_cores(on.comm.size()))
      rules.push_back({most_sent_twice / on.comm.size() + 1, mpi_itself, the_defaults});
    on.chosen.set(what, std::move(rules));
  }
}

/// @throws error(resource) on rank 0, where it cannot be read; but what this run's first calls will write need not be
/// there yet
std::string text_of(const std::string& file) {
  constexpr long most = 16 << 20;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!in && errno == ENOENT && file == current_settings().collective_tune) return {};
  if (!in)
    throw error(error_kind::resource, "collective",
                wherry::detail::text("WHERRY_COLL_TUNING: cannot read '", file, "'"));
  std::string all;
  char buffer[4096];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, in.get())) > 0;) {
    all.append(buffer, got);
    if (all.size() > most)
      throw error(error_kind::argument, "collective",
                  wherry::detail::text("WHERRY_COLL_TUNING: '", file, "' is no tuning file"));
  }
  return all;
}

/// Rank 0 reads it for all.
void take_tuned(communicator_state& on) {
  std::string said;
  collectively(on.comm, "collective", [&] {
    const auto& file = current_settings().collective_tuning;
    if (on.comm.rank() == 0 && !file.empty()) said = text_of(file);
  });
  std::uint64_t bytes = said.size();
  patient::broadcast(on.comm, "collective", std::as_writable_bytes(std::span(&bytes, 1)), 0);
  if (bytes == 0) return;
  said.resize(bytes);
  patient::broadcast(on.comm, "collective", std::as_writable_bytes(std::span(said)), 0);
  auto rules = read_tuning(said, on.comm.rank(), on.comm.size(), on.nodes.nodes());
  std::sort(rules.begin(), rules.end(), [](const auto& a, const auto& b) {
    return std::tie(a.from, a.implementation) < std::tie(b.from, b.implementation);  // the same order on all ranks
  });
  const auto ours = on.chosen;
  for (const auto& one : rules) {
    auto chosen = ours.of(one.what, one.from);
    if (one.implementation != "default")
      chosen = {0, place_of(one.implementation, "the tuning file", on.comm.rank()), "the tuning file"};
    chosen.from = one.from;
    on.chosen.choose(one.what, chosen);
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

}  // namespace

void choose_by_default(communicator_state& on) {
  take_ours(on);
  take_tuned(on);
  take_settings(on);
}

}  // namespace wherry::collective
