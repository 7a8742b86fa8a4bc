#include "index_arrays.hpp"

#include <cstdint>
#include <utility>

#include "wherry/core/checked.hpp"

#include "convert.hpp"

namespace wherry_c {
namespace {

std::vector<wherry_peer_indices> shown(const std::vector<wherry::peer_indices>& lists) {
  std::vector<wherry_peer_indices> result;
  result.reserve(lists.size());
  for (const auto& one : lists) result.push_back({one.peer, static_cast<std::int64_t>(one.at.size()), one.at.data()});
  return result;
}

}  // namespace

index_lists_object::index_lists_object(wherry::index_lists given)
    : lists(std::move(given)), sends(shown(lists.sends)), receives(shown(lists.receives)) {}

void index_arrays::add(const wherry_view& array, int number, bool later, std::string_view where) {
  static std::byte nowhere;
  const auto argument = wherry::detail::text("array ", number);
  auto checked_view = array;
  if (later && array.data == nullptr) checked_view.data = &nowhere;
  check_view(checked_view, 2, where, argument);
  const auto each = element_of(array.type, array.components, where, argument);
  const wherry::detail::checked exact{where, "stride in bytes"};
  const bool has_components = array.dimensions == 2;
  const auto components = has_components ? array.extents[0] : 1;
  if (components < 1) refuse(where, argument, " has 0 components: its first dimension counts them");
  constexpr std::int64_t most_components = 1 << 20;  // more are a mistake, and each that lies apart is a field
  if (components > most_components)
    refuse(where, argument, " has ", components, " components, expected at most ", most_components);
  const auto along = static_cast<std::size_t>(array.dimensions - 1);
  // A single element of an array whose components are apart has both strides 1.
  const bool together = !has_components || (array.strides[0] == 1 && (components == 1 || array.strides[1] != 1));
  wherry::detail::index_field field;
  field.name = argument;
  field.element = together ? exact.product(each.bytes, components) : each.bytes;
  field.stride = exact.product(array.strides[along], each.bytes);
  field.count = array.extents[along];
  field.space = space_of(array, where, argument);
  field.type = each.type;
  for (std::int64_t c = 0; c < (together ? 1 : components); ++c) {
    const auto offset = c == 0 ? 0 : exact.product(exact.product(array.strides[0], each.bytes), c);
    field.data = array.data == nullptr ? nullptr : static_cast<std::byte*>(array.data) + offset;
    fields.push_back(field);
    places.push_back({number, static_cast<std::ptrdiff_t>(offset), field.count == 0});
  }
}

index_arrays index_arrays_of(const wherry_view* arrays, int count, bool later, std::string_view where) {
  index_arrays result;
  int number = 0;
  for (const auto& array : list_of(arrays, count, where, "arrays")) result.add(array, number++, later, where);
  if (number == 0) refuse(where, "the number of 'arrays' is 0");
  return result;
}

std::vector<wherry::ghost> ghosts_of(const wherry_ghost* ghosts, std::int64_t count, std::string_view where,
                                     std::string_view argument) {
  std::vector<wherry::ghost> result;
  for (const auto& one : list_of(ghosts, count, where, argument))
    result.push_back({one.owner, one.index_there, one.index_here});
  return result;
}

}  // namespace wherry_c
