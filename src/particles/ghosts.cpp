// The plan: which particles have ghosts where.
#include "ghosts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/sparse/arriving.hpp"
#include "wherry/sparse/detail/byte_exchange.hpp"

namespace wherry::particles {
namespace {

/// More images of a particle would take longer than any program waits.
constexpr double most_images = 1e5;

}  // namespace

ghosts::ghosts(std::shared_ptr<territory> ground, double cutoff, const carry_options& carry)
    : ground_(std::move(ground)), cutoff_(cutoff), carry_(carry) {
  const int rank = ground_->comm.rank();
  if (!ground_->has_space()) throw error(error_kind::argument, in_ghosts, "'migrate' was made without a space", rank);
  if (!(std::isfinite(cutoff) && cutoff >= 0))
    throw error(error_kind::argument, in_ghosts,
                wherry::detail::text("the cut-off is ", cutoff, ", expected a finite distance of 0 or more"), rank);
  find_targets();
}

position ghosts::shift_of(const cell& image) const {
  position result{};
  for (std::size_t d = 0; d < ground_->space.dimensions(); ++d) {
    if (image[d] == 0) continue;
    const auto one = ground_->space.period(d);
    for (std::size_t e = 0; e < result.size(); ++e) result[e] += static_cast<double>(image[d]) * one[e];
  }
  return result;
}

void ghosts::find_targets() {
  const auto& space = ground_->space;
  const auto dimensions = space.dimensions();
  cell reach{};
  double images = 1;
  for (std::size_t d = 0; d < dimensions; ++d)
    if (space.description().periodic[d]) images *= 2 * std::ceil(space.fractions_across(d, cutoff_)) + 1;
  if (!(images <= most_images))
    throw error(error_kind::argument, in_ghosts,
                wherry::detail::text("the cut-off ", cutoff_, " reaches ", images,
                                     " periodic images of the space, expected at most ", most_images),
                ground_->comm.rank());
  for (std::size_t d = 0; d < dimensions; ++d) reach[d] = space.cells_across(d, cutoff_);
  ground_->owners->require_reach(in_ghosts.data(), reach, ground_->comm.rank());
  struct found {
    std::size_t part;
    target to;
    cell_box cells;
    bool overlaps;
  };
  std::vector<found> all;
  for (std::size_t part = 0; part < ground_->own.size(); ++part) {
    const auto& mine = ground_->own[part];
    auto near = mine;
    for (std::size_t d = 0; d < dimensions; ++d) {
      near.lower[d] -= reach[d];
      near.upper[d] += reach[d];
    }
    ground_->owners->for_each_near(near, [&](int rank, const cell_box& cells, const cell& image) {
      if (rank == ground_->comm.rank() && image == cell{}) return;
      target to{rank, {}};
      bool overlaps = true;
      for (std::size_t d = 0; d < dimensions; ++d) {
        to.image[d] = -image[d];
        const auto by = image[d] * (space.description().cells.upper[d] - space.description().cells.lower[d]);
        overlaps = overlaps && cells.lower[d] + by < mine.upper[d] && mine.lower[d] < cells.upper[d] + by;
      }
      all.push_back({part, to, cells, overlaps});
    });
  }
  for (const auto& one : all) targets_.push_back(one.to);
  std::ranges::sort(targets_);
  targets_.erase(std::ranges::unique(targets_).begin(), targets_.end());
  for (const auto& one : targets_) shifts_.push_back(shift_of(one.image));
  sent_.resize(targets_.size());

  parts_.resize(ground_->own.size());
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (!space.is_upright()) continue;
    auto& interior = parts_[part].interior = ground_->own_real[0][part];
    const double far = cutoff_ * (1 + 1e-9);
    for (std::size_t d = 0; d < dimensions; ++d) {
      interior.lower[d] = std::nextafter(interior.lower[d] + far, interior.upper[d] + far);
      interior.upper[d] = interior.upper[d] - far;
    }
  }
  for (const auto& one : all) {
    const auto at = std::ranges::lower_bound(targets_, one.to) - targets_.begin();
    near_box box{static_cast<std::size_t>(at), {}};
    if (space.is_upright()) {
      box.cells = ground_->real(one.cells, false);
    } else {
      const auto& whole = space.description().cells;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const auto cells = static_cast<double>(whole.upper[d] - whole.lower[d]);
        box.cells.lower[d] = static_cast<double>(one.cells.lower[d] - whole.lower[d]) / cells;
        box.cells.upper[d] = static_cast<double>(one.cells.upper[d] - whole.lower[d]) / cells;
      }
    }
    parts_[one.part].near.push_back(box);
    if (one.overlaps) parts_[one.part].interior = {};
  }
  for (auto& part : parts_) std::ranges::sort(part.near, {}, &near_box::target);
}

std::size_t ghosts::part_of(const coordinate_arrays& at, std::size_t i) const {
  const auto& space = ground_->space;
  const auto given = at.read(i);
  auto x = given;
  if (space.wrap(x, at.is_float) == space_map::place::inside && x == given)
    if (const int part = ground_->finder.find(space.cell_of(x)); part >= 0) return static_cast<std::size_t>(part);
  throw error(error_kind::argument, in_ghosts,
              wherry::detail::text("particle ", i, " at ", to_text(given, at.dimensions),
                                   " is not in this rank's part of the space: move the particles first"),
              ground_->comm.rank());
}

