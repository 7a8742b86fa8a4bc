// What one launch of the copy kernel moves, and how: the same functor for the device's compiler and for the host's. The
// tables are made once and never change; a rebind changes only the array of field pointers that comes along.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "on_both.hpp"

namespace wherry {

/// Division by a number that is known before: a multiplication. Exact for numbers below 2^31.
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

struct move_loop {
  known_divisor extent;
  std::int64_t stride = 0;  // bytes
};

/// Where the units of one side are: nested loops, the first one fastest, around places of a list, if there is one.
struct move_side {
  std::int64_t offset = 0;  // bytes from the field's pointer
  std::int32_t field = 0;
  std::uint32_t first_loop = 0, loops = 0;
  std::int32_t places = 0;       // 0: no list; 4 or 8: bytes that a place of it takes
  std::int64_t first_place = 0;  // in `narrow` or `wide`
  std::int64_t unit = 0;         // bytes that a place counts in
};

enum class number_kind : std::uint8_t { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };
enum class move_operation : std::uint8_t { copy, add, least, most, convert };

struct device_move {
  move_side from, to;
  std::uint64_t count = 0;  // units
  std::uint32_t bytes = 1;  // of a unit where it arrives; of one that is stored 1, 2, 4, 8 or 16
  move_operation operation = move_operation::copy;
  number_kind into = number_kind::uint8, arriving = number_kind::uint8;
};

/// What a group of threads takes care of: units of one move, from `first` on.
struct move_piece {
  std::uint32_t move = 0;
  std::uint32_t units = 0;
  std::uint64_t first = 0;
};

struct device_moves {
  static constexpr std::uint32_t units_a_piece = 1024;

  const device_move* moves = nullptr;
  const move_loop* loops = nullptr;
  const std::int32_t* narrow = nullptr;
  const std::int64_t* wide = nullptr;
  const move_piece* pieces = nullptr;
  std::uint32_t how_many_pieces = 0;
  std::uint32_t fields = 0;  // pointers that come along
  bool long_moves = false;   // some have 2^31 units and more: their divisions are slow ones
};

namespace moving {

/// Loops over more units than 32 bits count are divided as they are; the last one is not divided at all.
template <bool Long>
WHERRY_ON_BOTH std::int64_t place_of(const device_moves& all, const move_side& side, std::uint64_t n) {
  using number = std::uint64_t;
  std::int64_t place = side.offset;
  const std::uint32_t divided = side.places != 0 ? side.loops : (side.loops == 0 ? 0 : side.loops - 1);
  for (std::uint32_t i = 0; i < divided; ++i) {
    const move_loop& l = all.loops[side.first_loop + i];
    number next = 0;
    if constexpr (Long)
      next = n / l.extent.number;
    else
      next = l.extent.divide(static_cast<std::uint32_t>(n));
    place += static_cast<std::int64_t>(n - next * l.extent.number) * l.stride;
    n = next;
  }
  if (side.places != 0) {
    const auto i = side.first_place + static_cast<std::int64_t>(n);
    return place + side.unit * (side.places == 4 ? std::int64_t{all.narrow[i]} : all.wide[i]);
  }
  return side.loops == 0 ? place : place + static_cast<std::int64_t>(n) * all.loops[side.first_loop + divided].stride;
}

struct alignas(16) sixteen_bytes {
  std::uint64_t words[2];
};

template <class T> WHERRY_ON_BOTH void store_as(std::byte* to, const std::byte* from) {
  *reinterpret_cast<T*>(to) = *reinterpret_cast<const T*>(from);
}

WHERRY_ON_BOTH inline void store_unit(std::uint32_t bytes, std::byte* to, const std::byte* from) {
  switch (bytes) {
    case 1:
      return store_as<std::uint8_t>(to, from);
    case 2:
      return store_as<std::uint16_t>(to, from);
    case 4:
      return store_as<std::uint32_t>(to, from);
    case 8:
      return store_as<std::uint64_t>(to, from);
    default:
      return store_as<sixteen_bytes>(to, from);
  }
}

template <class T> WHERRY_ON_BOTH bool is_negative(T number) {
  const auto bits = std::bit_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(number);
  return bits >> (8 * sizeof bits - 1) != 0;
}

/// The rules of `smaller` and `larger` (wherry/plan/functions.hpp): a NaN stays, -0 is less than +0.
template <class T> WHERRY_ON_BOTH T of_two(bool least, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return is_negative(a) == least ? a : b;
  }
  return (least ? b < a : a < b) ? b : a;
}

template <class T> WHERRY_ON_BOTH void combine_as(move_operation operation, std::byte* to, const std::byte* from) {
  T& there = *reinterpret_cast<T*>(to);
  const T arrived = *reinterpret_cast<const T*>(from);
  if (operation == move_operation::add)
    there = static_cast<T>(there + arrived);
  else
    there = of_two<T>(operation == move_operation::least, there, arrived);
}

/// Calls `visit` with a zero of the type.
template <class Visit> WHERRY_ON_BOTH void with_number(number_kind kind, const Visit& visit) {
  switch (kind) {
    case number_kind::int8:
      return visit(std::int8_t{});
    case number_kind::int16:
      return visit(std::int16_t{});
    case number_kind::int32:
      return visit(std::int32_t{});
    case number_kind::int64:
      return visit(std::int64_t{});
    case number_kind::uint8:
      return visit(std::uint8_t{});
    case number_kind::uint16:
      return visit(std::uint16_t{});
    case number_kind::uint32:
      return visit(std::uint32_t{});
    case number_kind::uint64:
      return visit(std::uint64_t{});
    case number_kind::float32:
      return visit(float{});
    case number_kind::float64:
      return visit(double{});
  }
}

struct combine_visitor {
  move_operation operation;
  std::byte* to;
  const std::byte* from;
  template <class T> WHERRY_ON_BOTH void operator()(T) const { combine_as<T>(operation, to, from); }
};

template <class From> struct convert_from {
  std::byte* to;
  From value;
  template <class To> WHERRY_ON_BOTH void operator()(To) const { *reinterpret_cast<To*>(to) = static_cast<To>(value); }
};

struct convert_visitor {
  number_kind into;
  std::byte* to;
  const std::byte* from;
  template <class From> WHERRY_ON_BOTH void operator()(From) const {
    with_number(into, convert_from<From>{to, *reinterpret_cast<const From*>(from)});
  }
};

}  // namespace moving

/// Unit `n` of a move. Units that follow each other are threads that follow each other.
template <bool Long>
WHERRY_ON_BOTH void move_unit(const device_moves& all, const device_move& move, void* const* fields, std::uint64_t n) {
  const auto* from = static_cast<const std::byte*>(fields[move.from.field]) + moving::place_of<Long>(all, move.from, n);
  auto* to = static_cast<std::byte*>(fields[move.to.field]) + moving::place_of<Long>(all, move.to, n);
  if (move.operation == move_operation::copy)
    moving::store_unit(move.bytes, to, from);
  else if (move.operation == move_operation::convert)
    moving::with_number(move.arriving, moving::convert_visitor{move.into, to, from});
  else
    moving::with_number(move.into, moving::combine_visitor{move.operation, to, from});
}

}  // namespace wherry
