// The moves of one launch of the copy kernel, as tables, and the code that carries them out, which both the device's
// compiler and the host's compile. The tables are made once and never change; a rebind changes only the field pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "wherry/device/detail/on_both.hpp"
#include "wherry/plan/block.hpp"
#include "wherry/plan/numbers.hpp"
#include "wherry/plan/reduction.hpp"

namespace wherry {

/// Divides by a number that is known in advance, by a multiplication. Exact for numbers below 2^31.
struct known_divisor {
  std::uint32_t number = 1, factor = 1, shift = 0;

  static known_divisor of(std::uint32_t number) {
    known_divisor d{number, 0, 0};
    while ((std::uint64_t{1} << d.shift) < number) ++d.shift;
    d.factor =
        static_cast<std::uint32_t>(((std::uint64_t{1} << 32) * ((std::uint64_t{1} << d.shift) - number)) / number + 1);
    return d;
  }
  WHERRY_ON_BOTH std::uint32_t divide(std::uint32_t n) const {
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * factor) >> 32);
    return (high + n) >> shift;
  }
};

/// One loop of a side.
struct move_loop {
  known_divisor extent;
  std::int64_t stride = 0;  // in units of the side
};

/// The places of the units of one side: nested loops, the first one fastest, around the places of a list, if there is
/// one.
struct move_side {
  std::int64_t offset = 0;  // bytes from the field's pointer
  std::int32_t field = 0;
  std::uint32_t bytes = 1;  // size of a unit; for units that are copied 1, 2, 4, 8 or 16, the same on both sides
  std::uint32_t first_loop = 0, loops = 0;
  std::int32_t places = 0;       // bytes of an entry of the list, 4 or 8; 0 if there is no list
  std::int64_t first_place = 0;  // index in `narrow` or `wide`
  std::int64_t stride = 0;       // units between consecutive places
};

/// One move: units of one field to one field.
struct device_move {
  move_side from, to;
  std::uint64_t count = 0;  // number of units
  bool copies = true;       // units are copied; otherwise `operation`, or one of the user's, combines them
  plans::known_operation operation = plans::known_operation::none;
  wherry::detail::number_place into = wherry::detail::no_number, arriving = wherry::detail::no_number;
  bool alike = false;  // both sides have the same extents and no list, so that one division per loop serves both
};

/// The work of a group of threads: units of one move, from `first` on. The piece repeats the move's fields and loops,
/// so that the group can load them without waiting for the move.
struct move_piece {
  std::uint32_t move = 0;
  std::uint32_t units = 0;
  std::uint64_t first = 0;
  std::int32_t from_field = 0, to_field = 0;
  std::uint32_t first_loop = 0, loops = 0;  // the loops of both sides, one after the other
};

/// The fields' pointers at one launch. A few pointers are passed as the kernel's argument, so that a change costs
/// nothing; many are read from memory that the device can access.
struct field_places {
  static constexpr std::uint32_t most_that_go_along = 32;
  void* few[most_that_go_along] = {};
  void* const* many = nullptr;  // null if `few` holds all pointers

  WHERRY_ON_BOTH void* operator[](std::int32_t field) const { return many != nullptr ? many[field] : few[field]; }
};

struct device_moves;

/// An operation of the user, compiled for the host and perhaps for a device (wherry/device/operation.hpp).
struct own_operation {
  std::int64_t bytes = 0;  // size of an element
  /// Carries out the moves on the host.
  void (*on_host)(const device_moves& all, void* const* fields) = nullptr;
  /// Launches the moves in a stream of the device's run time, and returns the status. Null if no device's compiler has
  /// compiled the functor.
  int (*launch)(void* stream, const device_moves& all, const field_places& fields) = nullptr;
};

/// The tables of one launch.
struct device_moves {
  static constexpr std::uint32_t units_a_piece = 512;
  static constexpr std::uint32_t most_loops =
      2 * (2 + plans::max_block_rank);  // per side: a run, a block, a join of blocks

