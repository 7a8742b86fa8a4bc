// Finds out, for the pointers of a start, whether fields between which an exchange copies lie in the same memory, like
// two views over one array.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

namespace wherry {

/// The pairs of fields between which a rank copies directly, and the bytes that it copies. Two kinds of copies need no
/// entry: the plan knows all about copies within one field, and copies by way of a buffer may overlap.
class meeting_fields {
 public:
  void add(const plans::schedule& plan);
  /// True if, at these addresses, the bytes read and written of any pair overlap. Costs two comparisons for each pair.
  bool any(plans::field_table fields) const;

 private:
  struct range {
    std::int64_t first, last;
  };
  struct pair {
    std::int32_t from, to;
    range read, written;
  };
  std::vector<pair> pairs_;
};

}  // namespace wherry
