#include "wherry/plan/index_table.hpp"

#include <limits>
#include <utility>

#include "wherry/core/error.hpp"

#include "core/xxhash3.hpp"

namespace wherry::plans {
namespace {

using places_span = std::span<const std::int64_t>;

/// Shorter rows take less space, and no more time, as single places.
constexpr std::int64_t worth_rows = 16;

/// The longest evenly spaced row with which `places` begin, and the number of times that it is repeated.
place_rows rows_at(places_span places) {
  const auto size = std::ssize(places);
  const auto at = [&](std::int64_t i) { return places[static_cast<std::size_t>(i)]; };
  if (size < 2) return {at(0)};
  place_rows found{at(0), 2, at(1) - at(0), 1, 0};
  while (found.points < size && at(found.points) - at(found.points - 1) == found.step) ++found.points;
  const auto comes_again = [&](std::int64_t begin) {
    for (std::int64_t i = 0; i < found.points; ++i)
      if (at(begin + i) != found.first + found.rows * found.row_step + i * found.step) return false;
    const auto end = begin + found.points;  // the next row is longer, so it is another row and no repetition
    return end == size || at(end) - at(end - 1) != found.step;
  };
  if (found.points < size) found.row_step = at(found.points) - at(0);
  while ((found.rows + 1) * found.points <= size && comes_again(found.rows * found.points)) ++found.rows;
  if (found.rows == 1) found.row_step = 0;
  return found;
}

bool is_narrow(std::int64_t place) { return place == static_cast<std::int32_t>(place); }

std::uint64_t hash_of(places_span places) { return xxhash3(std::as_bytes(places)); }

}  // namespace

std::int64_t index_table::add(places_span places) {
  const auto hash = hash_of(places);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (equal(known->second, places)) return known->second;
  stored_list added{std::ssize(parts_), 0, std::ssize(places), 0, 0};
  if (!places.empty()) {
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    added.lowest = *low;
    added.highest = *high;
  }
  split(places);
  added.parts = std::ssize(parts_) - added.first_part;
  lists_.push_back(added);
  by_hash_.insert({hash, size() - 1});
  return size() - 1;
}

bool index_table::equal(std::int64_t list, places_span places) const {
  if (count(list) != std::ssize(places)) return false;
  bool same = true;
  auto next = places.begin();
  for_each_place(list, 0, count(list), [&](std::int64_t place) { same = same && place == *next++; });
  return same;
}

void index_table::split(places_span places) {
  constexpr auto farthest = std::numeric_limits<std::int64_t>::max() / 2;  // up to here, an int64 holds all distances
  const auto far = [](std::int64_t place) { return place < -farthest || place > farthest; };
  if (std::any_of(places.begin(), places.end(), far)) return add_single(places);
  const auto step = [&](std::size_t i) { return places[i + 1] - places[i]; };
  std::size_t begin = 0;  // of the places that belong to no row
  for (std::size_t i = 0; i < places.size();) {
    // A quick test for most places of an irregular list: here begins a row of two that is not repeated.
    if (i + 3 < places.size() && step(i) != step(i + 1) && step(i) != step(i + 2)) {
      ++i;
      continue;
    }
    const auto found = rows_at(places.subspan(i));
    if (found.count() < worth_rows) {
      ++i;
      continue;
    }
    add_single(places.subspan(begin, i - begin));
    parts_.push_back({form::rows, found});
    begin = i += static_cast<std::size_t>(found.count());
  }
  add_single(places.subspan(begin));
}

void index_table::add_single(places_span places) {
  if (places.empty()) return;
  const auto add_to = [&](auto& numbers, form kind) {
    using number = typename std::remove_reference_t<decltype(numbers)>::value_type;
    parts_.push_back({kind, {std::ssize(numbers), std::ssize(places), 0, 1, 0}});
    const auto before = numbers.size();
    numbers.resize(before + places.size());
    for (std::size_t i = 0; i < places.size(); ++i) numbers[before + i] = static_cast<number>(places[i]);
  };
  if (std::all_of(places.begin(), places.end(), is_narrow))
    add_to(narrow_, form::narrow);
  else
    add_to(wide_, form::wide);
}

void index_table::settle() {
  by_hash_ = {};
  lists_.shrink_to_fit();
  parts_.shrink_to_fit();
  narrow_.shrink_to_fit();
  wide_.shrink_to_fit();
}

bool index_table::operator==(const index_table& other) const {
  return lists_ == other.lists_ && parts_ == other.parts_ && narrow_ == other.narrow_ && wide_ == other.wide_;
}

std::string index_table::explain(std::int64_t list) const {
  constexpr std::size_t most = 4;  // number of parts that a line names
  std::string out = detail::text("list of ", count(list), ':');
  std::size_t shown = 0, more = 0;
  for (const auto& [kind, where] : parts_of(list)) {
    if (shown == most) {
      ++more;
      continue;
    }
    out += shown++ == 0 ? " " : ", ";
    if (kind != form::rows)
      out += detail::text(where.points, where.points == 1 ? " single place (" : " single places (",
                          kind == form::narrow ? 4 : 8, " B each)");
    else if (where.rows == 1)
      out += where.step == 1 ? detail::text("a run of ", where.points)
                             : detail::text(where.points, " at stride ", where.step);
    else
      out += detail::text(where.rows, where.step == 1 ? " runs of " : " rows of ", where.points,
                          where.step == 1 ? "" : detail::text(" (stride ", where.step, ')'), " at stride ",
                          where.row_step);
  }
  return more == 0 ? out : detail::text(out, ", ", more, " more such parts");
}

std::size_t index_table::memory() const {
  return lists_.size() * sizeof(stored_list) + parts_.size() * sizeof(stored_part) +
         narrow_.size() * sizeof(std::int32_t) + wide_.size() * sizeof(std::int64_t);
}

}  // namespace wherry::plans
