// Finds the parts (boxes of cells) that a message of a halo exchange needs.
#pragma once

#include <vector>

#include "wherry/halo/halo_exchange.hpp"
#include "wherry/plan/block.hpp"

namespace wherry {

class part_boxes {
 public:
  /// @param fields `fields[s][f]` as in `halo_description`; they and the parts must outlive this object
  part_boxes(const std::vector<halo_part>& parts, const std::vector<std::vector<halo_field>>& fields)
      : parts_(parts), fields_(fields) {}

  /// @throws error(argument) that names a part which is empty or lies in no field
  void check(const carry_options& how, int rank) const;

  /// Appends the parts that have cells of a strided block, in the numbering of fields of `plan_halo`.
  void append_needed(const plans::block& b, std::vector<int>& needed) const;

 private:
  const std::vector<halo_part>& parts_;
  const std::vector<std::vector<halo_field>>& fields_;
};

}  // namespace wherry
