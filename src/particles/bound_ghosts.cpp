// The exchanges of values between particles and their ghosts, by a plan that was made.
#include <algorithm>
#include <functional>
#include <utility>

#include "wherry/core/error.hpp"

#include "ghosts.hpp"

namespace wherry::particles {
void ghosts::require_fresh() const {
  if (!planned_)
    throw error(error_kind::state, in_ghosts, "no ghosts are planned: call 'plan' first", ground_->comm.rank());
  if (move_ != ground_->moves)
    throw error(error_kind::state, in_ghosts, "particles have moved since the ghosts were planned: call 'plan' again",
                ground_->comm.rank());
}

void ghosts::require_idle() const {
  if (active_ != nullptr)
    throw error(error_kind::state, in_ghosts, "an exchange of ghosts is under way: call 'wait' first",
                ground_->comm.rank());
}

// Parts of one array are legal, such as two members of structures.
void ghosts::require_distinct_arrays() const {
  for (std::size_t b = 1; b < listed_.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (listed_[a].array == listed_[b].array && listed_[a].column != listed_[b].column &&
          listed_[a].begin < listed_[b].end && listed_[b].begin < listed_[a].end)
        throw error(error_kind::argument, in_ghosts,
                    wherry::detail::text("array ", listed_[b].column, " is array ", listed_[a].column, ", too"),
                    ground_->comm.rank());
}

void ghosts::check_arrays(const particle_call& call) const {
  if (call.fault != nullptr) throw error(*call.fault);
  for (std::size_t c = 0; c < call.columns.size(); ++c)
    if (const auto have = call.columns[c].size(); have < owned_ + count_)
      throw error(error_kind::argument, in_ghosts,
                  wherry::detail::text("array ", c, " has ", have, " elements, expected ", owned_ + count_, ": ",
                                       owned_, " particles and ", count_, " ghosts"),
                  ground_->comm.rank());
  require_distinct_arrays();
}

void ghosts::add_field(const particle_column& column, std::size_t offset, std::size_t bytes,
                       const plans::element_type& type) {
  static std::byte nowhere;
  auto* const data = column.data();
  table_.push_back(data != nullptr ? data + offset : &nowhere);
  wherry::detail::index_field field;
  field.data = table_.back();
  field.element = static_cast<index_t>(bytes);
  field.stride = static_cast<index_t>(column.bytes);
  field.count = static_cast<index_t>(owned_ + count_);
  field.type = type;
  fields_.push_back(field);
}

/// @param whole structures travel as they are; otherwise only their positions do
void ghosts::list_fields(const particle_call& call, bool whole) {
  fields_.clear();
  listed_.clear();
  table_.clear();
  const auto size = call.is_float ? sizeof(float) : sizeof(double);
  for (std::size_t c = 0; c < call.columns.size(); ++c) {
    const auto& column = call.columns[c];
    std::size_t coordinates = 0;
    for (std::size_t d = 0; d < call.dimensions; ++d) coordinates += call.coordinates[d].column == c ? 1 : 0;
    const auto add = [&](std::size_t offset, std::size_t bytes, const plans::element_type& type) {
      listed_.push_back({column.array, c, offset, offset + bytes});
      add_field(column, offset, bytes, type);
    };
    if (whole || coordinates == 0 || coordinates * size == column.bytes) {
      add(column.offset, column.length, column.type);
      continue;
    }
    const auto type = call.is_float ? plans::element_of<float>() : plans::element_of<double>();
    if (call.is_together) {
      add(call.coordinates[0].offset, coordinates * size, type);
    } else {
      for (std::size_t d = 0; d < call.dimensions; ++d) add(call.coordinates[d].offset, size, type);
    }
  }
}

ghosts::bound* ghosts::find_bound(bool back) {
  const auto alike = [](const wherry::detail::index_field& a, const wherry::detail::index_field& b) {
    return a.element == b.element && a.stride == b.stride && a.type == b.type;
  };
  for (auto& one : bound_)
    if (one.back == back && std::ranges::equal(one.fields, fields_, alike)) return &one;
  return nullptr;
}

void ghosts::start(const particle_call& call, bool back, bool whole) {
  list_fields(call, whole);
  auto* known = find_bound(back);
  if (known == nullptr) {
    wherry::detail::collectively(ground_->comm, in_ghosts, [&] { check_arrays(call); });
    index_options how{.carry = carry_};
    if (back) {
      how.reverse = true;
      how.update = std::plus<>{};
    }
    bound_.push_back({back, fields_, index_exchange(ground_->comm, lists_, how, fields_)});
    known = &bound_.back();
  } else {
    check_arrays(call);
  }
  shifts_positions_ = !back && call.dimensions > 0;
  if (shifts_positions_) positions_ = coordinates_in(call.columns, call);
  known->exchange.bound().start(table_);
  active_ = known;
  has_ended_by_test_ = false;
}

void ghosts::begin(const particle_call& call, bool back) {
  require_idle();
  require_fresh();
  start(call, back, false);
}

void ghosts::shift_positions() {
  active_ = nullptr;
  if (!std::exchange(shifts_positions_, false)) return;
  for (const auto& one : groups_)
    if (one.image != cell{}) positions_.add(owned_ + one.begin, one.count, shift_of(one.image));
}

/// After an error the exchange is over, and the arrays may be gone, unless other ranks were waited for in vain.
template <class Step> auto ghosts::ending(Step&& step) {
  try {
    return step();
  } catch (const error& failure) {
    if (failure.kind() != error_kind::timeout && failure.kind() != error_kind::lost) active_ = nullptr;
    throw;
  }
}

bool ghosts::test() {
  if (active_ == nullptr) return true;
  if (!ending([&] { return active_->exchange.test(); })) return false;
  shift_positions();
  has_ended_by_test_ = true;
  return true;
}

void ghosts::wait() {
  if (std::exchange(has_ended_by_test_, false)) return;
  if (active_ == nullptr)
    throw error(error_kind::state, in_ghosts, "no exchange of ghosts is under way", ground_->comm.rank());
  ending([&] { active_->exchange.wait(); });
  shift_positions();
}

void ghosts::resize(std::span<const particle_column> columns) const {
  require_fresh();
  for (const auto& column : columns) column.resize(owned_ + count_);
}

void ghosts::drop(std::span<const particle_column> columns) {
  if (!planned_) return;
  require_fresh();
  for (const auto& column : columns)
    if (column.size() > owned_) column.resize(owned_);
  ground_->tail = {};
}

}  // namespace wherry::particles
