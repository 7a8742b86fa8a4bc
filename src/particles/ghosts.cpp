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
  for (std::size_t d = 0; d < dimensions; ++d) reach[d] = space.cells_across(d, cutoff_);
  ground_->owners->require_reach(reach, ground_->comm.rank());
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

void ghosts::find_senders(const coordinate_arrays& at) {
  for (auto& list : sent_) list.clear();
  const bool upright = ground_->space.is_upright();
  const auto& real = ground_->own_real[at.is_float ? 1 : 0];
  std::size_t last = 0;
  for (std::size_t i = 0; i < owned_; ++i) {
    auto x = at.read(i);
    if (!upright || real.empty() || !real[last].contains(x, at.dimensions)) last = part_of(at, i);
    if (upright && parts_[last].interior.contains(x, at.dimensions)) continue;
    if (!upright) x = ground_->space.fractions(x);
    add_ghosts_of(i, x, parts_[last]);
  }
}

/// Tells each rank how many ghosts it gets, and of which images; or tells all ranks of an error.
void ghosts::exchange_counts(const particle_call& call) {
  const auto& comm = ground_->comm;
  wherry::detail::byte_exchange exchange(comm, in_ghosts, wherry::detail::elements_of<std::int64_t>(), {});
  const auto fault = wherry::detail::error_of(comm, in_ghosts, [&] {
    for (std::size_t c = 0; c < call.columns.size(); ++c)
      if (call.columns[c].size() != owned_)
        throw error(
            error_kind::argument, in_ghosts,
            wherry::detail::text("array ", c, " has ", call.columns[c].size(), " elements, but array 0 has ", owned_),
            comm.rank());
    find_senders(coordinates_in(call.columns, call));
  });
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
  const auto arrived = arriving<std::int64_t>(std::move(exchange), false).wait();
  groups_.clear();
  count_ = 0;
  for (const auto& [source, words] : arrived)
    for (std::size_t w = 0; w < words.size(); w += 1 + most_dimensions) {
      group one{source, {}, count_, static_cast<std::size_t>(words[w])};
      for (std::size_t d = 0; d < most_dimensions; ++d) one.image[d] = words[w + 1 + d];
      count_ += one.count;
      groups_.push_back(one);
    }
}

void ghosts::make_lists() {
  lists_ = {};
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    if (sent_[t].empty()) continue;
    if (lists_.sends.empty() || lists_.sends.back().peer != targets_[t].rank)
      lists_.sends.push_back({targets_[t].rank, {}});
    auto& list = lists_.sends.back().at;
    list.insert(list.end(), sent_[t].begin(), sent_[t].end());
  }
  for (const auto& one : groups_) {
    if (lists_.receives.empty() || lists_.receives.back().peer != one.rank) lists_.receives.push_back({one.rank, {}});
    for (std::size_t k = 0; k < one.count; ++k)
      lists_.receives.back().at.push_back(static_cast<index_t>(owned_ + one.begin + k));
  }
}

void ghosts::plan(const particle_call& call) {
  if (active_ != nullptr)
    throw error(error_kind::state, in_ghosts, "an exchange of ghosts is under way: call 'wait' first",
                ground_->comm.rank());
  planned_ = false;
  bound_.clear();
  owned_ = call.columns.front().size();
  exchange_counts(call);
  make_lists();
  wherry::detail::collectively(ground_->comm, in_ghosts, [&] {
    for (const auto& column : call.columns) column.resize(owned_ + count_);
  });
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