  const device_move* moves = nullptr;
  const move_loop* loops = nullptr;
  const std::int32_t* narrow = nullptr;
  const std::int64_t* wide = nullptr;
  const move_piece* pieces = nullptr;
  std::uint32_t how_many_pieces = 0;
  std::uint32_t fields = 0;    // number of field pointers
  bool long_moves = false;     // some move has, or spans, 2^31 units or more, and needs the slower 64-bit numbers
  bool only_copies = true;     // nothing is combined or converted
  bool numbers_apart = false;  // some of the numbers are `wherry::detail::numbers_on::devices_apart`
  const own_operation* own = nullptr;  // the operation of moves that combine by a user's function
};

namespace moving {

/// The number of units that a thread copies at once, so that as many loads are in flight. A thread that combines has
/// registers for one unit only.
inline constexpr std::uint32_t copied_at_once = 2;

/// The numbers of some units within their move.
template <bool Long, std::uint32_t AtOnce> struct unit_numbers {
  using number = std::conditional_t<Long, std::uint64_t, std::uint32_t>;
  number at[AtOnce];
};
/// The places of some units, counted in units.
template <bool Long, std::uint32_t AtOnce> struct unit_places {
  using number = std::conditional_t<Long, std::int64_t, std::int32_t>;
  number at[AtOnce];
};

/// The position of each unit in the loop. Leaves in `units` the positions in the loops around it.
template <bool Long, std::uint32_t AtOnce>
WHERRY_ON_BOTH unit_numbers<Long, AtOnce> divide_by(const move_loop& loop, unit_numbers<Long, AtOnce>& units) {
  const auto extent = loop.extent;
  unit_numbers<Long, AtOnce> within;
  for (std::uint32_t k = 0; k < AtOnce; ++k) {
    typename unit_numbers<Long, AtOnce>::number next;
    if constexpr (Long)
      next = units.at[k] / extent.number;
    else
      next = extent.divide(units.at[k]);
    within.at[k] = units.at[k] - next * extent.number;
    units.at[k] = next;
  }
  return within;
}

template <bool Long, std::uint32_t AtOnce>
WHERRY_ON_BOTH void add_steps(unit_places<Long, AtOnce>& places, const unit_numbers<Long, AtOnce>& steps,
                              std::int64_t stride) {
  using number = typename unit_places<Long, AtOnce>::number;
  for (std::uint32_t k = 0; k < AtOnce; ++k)
    places.at[k] += static_cast<number>(steps.at[k]) * static_cast<number>(stride);
}

/// Adds the places of the units on one side. The outermost loop needs no division unless a list is around it.
template <bool Long, std::uint32_t AtOnce>
WHERRY_ON_BOTH void add_places(const device_moves& all, const move_side& side, const move_loop* loops,
                               unit_numbers<Long, AtOnce> units, unit_places<Long, AtOnce>& places) {
  using number = typename unit_places<Long, AtOnce>::number;
  const std::uint32_t divided = side.places != 0 ? side.loops : side.loops - 1;
  WHERRY_NOT_UNROLLED
  for (std::uint32_t i = 0; i < divided; ++i) add_steps(places, divide_by(loops[i], units), loops[i].stride);
  if (side.places == 0) return add_steps(places, units, loops[divided].stride);
  for (std::uint32_t k = 0; k < AtOnce; ++k) {
    const auto i = side.first_place + static_cast<std::int64_t>(units.at[k]);
    const auto place = static_cast<number>(side.places == 4 ? std::int64_t{all.narrow[i]} : all.wide[i]);
    places.at[k] += place * static_cast<number>(side.stride);
  }
}

/// Adds the places on both sides of an `alike` move, with one division per loop.
template <bool Long, std::uint32_t AtOnce>
WHERRY_ON_BOTH void add_places_alike(const device_move& move, const move_loop* loops, unit_numbers<Long, AtOnce> units,
                                     unit_places<Long, AtOnce>& from, unit_places<Long, AtOnce>& to) {
  const move_loop* others = loops + move.from.loops;
  const std::uint32_t last = move.from.loops - 1;
  WHERRY_NOT_UNROLLED
  for (std::uint32_t i = 0; i < last; ++i) {
    const auto within = divide_by(loops[i], units);
    add_steps(from, within, loops[i].stride);
    add_steps(to, within, others[i].stride);
  }
  add_steps(from, units, loops[last].stride);
  add_steps(to, units, others[last].stride);
}

struct alignas(16) sixteen_bytes {
  std::uint64_t words[2];
};

/// Copies units. As many as the registers can hold are read before the first of them is written.
template <class T, bool Long, std::uint32_t AtOnce>
WHERRY_ON_BOTH void copy_units(const std::byte* from, const unit_places<Long, AtOnce>& from_places, std::byte* to,
                               const unit_places<Long, AtOnce>& to_places, std::uint32_t how_many) {
  constexpr std::uint32_t held = sizeof(T) > 8 && AtOnce > 1 ? AtOnce / 2 : AtOnce;
  for (std::uint32_t first = 0; first < AtOnce; first += held) {
    T units[held];
    for (std::uint32_t k = 0; k < held; ++k)
      if (first + k < how_many) units[k] = reinterpret_cast<const T*>(from)[from_places.at[first + k]];
    for (std::uint32_t k = 0; k < held; ++k)
      if (first + k < how_many) reinterpret_cast<T*>(to)[to_places.at[first + k]] = units[k];
  }
}

template <bool Long, std::uint32_t AtOnce>
WHERRY_ON_BOTH void copy_units_of(std::uint32_t bytes, const std::byte* from,
                                  const unit_places<Long, AtOnce>& from_places, std::byte* to,
                                  const unit_places<Long, AtOnce>& to_places, std::uint32_t how_many) {
  switch (bytes) {
    case 1:
      return copy_units<std::uint8_t>(from, from_places, to, to_places, how_many);
    case 2:
      return copy_units<std::uint16_t>(from, from_places, to, to_places, how_many);
    case 4:
      return copy_units<std::uint32_t>(from, from_places, to, to_places, how_many);
    case 8:
      return copy_units<std::uint64_t>(from, from_places, to, to_places, how_many);
    default:
      return copy_units<sixteen_bytes>(from, from_places, to, to_places, how_many);
  }
}

/// The tables of numbers and of operations, as types.
using number_table = std::remove_const_t<decltype(wherry::detail::number_rows)>;
using operation_table = std::remove_const_t<decltype(detail::operation_rows)>;

template <class T, class Row> WHERRY_ON_BOTH void combine_by(T& there, const T& arrived) {
  if constexpr (Row::template has_meaning<T>) there = Row::of(there, arrived);
}
template <class T, class... Row>
WHERRY_ON_BOTH void combine_as(plans::known_operation operation, std::byte* to, const std::byte* from,
                               const std::tuple<Row...>*) {
  T& there = *reinterpret_cast<T*>(to);
  const T arrived = *reinterpret_cast<const T*>(from);
  static_cast<void>(((operation == Row::what && (combine_by<T, Row>(there, arrived), true)) || ...));
}

template <bool Apart, class Row, class Visit> WHERRY_ON_BOTH void visit_row(const Visit& visit) {
  if constexpr (Row::where == wherry::detail::numbers_on::devices ||
                (Apart && Row::where == wherry::detail::numbers_on::devices_apart))
    visit(typename Row::type{});
}
/// Calls `visit` with a zero of the type at this place of the table of numbers.
/// @tparam Apart whether the kernel knows the numbers `devices_apart`, too
template <bool Apart, class Visit, class... Row>
WHERRY_ON_BOTH void with_number(wherry::detail::number_place place, const Visit& visit, const std::tuple<Row...>*) {
  int row = 0;
  static_cast<void>(((++row == place && (visit_row<Apart, Row>(visit), true)) || ...));
}
template <bool Apart, class Visit>
WHERRY_ON_BOTH void with_number(wherry::detail::number_place place, const Visit& visit) {
  with_number<Apart>(place, visit, static_cast<const number_table*>(nullptr));
}

struct combine_visitor {
  plans::known_operation operation;
  std::byte* to;
  const std::byte* from;
  template <class T> WHERRY_ON_BOTH void operator()(T) const {
    combine_as<T>(operation, to, from, static_cast<const operation_table*>(nullptr));
  }
};

template <class From> struct convert_from {
  std::byte* to;
  From value;
  template <class To> WHERRY_ON_BOTH void operator()(To) const { *reinterpret_cast<To*>(to) = static_cast<To>(value); }
};

template <bool Apart> struct convert_visitor {
  wherry::detail::number_place into;
  std::byte* to;
  const std::byte* from;
  template <class From> WHERRY_ON_BOTH void operator()(From) const {
    with_number<Apart>(into, convert_from<From>{to, *reinterpret_cast<const From*>(from)});
  }
};

/// Combines or converts a unit by one of the known operations.
template <bool Apart> struct combine_known {
  static WHERRY_ON_BOTH void unit(const device_move& move, const std::byte* from, std::byte* to) {
    if (move.operation == plans::known_operation::convert)
      with_number<Apart>(move.arriving, convert_visitor<Apart>{move.into, to, from});
    else
      with_number<Apart>(move.into, combine_visitor{move.operation, to, from});
  }
};

/// Combines a unit by a functor of the user.
template <class T, class Functor> struct combine_own {
  static WHERRY_ON_BOTH void unit(const device_move&, const std::byte* from, std::byte* to) {
    T& there = *reinterpret_cast<T*>(to);
    there = Functor{}(there, *reinterpret_cast<const T*>(from));
  }
};

/// Moves the units first, first + threads, …: neighbouring threads take neighbouring units, so that their accesses
/// coalesce.
template <bool Long, bool OnlyCopies, class Combine, std::uint32_t AtOnce>
WHERRY_ON_BOTH void move_at_once(const device_moves& all, const device_move& move, const move_loop* loops,
                                 const std::byte* from, std::byte* to, std::uint64_t first, std::uint32_t threads,
                                 std::uint32_t how_many) {
  unit_numbers<Long, AtOnce> units;
  unit_places<Long, AtOnce> from_places, to_places;
  for (std::uint32_t k = 0; k < AtOnce; ++k) {
    units.at[k] = static_cast<typename unit_numbers<Long, AtOnce>::number>(first + (k < how_many ? k : 0) * threads);
    from_places.at[k] = to_places.at[k] = 0;
  }
  if (move.alike) {
    add_places_alike(move, loops, units, from_places, to_places);
  } else {
    add_places(all, move.from, loops, units, from_places);
    add_places(all, move.to, loops + move.from.loops, units, to_places);
  }
  if (OnlyCopies || move.copies)
    copy_units_of(move.to.bytes, from, from_places, to, to_places, how_many);
  else
    Combine::unit(move, from + std::int64_t{from_places.at[0]} * move.from.bytes,
                  to + std::int64_t{to_places.at[0]} * move.to.bytes);
}

}  // namespace moving

