/// @file
/// Floor plans: sets of boxes, each with an owner (paper 4, section 2: FloorPlan and Map). Pure values; no MPI.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wherry/geometry/box.hpp"

namespace wherry {

/// Most dimensions of the blocks module.
inline constexpr int max_block_dimensions = 6;

/// KeLP's Map: which rank owns box i, for 0 ≤ i < size.
using owner_map = std::vector<int>;

/// A table of boxes and their owners: a potentially irregular block decomposition. Boxes are numbered from 0, may
/// overlap and may be empty; a rank may own any number of them.
///
/// A floor plan is *complete* when it knows all boxes, as in KeLP, or *partial*: it then knows those of its own rank
/// and those that this rank has to do with, and costs no memory for the others (see `resolve`). Everything that takes a
/// floor plan takes both.
///
/// A handle: copies share one table, and cost nothing, until one of them is added to.
template <int N> class floor_plan {
 public:
  static_assert(N >= 1 && N <= max_block_dimensions, "floor plans have 1 to 6 dimensions");

  floor_plan() : table_(std::make_shared<table>()) {}
  floor_plan(const floor_plan&) = default;  // and no move, which would leave a handle of nothing behind
  floor_plan& operator=(const floor_plan&) = default;
  /// Complete. @throws error(argument) when there are not as many owners as boxes, or an owner is negative.
  floor_plan(std::vector<box<N>> boxes, owner_map owners);
  /// Partial: `numbers` ascending, of `total` boxes in all.
  /// @throws error(argument) for lists of different lengths, numbers that do not ascend or are not below `total`.
  floor_plan(int total, std::vector<int> numbers, std::vector<box<N>> boxes, owner_map owners);

  /// Adds one box to a complete plan; its number is the size before.
  void add(const box<N>& cells, int owner);

  /// Number of boxes, known or not.
  int size() const { return complete() ? known() : table_->total; }
  bool complete() const { return table_->numbers.empty() && table_->total == 0; }
  bool knows(int number) const { return place_of(number) >= 0; }
  /// @throws error(argument) for a number that is out of range or not known.
  const box<N>& operator[](int number) const { return table_->boxes[checked_place(number)]; }
  int owner(int number) const { return table_->owners[checked_place(number)]; }

  /// The known boxes, in ascending order of their numbers: the same thing as all boxes when complete.
  int known() const { return static_cast<int>(table_->boxes.size()); }
  int number_of(int place) const { return complete() ? place : table_->numbers[static_cast<std::size_t>(place)]; }
  std::span<const box<N>> boxes() const { return table_->boxes; }
  std::span<const int> owners() const { return table_->owners; }
  /// Place of a box among the known ones, or -1.
  int place_of(int number) const;

  /// Numbers of the boxes that `rank` owns, ascending.
  std::vector<int> owned_by(int rank) const;

  /// The same owners, boxes changed one by one: `plan.transformed([](auto& b) { return coarsen(b, 2); })`.
  floor_plan transformed(const std::function<box<N>(const box<N>&)>& change) const;
  /// The smallest box that holds all known ones.
  box<N> bounding_box() const;

  /// Tables a person can read: the known boxes, `most_rows` of them at most, and what each rank owns.
  std::string explain(int most_rows = 64) const;
  /// For `./run plot`: {"kind": "floor_plan", "dimensions", "size", "complete", "boxes": [{"number", "owner", "lower",
  /// "upper"}, …]}. Upper bounds are excluded.
  std::string to_json() const;

  bool operator==(const floor_plan& other) const { return table_ == other.table_ || *table_ == *other.table_; }

 private:
  struct table {
    int total = 0;             // 0: complete
    std::vector<int> numbers;  // partial only
    std::vector<box<N>> boxes;
    owner_map owners;
    bool operator==(const table&) const = default;
  };

  std::size_t checked_place(int number) const;
  table& own_table();

  std::shared_ptr<table> table_;
};

}  // namespace wherry
