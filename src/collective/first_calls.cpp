#include "first_calls.hpp"

#include <bit>
#include <cstdio>
#include <limits>

#include "wherry/core/settings.hpp"

#include "communicator_state.hpp"
#include "core/collective.hpp"
#include "found_choices.hpp"
#include "implementations.hpp"
#include "own_bytes.hpp"

namespace wherry::collective {
namespace {

/// The longest calls that are tried, because some implementations need memory in proportion.
constexpr std::int64_t longest = 1 << 28;

/// Implementations that keep memory with the communicator must be asked for; and one that sends everything to all ranks
/// needs memory for that.
bool is_worth_a_try(const implementation& row, const shape_of_call& shape, const communicator_state& on) {
  constexpr std::int64_t most_to_everybody = 1 << 16;
  if (row.prepare != nullptr || row.name == "nonblocking") return false;
  if (row.name == "linear" && shape.bytes * on.comm.size() > most_to_everybody) return false;
  return row.obstacle(row, shape, on).empty();
}

std::vector<int> candidates(const shape_of_call& shape, const communicator_state& on) {
  std::vector<int> all{mpi_itself};
  const auto rows = implementations();
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (is_worth_a_try(rows[i], shape, on)) all.push_back(static_cast<int>(i));
  return all;
}

std::string in_us(double us) {
  char words[32];
  std::snprintf(words, sizeof words, us < 9.95 ? "%.2f µs" : "%.0f µs", us);
  return words;
}

}  // namespace

size_range range_of(std::int64_t bytes) {
  if (bytes <= 0) return {0, 1};
  const auto from = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)));
  return {from, 2 * from};
}

size_range range_of(const shape_of_call& shape) {
  return shape.bytes < 0 ? size_range{0, std::numeric_limits<std::int64_t>::max()} : range_of(shape.bytes);
}

first_calls::~first_calls() {
  if (!file_.empty()) write_found_choices();
}

std::unique_ptr<first_calls> first_calls_on(const communicator& comm) {
  if (current_settings().collective_tune == "0" || comm.size() == 1) return nullptr;
  return std::make_unique<first_calls>(file_of_found_choices(comm));
}

trial& first_calls::trial_of(const shape_of_call& shape, const communicator_state& on) {
  const place of{shape.what, range_of(shape).from, shape.commutative};
  const auto there = trials_.find(of);
  return there != trials_.end() ? there->second : trials_.emplace(of, candidates(shape, on)).first->second;
}

bool first_calls::tries(const shape_of_call& shape, const communicator_state& on) {
  if (shape.bytes > longest / on.comm.size()) return false;
  if (on.chosen.of(shape.what, shape.bytes).source != the_defaults) return false;
  const auto& one = trial_of(shape, on);
  if (one.is_decided()) return false;
  if (one.is_due()) return true;
  const auto& row = implementations()[static_cast<std::size_t>(one.candidate())];
  // An obstacle may depend on the elements, which differ between calls of one trial.
  return row.obstacle(row, shape, on).empty();
}

bool first_calls::fits(const call& what, const shape_of_call& shape, const communicator_state& on) const {
  if (shape.bytes >= 0) return true;
  const std::vector mine{own_bytes(what, on.comm.rank(), on.comm.size(), on.around.get())};
  return patient::allreduce(on.comm, "collective", mine, patient::most).front() <= longest / on.comm.size();
}

trial& first_calls::of(const shape_of_call& shape, communicator_state& on) {
  auto& one = trial_of(shape, on);
  if (!one.is_due()) return one;
  one.agree(patient::allreduce(on.comm, "collective", one.times(), patient::most));
  if (one.is_decided()) take_over(shape, one, on);
  return one;
}

void first_calls::take_over(const shape_of_call& of, const trial& decided, communicator_state& on) {
  const auto range = range_of(of);
  const rule found{range.from, decided.winner(), the_first_calls};
  if (of.bytes < 0)
    on.chosen.choose(of.what, found);
  else
    on.chosen.choose_below(of.what, range.to, found);
  const auto name = implementations()[static_cast<std::size_t>(decided.winner())].name;
  remember_choice(file_, {of.what, range.from, range.to, name}, on.comm.size(), on.nodes.nodes());
}

std::string first_calls::words_for(const shape_of_call& shape) const {
  for (const bool commutative : {true, false}) {
    const auto there = trials_.find({shape.what, range_of(shape).from, commutative});
    if (there == trials_.end() || !there->second.is_decided()) continue;
    const auto& one = there->second;
    const auto mpi = "MPI's own " + in_us(one.us_of_mpi());
    return one.winner() == mpi_itself ? mpi + ", nothing else clearly faster" : in_us(one.us_of_winner()) + ", " + mpi;
  }
  return {};
}

}  // namespace wherry::collective
