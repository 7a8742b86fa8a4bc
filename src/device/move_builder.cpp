#include "move_builder.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

[[noreturn]] void refuse(std::string_view what) { throw error(error_kind::argument, "device memory", what); }

[[noreturn]] void refuse_elements(const element_type& type, const reduction& how) {
  refuse(text("'", how.name, "' on ", to_string(type), " is nothing that a device does"));
}

number_kind integers_of(std::uint32_t bytes, bool is_signed, const element_type& type, const reduction& how) {
  switch (bytes) {
    case 1:
      return is_signed ? number_kind::int8 : number_kind::uint8;
    case 2:
      return is_signed ? number_kind::int16 : number_kind::uint16;
    case 4:
      return is_signed ? number_kind::int32 : number_kind::uint32;
    case 8:
      return is_signed ? number_kind::int64 : number_kind::uint64;
    default:
      refuse_elements(type, how);
  }
}

/// The numbers that elements consist of; a complex one is two.
number_kind numbers_of(const element_type& type, const reduction& how) {
  const auto bytes = type.kind == element_kind::complex ? type.bytes / 2 : type.bytes;
  switch (type.kind) {
    case element_kind::floating:
    case element_kind::complex:
      if (bytes == 4) return number_kind::float32;
      if (bytes == 8) return number_kind::float64;
      refuse_elements(type, how);
    case element_kind::signed_integer:
    case element_kind::unsigned_integer:
      return integers_of(bytes, type.kind == element_kind::signed_integer, type, how);
    default:
      refuse_elements(type, how);
  }
}

std::int64_t bytes_of(number_kind kind) {
  switch (kind) {
    case number_kind::int8:
    case number_kind::uint8:
      return 1;
    case number_kind::int16:
    case number_kind::uint16:
      return 2;
    case number_kind::int32:
    case number_kind::uint32:
    case number_kind::float32:
      return 4;
    default:
      return 8;
  }
}

/// The largest unit in which a block can be walked, as far as its own figures say.
std::int64_t unit_of(const block& b) {
  auto all = std::gcd(std::gcd(b.run, b.offset), std::int64_t{16});
  if (b.kind == block::form::indexed) return std::gcd(all, b.unit);
  for (std::size_t i = 0; i < static_cast<std::size_t>(b.loops); ++i) all = std::gcd(all, b.loop[i].stride);
  return all;
}

}  // namespace

operation_on_device::operation_on_device(const reduction* how) {
  if (how == nullptr) return;
  switch (how->known) {
    case known_operation::none:
      refuse(text("'", how->name,
                  "' is code of yours, which a device does not run; it knows wherry::add, minimum, maximum "
                  "and convert"));
    case known_operation::add:
      what = move_operation::add;
      break;
    case known_operation::minimum:
      what = move_operation::least;
      break;
    case known_operation::maximum:
      what = move_operation::most;
      break;
    case known_operation::convert:
      what = move_operation::convert;
      break;
  }
  into = numbers_of(how->type, *how);
  arriving = numbers_of(how->wire_type, *how);
  if (how->type.kind == element_kind::complex && what != move_operation::add && what != move_operation::convert)
    refuse(text("'", how->name, "' has no meaning for complex numbers"));
  if ((how->type.kind == element_kind::complex) != (how->wire_type.kind == element_kind::complex))
    refuse(text("'", how->name, "' makes ", to_string(how->type), " of ", to_string(how->wire_type)));
}

std::int64_t operation_on_device::bytes() const { return bytes_of(into); }
std::int64_t operation_on_device::bytes_arriving() const { return bytes_of(arriving); }

void move_builder::add_loop(std::int64_t extent, std::int64_t stride) {
  if (extent > std::numeric_limits<std::int32_t>::max())
    refuse(text("a block has ", extent, " equally spaced elements in one direction, expected fewer than 2^31"));
  loops.push_back({known_divisor::of(static_cast<std::uint32_t>(extent)), stride});
}

const move_builder::stored_list& move_builder::list_of(std::int64_t number) {
  const auto [at, is_new] = lists_.try_emplace(number);
  if (!is_new) return at->second;
  const auto& all = plan_.indices;
  const bool fits = all.lowest(number) >= std::numeric_limits<std::int32_t>::min() &&
                    all.highest(number) <= std::numeric_limits<std::int32_t>::max();
  at->second = fits ? stored_list{4, std::ssize(narrow)} : stored_list{8, std::ssize(wide)};
  all.for_each_place(number, 0, all.count(number), [&](std::int64_t place) {
    if (fits)
      narrow.push_back(static_cast<std::int32_t>(place));
    else
      wide.push_back(place);
  });
  return at->second;
}

/// What is contiguous needs no extent: it is never divided.
move_side move_builder::side_of(const block& b, std::int64_t unit) {
  move_side side;
  side.offset = b.offset;
  side.field = b.field;
  side.first_loop = static_cast<std::uint32_t>(loops.size());
  const auto in_run = b.run / unit;
  if (b.kind == block::form::indexed) {
    const auto& list = list_of(b.list);
    side.places = list.bytes;
    side.first_place = list.first + b.skipped;
    side.unit = b.unit;
    if (in_run > 1) add_loop(in_run, unit);
  } else if (b.loops == 0) {
    loops.push_back({known_divisor{}, unit});
  } else {
    if (in_run > 1) add_loop(in_run, unit);
    for (std::size_t i = 0; i < static_cast<std::size_t>(b.loops); ++i) add_loop(b.loop[i].extent, b.loop[i].stride);
  }
  side.loops = static_cast<std::uint32_t>(loops.size()) - side.first_loop;
  return side;
}

void move_builder::add(const block& from, const block& to, const operation_on_device& how) {
  for (const auto* b : {&from, &to})
    if (b->kind == block::form::called) refuse("a user's gather and scatter functions do not run on a device");
  if (from.bytes() == 0) return;
  const bool stores = how.what == move_operation::copy;
  const auto into = stores ? std::gcd(alignment_, std::gcd(unit_of(from), unit_of(to))) : how.bytes();
  const auto arriving = stores ? into : how.bytes_arriving();
  device_move move;
  move.operation = how.what;
  move.into = how.into;
  move.arriving = how.arriving;
  move.bytes = static_cast<std::uint32_t>(into);
  move.from = side_of(from, arriving);
  move.to = side_of(to, into);
  move.count = static_cast<std::uint64_t>(to.bytes() / into);
  if (move.count != static_cast<std::uint64_t>(from.bytes() / arriving))
    refuse(text("a block of ", from.bytes() / arriving, " elements does not fit one of ", move.count));
  long_moves = long_moves || move.count > std::uint64_t{std::numeric_limits<std::int32_t>::max()};
  moves.push_back(move);
}

void move_builder::finish() {
  constexpr std::uint64_t most = device_moves::units_a_piece;
  for (std::size_t m = 0; m < moves.size(); ++m)
    for (std::uint64_t first = 0; first < moves[m].count; first += most)
      pieces.push_back(
          {static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(std::min(most, moves[m].count - first)), first});
  if (pieces.size() > std::numeric_limits<std::int32_t>::max())  // in x, in which a grid is largest
    refuse(text("one launch would have ", pieces.size(), " groups of threads"));
}

}  // namespace wherry
