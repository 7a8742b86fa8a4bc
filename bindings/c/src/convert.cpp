#include "convert.hpp"

#include <cstdint>
#include <utility>

#include "program_functions.hpp"

namespace wherry_c {
namespace {

using wherry::detail::text;
using wherry::plans::element_kind;
using wherry::plans::element_type;
using wherry::plans::known_operation;

constexpr std::pair<wherry_operation, known_operation> operations[] = {
    {WHERRY_ADD, known_operation::add},
    {WHERRY_MULTIPLY, known_operation::multiply},
    {WHERRY_MINIMUM, known_operation::minimum},
    {WHERRY_MAXIMUM, known_operation::maximum},
    {WHERRY_BIT_AND, known_operation::bit_and},
    {WHERRY_BIT_OR, known_operation::bit_or},
    {WHERRY_BIT_XOR, known_operation::bit_xor},
    {WHERRY_LOGICAL_AND, known_operation::logical_and},
    {WHERRY_LOGICAL_OR, known_operation::logical_or}};

/// A function of the program's as a reduction.
wherry::plans::typed_reduction function_of(const wherry_reduction& how, const element& of) {
  wherry::plans::typed_reduction made;
  made.name = how.name;
  made.element = static_cast<std::size_t>(of.bytes);
  made.wire_element = made.element;
  made.type = made.wire_type = of.type;
  made.apply = [function = how.function, context = how.context, name = made.name](void* into, const void* from,
                                                                                  std::size_t count) {
    if (const int failure = call_program(function, into, from, count, context); failure != 0)
      throw wherry::error(wherry::error_kind::resource, name, text("the program's function returned ", failure));
  };
  return made;
}

}  // namespace

wherry::detail::integer_span integers_of(const wherry_integers& list, std::string_view where,
                                         std::string_view argument) {
  switch (list.type) {
    case WHERRY_INT32:
    case WHERRY_UINT32:
      return list_of(static_cast<const std::int32_t*>(list.data), list.count, where, argument);
    case WHERRY_INT64:
    case WHERRY_UINT64:
      return list_of(static_cast<const std::int64_t*>(list.data), list.count, where, argument);
    default:
      break;
  }
  if (list.type != 0 || list.data != nullptr || list.count != 0)
    refuse(where, '\'', argument, "' has the type ", list.type, ", expected integers of 4 or 8 bytes");
  return {};
}

element element_of(wherry_type type, int components, std::string_view where, std::string_view argument) {
  const std::uint32_t bytes = type & 0xffffffu, kind = type >> 24;
  if (components < 0) refuse(where, argument, " has ", components, " components");
  const element_type known{static_cast<element_kind>(kind), bytes, 0};
  const bool listed = kind == 0 || (kind < static_cast<std::uint32_t>(element_kind::users) &&
                                    wherry::detail::place_of_number(known) != wherry::detail::no_number);
  if (!listed || bytes == 0) refuse(where, argument, " has the type ", type, ", which is none of wherry/c/arrays.h");
  element result{known, static_cast<wherry::index_t>(bytes) * (components == 0 ? 1 : components)};
  if (kind == 0) result.type = {};  // raw bytes, however many make an element
  return result;
}

wherry::memory_space space_of(const wherry_view& array, std::string_view where, std::string_view argument) {
  if (array.space == WHERRY_HOST) return wherry::memory_space::host;
  if (array.space == WHERRY_DEVICE) return wherry::memory_space::device;
  refuse(where, argument, " has the memory space ", array.space, ", expected WHERRY_HOST or WHERRY_DEVICE");
}

void check_view(const wherry_view& array, int most, std::string_view where, std::string_view argument) {
  if (array.dimensions < 1 || array.dimensions > most)
    refuse(where, argument, " has ", array.dimensions, " dimensions, expected 1 to ", most);
  bool empty = false;
  for (int d = 0; d < array.dimensions; ++d) {
    if (array.extents[d] < 0) refuse(where, argument, " has the extent ", array.extents[d], " in dimension ", d);
    empty = empty || array.extents[d] == 0;
  }
  if (array.data == nullptr && !empty) refuse(where, argument, " has elements, but its 'data' is NULL");
}

std::optional<wherry::reduction> reduction_of(const wherry_reduction& how, std::string_view where,
                                              std::string_view argument) {
  if (how.function != nullptr) {
    if (how.operation != WHERRY_NO_OPERATION)
      refuse(where, '\'', argument, "' has an operation and a function: one of them must be 0");
    if (how.name == nullptr || *how.name == '\0')
      refuse(where, '\'', argument, "' has a function without a name, by which ranks compare it");
    return wherry::reduction(
        function_of(how, element_of(how.type, 1, where, text('\'', argument, "' has a function that"))));
  }
  if (how.operation == WHERRY_NO_OPERATION) return std::nullopt;
  for (const auto& [ours, theirs] : operations)
    if (ours == how.operation) return wherry::reduction(theirs);
  refuse(where, '\'', argument, "' has the operation ", how.operation, ", which does not exist");
}

wherry::carry_options carry_of(const wherry_carry_options& how, std::string_view where) {
  if (how.packet_bytes < 0) refuse(where, "'carry.packet_bytes' is ", how.packet_bytes);
  if (how.threads < 0) refuse(where, "'carry.threads' is ", how.threads);
  wherry::carry_options result;
  if (how.transport != nullptr) result.transport = how.transport;
  result.snapshot = how.snapshot != 0;
  result.progress_thread = how.progress_thread != 0;
  result.keep_buffers = how.free_buffers == 0;
  result.packet_bytes = how.packet_bytes;
  if (how.threads > 1) result.team = wherry::thread_team::of_its_own(how.threads);
  if (how.name != nullptr) result.name = how.name;
  return result;
}

}  // namespace wherry_c

namespace {

wherry_view dense(void* data, wherry_type type, int dimensions, const int64_t* extents, bool last_is_fastest) {
  wherry_view result{};
  result.data = data;
  result.type = type;
  result.dimensions = extents == nullptr ? 0 : dimensions;
  std::int64_t stride = 1;
  for (int i = 0; i < result.dimensions && i < WHERRY_MAX_DIMENSIONS; ++i) {
    const int d = last_is_fastest
                      ? (result.dimensions < WHERRY_MAX_DIMENSIONS ? result.dimensions : WHERRY_MAX_DIMENSIONS) - 1 - i
                      : i;
    result.extents[d] = extents[d];
    result.strides[d] = stride;
    // An extent with which the product overflows is refused by the call that uses the view.
    if (__builtin_mul_overflow(stride, extents[d], &stride)) stride = INT64_MAX;
  }
  return result;
}

}  // namespace

extern "C" {

wherry_view wherry_c_array(void* data, wherry_type type, int dimensions, const int64_t* extents) {
  return dense(data, type, dimensions, extents, true);
}
wherry_view wherry_fortran_array(void* data, wherry_type type, int dimensions, const int64_t* extents) {
  return dense(data, type, dimensions, extents, false);
}
}
