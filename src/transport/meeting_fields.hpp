// Which of the fields that an exchange copies between lie, at one start, in the same memory: two views over one array.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

namespace wherry {

/// The pairs of fields between which a rank copies straight, and what bytes of them. What is copied within one field
/// the plan knows all of, and what goes by way of a buffer may overlap.
class meeting_fields {
 public:
  void add(const schedule& plan);
  /// True when the bytes of a pair lie among each other, at these addresses. Costs two comparisons a pair.
  bool any(field_table fields) const;

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
