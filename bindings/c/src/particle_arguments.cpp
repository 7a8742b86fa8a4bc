#include "particle_arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "wherry/core/checked.hpp"

#include "convert.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

using wherry::detail::column_role;
using wherry::detail::particle_column;
using wherry::detail::text;

std::size_t bytes_of_element(const wherry_particle_array& array) {
  return static_cast<std::size_t>(array.type & 0xffffffu) *
         static_cast<std::size_t>(array.components == 0 ? 1 : array.components);
}

std::byte* resize(wherry_particle_array& array, std::size_t elements) {
  const auto wanted = static_cast<std::int64_t>(elements);
  if (wanted > array.capacity) {
    constexpr auto where = "wherry_particle_array";
    if (array.grow == nullptr)
      throw wherry::error(wherry::error_kind::resource, where,
                          text("an array has room for ", array.capacity, " elements, but ", wanted,
                               " are needed, and its 'grow' is NULL"));
    const auto capacity = std::max(wanted, array.capacity + array.capacity / 2);
    void* const memory = call_program(array.grow, array.data,
                                      static_cast<std::size_t>(capacity) * bytes_of_element(array), array.context);
    if (memory == nullptr)
      throw wherry::error(wherry::error_kind::resource, where,
                          text("the program's function has no memory for ", wanted, " elements"));
    array.data = memory;
    array.capacity = capacity;
  }
  array.count = wanted;
  return static_cast<std::byte*>(array.data);
}

constexpr wherry::detail::array_functions functions{
    [](const void* array) { return static_cast<std::size_t>(static_cast<const wherry_particle_array*>(array)->count); },
    [](void* array) { return static_cast<std::byte*>(static_cast<wherry_particle_array*>(array)->data); },
    [](void* array, std::size_t elements) { return resize(*static_cast<wherry_particle_array*>(array), elements); }};

column_role role_of(wherry_array_role role, std::string_view where, std::string_view argument) {
  switch (role) {
    case WHERRY_ONE_EACH:
      return column_role::one_each;
    case WHERRY_LENGTHS:
      return column_role::lengths;
    case WHERRY_VALUES:
      return column_role::values;
  }
  refuse(where, argument, " has the role ", role, ", which does not exist");
}

particle_column column_of(wherry_particle_array& array, bool for_ghosts, std::string_view where,
                          std::string_view argument) {
  if (array.count < 0) refuse(where, argument, " has ", array.count, " elements");
  if (array.count > 0 && array.data == nullptr) refuse(where, argument, " has elements, but its 'data' is NULL");
  const auto whole = element_of(array.type, array.components, where, argument);
  const auto bytes = static_cast<std::size_t>(whole.bytes);
  particle_column column{&array, &functions, whole.type, bytes, 0, bytes, role_of(array.role, where, argument)};
  if (column.role == column_role::lengths) {
    const auto kind = whole.type.kind;
    const bool integers =
        kind == wherry::plans::element_kind::signed_integer || kind == wherry::plans::element_kind::unsigned_integer;
    if (!integers || (bytes != 4 && bytes != 8))
      refuse(where, argument, " has lengths of the type ", array.type, ", expected integers of 4 or 8 bytes");
  }
  if (!for_ghosts) return column;
  if (column.role != column_role::one_each) refuse(where, argument, " has lengths or values, and ghosts have neither");
  if (array.member_type == 0) return column;
  const auto member = element_of(array.member_type, array.member_components, where, text("the member of ", argument));
  column.type = member.type;
  column.offset = array.member_offset;
  column.length = static_cast<std::size_t>(member.bytes);
  if (column.length > bytes || column.offset > bytes - column.length)
    refuse(where, "the member of ", argument, " reaches beyond the ", bytes, " bytes of an element");
  return column;
}

/// @throws error(argument) if two arrays have bytes in common that the call writes
void require_distinct(std::span<const particle_column> columns, std::string_view where) {
  for (std::size_t b = 1; b < columns.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto &one = columns[a], &other = columns[b];
      if (one.data() == nullptr || one.data() != other.data()) continue;
      if (one.offset < other.offset + other.length && other.offset < one.offset + one.length)
        refuse(where, "array ", b, " is array ", a, ", too");
    }
}

}  // namespace

void particle_arguments::set_arrays(wherry_particle_array* arrays, int count, bool for_ghosts, std::string_view where) {
  if (count < 1) refuse(where, "'array_count' is ", count, ", expected at least 1");
  const auto list = list_of(static_cast<const wherry_particle_array*>(arrays), count, where, "arrays");
  columns.clear();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto argument = text("array ", i);
    columns.push_back(column_of(arrays[i], for_ghosts, where, argument));
    const bool after_lengths = i > 0 && columns[i - 1].role == column_role::lengths;
    if (after_lengths != (columns[i].role == column_role::values))
      refuse(where, "an array of lengths, and no other, is followed by one of values: see ", argument);
  }
  if (columns.back().role == column_role::lengths) refuse(where, "the last array has lengths, but no values follow");
  if (columns.front().role == column_role::values) refuse(where, "array 0 has values, but no lengths");
  require_distinct(columns, where);
  call.columns = columns;
}

