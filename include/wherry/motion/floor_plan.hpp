/// @file
/// Floor plans: lists of boxes, or of other index domains, each with the rank that owns it (KeLP's FloorPlan and Map;
/// KeLP, section 2).
///
///     wherry::floor_plan<2> plan({{{0, 0}, {10, 8}}, {{10, 0}, {16, 8}}}, {0, 1});  // boxes of ranks 0 and 1
///     plan.add({{0, 8}, {16, 12}}, 0);
///     for (const int number : plan.owned_by(rank)) cells += plan[number].size();
///
/// Floor plans are local values and make no MPI call. To cut a box into regular blocks use decompose.hpp; if no rank
/// can list all boxes, use resolve.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/core/made_once.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/geometry/point.hpp"
#include "wherry/motion/plan_knowledge.hpp"

namespace wherry {

/// KeLP's Map: entry i is the rank that owns box i.
using owner_map = std::vector<int>;

namespace detail {

/// The words by which error texts name the parts of a plan, and the type of their points.
template <class Part> struct part_words {
  static constexpr bool is_box = false;
  using point_in_it = index_t;
  static constexpr const char *plan = "index_floor_plan", *one = "part", *many = "parts";
};
template <int N> struct part_words<box<N>> {
  static constexpr bool is_box = true;
  using point_in_it = point<N>;
  static constexpr const char *plan = "floor_plan", *one = "box", *many = "boxes";
};

}  // namespace detail

/// A table of parts and their owners: a decomposition that may be irregular. The parts are boxes (`floor_plan`) or
/// index domains (`index_floor_plan`). They are numbered from 0, may overlap and may be empty. A rank may own any
/// number of parts.
///
/// A floor plan is *complete* if it knows all parts, as in KeLP, or *partial*. A partial plan on a rank knows this
/// rank's parts and the neighbouring parts that its motions need (of an index domain perhaps only some points), and
/// spends no memory on the others (see `resolve`). Functions take both kinds unless they say otherwise.
///
/// A floor plan is a handle: copies share one table, and copying costs nothing. A copy that is changed gets a table of
/// its own.
template <class Part> class basic_floor_plan {
  static constexpr bool of_boxes = detail::part_words<Part>::is_box;

 public:
  basic_floor_plan() : table_(std::make_shared<table>()) {}
  basic_floor_plan(const basic_floor_plan&) = default;  // not movable, so that every handle has a table
  basic_floor_plan& operator=(const basic_floor_plan&) = default;
  /// Makes a complete plan.
  /// @throws error(argument) if there are not as many owners as parts, or an owner is negative.
  basic_floor_plan(std::vector<Part> parts, owner_map owners);
  /// Makes a partial plan that knows some of `total` parts.
  /// @param numbers the number of each part in `parts`, ascending
  /// @throws error(argument) for lists of different lengths, a negative owner, or numbers that do not ascend or are not
  ///         below `total`.
  basic_floor_plan(int total, std::vector<int> numbers, std::vector<Part> parts, owner_map owners);

  /// Adds one part to a complete plan. The new part's number is the previous size.
  /// @throws error(argument) if the plan is partial or the owner is negative.
  void add(Part part, int owner);

  /// The number of all parts, including those that a partial plan does not know.
  int size() const { return complete() ? known() : table_->total; }
  bool complete() const { return table_->numbers.empty() && table_->total == 0; }
  bool knows(int number) const { return place_of(number) >= 0; }
  /// The part with this number.
  /// @throws error(argument) for a number that is out of range or that this plan does not know.
  const Part& operator[](int number) const { return table_->parts[checked_place(number)]; }
  /// The rank that owns the part with this number. @throws as `operator[]`.
  int owner(int number) const { return table_->owners[checked_place(number)]; }

  /// The number of known parts. `parts`, `boxes` and `owners` list the known parts in ascending order of their numbers;
  /// a *place* is an index into these lists, and `number_of` gives the part's number. In a complete plan, place and
  /// number are the same.
  int known() const { return static_cast<int>(table_->parts.size()); }
  int number_of(int place) const { return complete() ? place : table_->numbers[static_cast<std::size_t>(place)]; }
  std::span<const Part> parts() const { return table_->parts; }
  std::span<const Part> boxes() const
    requires of_boxes
  {
    return table_->parts;
  }
  std::span<const int> owners() const { return table_->owners; }
  /// The place of a part among the known ones, or -1 if it is not known.
  int place_of(int number) const;

  /// The numbers of the known parts that `rank` owns, ascending.
  std::vector<int> owned_by(int rank) const;

  /// A plan with the same owners in which each part is replaced by `change(part)`, for example
  /// `plan.transformed([](auto& b) { return coarsen(b, 2); })`. A partial result has lost the record of its calls of
  /// `resolve`.
  basic_floor_plan transformed(const std::function<Part(const Part&)>& change) const;

  /// The number of the first known box that contains the point; -1 if no known box does. After a few calls a large plan
  /// makes an index of its boxes, which it keeps until it is changed; a call then looks at the few boxes near the
  /// point. Several threads may ask at once.
  int box_of(const typename detail::part_words<Part>::point_in_it& at) const
    requires of_boxes;
  /// The rank that owns the first known box that contains the point; -1 if no known box does. It costs what `box_of`
  /// costs.
  int owner_of(const typename detail::part_words<Part>::point_in_it& at) const
    requires of_boxes
  {
    const int number = box_of(at);
    return number < 0 ? -1 : owner(number);
  }

  /// The smallest box that contains all known boxes.
  Part bounding_box() const
    requires of_boxes;
  /// Readable tables of the known boxes (at most `most_rows` of them) and of each rank's share.
  std::string explain(int most_rows = 64) const
    requires of_boxes;
  /// The plan as JSON, in the form that `run plot` and `wherry_plan` read: {"kind": "floor_plan", "dimensions", "size",
  /// "complete", "boxes": [{"number", "owner", "lower", "upper"}, …]}. The upper corner is excluded from the box.
  std::string to_json() const
    requires of_boxes;

  /// A hash of all parts and owners of a complete plan, equal on ranks that have the same plan; 0 for a partial plan.
  std::uint64_t fingerprint() const;
  /// The record of the reaches and domains for which a partial plan was resolved. `resolve` writes it and motion
  /// builders check it; users need neither.
  const detail::plan_knowledge& knowledge() const { return table_->knowledge; }
  void set_knowledge(detail::plan_knowledge known) { own_table().knowledge = std::move(known); }

  /// True if both plans are handles of the same table.
  bool shares_table(const basic_floor_plan& other) const { return table_ == other.table_; }
  bool operator==(const basic_floor_plan& other) const { return table_ == other.table_ || *table_ == *other.table_; }

 private:
  using words = detail::part_words<Part>;
  struct table {
    int total = 0;             // 0 in a complete plan
    std::vector<int> numbers;  // partial only
    std::vector<Part> parts;
    owner_map owners;
    detail::plan_knowledge knowledge{};
    std::uint64_t fingerprint = 0;       // 0 until it is computed
    detail::made_once index_of_boxes{};  // made after some questions about points
    bool operator==(const table& other) const {
      return total == other.total && numbers == other.numbers && parts == other.parts && owners == other.owners;
    }
  };

  [[noreturn]] static void fail(std::string_view what) { throw error(error_kind::argument, words::plan, what); }
  void check_owners() const;
  std::size_t checked_place(int number) const;
  table& own_table();

  std::shared_ptr<table> table_;
};

/// A floor plan of boxes in N dimensions.
template <int N>
  requires(N >= 1 && N <= detail::max_dimensions)
using floor_plan = basic_floor_plan<box<N>>;

}  // namespace wherry