bool ghosts::is_near(const position& x, const near_box& one, const position& shift) const {
  const auto dimensions = ground_->space.dimensions();
  if (!ground_->space.is_upright()) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const auto reach = ground_->space.fractions_across(d, cutoff_);
      const double f = x[d] + static_cast<double>(targets_[one.target].image[d]);
      if (f < one.cells.lower[d] - reach || f > one.cells.upper[d] + reach) return false;
    }
    return true;
  }
  double square = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double y = x[d] + shift[d];
    const double off = y < one.cells.lower[d]   ? one.cells.lower[d] - y
                       : y > one.cells.upper[d] ? y - one.cells.upper[d]
                                                : 0;
    square += off * off;
  }
  return square <= cutoff_ * cutoff_;
}

void ghosts::add_ghosts_of(std::size_t i, const position& x, const own_part& part) {
  for (const auto& one : part.near) {
    auto& list = sent_[one.target];
    if (!list.empty() && list.back() == static_cast<index_t>(i)) continue;  // by another box of the target
    if (is_near(x, one, shifts_[one.target])) list.push_back(static_cast<index_t>(i));
  }
}

void ghosts::find_senders(const coordinate_arrays& at, std::size_t owned) {
  for (auto& list : sent_) list.clear();
  const bool upright = ground_->space.is_upright();
  const auto& real = ground_->own_real[at.is_float ? 1 : 0];
  std::size_t last = 0;
  for (std::size_t i = 0; i < owned; ++i) {
    auto x = at.read(i);
    if (!upright || real.empty() || !real[last].contains(x, at.dimensions)) last = part_of(at, i);
    if (upright && parts_[last].interior.contains(x, at.dimensions)) continue;
    if (!upright) x = ground_->space.fractions(x);
    add_ghosts_of(i, x, parts_[last]);
  }
}

void ghosts::check_plan(const particle_call& call) {
  if (call.fault != nullptr) throw error(*call.fault);
  require_idle();
  const auto owned = call.columns.front().size();
  ground_->require_no_ghosts(in_ghosts, owned);
  for (std::size_t c = 0; c < call.columns.size(); ++c)
    if (call.columns[c].size() != owned)
      throw error(
          error_kind::argument, in_ghosts,
          wherry::detail::text("array ", c, " has ", call.columns[c].size(), " elements, but array 0 has ", owned),
          ground_->comm.rank());
  list_fields(call, true);
  require_distinct_arrays();
  find_senders(coordinates_in(call.columns, call), owned);
}

/// Tells each rank how many ghosts it gets, and of which images; or tells all ranks of an error.
ghosts::found_ghosts ghosts::exchange_counts(const particle_call& call) {
  const auto& comm = ground_->comm;
  wherry::detail::byte_exchange exchange(comm, in_ghosts, wherry::detail::elements_of<std::int64_t>(), {},
                                         wherry::detail::sparse_form::blocking);
  const auto fault = wherry::detail::error_of(comm, in_ghosts, [&] { check_plan(call); });
  if (fault) exchange.refuse(*fault);
  for (std::size_t t = 0; !fault && t < targets_.size(); ++t)
    if (!sent_[t].empty()) exchange.count(targets_[t].rank, 1 + most_dimensions);
  if (exchange.room() != nullptr)
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      if (sent_[t].empty()) continue;
      std::array<std::int64_t, 1 + most_dimensions> words{std::ssize(sent_[t])};
      std::ranges::copy(targets_[t].image, words.begin() + 1);
      exchange.pack(targets_[t].rank, words.data(), words.size());
    }
  const auto arrived = arriving<std::int64_t>(std::move(exchange)).wait();
  found_ghosts found{call.columns.front().size(), 0, {}, {}};
  for (const auto& [source, words] : arrived)
    for (std::size_t w = 0; w < words.size(); w += 1 + most_dimensions) {
      group one{source, {}, found.count, static_cast<std::size_t>(words[w])};
      for (std::size_t d = 0; d < most_dimensions; ++d) one.image[d] = words[w + 1 + d];
      found.count += one.count;
      found.groups.push_back(one);
    }
  return found;
}

void ghosts::make_lists(found_ghosts& found) const {
  auto& lists = found.lists;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    if (sent_[t].empty()) continue;
    if (lists.sends.empty() || lists.sends.back().peer != targets_[t].rank)
      lists.sends.push_back({targets_[t].rank, {}});
    auto& list = lists.sends.back().at;
    list.insert(list.end(), sent_[t].begin(), sent_[t].end());
  }
  for (const auto& one : found.groups) {
    if (lists.receives.empty() || lists.receives.back().peer != one.rank) lists.receives.push_back({one.rank, {}});
    for (std::size_t k = 0; k < one.count; ++k)
      lists.receives.back().at.push_back(static_cast<index_t>(found.owned + one.begin + k));
  }
}

// Until all ranks have room for their ghosts, the arrays and the plan before stay as they are.
void ghosts::plan(const particle_call& call) {
  auto found = exchange_counts(call);
  try {
    wherry::detail::collectively(ground_->comm, in_ghosts, [&] {
      make_lists(found);
      for (const auto& column : call.columns) column.resize(found.owned + found.count);
    });
  } catch (...) {
    for (const auto& column : call.columns)
      if (column.size() > found.owned) column.resize(found.owned);
    throw;
  }
  bound_.clear();
  owned_ = found.owned;
  count_ = found.count;
  groups_ = std::move(found.groups);
  lists_ = std::move(found.lists);
  planned_ = true;
  move_ = ground_->moves;
  ground_->tail = {move_, owned_, count_};
  start(call, false, true);
  wait();
}

int ghosts::owner_of(std::size_t k) const {
  for (const auto& one : groups_)
    if (k >= one.begin && k < one.begin + one.count) return one.rank;
  throw error(error_kind::argument, in_ghosts, wherry::detail::text("there is no ghost ", k, " of ", count_),
              ground_->comm.rank());
}

}  // namespace wherry::particles
