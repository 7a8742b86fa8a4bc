#include "migration.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/core/settings.hpp"

#include "core/collective.hpp"
#include "core/xxhash3.hpp"

namespace wherry::particles {
std::byte* arrival_buffer::resize(std::size_t elements) {
  used = elements * element;
  if (used > capacity || !bytes) {
    const auto wanted = std::bit_ceil(std::max<std::size_t>(used, 1024));
    has_failed = true;
    bytes.reset(new std::byte[wanted]);
    has_failed = false;
    capacity = wanted;
  }
  return bytes.get();
}

migration::migration(std::shared_ptr<territory> ground, const particle_options& options)
    : ground_(std::move(ground)),
      options_(options),
      finder_(*ground_, options.neighbors_only),
      arrivals_(std::make_shared<arrival_buffer>()) {
  wherry::detail::prepare_exchanges(ground_->comm);
  sparse_.algorithm = options.algorithm;
  if (options.neighbors_only) sparse_.receive_from = ground_->neighbors;
}

std::optional<cell> migration::cell_of(position x) const {
  if (!ground_->has_space())
    throw error(error_kind::state, in_exchange, "this exchange was made without a space", ground_->comm.rank());
  const auto found = ground_->space.wrap(x, false);
  if (found != space_map::place::inside && found != space_map::place::moved) return {};
  return ground_->space.cell_of(x);
}

int migration::owner_of(const position& x) const {
  const auto found = cell_of(x);
  return found ? ground_->owners->owner_of(*found) : -1;
}

// The values of particle i are those from begin[i] to begin[i + 1].
void migration::measure_values() {
  values_begin_.resize(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].role != column_role::lengths) continue;
    auto& begin = values_begin_[c];
    begin.resize(count_ + 1);
    const auto* const lengths = columns_[c].data();
    std::size_t all = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      begin[i] = all;
      const auto length = length_at(lengths + i * columns_[c].bytes, columns_[c]);
      if (length < 0)
        throw error(error_kind::argument, in_exchange, wherry::detail::text("particle ", i, " has ", length, " values"),
                    ground_->comm.rank());
      all += static_cast<std::size_t>(length);
    }
    begin[count_] = all;
    if (const auto have = columns_[c + 1].size(); have != all)
      throw error(error_kind::argument, in_exchange,
                  wherry::detail::text("array ", c + 1, " has ", have,
                                       " values, but the lengths of the particles add up to ", all),
                  ground_->comm.rank());
  }
}

void migration::take(const particle_call& call) {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].role != column_role::values && columns_[c].size() != count_)
      throw error(error_kind::argument, in_exchange,
                  wherry::detail::text("array ", c, " has ", columns_[c].size(), " elements, but array 0 has ", count_),
                  ground_->comm.rank());
  for (std::size_t c = 1; c < columns_.size(); ++c)
    for (std::size_t before = 0; before < c; ++before)
      if (columns_[c].array == columns_[before].array)
        throw error(error_kind::argument, in_exchange, wherry::detail::text("array ", c, " is array ", before, ", too"),
                    ground_->comm.rank());
  ground_->require_no_ghosts(in_exchange, count_);
  if (layout_.has_values) measure_values();
  gathered_ = 0;
  finder_.find(call, call.dimensions > 0 ? coordinates_in(columns_, call) : coordinate_arrays{}, count_, leaving_,
               [this] { gather_rows(); });
}

wherry::detail::sparse_elements migration::elements_of_rows() const {
  shape_hash all;
  all.add(call_.dimensions).add(call_.is_float).add(layout_.bytes).add(options_.order);
  for (std::size_t d = 0; d < call_.dimensions; ++d) all.add(call_.coordinates[d].column);
  for (const auto& column : columns_) {
    column.type.add_to(all);
    all.add(column.bytes).add(column.role);
  }
  const auto bytes = layout_.has_values || layout_.bytes == 0 ? 1 : layout_.bytes;  // 0: there was no memory for it
  return {{plans::element_kind::users, static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(all.value())},
          bytes};
}

void migration::begin(const particle_call& call) {
  if (under_way_)
    throw error(error_kind::state, in_exchange, "a move is under way: call 'wait' first", ground_->comm.rank());
  has_moved_ = false;
  call_ = call;
  call_.columns = {};
  call_.fault = nullptr;
  count_ = call.fault != nullptr ? 0 : call.columns.front().size();
  const auto fault = wherry::detail::error_of(ground_->comm, in_exchange, [&] {
    if (call.fault != nullptr) throw error(*call.fault);
    columns_.assign(call.columns.begin(), call.columns.end());
    layout_.assign(columns_);
    take(call);
  });
  // Otherwise only the ranks around the one with the error hear of it, when they have sent their particles.
  if (options_.neighbors_only && current_settings().check)
    wherry::detail::agree_or_throw(ground_->comm, in_exchange, fault ? &*fault : nullptr);
  start_exchange(fault);
}

/// The number of exchanged elements that a particle takes: one row, or the number of its bytes.
std::size_t migration::units_of(std::size_t leaver) const {
  if (!layout_.has_values) return 1;
  auto bytes = layout_.bytes;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].role == column_role::lengths)
      bytes += (values_begin_[c][leaver + 1] - values_begin_[c][leaver]) * columns_[c + 1].bytes;
  return bytes;
}

