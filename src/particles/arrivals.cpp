// The second half of a move: what has arrived is put into the arrays.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>

#include "wherry/core/settings.hpp"

#include "core/collective.hpp"
#include "migration.hpp"

namespace wherry::particles {
void migration::find_rows() {
  row_places_.clear();
  for (std::size_t place = 0; place < arrivals_->used;) {
    row_places_.push_back(place);
    const auto* const row = arrivals_->bytes.get() + place;
    place += layout_.bytes;
    for (std::size_t c = 0; layout_.has_values && c < columns_.size(); ++c)
      if (columns_[c].role == column_role::lengths)
        place += static_cast<std::size_t>(length_at(row + layout_.offsets[c], columns_[c])) * columns_[c + 1].bytes;
  }
}

// Nothing has been changed when memory is missing.
void migration::make_room() {
  const auto wanted = count_ - leaving_.who.size() + row_places_.size();
  if (wanted <= count_) return;
  try {
    for (const auto& column : columns_)
      if (column.role != column_role::values) column.resize(wanted);
  } catch (const std::exception&) {
    for (const auto& column : columns_)
      if (column.role != column_role::values && column.size() > count_) column.resize(count_);
    throw error(error_kind::resource, in_exchange,
                wherry::detail::text("there is no memory for ", wanted, " particles: free some, and call 'wait' again"),
                ground_->comm.rank());
  }
}

void migration::apply() {
  const bool checks = current_settings().check;
  const auto before = checks ? hash_of_staying() + hash_of_leaving_ : 0;
  if (!leaving_.corrected.empty()) {
    const auto at = coordinates_in(columns_, call_);
    for (const auto i : leaving_.corrected) {
      auto x = at.read(i);
      ground_->space.wrap(x, at.is_float);
      at.write(i, x);
    }
  }
  order_.make(options_.order, count_, leaving_.who, row_places_.size());
  if (!leaving_.who.empty() || !row_places_.empty()) {
    sources_.clear();
    if (layout_.has_values) order_.append_sources(sources_);
    // Values first, because their places follow from the lengths before the move.
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].role == column_role::lengths) rearrange_values(c);
    const arrived_rows arrived{arrivals_->bytes.get(), row_places_};
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].role != column_role::values) order_.apply(columns_[c], layout_.offsets[c], arrived);
  }
  count_ = order_.count();
  ++ground_->moves;
  has_moved_ = true;
  if (checks) compare_hashes(before);
}

// All values from the first particle that changes on are written anew.
void migration::rearrange_values(std::size_t lengths) {
  const auto& column = columns_[lengths + 1];
  const auto& begin = values_begin_[lengths];
  const auto* const values = column.data();
  const auto kept = begin[order_.first_changed()] * column.bytes;
  scratch_.clear();
  const auto append = [&](const std::byte* from, std::size_t bytes) {
    scratch_.insert(scratch_.end(), from, from + bytes);
  };
  for (const auto source : sources_) {
    if (source >= 0) {
      const auto i = static_cast<std::size_t>(source);
      append(values + begin[i] * column.bytes, (begin[i + 1] - begin[i]) * column.bytes);
      continue;
    }
    const auto* const row = row_of_arrival(static_cast<std::size_t>(-1 - source));
    const auto* from = row + layout_.bytes;
    for (std::size_t c = 0; c < lengths; ++c)
      if (columns_[c].role == column_role::lengths)
        from += static_cast<std::size_t>(length_at(row + layout_.offsets[c], columns_[c])) * columns_[c + 1].bytes;
    append(from, static_cast<std::size_t>(length_at(row + layout_.offsets[lengths], columns_[lengths])) * column.bytes);
  }
  auto* const to = column.resize((kept + scratch_.size()) / column.bytes);
  if (!scratch_.empty()) std::memcpy(to + kept, scratch_.data(), scratch_.size());
}

std::uint64_t migration::hash_of_particle(std::size_t i, bool corrects) {
  scratch_.resize(layout_.bytes);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].role != column_role::values)
      std::memcpy(scratch_.data() + layout_.offsets[c], columns_[c].data() + i * columns_[c].bytes, columns_[c].bytes);
  if (corrects) correct(scratch_.data());
  for (std::size_t c = 0; layout_.has_values && c < columns_.size(); ++c) {
    if (columns_[c].role != column_role::lengths) continue;
    const auto size = columns_[c + 1].bytes;
    const auto* const values = columns_[c + 1].data();
    scratch_.insert(scratch_.end(), values + values_begin_[c][i] * size, values + values_begin_[c][i + 1] * size);
  }
  return hash_of(scratch_);
}

std::uint64_t migration::hash_of_staying() {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (!std::ranges::binary_search(leaving_.who, i))
      all += hash_of_particle(i, std::ranges::binary_search(leaving_.corrected, i));
  return all;
}

// Sums of all ranks do not depend on where a particle is.
void migration::compare_hashes(std::uint64_t before) {
  std::uint64_t after = 0;
  const auto fault = wherry::detail::error_of(ground_->comm, in_exchange, [&] {
    if (layout_.has_values) measure_values();
    for (std::size_t i = 0; i < count_; ++i) after += hash_of_particle(i, false);
  });
  const std::vector<std::uint64_t> mine{leaving_.who.size() - row_places_.size(), before - after + (fault ? 1 : 0)};
  const auto all = patient::allreduce(ground_->comm, in_exchange, mine, patient::sum);
  if (all[0] != 0)
    throw error(error_kind::state, in_exchange,
                wherry::detail::text(static_cast<std::int64_t>(all[0]), " particles more have left than arrived"),
                ground_->comm.rank());
  if (all[1] != 0)
    throw error(error_kind::state, in_exchange, "particles were changed by the move", ground_->comm.rank());
}

}  // namespace wherry::particles
