#include "particle_request.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "errors.hpp"

namespace wherry_python {
namespace {

using wherry::detail::column_role;
using wherry::detail::text;

/// The bytes of a row, one behind the other.
std::size_t row_bytes(const array_shape& shape) {
  auto bytes = static_cast<std::size_t>(shape.item);
  for (std::size_t d = 1; d < shape.dimensions; ++d) bytes *= static_cast<std::size_t>(shape.extents[d]);
  return bytes;
}

column_role role_of(int role) {
  return role == 1 ? column_role::lengths : role == 2 ? column_role::values : column_role::one_each;
}

/// The bytes from one row to the next, of which each is one piece of memory.
std::size_t row_stride(const array_shape& shape, std::string_view where, std::string_view argument) {
  const auto bytes = row_bytes(shape);
  auto inner = shape.item;
  for (std::size_t d = shape.dimensions; d-- > 1;) {
    if (shape.extents[d] > 1 && shape.strides[d] != inner)
      refuse(where, argument, " has ", shape, ", but the values of a particle must lie one behind the other");
    inner *= shape.extents[d];
  }
  if (shape.extents[0] <= 1) return bytes;
  if (shape.strides[0] < static_cast<std::int64_t>(bytes))
    refuse(where, argument, " has ", shape, ", but particles must follow each other without common bytes");
  return static_cast<std::size_t>(shape.strides[0]);
}

}  // namespace

const wherry::detail::array_functions given_rows::functions{
    [](const void* array) { return static_cast<const given_rows*>(array)->count; },
    [](void* array) { return static_cast<given_rows*>(array)->data(); },
    // Calls that fill ghosts do not change lengths.
    [](void* array, std::size_t) { return static_cast<given_rows*>(array)->data(); }};

void given_rows::pack(memory_block room) {
  packed = std::move(room);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(packed.bytes.get() + i * bytes, held.data() + i * stride, bytes);
}

void given_rows::unpack(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i)
    std::memcpy(held.data() + i * stride, packed.bytes.get() + i * bytes, bytes);
}

particle_request::~particle_request() {
  for (auto& one : grown_) pool_->give(std::move(one.block));
  for (auto& rows : given_) pool_->give(std::move(rows.packed));
}

void particle_request::copy_arrays(const nb::list& arrays, bool in_place, std::string_view where) {
  pool_->make_room_for(arrays.size());
  for (const auto& item : arrays) {
    const auto [array, role] = nb::cast<std::pair<nb::object, int>>(item);
    const auto argument = text("array ", columns_.size());
    const held_array held(array, false, where, argument);
    const auto shape = held.shape(where, argument);
    const auto bytes = row_bytes(shape), count = static_cast<std::size_t>(shape.extents[0]);
    auto block = pool_->take(in_place ? held.data() : nullptr, count * bytes);
    if (block.bytes.get() != held.data() && count * bytes > 0)
      std::memcpy(block.bytes.get(), held.data(), count * bytes);
    grown_.push_back({std::move(block), count, bytes});
    columns_.push_back({&grown_.back(), &growing_array::functions, shape.type, bytes, 0, bytes, role_of(role)});
  }
  call_.columns = columns_;
}

void particle_request::refer_to_arrays(const nb::list& arrays, std::string_view where) {
  for (const auto& array : arrays) {
    const auto argument = text("array ", columns_.size());
    auto& rows = given_.emplace_back();
    rows.held = held_array(array, false, where, argument);
    const auto shape = rows.held.shape(where, argument);
    rows.count = static_cast<std::size_t>(shape.extents[0]);
    rows.bytes = row_bytes(shape);
    columns_.push_back({&rows, &given_rows::functions, shape.type, rows.bytes, 0, rows.bytes, column_role::one_each});
  }
  call_.columns = columns_;
}