template <class Part>
wherry::basic_floor_plan<Part>::basic_floor_plan(std::vector<Part> parts, owner_map owners)
    : table_(std::make_shared<table>(table{0, {}, std::move(parts), std::move(owners), {}, 0})) {
  check_owners();
}

template <class Part>
wherry::basic_floor_plan<Part>::basic_floor_plan(int total, std::vector<int> numbers, std::vector<Part> parts,
                                                 owner_map owners)
    : table_(std::make_shared<table>(table{total, std::move(numbers), std::move(parts), std::move(owners), {}, 0})) {
  check_owners();
  const auto& listed = table_->numbers;
  if (listed.size() != table_->parts.size())
    fail(detail::text("there are ", table_->parts.size(), ' ', words::many, " but ", listed.size(), " numbers"));
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const int before = i == 0 ? -1 : listed[i - 1];
    if (listed[i] <= before || listed[i] >= total)
      fail(detail::text("the numbers must ascend from 0 on and be smaller than ", total, ", but ",
                        i == 0 ? std::string("the first is ") : detail::text(before, " is followed by "), listed[i]));
  }
}

template <class Part> void wherry::basic_floor_plan<Part>::check_owners() const {
  const auto& owners = table_->owners;
  if (owners.size() != table_->parts.size())
    fail(detail::text("there are ", table_->parts.size(), ' ', words::many, " but ", owners.size(), " owners"));
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0) fail(detail::text(words::one, ' ', i, " has owner ", owners[i], ", expected rank 0 or more"));
}

