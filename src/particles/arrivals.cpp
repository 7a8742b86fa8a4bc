// The second half of a move: what has arrived is put into the arrays.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>

#include "wherry/core/settings.hpp"

#include "core/collective.hpp"
#include "core/xxhash3.hpp"
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

// All memory is taken here. The arrays are as before when some is missing.
void migration::prepare() {
  try {
    find_rows();
    order_.make(options_.order, count_, leaving_.who, row_places_.size());
    sources_.clear();
    if (layout_.has_values) order_.append_sources(sources_);
    new_values_.resize(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].role == column_role::lengths) collect_values(c);
    hash_before_ = current_settings().check ? hash_of_staying() + hash_of_leaving_ : 0;
    make_room();
  } catch (const std::exception&) {
    throw error(error_kind::resource, in_exchange,
                wherry::detail::text("there is no memory for ", count_ - leaving_.who.size() + row_places_.size(),
                                     " particles: free some, and call 'wait' again"),
                ground_->comm.rank());
  }
}

void migration::make_room() {
  const auto size_before = [&](std::size_t c) {
    return columns_[c].role == column_role::values ? values_begin_[c - 1][count_] : count_;
  };
  const auto size_after = [&](std::size_t c) {
    if (columns_[c].role != column_role::values) return order_.count();
    return values_begin_[c - 1][order_.first_changed()] + new_values_[c - 1].size() / columns_[c].bytes;
  };
  try {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (size_after(c) > size_before(c)) columns_[c].resize(size_after(c));
  } catch (...) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].size() > size_before(c)) columns_[c].resize(size_before(c));
    throw;
  }
}

void migration::apply() {
  if (!leaving_.corrected.empty()) {
    const auto at = coordinates_in(columns_, call_);
    for (const auto i : leaving_.corrected) {
      auto x = at.read(i);
      ground_->space.wrap(x, at.is_float);
      at.write(i, x);
    }
  }
  if (!leaving_.who.empty() || !row_places_.empty()) {
    const arrived_rows arrived{arrivals_->bytes.get(), row_places_};
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto& column = columns_[c];
      if (column.role != column_role::values) {
        order_.apply(column, layout_.offsets[c], arrived);
        continue;
      }
      const auto& values = new_values_[c - 1];
      const auto kept = values_begin_[c - 1][order_.first_changed()] * column.bytes;
      if (!values.empty()) std::memcpy(column.data() + kept, values.data(), values.size());
      if (const auto size = (kept + values.size()) / column.bytes; size < column.size()) column.resize(size);
    }
  }
  count_ = order_.count();
  ++ground_->moves;
  has_moved_ = true;
  if (current_settings().check) compare_hashes(hash_before_);
}

// All values from the first particle that changes on are written anew.
void migration::collect_values(std::size_t lengths) {
  const auto& column = columns_[lengths + 1];
  const auto& begin = values_begin_[lengths];
  const auto* const values = column.data();
  auto& all = new_values_[lengths];
  all.clear();
  const auto append = [&](const std::byte* from, std::size_t bytes) { all.insert(all.end(), from, from + bytes); };
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
  return xxhash3(scratch_);
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
