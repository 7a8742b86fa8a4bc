// Memory that stands in for the user's fields once an exchange under way has been abandoned: what still arrives lands
// here, and what has yet to be sent to others is sent from here.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

class substitute_fields {
 public:
  substitute_fields() = default;
  /// For the stages of `plan` from `first` on. Pages that nothing arrives at are never touched.
  substitute_fields(const schedule& plan, std::size_t first);

  /// Fetches all that leaves in the stages from `first` on out of the user's fields.
  void fetch(const schedule& plan, detail::shape_kernels& kernels, const functions& code, std::size_t first,
             field_table users) const;

  field_table table() const { return fields_; }

 private:
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<void*> fields_;
};

/// Takes the user's code out: what it refers to may be gone. Nothing that arrives is combined any more, and what only a
/// user's function could gather fails.
void silence(functions& code);

}  // namespace wherry
