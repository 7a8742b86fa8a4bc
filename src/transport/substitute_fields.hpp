// Memory that stands in for the user's fields after an exchange in flight has been abandoned. Messages that still
// arrive land here, and messages that must still be sent are sent from here.
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
  /// For the stages of `plan` from `first` on. Pages at which nothing arrives are never touched.
  substitute_fields(const plans::schedule& plan, std::size_t first);

  /// Copies the data that leaves in the stages from `first` on out of the user's fields.
  void fetch(const plans::schedule& plan, detail::shape_kernels& kernels, const plans::functions& code,
             std::size_t first, plans::field_table users) const;

  plans::field_table table() const { return fields_; }

 private:
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<void*> fields_;
};

/// Replaces the user's functions, because the objects to which they refer may be gone. From then on nothing that
/// arrives is combined, and packing that needs a user's function fails.
void silence(plans::functions& code);

}  // namespace wherry
