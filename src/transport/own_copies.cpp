#include "own_copies.hpp"

#include <algorithm>

#include "core/trace.hpp"

namespace wherry {

own_copies::own_copies(const plans::schedule& plan, detail::shape_kernels& kernels, const plans::functions& code)
    : plan_(plan), kernels_(kernels), code_(code) {
  for (const auto& part : plan.stages) copies_.emplace_back(part.copies, plan, kernels, code);
  may_meet_.add(plan);
}

bool own_copies::empty() const {
  return std::all_of(copies_.begin(), copies_.end(), [](const auto& of_stage) { return of_stage.empty(); });
}

void own_copies::set_fields(plans::field_table fields) {
  fields_meet_ = may_meet_.any(fields);
  if (!fields_meet_ || !careful_.empty()) return;
  for (const auto& part : plan_.stages) careful_.emplace_back(part.copies, plan_, kernels_, code_, true);
}

void own_copies::start_stage(std::size_t stage, plans::field_table fields) {
  if (copies_[stage].empty()) return;
  const trace_span span(traced_, "copy", traced_ < 0 ? 0 : *starts_);
  (fields_meet_ ? careful_ : copies_)[stage].run(fields, fields);
}

own_copies_kept::own_copies_kept(const plans::schedule& plan, detail::shape_kernels& kernels,
                                 const plans::functions& code) {
  for (const auto& part : plan.stages)
    for (const auto& list : part.copies)
      for (const auto& c : plan.rows_of(list)) {
        auto& both =
            copies_.emplace_back(kept_copy{detail::message_packing({&c.from, 1}, detail::store, plan, kernels, code),
                                           detail::message_packing({&c.to, 1}, list.operation, plan, kernels, code),
                                           {}});
        both.buffer.resize(both.out.bytes());
      }
}

void own_copies_kept::take(plans::field_table fields) {
  for (auto& c : copies_) c.out.pack(fields, c.buffer.data());
}

void own_copies_kept::deliver(plans::field_table fields) {
  for (auto& c : copies_) c.in.unpack(fields, c.buffer.data());
}

}  // namespace wherry
