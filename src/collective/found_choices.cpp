#include "found_choices.hpp"

#include <algorithm>
#include <compare>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/collective.hpp"
#include "core/finalize.hpp"
#include "core/plain_file.hpp"
#include "core/replaced_file.hpp"
#include "rule_ranges.hpp"

namespace wherry::collective {
namespace {

constexpr const char* in_found_choices = "WHERRY_COLL_TUNE";

struct for_file {
  std::string file;
  int ranks, nodes;
  auto operator<=>(const for_file&) const = default;
};

struct remembered {
  std::mutex guard;
  std::map<for_file, std::vector<found_choice>> of;
  std::string checked;  ///< the last file that was checked
};

/// Never destroyed, because communicators may be freed after static storage.
remembered& all() {
  static auto* const one = new remembered;
  return *one;
}

bool is_writer() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

/// The text of the file; empty if there is none.
std::string text_in(const std::string& file) {
  constexpr std::int64_t most = 16 << 20;
  try {
    return text_in_file(file, most, in_found_choices).value_or("");
  } catch (const error& problem) {
    throw error(problem.kind(), in_found_choices, wherry::detail::text("'", file, "': ", problem.text()));
  }
}

void write(const std::string& file, const std::string& text) {
  make_part(file, in_found_choices);
  try {
    plain_output out(part_of(file), in_found_choices);
    out.write(std::as_bytes(std::span(text)));
    out.close();
    put_part_in_place(file, false, in_found_choices);
  } catch (...) {
    remove_part(file);
    throw;
  }
}

}  // namespace

std::vector<tuned_rule> with_found(std::vector<tuned_rule> rules, const std::vector<found_choice>& found) {
  std::map<kind, std::vector<tuned_rule>> by_kind;
  for (auto& one : rules) by_kind[one.what].push_back(std::move(one));
  for (auto& [what, list] : by_kind)
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  for (const auto& one : found)
    put_between(by_kind[one.what], tuned_rule{one.what, one.from, std::string(one.implementation)}, one.to,
                tuned_rule{one.what, 0, "default"});
  rules.clear();
  for (auto& [what, list] : by_kind)
    for (auto& one : list)
      if (rules.empty() || rules.back().what != what || rules.back().implementation != one.implementation)
        rules.push_back(std::move(one));
  return rules;
}

std::string file_of_found_choices(const communicator& comm) {
  const auto tune = current_settings().collective_tune;
  const bool mine = tune != "0" && tune != "1" && is_writer();
  collectively(comm, "collective", [&] {
    auto& kept = all();
    const std::lock_guard lock(kept.guard);
    if (!mine || kept.checked == tune) return;
    read_tuning(text_in(tune), 0, 1, 1);
    make_part(tune, in_found_choices);
    remove_part(tune);
    kept.checked = tune;
    [[maybe_unused]] static const bool at_the_end = (at_finalize(write_found_choices), true);
  });
  return mine ? tune : std::string();
}

void remember_choice(const std::string& file, const found_choice& one, int ranks, int nodes) {
  if (file.empty()) return;
  auto& kept = all();
  const std::lock_guard lock(kept.guard);
  kept.of[{file, ranks, nodes}].push_back(one);
}

void write_found_choices() noexcept {
  auto& kept = all();
  const std::lock_guard lock(kept.guard);
  for (const auto& [to, found] : kept.of) try {
      const auto before = text_in(to.file);
      const auto rules = with_found(read_tuning(before, 0, to.ranks, to.nodes), found);
      write(to.file, with_tuning(before, rules, to.ranks, to.nodes,
                                 "measured on a program's first calls, " + mpi_library_version()));
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "wherry: what the first calls have shown is lost: %s\n", failure.what());
    }
  kept.of.clear();
}

}  // namespace wherry::collective
