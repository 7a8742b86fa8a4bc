// Finds the parts (ranges of elements) that a message of an index exchange needs.
#pragma once

#include <span>
#include <vector>

#include "wherry/halo/index_exchange.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

class part_ranges {
 public:
  /// @throws error(argument) that names a part which is empty, reaches beyond all arrays, or overlaps another part
  part_ranges(std::span<const index_part> parts, std::span<const detail::index_field> arrays, const carry_options& how,
              int rank);

  int size() const { return static_cast<int>(ascending_.size()); }

  /// Appends the parts that have elements of this row of the plan.
  void append_needed(const plans::schedule& plan, const plans::block_row& row, std::vector<int>& needed) const;

 private:
  struct range {
    index_part elements;
    int number;  // the part's
  };
  void append_of(index_t first, index_t last, std::vector<int>& needed) const;

  std::vector<range> ascending_;
  std::vector<index_t> strides_;  // in bytes, one for each array
};

}  // namespace wherry
