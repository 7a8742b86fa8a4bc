/// @file
/// Floor plans: sets of boxes, or of other index domains, each with an owner (paper 4, section 2: FloorPlan and Map).
/// Pure values; no MPI.
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
#include "wherry/geometry/box.hpp"
#include "wherry/motion/plan_knowledge.hpp"

namespace wherry {

/// KeLP's Map: which rank owns box i, for 0 ≤ i < size.
using owner_map = std::vector<int>;

namespace detail {

template <class Part> struct part_words {
  static constexpr bool is_box = false;
  static constexpr const char *plan = "index_floor_plan", *one = "part", *many = "parts";
};
template <int N> struct part_words<box<N>> {
  static constexpr bool is_box = true;
  static constexpr const char *plan = "floor_plan", *one = "box", *many = "boxes";
};

}  // namespace detail

/// A table of parts and their owners: a potentially irregular decomposition. The parts are boxes (`floor_plan`) or
/// index domains (`index_floor_plan`), are numbered from 0, may overlap and may be empty; a rank may own any number of
/// them.
///
/// A floor plan is *complete* when it knows all parts, as in KeLP, or *partial*: it then knows those of its own rank
/// and those that this rank has to do with (of index domains perhaps only some points), and costs no memory for the
/// others (see `resolve`). Everything that takes a floor plan takes both.
///
/// A handle: copies share one table, and cost nothing, until one of them is added to.
template <class Part> class basic_floor_plan {
  static constexpr bool of_boxes = detail::part_words<Part>::is_box;

 public:
  basic_floor_plan() : table_(std::make_shared<table>()) {}
  basic_floor_plan(const basic_floor_plan&) = default;  // and no move, which would leave a handle of nothing behind
  basic_floor_plan& operator=(const basic_floor_plan&) = default;
  /// Complete. @throws error(argument) when there are not as many owners as parts, or an owner is negative.
  basic_floor_plan(std::vector<Part> parts, owner_map owners);
  /// Partial: `numbers` ascending, of `total` parts in all.
  /// @throws error(argument) for lists of different lengths, numbers that do not ascend or are not below `total`.
  basic_floor_plan(int total, std::vector<int> numbers, std::vector<Part> parts, owner_map owners);

  /// Adds one part to a complete plan; its number is the size before.
  void add(Part part, int owner);

  /// Number of parts, known or not.
  int size() const { return complete() ? known() : table_->total; }
  bool complete() const { return table_->numbers.empty() && table_->total == 0; }
  bool knows(int number) const { return place_of(number) >= 0; }
  /// @throws error(argument) for a number that is out of range or not known.
  const Part& operator[](int number) const { return table_->parts[checked_place(number)]; }
  int owner(int number) const { return table_->owners[checked_place(number)]; }

  /// The known parts, in ascending order of their numbers: the same thing as all parts when complete.
  int known() const { return static_cast<int>(table_->parts.size()); }
  int number_of(int place) const { return complete() ? place : table_->numbers[static_cast<std::size_t>(place)]; }
  std::span<const Part> parts() const { return table_->parts; }
  std::span<const Part> boxes() const
    requires of_boxes
  {
    return table_->parts;
  }
  std::span<const int> owners() const { return table_->owners; }
  /// Place of a part among the known ones, or -1.
  int place_of(int number) const;

  /// Numbers of the parts that `rank` owns, ascending.
  std::vector<int> owned_by(int rank) const;

  /// The same owners, parts changed one by one: `plan.transformed([](auto& b) { return coarsen(b, 2); })`.
  basic_floor_plan transformed(const std::function<Part(const Part&)>& change) const;

  /// The smallest box that holds all known ones.
  Part bounding_box() const
    requires of_boxes;
  /// Tables a person can read: the known boxes, `most_rows` of them at most, and what each rank owns.
  std::string explain(int most_rows = 64) const
    requires of_boxes;
  /// For `./run plot`: {"kind": "floor_plan", "dimensions", "size", "complete", "boxes": [{"number", "owner", "lower",
  /// "upper"}, …]}. Upper bounds are excluded.
  std::string to_json() const
    requires of_boxes;

  /// Of a complete plan all parts and owners as one word, which is the same on all ranks; 0 of a partial one.
  std::uint64_t fingerprint() const;
  /// What a partial plan knows; for those who find it out, and those who need it.
  const detail::plan_knowledge& knowledge() const { return table_->knowledge; }
  void set_knowledge(detail::plan_knowledge known) { own_table().knowledge = std::move(known); }

  /// Whether the two are copies of one.
  bool shares_table(const basic_floor_plan& other) const { return table_ == other.table_; }
  bool operator==(const basic_floor_plan& other) const { return table_ == other.table_ || *table_ == *other.table_; }

 private:
  using words = detail::part_words<Part>;
  struct table {
    int total = 0;             // 0: complete
    std::vector<int> numbers;  // partial only
    std::vector<Part> parts;
    owner_map owners;
    detail::plan_knowledge knowledge{};
    std::uint64_t fingerprint = 0;  // 0: nobody has asked for it
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

/// A potentially irregular block decomposition.
template <int N>
  requires(N >= 1 && N <= max_dimensions)
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
      fail(detail::text("number ", listed[i], " follows ", before, " among ", total, ' ', words::many));
  }
}

template <class Part> void wherry::basic_floor_plan<Part>::check_owners() const {
  const auto& owners = table_->owners;
  if (owners.size() != table_->parts.size())
    fail(detail::text("there are ", table_->parts.size(), ' ', words::many, " but ", owners.size(), " owners"));
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0) fail(detail::text(words::one, ' ', i, " has owner ", owners[i]));
}

/// A table that no other handle sees.
template <class Part> auto wherry::basic_floor_plan<Part>::own_table() -> table& {
  if (table_.use_count() > 1) table_ = std::make_shared<table>(*table_);
  table_->fingerprint = 0;
  return *table_;
}

template <class Part> void wherry::basic_floor_plan<Part>::add(Part part, int owner) {
  if (!complete()) fail(detail::text("a ", words::one, " was added to a partial floor plan"));
  if (owner < 0) fail(detail::text(words::one, ' ', known(), " has owner ", owner));
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
             ? detail::text(words::one, ' ', number, " of ", size(), " was asked for")
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
  result.set_knowledge({});  // of other parts
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
