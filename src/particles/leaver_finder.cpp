#include "leaver_finder.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

namespace wherry::particles {
void leaver_finder::refuse(const std::string& what) const {
  throw error(error_kind::argument, in_exchange, what, ground_.comm.rank());
}

void leaver_finder::take_marks(const wherry::detail::particle_marks& marks, std::size_t count) {
  const auto* const bytes = static_cast<const std::byte*>(marks.first);
  if (marks.is_mask()) {
    if (marks.count != count)
      refuse(wherry::detail::text("the mask has ", marks.count, " elements for ", count, " particles"));
    for (std::size_t i = 0; i < count; ++i)
      if (bytes[i] != std::byte{0}) candidates_.push_back(i);
    return;
  }
  for (std::size_t k = 0; k < marks.count; ++k) {
    std::int64_t i = 0;
    if (marks.bytes == sizeof i) {
      std::memcpy(&i, bytes + k * sizeof i, sizeof i);
    } else {
      std::int32_t narrow;
      std::memcpy(&narrow, bytes + k * sizeof narrow, sizeof narrow);
      i = narrow;
    }
    if (i < 0 || static_cast<std::uint64_t>(i) >= count)
      refuse(
          wherry::detail::text("entry ", k, " of the list of leavers is ", i, ", but there are ", count, " particles"));
    candidates_.push_back(static_cast<std::size_t>(i));
  }
  if (!std::ranges::is_sorted(candidates_)) std::ranges::sort(candidates_);
  if (const auto twice = std::ranges::adjacent_find(candidates_); twice != candidates_.end())
    refuse(wherry::detail::text("the list of leavers has particle ", *twice, " twice"));
}

void leaver_finder::add(std::size_t i, int to, bool wraps, leaver_list& into) const {
  if (to == ground_.comm.rank()) {
    if (wraps) into.corrected.push_back(i);
    return;
  }
  if (neighbors_only_ && !std::ranges::binary_search(ground_.neighbors, to))
    refuse(wherry::detail::text("particle ", i, " moves to rank ", to,
                                ", which has no box beside this rank's, but 'neighbors_only' is set"));
  into.who.push_back(i);
  into.to.push_back(to);
  into.wraps.push_back(wraps ? 1 : 0);
}

void leaver_finder::look_at(const coordinate_arrays& at, std::size_t i, leaver_list& into) {
  const auto given = at.read(i);
  auto x = given;
  const auto found = ground_.space.wrap(x, at.is_float);
  const auto named = [&] { return wherry::detail::text("particle ", i, " at ", to_text(given, at.dimensions)); };
  if (found == space_map::place::lost)
    refuse(named() + " has no position: its coordinates must be finite, and at most 10^9 periods away");
  if (found == space_map::place::outside)
    refuse(named() + " is outside the space, beyond an edge that is not periodic");
  const auto place = ground_.space.cell_of(x);
  const int to = ground_.owners->owner_of(place);
  if (to < 0 || to >= ground_.comm.size())
    refuse(named() + wherry::detail::text(" is in cell ", to_text(place, at.dimensions), ", which no rank owns"));
  add(i, to, found == space_map::place::moved, into);
}

// Particles mostly lie in the box of the one before.
void leaver_finder::append_outside_parts(const coordinate_arrays& at, std::size_t count) {
  const auto& space = ground_.space;
  const auto& parts = ground_.own_real[at.is_float ? 1 : 0];
  std::size_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto x = at.read(i);
    if (!parts.empty() && parts[last].contains(x, at.dimensions)) continue;
    const auto before = x;
    const auto found = space.wrap(x, at.is_float);
    const bool stays = found == space_map::place::inside && x == before;
    const int part = stays ? ground_.finder.find(space.cell_of(x)) : -1;
    if (part < 0)
      candidates_.push_back(i);
    else if (!parts.empty())
      last = static_cast<std::size_t>(part);
  }
}

void leaver_finder::find_by_position(const coordinate_arrays& at, std::size_t count, bool is_marked, leaver_list& into,
                                     const std::function<void()>& found_some) {
  const bool one_box = ground_.space.is_upright() && ground_.own.size() < 2;
  if (!is_marked && one_box) {
    // Some particles at a time, so that those outside are looked at while they are in the cache.
    constexpr std::size_t some = 4096;
    const auto box = ground_.own.empty() ? real_box{} : ground_.own_real[at.is_float ? 1 : 0].front();
    for (std::size_t begin = 0; begin < count; begin += some) {
      candidates_.clear();
      append_outside(at, begin, std::min(begin + some, count), box, candidates_);
      for (const auto i : candidates_) look_at(at, i, into);
      found_some();
    }
    return;
  }
  if (!is_marked) append_outside_parts(at, count);
  for (const auto i : candidates_) look_at(at, i, into);
  found_some();
}

void leaver_finder::find_by_choice(const particle_call& call, std::size_t count, leaver_list& into) {
  const auto look = [&](std::size_t i) {
    if (call.owner_of != nullptr) {
      const int to = call.owner_of(call.chooser, i);
      if (to < 0 || to >= ground_.comm.size())
        refuse(wherry::detail::text("the owner of particle ", i, " is ", to, ", expected a rank from 0 to ",
                                    ground_.comm.size() - 1));
      return add(i, to, false, into);
    }
    cell place{};
    call.cell_of(call.chooser, i, place.data());
    const int to = ground_.owners->owner_of(ground_.space.wrapped(place));
    if (to < 0 || to >= ground_.comm.size())
      refuse(wherry::detail::text("particle ", i, " is in cell ", to_text(place, ground_.space.dimensions()),
                                  ", which no rank owns"));
    add(i, to, false, into);
  };
  if (call.marks.given)
    for (const auto i : candidates_) look(i);
  else
    for (std::size_t i = 0; i < count; ++i) look(i);
}

void leaver_finder::find(const particle_call& call, const coordinate_arrays& at, std::size_t count, leaver_list& into,
                         const std::function<void()>& found_some) {
  into.clear();
  candidates_.clear();
  if (call.counts_choices && call.choices != count)
    refuse(wherry::detail::text("the list of ", call.owner_of != nullptr ? "owners" : "cells", " has ", call.choices,
                                " entries for ", count, " particles"));
  if (call.owner_of == nullptr && !ground_.has_space())
    refuse("this exchange was made without a space: give the owners of the particles, 'by_owner'");
  if (call.marks.given) take_marks(call.marks, count);
  if (call.dimensions > 0) {
    find_by_position(at, count, call.marks.given, into, found_some);
  } else {
    find_by_choice(call, count, into);
    found_some();
  }
  if (call.marks.given && current_settings().check) check_unmarked(call, at, count, into);
}

void leaver_finder::check_unmarked(const particle_call& call, const coordinate_arrays& at, std::size_t count,
                                   const leaver_list& found) {
  auto whole = call;
  whole.marks = {};
  leaver_list all;
  find(whole, at, count, all, [] {});
  const auto require = [&](const std::vector<std::size_t>& wanted, const std::vector<std::size_t>& marked) {
    for (const auto i : wanted)
      if (!std::ranges::binary_search(marked, i))
        refuse(wherry::detail::text("particle ", i, " has left its place, but is not among the leavers"));
  };
  require(all.who, found.who);
  require(all.corrected, found.corrected);
}

}  // namespace wherry::particles
