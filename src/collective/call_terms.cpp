#include "call_terms.hpp"

#include <cstddef>
#include <cstdio>
#include <string_view>

#include "wherry/core/error.hpp"
#include "wherry/plan/numbers.hpp"

#include "dense_call.hpp"
#include "predefined_operations.hpp"

namespace wherry::collective {

bool has_root(kind what) {
  switch (pattern_of(what)) {
    case pattern::bcast:
    case pattern::gather:
    case pattern::scatter:
    case pattern::reduce:
      return true;
    default:
      return false;
  }
}

std::string_view name_of_number(wherry::detail::number_place what) {
  return what == wherry::detail::no_number ? "others"
                                           : wherry::detail::name_of_number(wherry::detail::number_kinds[what - 1]);
}

call_terms::call_terms(const call& what, int size) : word_(static_cast<std::uint64_t>(what.kind) + 1) {
  if (what.op != MPI_OP_NULL) {
    word_ |= static_cast<std::uint64_t>(place_of(what.op)) << first_of_operation;
    word_ |= static_cast<std::uint64_t>(facts_of(what.send_type).number) << first_of_number;
  }
  if (!has_root(what.kind)) return;
  byte_bits_ -= bits_of_root(size);
  word_ |= static_cast<std::uint64_t>(what.root) << (first_of_bytes + byte_bits_);
}

std::string call_terms::words_of(std::uint64_t said, int size) {
  const auto place = (said & 31) - 1;
  if (place >= static_cast<std::uint64_t>(kinds)) return "no collective";
  const auto what = static_cast<kind>(place);
  std::string words(name_of(what));
  const int root_bits = has_root(what) ? bits_of_root(size) : 0,
            byte_bits = first_of_history - first_of_bytes - root_bits;
  const auto figure = said >> first_of_bytes & ((std::uint64_t{1} << byte_bits) - 1);
  if (what != kind::barrier && figure < std::uint64_t{1} << (byte_bits - 1))
    words += wherry::detail::text(" of ", figure, " bytes");
  else if (what != kind::barrier)
    words += wherry::detail::text(" of lengths with the hash ", figure);
  if (has_root(what))
    words += wherry::detail::text(" with 'root' ", (said & ~history_mask) >> (first_of_bytes + byte_bits));
  const auto numbers = static_cast<wherry::detail::number_place>((said & number_mask) >> first_of_number);
  if (numbers != wherry::detail::no_number) words += wherry::detail::text(", of ", name_of_number(numbers));
  const auto operation = static_cast<int>(said >> first_of_operation & 15);
  if (operation != 0) words += wherry::detail::text(", by ", name_of_operation(operation));
  return words;
}

}  // namespace wherry::collective