/// Makes the table this handle's own, and returns it for changing.
template <class Part> auto wherry::basic_floor_plan<Part>::own_table() -> table& {
  if (table_.use_count() > 1) table_ = std::make_shared<table>(*table_);
  table_->fingerprint = 0;
  table_->index_of_boxes.forget();
  return *table_;
}

template <class Part> void wherry::basic_floor_plan<Part>::add(Part part, int owner) {
  if (!complete())
    fail(detail::text("a ", words::one, " cannot be added to a partial floor plan, whose ranks know only some of its ",
                      words::many));
  if (owner < 0) fail(detail::text(words::one, ' ', known(), " has owner ", owner, ", expected rank 0 or more"));
  auto& mine = own_table();
  mine.parts.push_back(std::move(part));
  mine.owners.push_back(owner);
}

template <class Part> int wherry::basic_floor_plan<Part>::place_of(int number) const {
  if (complete()) return number >= 0 && number < known() ? number : -1;
  const auto& listed = table_->numbers;
  std::size_t place = 0, end = listed.size();
  while (place < end) {
    const std::size_t middle = place + (end - place) / 2;
    if (listed[middle] < number)
      place = middle + 1;
    else
      end = middle;
  }
  return place == listed.size() || listed[place] != number ? -1 : static_cast<int>(place);
}

template <class Part> std::size_t wherry::basic_floor_plan<Part>::checked_place(int number) const {
  const int place = place_of(number);
  if (place < 0)
    fail(number < 0 || number >= size()
             ? detail::text(words::one, ' ', number, " of ", size(), " does not exist")
             : detail::text(words::one, ' ', number, " is not known to this rank's part of the plan"));
  return static_cast<std::size_t>(place);
}

template <class Part> std::vector<int> wherry::basic_floor_plan<Part>::owned_by(int rank) const {
  std::vector<int> mine;
  for (int place = 0; place < known(); ++place)
    if (table_->owners[static_cast<std::size_t>(place)] == rank) mine.push_back(number_of(place));
  return mine;
}

template <class Part>
auto wherry::basic_floor_plan<Part>::transformed(const std::function<Part(const Part&)>& change) const
    -> basic_floor_plan {
  basic_floor_plan result = *this;
  for (auto& part : result.own_table().parts) part = change(part);
  result.set_knowledge({});  // it described the parts before the change
  return result;
}

template <class Part> std::uint64_t wherry::basic_floor_plan<Part>::fingerprint() const {
  if (!complete()) return 0;
  const std::atomic_ref known(table_->fingerprint);
  if (const auto word = known.load(std::memory_order_relaxed); word != 0) return word;
  shape_hash all;
  const auto add = [&all](const auto& cells) {
    for (const auto& corner : {cells.lower, cells.upper})
      for (const index_t x : corner) all.add(x);
  };
  all.add(size());
  for (int number = 0; number < size(); ++number) {
    const auto& part = (*this)[number];
    all.add(owner(number));
    if constexpr (of_boxes)
      add(part);
    else
      for (const auto& cells : part.cover()) add(cells);
  }
  known.store(all.value(), std::memory_order_relaxed);
  return all.value();
}
