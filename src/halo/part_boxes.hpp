// Which parts of its fields a message needs: where its blocks' cells are, and whose boxes they lie in.
#pragma once

#include <vector>

#include "wherry/halo/halo_exchange.hpp"
#include "wherry/plan/block.hpp"

namespace wherry {

class part_boxes {
 public:
  /// @param fields by subdomain; they, and the parts, outlive this
  part_boxes(const std::vector<halo_part>& parts, const std::vector<std::vector<halo_field>>& fields)
      : parts_(parts), fields_(fields) {}

  /// @throws error(argument) naming a part that is empty, or lies in no field
  void check(const carry_options& how, int rank) const;

  /// The parts that have cells of this block, strided, in the numbering of fields that `plan_halo` has.
  void append_needed(const block& b, std::vector<int>& needed) const;

 private:
  const std::vector<halo_part>& parts_;
  const std::vector<std::vector<halo_field>>& fields_;
};

}  // namespace wherry
