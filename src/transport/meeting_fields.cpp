#include "meeting_fields.hpp"

#include <algorithm>

namespace wherry {

bool meeting_fields::may_meet(const local_copy& c) {
  return c.operation == store && c.from.field != c.to.field && c.from.kind == block::form::strided &&
         c.to.kind == block::form::strided && c.from.bytes() > 0;
}

void meeting_fields::add(const schedule& plan) {
  const auto extend = [](range& all, const block& b) {
    all = {std::min(all.first, b.lowest()), std::max(all.last, b.highest())};
  };
  for (const auto& part : plan.stages)
    for (const auto& c : part.copies) {
      if (!may_meet(c)) continue;
      // A pair's copies mostly follow each other; one that comes twice is looked at twice.
      if (pairs_.empty() || pairs_.back().from != c.from.field || pairs_.back().to != c.to.field)
        pairs_.push_back({c.from.field, c.to.field, {c.from.offset, c.from.offset}, {c.to.offset, c.to.offset}});
      extend(pairs_.back().read, c.from);
      extend(pairs_.back().written, c.to);
    }
}

bool meeting_fields::any(field_table fields) const {
  const auto place = [&](std::int32_t field) {
    return reinterpret_cast<std::intptr_t>(fields[static_cast<std::size_t>(field)]);
  };
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const pair& p) {
    return place(p.from) + p.read.first < place(p.to) + p.written.last &&
           place(p.to) + p.written.first < place(p.from) + p.read.last;
  });
}

std::vector<local_copy> meeting_fields::buffered(std::vector<local_copy> copies) {
  for (auto& c : copies) c.overlaps = c.overlaps || may_meet(c);
  return copies;
}

}  // namespace wherry