void particle_request::use_arrays(const nb::list& arrays, std::string_view where) {
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const auto argument = text("array ", k);
    auto& rows = given_[k];
    rows.held = held_array(arrays[k], true, where, argument);
    const auto shape = rows.held.shape(where, argument);
    if (shape.dimensions == 0) refuse(where, argument, " is one value, expected a value for each particle");
    if (rows.bytes == 0) refuse(where, argument, " has ", shape, ", and its elements have no bytes");
    rows.stride = row_stride(shape, where, argument);
  }
  require_apart(where);
  pool_->make_room_for(given_.size());
  for (auto& rows : given_)
    if (rows.stride != rows.bytes) rows.pack(pool_->take(nullptr, rows.count * rows.bytes));
}

void particle_request::unpack() {
  for (auto& rows : given_) {
    if (rows.packed.bytes == nullptr) continue;
    rows.unpack(written_.first, written_.second);
    pool_->give(std::exchange(rows.packed, {}));
  }
}

/// Fields of structures of one array may travel together, but no byte may be written twice.
void particle_request::require_apart(std::string_view where) const {
  const auto end_of = [](const given_rows& one) {
    return one.count == 0 ? one.held.data() : one.held.data() + (one.count - 1) * one.stride + one.bytes;
  };
  for (std::size_t b = 1; b < given_.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto &one = given_[a], &other = given_[b];
      const auto *const first = one.held.data(), *const second = other.held.data();
      if (end_of(one) <= second || end_of(other) <= first) continue;
      const bool second_is_later = first < second;
      const auto apart = static_cast<std::size_t>(second_is_later ? second - first : first - second);
      const auto &early = second_is_later ? one : other, &late = second_is_later ? other : one;
      if (one.stride == other.stride && early.bytes <= apart && apart + late.bytes <= one.stride) continue;
      refuse(where, "array ", b, " and array ", a, " have memory in common");
    }
}

void particle_request::set_positions(const nb::list& coordinates, bool is_float) {
  call_.dimensions = coordinates.size();
  call_.is_float = is_float;
  call_.is_together = true;  // an array of coordinates that travels without its structure has them side by side
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    const auto [column, offset] = nb::cast<std::pair<std::size_t, std::size_t>>(coordinates[d]);
    call_.coordinates[d] = {column, offset};
  }
}

void particle_request::set_owners(nb::handle owners) {
  choices_ = held_array(owners, false, "particles", "'owners'");
  call_.chooser = this;
  call_.choices = static_cast<std::size_t>(choices_.shape({}, {}).extents[0]);
  call_.counts_choices = true;
  call_.owner_of = [](const void* chooser, std::size_t i) {
    const auto* const all = static_cast<const particle_request*>(chooser)->choices_.data();
    const auto owner = reinterpret_cast<const std::int64_t*>(all)[i];
    return std::in_range<int>(owner) ? static_cast<int>(owner) : -1;
  };
}

void particle_request::set_cells(nb::handle cells) {
  choices_ = held_array(cells, false, "particles", "'cells'");
  const auto shape = choices_.shape({}, {});
  cell_dimensions_ = static_cast<std::size_t>(shape.extents[1]);
  call_.chooser = this;
  call_.choices = static_cast<std::size_t>(shape.extents[0]);
  call_.counts_choices = true;
  call_.cell_of = [](const void* chooser, std::size_t i, wherry::index_t* cell) {
    const auto& self = *static_cast<const particle_request*>(chooser);
    const auto* const all = reinterpret_cast<const std::int64_t*>(self.choices_.data());
    std::copy_n(all + i * self.cell_dimensions_, self.cell_dimensions_, cell);
  };
}

void particle_request::set_leavers(nb::handle marks, std::string_view where) {
  marks_ = held_array(marks, false, where, "'leavers'");
  const auto shape = marks_.shape(where, "'leavers'");
  call_.marks = {marks_.data(), static_cast<std::size_t>(shape.extents[0]), static_cast<std::size_t>(shape.item), true};
}

nb::list particle_request::shown() const {
  nb::list result;
  for (const auto& one : grown_) result.append(one.shown());
  return result;
}

}  // namespace wherry_python
