#include "move_builder.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "wherry/core/error.hpp"
#include "wherry/device/operation.hpp"

namespace wherry {
namespace {

constexpr std::uint64_t most_of_32_bits = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(std::string_view what) { throw error(error_kind::argument, "device memory", what); }

[[noreturn]] void refuse_elements(const plans::element_type& type, const plans::typed_reduction& how) {
  refuse(detail::text("'", how.name, "' on ", to_string(type), " is not possible on a device"));
}

/// The numbers of which an element consists; a complex one has two.
wherry::detail::number_place numbers_of(plans::element_type type, const plans::typed_reduction& how) {
  const auto whole = type;
  if (type.kind == plans::element_kind::complex) type = {plans::element_kind::floating, type.bytes / 2};
  const auto place = wherry::detail::place_of_number(type);
  if (wherry::detail::number_homes[place] == wherry::detail::numbers_on::hosts) refuse_elements(whole, how);
  return place;
}

/// The largest unit in which a block can be walked, judged by its own offset, run and strides.
std::int64_t unit_of(const plans::block& b) {
  auto all = std::gcd(std::gcd(b.run, b.offset), std::int64_t{16});
  if (b.kind == plans::block::form::indexed) return std::gcd(all, b.unit);
  for (std::size_t i = 0; i < static_cast<std::size_t>(b.loops); ++i) all = std::gcd(all, b.loop[i].stride);
  return all;
}

}  // namespace

operation_on_device::operation_on_device(const plans::typed_reduction* how) {
  if (how == nullptr) return;
  copies = false;
  what = how->known;
  if (what == plans::known_operation::none) {
    own = detail::find_own_operation(*how);
    if (own == nullptr)
      refuse(
          detail::text("'", how->name,
                       "' is a function of yours, which a device cannot run; use an operation on numbers of every type "
                       "or one that make_device_reduction has made"));
    return;
  }
  into = numbers_of(how->type, *how);
  arriving = numbers_of(how->wire_type, *how);
  if (how->type.kind == plans::element_kind::complex && what == plans::known_operation::multiply)
    refuse_elements(how->type, *how);
  if ((how->type.kind == plans::element_kind::complex) != (how->wire_type.kind == plans::element_kind::complex))
    refuse(detail::text("'", how->name, "' converts ", to_string(how->wire_type), " into ", to_string(how->type),
                        ", which is not possible on a device"));
}

std::int64_t operation_on_device::bytes() const {
  return own != nullptr ? own->bytes : wherry::detail::number_kinds[into - 1].bytes;
}
std::int64_t operation_on_device::bytes_arriving() const {
  return own != nullptr ? own->bytes : wherry::detail::number_kinds[arriving - 1].bytes;
}

/// Notes how far a loop reaches, so that `long_moves` is set if 32 bits cannot count the units of all loops of a side
/// together.
void move_builder::note_reach(std::int64_t extent, std::int64_t stride) {
  constexpr auto most = static_cast<std::int64_t>(most_of_32_bits);
  const auto step = std::abs(stride);
  reach_ = step > most || extent > most ? most + 1 : std::min(most + 1, reach_ + step * extent);
  long_moves = long_moves || reach_ > most;
}

void move_builder::add_loop(std::int64_t extent, std::int64_t stride, std::int64_t unit) {
  if (stride % unit != 0)
    refuse(detail::text("numbers of ", unit, " bytes are ", stride, " bytes apart, expected a multiple of their size"));
  if (extent > std::numeric_limits<std::int32_t>::max())
    refuse(detail::text("a block has ", extent, " equally spaced elements in one direction, expected fewer than 2^31"));
  loops.push_back({known_divisor::of(static_cast<std::uint32_t>(extent)), stride / unit});
  note_reach(extent, stride / unit);
}

const move_builder::stored_list& move_builder::list_of(std::int64_t number) {
  const auto [at, is_new] = lists_.try_emplace(number);
  if (!is_new) return at->second;
  const auto& all = plan_.indices;
  const bool fits = all.lowest(number) >= std::numeric_limits<std::int32_t>::min() &&
                    all.highest(number) <= std::numeric_limits<std::int32_t>::max();
  at->second = fits ? stored_list{4, std::ssize(narrow)} : stored_list{8, std::ssize(wide)};
  at->second.farthest = std::max(std::abs(all.lowest(number)), std::abs(all.highest(number)));
  all.for_each_place(number, 0, all.count(number), [&](std::int64_t place) {
    if (fits)
      narrow.push_back(static_cast<std::int32_t>(place));
    else
      wide.push_back(place);
  });
  return at->second;
}

/// Appends the loops of one side. A contiguous block gets one loop without an extent, because the kernel never divides
/// by it.
move_side move_builder::side_of(const plans::block& b, std::int64_t unit) {
  move_side side;
  side.offset = b.offset;
  side.bytes = static_cast<std::uint32_t>(unit);
  side.field = b.field;
  side.first_loop = static_cast<std::uint32_t>(loops.size());
  reach_ = 0;
  const auto in_run = b.run / unit;
  if (b.kind == plans::block::form::indexed) {
    const auto& list = list_of(b.list);
    side.places = list.bytes;
    side.first_place = list.first + b.skipped;
    if (b.unit % unit != 0)
      refuse(detail::text("numbers of ", unit, " bytes are in places of ", b.unit,
                          " bytes, expected a multiple of their size"));
    side.stride = b.unit / unit;
    note_reach(list.farthest, side.stride);
    if (in_run > 1) add_loop(in_run, unit, unit);
  } else if (b.loops == 0) {
    loops.push_back({known_divisor{}, 1});
  } else {
    if (in_run > 1) add_loop(in_run, unit, unit);
    for (std::size_t i = 0; i < static_cast<std::size_t>(b.loops); ++i)
      add_loop(b.loop[i].extent, b.loop[i].stride, unit);
  }
  side.loops = static_cast<std::uint32_t>(loops.size()) - side.first_loop;
  return side;
}

bool move_builder::are_alike(const device_move& move) const {
  if (move.from.places != 0 || move.to.places != 0 || move.from.loops != move.to.loops) return false;
  const auto* from = &loops[move.from.first_loop];
  return std::equal(from, from + move.from.loops, &loops[move.to.first_loop],
                    [](const auto& a, const auto& b) { return a.extent.number == b.extent.number; });
}

void move_builder::add(const plans::block& from, const plans::block& to, const operation_on_device& how) {
  for (const auto* b : {&from, &to})
    if (b->kind == plans::block::form::called)
      refuse("gather and scatter functions (user_structure) do not run on a device");
  if (from.bytes() == 0) return;
  const auto into = how.copies ? std::gcd(alignment_, std::gcd(unit_of(from), unit_of(to))) : how.bytes();
  const auto arriving = how.copies ? into : how.bytes_arriving();
  device_move move;
  move.copies = how.copies;
  move.operation = how.what;
  move.into = how.into;
  move.arriving = how.arriving;
  move.from = side_of(from, arriving);
  move.to = side_of(to, into);
  move.count = static_cast<std::uint64_t>(to.bytes() / into);
  if (move.count != static_cast<std::uint64_t>(from.bytes() / arriving))
    refuse(
        detail::text("a block of ", from.bytes() / arriving, " elements cannot be copied to a block of ", move.count));
  move.alike = are_alike(move);
  only_copies = only_copies && how.copies;
  for (const auto place : {how.into, how.arriving})
    numbers_apart = numbers_apart || wherry::detail::number_homes[place] == wherry::detail::numbers_on::devices_apart;
  if (how.own != nullptr) own = how.own;
  long_moves = long_moves || move.count > most_of_32_bits;
  moves.push_back(move);
}

/// Everything about a move except its places. Two moves with equal results can be joined.
std::vector<std::int64_t> move_builder::shape_of(const device_move& move) const {
  std::vector<std::int64_t> all{move.from.field, move.to.field, move.to.bytes, static_cast<std::int64_t>(move.count)};
  for (std::uint32_t i = 0; i < move.from.loops + move.to.loops; ++i) {
    const auto& loop = loops[move.from.first_loop + i];
    all.insert(all.end(), {loop.extent.number, loop.stride});
  }
  return all;
}

/// True if 32 bits can also count the units from one move to the other.
bool move_builder::are_near(const device_move& first, const device_move& second) const {
  constexpr auto most = static_cast<std::int64_t>(most_of_32_bits);
  const auto reach = [&](const move_side& one, const move_side& other) {
    auto all = 2 * (std::abs(other.offset - one.offset) / one.bytes);
    for (std::uint32_t i = 0; i < one.loops; ++i) {
      const auto& loop = loops[one.first_loop + i];
      const auto extent = one.loops == 1 ? static_cast<std::int64_t>(first.count) : loop.extent.number;
      all += std::abs(loop.stride) * extent;
    }
    return all;
  };
  return reach(first.from, second.from) <= most && reach(first.to, second.to) <= most;
}

/// Makes one move of two by one more loop of extent 2. It stands inside the loops with larger strides.
void move_builder::join(device_move& first, const device_move& second) {
  const auto& a = first;
  const auto step_from = (second.from.offset - a.from.offset) / a.from.bytes,
             step_to = (second.to.offset - a.to.offset) / a.to.bytes;
  const auto* from = &loops[a.from.first_loop];
  std::uint32_t inner = 0;
  while (inner < a.from.loops && std::abs(from[inner].stride) <= std::abs(step_from)) ++inner;
  const auto add_side = [&](move_side& side, std::int64_t step) {
    const auto old = side.first_loop;
    side.first_loop = static_cast<std::uint32_t>(loops.size());
    reach_ = 0;
    for (std::uint32_t i = 0; i <= side.loops; ++i) {
      if (i == inner) add_loop(2, step, 1);
      if (i == side.loops) break;
      const auto loop = loops[old + i];
      const auto extent = side.loops == 1 ? static_cast<std::int64_t>(first.count) : loop.extent.number;
      add_loop(extent, loop.stride, 1);
    }
    ++side.loops;
  };
  add_side(first.from, step_from);
  add_side(first.to, step_to);
  first.count *= 2;
}

/// Joins copies of one shape between the same fields, two at a time. For the two faces at the ends of a field's rows,
/// consecutive threads then touch the end of one row and the beginning of the next, which memory transfers together.
void move_builder::join_pairs() {
  std::map<std::vector<std::int64_t>, std::size_t> alone;
  std::vector<device_move> all;
  for (const auto& move : moves) {
    if (!move.alike || !move.copies || long_moves) {
      all.push_back(move);
      continue;
    }
    const auto [at, is_first] = alone.try_emplace(shape_of(move), all.size());
    if (is_first || !are_near(all[at->second], move)) {
      all.push_back(move);
    } else {
      join(all[at->second], move);
      alone.erase(at);
    }
  }
  moves = std::move(all);
}

std::int64_t move_builder::place_of(const move_side& side, std::uint64_t unit) const {
  std::int64_t place = 0;
  for (std::uint32_t i = 0; i < side.loops; ++i) {
    const auto& loop = loops[side.first_loop + i];
    const bool is_divided = side.places != 0 || i + 1 < side.loops;
    const auto within = is_divided ? unit % loop.extent.number : unit;
    place += static_cast<std::int64_t>(within) * loop.stride;
    unit = is_divided ? unit / loop.extent.number : 0;
  }
  const auto at = static_cast<std::size_t>(side.first_place) + unit;
  if (side.places != 0) place += side.stride * (side.places == 4 ? std::int64_t{narrow[at]} : wide[at]);
  return side.offset + place * side.bytes;
}

/// Sorts the pieces by place. Consecutive groups of threads run at the same time, and then find neighbouring memory in
/// the caches: for the two faces at the ends of a field's rows, the end of one row and the beginning of the next.
void move_builder::sort_pieces() {
  struct placed {
    std::int32_t field;
    std::int64_t place;
    move_piece piece;
  };
  std::vector<placed> all;
  all.reserve(pieces.size());
  for (const auto& piece : pieces) {
    const auto& move = moves[piece.move];
    const auto& scattered = move.to.loops >= move.from.loops ? move.to : move.from;
    all.push_back({scattered.field, place_of(scattered, piece.first), piece});
  }
  std::stable_sort(all.begin(), all.end(), [](const placed& a, const placed& b) {
    return std::pair(a.field, a.place) < std::pair(b.field, b.place);
  });
  std::transform(all.begin(), all.end(), pieces.begin(), [](const placed& one) { return one.piece; });
}

void move_builder::finish() {
  join_pairs();
  constexpr std::uint64_t most = device_moves::units_a_piece;
  for (std::size_t m = 0; m < moves.size(); ++m) {
    const auto& move = moves[m];
    for (std::uint64_t first = 0; first < move.count; first += most)
      pieces.push_back({static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(std::min(most, move.count - first)),
                        first, move.from.field, move.to.field, move.from.first_loop, move.from.loops + move.to.loops});
  }
  sort_pieces();
  if (pieces.size() > std::numeric_limits<std::int32_t>::max())  // a grid is largest in x
    refuse(detail::text("one launch would have ", pieces.size(), " groups of threads, expected fewer than 2^31"));
}

}  // namespace wherry