void migration::start_exchange(const std::optional<error>& fault) {
  const auto elements = elements_of_rows();
  arrivals_->element = elements.bytes;
  exchange_ = wherry::detail::byte_exchange(ground_->comm, in_exchange, elements, sparse_,
                                            wherry::detail::sparse_form::started);
  if (fault) {
    exchange_.refuse(*fault);
    leaving_.clear();
  }
  if (options_.neighbors_only)
    for (const int to : ground_->neighbors) exchange_.count(to, 0);
  // The others wait for this rank, also if it has no memory.
  if (const auto missing = wherry::detail::error_of(ground_->comm, in_exchange, [&] { count_and_pack(); })) {
    exchange_.refuse(*missing);
    leaving_.clear();
  }
  const auto resize = [](void* buffer, std::size_t count) {
    return static_cast<arrival_buffer*>(buffer)->resize(count);
  };
  arrivals_->has_failed = false;
  exchange_.start({arrivals_, resize, &arrivals_->ranks, &arrivals_->offsets});
  under_way_ = true;
}

void migration::count_and_pack() {
  for (std::size_t k = 0; k < leaving_.who.size();) {  // mostly several in a row go to the same rank
    const int to = leaving_.to[k];
    std::size_t units = 0;
    for (; k < leaving_.who.size() && leaving_.to[k] == to; ++k) units += units_of(leaving_.who[k]);
    exchange_.count(to, units);
  }
  pack();
}

void migration::pack() {
  auto* const room = exchange_.room();
  if (room == nullptr) return;
  const auto places = exchange_.places();
  const auto count = leaving_.who.size();
  row_places_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    auto& place = places[static_cast<std::size_t>(leaving_.to[k])];
    row_places_[k] = place;
    place += layout_.has_values ? units_of(leaving_.who[k]) : layout_.bytes;
  }
  for (std::size_t k = 0; k < count; ++k)
    std::memcpy(room + row_places_[k], rows_.data() + k * layout_.bytes, layout_.bytes);
  for (std::size_t k = 0; k < count; ++k)
    if (leaving_.wraps[k] != 0) correct(room + row_places_[k]);
  if (layout_.has_values) pack_values(room);
  hash_of_leaving_ = 0;
  if (current_settings().check)
    for (std::size_t k = 0; k < count; ++k)
      hash_of_leaving_ +=
          xxhash3({room + row_places_[k], layout_.has_values ? units_of(leaving_.who[k]) : layout_.bytes});
}

// Rows are made as soon as their particles are found, and in memory of this rank: other cores may have read the room of
// the exchange, and single stores to its lines are slow.
void migration::gather_rows() {
  const auto bytes = layout_.bytes, count = leaving_.who.size();
  if (count == gathered_) return;
  if (rows_.size() < count * bytes) rows_.resize(std::max(count * bytes, 2 * rows_.size()));
  const auto which = std::span<const std::size_t>(leaving_.who).subspan(gathered_);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].role != column_role::values)
      gather(columns_[c].data(), columns_[c].bytes, which, rows_.data() + gathered_ * bytes + layout_.offsets[c],
             bytes);
  gathered_ = count;
}

void migration::pack_values(std::byte* room) {
  for (std::size_t k = 0; k < leaving_.who.size(); ++k) {
    auto* to = room + row_places_[k] + layout_.bytes;
    const auto i = leaving_.who[k];
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].role != column_role::lengths) continue;
      const auto size = columns_[c + 1].bytes, begin = values_begin_[c][i],
                 bytes = (values_begin_[c][i + 1] - begin) * size;
      if (bytes > 0) std::memcpy(to, columns_[c + 1].data() + begin * size, bytes);
      to += bytes;
    }
  }
}

/// Wraps the position in a row.
void migration::correct(std::byte* row) const {
  coordinate_arrays at;
  at.dimensions = call_.dimensions;
  at.is_float = call_.is_float;
  for (std::size_t d = 0; d < call_.dimensions; ++d)
    at.first[d] = row + layout_.offsets[call_.coordinates[d].column] + call_.coordinates[d].offset;
  auto x = at.read(0);
  ground_->space.wrap(x, call_.is_float);
  at.write(0, x);
}

/// Runs a step of the exchange. An error other than that of a timeout ends the move.
template <class Step> bool migration::run_or_end(Step&& step) {
  const auto end = [&] {
    under_way_ = false;
    exchange_ = {};
  };
  try {
    return step();
  } catch (const error& failure) {
    if (failure.kind() == error_kind::timeout) throw;
    end();
    if (!arrivals_->has_failed) throw;
    throw error(error_kind::resource, in_exchange,
                failure.text() + ": the particles that were sent here are lost, so that the program must end",
                ground_->comm.rank());
  } catch (...) {
    end();
    throw;
  }
}

bool migration::test() {
  if (!under_way_) throw error(error_kind::state, in_exchange, "no move is under way", ground_->comm.rank());
  return has_arrived_ || run_or_end([&] { return exchange_.test(); });
}

particle_move migration::wait() {
  if (!under_way_) throw error(error_kind::state, in_exchange, "no move is under way", ground_->comm.rank());
  if (!has_arrived_)
    has_arrived_ = run_or_end([&] {
      exchange_.wait();
      return true;
    });
  exchange_ = {};
  prepare();
  under_way_ = has_arrived_ = false;
  apply();
  return {leaving_.who.size(), row_places_.size(), count_};
}

std::vector<index_t> migration::permutation() const {
  if (!has_moved_)
    throw error(error_kind::state, in_exchange, "there was no move, or another one has begun", ground_->comm.rank());
  std::vector<index_t> all;
  all.reserve(order_.count());
  for (std::size_t i = 0; i < order_.first_changed(); ++i) all.push_back(static_cast<index_t>(i));
  order_.append_sources(all);
  return all;
}

}  // namespace wherry::particles
