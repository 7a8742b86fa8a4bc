/// @file
/// Lists of places, as unstructured meshes have them, in compressed form: regular parts of a list are recognised, and
/// equal lists are stored once. No MPI. Users pass plain index lists to `index_exchange`, which fills such a table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace wherry::plans {

/// Rows of equally spaced places: `first`, `first + step`, …, and again from `first + row_step` on, `rows` times in
/// all.
struct place_rows {
  std::int64_t first = 0, points = 1, step = 0, rows = 1, row_step = 0;

  std::int64_t count() const { return points * rows; }
  std::int64_t operator[](std::int64_t n) const { return first + n / points * row_step + n % points * step; }
  bool operator==(const place_rows&) const = default;
};

/// Lists of places, numbered from 0. A place is a multiple of `block::unit`, so that arrays with elements of different
/// sizes can share a list. A regular part takes a few words however long it is. Other places take 4 bytes each, or 8
/// bytes in a stretch in which one of them does not fit 32 bits.
class index_table {
 public:
  /// Adds a list with these places in this order and returns its number. If there is an equal list, it returns the
  /// number of that one.
  std::int64_t add(std::span<const std::int64_t> places);
  /// Frees the memory that only `add` needs. Lists that are added later are no longer compared with those before.
  void settle();

  std::int64_t size() const { return std::ssize(lists_); }
  bool empty() const { return lists_.empty(); }
  /// The number of places in a list, and its lowest and highest place, which are 0 if it is empty.
  std::int64_t count(std::int64_t list) const { return at(list).count; }
  std::int64_t lowest(std::int64_t list) const { return at(list).lowest; }
  std::int64_t highest(std::int64_t list) const { return at(list).highest; }

  /// Calls `visit` for the parts of the places from `begin` to `begin + count` of a list, in order. The argument is a
  /// `place_rows`, a `std::span<const std::int32_t>` or a `std::span<const std::int64_t>`.
  template <class Visit>
  void for_each_part(std::int64_t list, std::int64_t begin, std::int64_t count, Visit&& visit) const;
  /// Calls `visit(place)` for each of these places.
  template <class Visit>
  void for_each_place(std::int64_t list, std::int64_t begin, std::int64_t count, Visit&& visit) const;

  /// The list in words: "list of 1024: 32 runs of 32 at stride 4096", …
  std::string explain(std::int64_t list) const;
  /// Bytes of memory that the lists take.
  std::size_t memory() const;

  bool operator==(const index_table& other) const;

 private:
  enum class form : std::uint8_t { rows, narrow, wide };
  struct stored_part {
    form kind = form::rows;
    place_rows where;  // of other forms: `first` and `points` say which of the numbers belong to the part
    bool operator==(const stored_part&) const = default;
  };
  struct stored_list {
    std::int64_t first_part = 0, parts = 0, count = 0, lowest = 0, highest = 0;
    bool operator==(const stored_list&) const = default;
  };

  const stored_list& at(std::int64_t number) const { return lists_[static_cast<std::size_t>(number)]; }
  /// A range to iterate over. (A std::span of this private type would add to every program's compile time.)
  struct part_range {
    const stored_part *first, *last;
    const stored_part* begin() const { return first; }
    const stored_part* end() const { return last; }
  };
  part_range parts_of(std::int64_t list) const {
    const auto* const first = parts_.data() + at(list).first_part;
    return {first, first + at(list).parts};
  }
  bool equal(std::int64_t list, std::span<const std::int64_t> places) const;
  void split(std::span<const std::int64_t> places);
  void add_single(std::span<const std::int64_t> places);
  template <class Visit>
  static void for_each_row(const place_rows& all, std::int64_t begin, std::int64_t end, Visit& visit);

  std::vector<stored_list> lists_;
  std::vector<stored_part> parts_;
  std::vector<std::int32_t> narrow_;
  std::vector<std::int64_t> wide_;
  std::unordered_multimap<std::uint64_t, std::int64_t> by_hash_;
};

/// Visits the whole rows, and the rest of the first and of the last row.
template <class Visit>
void index_table::for_each_row(const place_rows& all, std::int64_t begin, std::int64_t end, Visit& visit) {
  const auto cut = [&](std::int64_t last) {
    if (last > begin) visit(place_rows{all[begin], last - begin, all.step, 1, 0});
    begin = std::max(begin, last);
  };
  const auto next = (begin + all.points - 1) / all.points * all.points, last = end / all.points * all.points;
  if (begin < next) cut(std::min(next, end));
  if (begin < last) {
    visit(place_rows{all[begin], all.points, all.step, (last - begin) / all.points, all.row_step});
    begin = last;
  }
  cut(end);
}

template <class Visit>
void index_table::for_each_part(std::int64_t list, std::int64_t begin, std::int64_t count, Visit&& visit) const {
  std::int64_t end = begin + count;
  for (const auto& [kind, where] : parts_of(list)) {
    const auto here = where.count();
    const auto from = std::max<std::int64_t>(begin, 0), to = std::min(end, here);
    begin -= here;
    end -= here;
    if (from >= to) continue;
    const auto numbers = [&, first = where.first](const auto& all) {
      visit(std::span(all).subspan(static_cast<std::size_t>(first + from), static_cast<std::size_t>(to - from)));
    };
    if (kind == form::narrow)
      numbers(narrow_);
    else if (kind == form::wide)
      numbers(wide_);
    else if (to - from == here)
      visit(where);
    else
      for_each_row(where, from, to, visit);
  }
}

template <class Visit>
void index_table::for_each_place(std::int64_t list, std::int64_t begin, std::int64_t count, Visit&& visit) const {
  for_each_part(list, begin, count, [&]<class Part>(const Part& part) {
    if constexpr (std::is_same_v<Part, place_rows>)
      for (std::int64_t i = 0; i < part.count(); ++i) visit(part[i]);
    else
      for (const auto place : part) visit(std::int64_t{place});
  });
}

}  // namespace wherry::plans
