#include "meeting_fields.hpp"

#include <algorithm>

namespace wherry {

void meeting_fields::add(const plans::schedule& plan) {
  if (plan.fields.size() < 2) return;
  const auto extend = [](range& all, const plans::block& b) {
    all = {std::min(all.first, b.lowest()), std::max(all.last, b.highest())};
  };
  const auto add_copy = [&](const plans::block& from, const plans::block& to) {
    if (from.kind != plans::block::form::strided || to.kind != plans::block::form::strided || from.bytes() == 0) return;
    // The copies of a pair mostly follow each other. A pair that comes again later gets a second entry.
    if (pairs_.empty() || pairs_.back().from != from.field || pairs_.back().to != to.field)
      pairs_.push_back({from.field, to.field, {from.offset, from.offset}, {to.offset, to.offset}});
    extend(pairs_.back().read, from);
    extend(pairs_.back().written, to);
  };
  for (const auto& part : plan.stages)
    for (const auto& list : part.copies) {
      if (list.operation != detail::store) continue;
      for (const auto& c : plan.rows_of(list))
        if (c.from.field != c.to.field) add_copy(plan.what(c.from), plan.what(c.to));
    }
}

bool meeting_fields::any(plans::field_table fields) const {
  const auto place = [&](std::int32_t field) {
    return reinterpret_cast<std::intptr_t>(fields[static_cast<std::size_t>(field)]);
  };
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const pair& p) {
    return place(p.from) + p.read.first < place(p.to) + p.written.last &&
           place(p.to) + p.written.first < place(p.from) + p.read.last;
  });
}

}  // namespace wherry