void particle_arguments::set_positions(const wherry_positions& positions, int dimensions, std::string_view where) {
  const auto wanted = static_cast<std::size_t>(dimensions);
  const auto float_of = [&](wherry_type type, std::string_view argument) {
    if (type != WHERRY_FLOAT32 && type != WHERRY_FLOAT64)
      refuse(where, argument, " has coordinates of the type ", type, ", expected WHERRY_FLOAT32 or WHERRY_FLOAT64");
    return type == WHERRY_FLOAT32;
  };
  const auto array_of = [](const particle_column& one) -> const wherry_particle_array& {
    return *static_cast<const wherry_particle_array*>(one.array);
  };
  call.dimensions = wanted;
  if (positions.in_structures != 0) {
    call.is_float = float_of(positions.type, "'positions'");
    const std::size_t size = call.is_float ? sizeof(float) : sizeof(double);
    call.is_together = true;
    for (std::size_t d = 0; d < wanted; ++d) {
      const auto offset = positions.offsets[d];
      if (size > columns.front().bytes || offset > columns.front().bytes - size)
        refuse(where, "'positions.offsets[", d, "]' is ", offset, ", but array 0 has elements of ",
               columns.front().bytes, " bytes");
      call.coordinates[d] = {0, offset};
      call.is_together = call.is_together && offset == positions.offsets[0] + d * size;
    }
    return;
  }
  const auto& first = array_of(columns.front());
  const auto parts = static_cast<std::size_t>(first.components == 0 ? 1 : first.components);
  call.is_float = float_of(first.type, "array 0");
  const bool together = wanted > 1 && parts == wanted;
  if (!together && columns.size() < wanted)
    refuse(where, "there are ", columns.size(), " arrays, but the positions have ", wanted, " coordinates");
  for (std::size_t d = 0; d < wanted; ++d) {
    const std::size_t size = call.is_float ? sizeof(float) : sizeof(double);
    call.coordinates[d] =
        together ? wherry::detail::coordinate_place{0, d * size} : wherry::detail::coordinate_place{d, 0};
    if (together) continue;
    const auto& one = array_of(columns[d]);
    if (one.type != first.type || one.components > 1 || one.role != WHERRY_ONE_EACH)
      refuse(where, "array ", d, " has not one coordinate of the type of array 0 for each particle");
  }
}

void particle_arguments::set_choice(const wherry_particle_choice* given, int of_space, std::string_view where) {
  choice = options_of(given, where);
  dimensions = of_space;
  const auto& leavers = choice.leavers;
  if (leavers.type == WHERRY_INT8 || leavers.type == WHERRY_UINT8 || leavers.type == WHERRY_BOOL) {
    const auto mask = list_of(static_cast<const std::byte*>(leavers.data), leavers.count, where, "choice.leavers");
    call.marks = {mask.data(), mask.size(), 1, true};
  } else if (leavers.type != 0 || leavers.count != 0) {
    const auto list = integers_of(leavers, where, "choice.leavers");
    call.marks = {leavers.data, list.size(), leavers.type & 0xffffffu, true};
  }
  const auto take_list = [&](const auto* list, bool has_function, std::int64_t each, std::string_view argument) {
    const bool has_list = list != nullptr || choice.list_count != 0;
    const bool has_particles = static_cast<const wherry_particle_array*>(columns.front().array)->count > 0;
    if (has_list ? has_function : !has_function && has_particles)  // the list of no particles may be NULL
      refuse(where, "'choice' has ", has_function ? "a list and a function" : "neither a list nor a function",
             ", expected one of them");
    call.chooser = this;
    if (has_function) return;
    if (choice.list_count > std::numeric_limits<std::int64_t>::max() / each)
      refuse(where, "the number of '", argument, "' is ", choice.list_count);
    list_of(list, choice.list_count, where, argument);
    call.choices = static_cast<std::size_t>(choice.list_count);
    call.counts_choices = true;
  };
  switch (choice.by) {
    case WHERRY_BY_POSITION:
      return set_positions(choice.positions, dimensions, where);
    case WHERRY_BY_OWNER:
      take_list(choice.owners, choice.owner_of != nullptr, 1, "choice.owners");
      call.owner_of = [](const void* chooser, std::size_t i) {
        const auto& one = static_cast<const particle_arguments*>(chooser)->choice;
        return one.owner_of != nullptr ? call_program(one.owner_of, static_cast<std::int64_t>(i), one.context)
                                       : one.owners[i];
      };
      return;
    case WHERRY_BY_CELL:
      take_list(choice.cells, choice.cell_of != nullptr, dimensions, "choice.cells");
      call.cell_of = [](const void* chooser, std::size_t i, wherry::index_t* cell) {
        const auto& all = *static_cast<const particle_arguments*>(chooser);
        const auto& one = all.choice;
        const auto each = static_cast<std::size_t>(all.dimensions);
        if (one.cell_of != nullptr)
          call_program(one.cell_of, static_cast<std::int64_t>(i), cell, one.context);
        else
          std::copy_n(one.cells + i * each, each, cell);
      };
      return;
  }
  refuse(where, "'choice.by' is ", choice.by, ", which does not exist");
}

}  // namespace wherry_c