/// Does the work of one thread of a group on a piece.
/// @param loops the piece's loops, in the memory that the group reads fastest
/// @param from, to the addresses of the piece's fields
template <bool Long, bool OnlyCopies, std::uint32_t Threads, class Combine = moving::combine_known<false>>
WHERRY_ON_BOTH void move_units(const device_moves& all, const move_piece& piece, const device_move& move,
                               const move_loop* loops, const void* from, void* to, std::uint32_t thread) {
  constexpr std::uint32_t at_once = OnlyCopies ? moving::copied_at_once : 1, in_a_turn = Threads * at_once;
  WHERRY_NOT_UNROLLED
  for (std::uint32_t turn = 0; turn < device_moves::units_a_piece; turn += in_a_turn) {
    const std::uint32_t i = turn + thread;
    if (i >= piece.units) return;
    const std::uint32_t there = (piece.units - i + Threads - 1) / Threads;
    moving::move_at_once<Long, OnlyCopies, Combine, at_once>(
        all, move, loops, static_cast<const std::byte*>(from) + move.from.offset,
        static_cast<std::byte*>(to) + move.to.offset, piece.first + i, Threads, there < at_once ? there : at_once);
  }
}

/// Carries out all moves on the host, which acts as the threads of each group in turn.
template <bool Long, bool OnlyCopies, class Combine = moving::combine_known<false>>
void move_by_host(const device_moves& all, void* const* fields) {
  constexpr std::uint32_t threads = 32;
  for (std::uint32_t p = 0; p < all.how_many_pieces; ++p) {
    const auto& piece = all.pieces[p];
    for (std::uint32_t thread = 0; thread < threads; ++thread)
      move_units<Long, OnlyCopies, threads, Combine>(all, piece, all.moves[piece.move], all.loops + piece.first_loop,
                                                     fields[piece.from_field], fields[piece.to_field], thread);
  }
}

}  // namespace wherry
