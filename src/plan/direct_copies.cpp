#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "kernels.hpp"

namespace wherry {

direct_copies::direct_copies(std::span<const local_copy> copies, const schedule& from_plan, const schedule& to_plan,
                             const functions& code) {
  for (const auto& pair : copies) {
    if (pair.from.bytes() == 0) continue;
    step s;
    s.pair = pair;
    if (pair.operation == store && kernels::join(pair.from, pair.to, s.shape)) {
      s.copy = kernels::choose(s.shape);
    } else {
      s.gather = message_packing({pair.from}, store, from_plan, code);
      s.scatter = message_packing({pair.to}, pair.operation, to_plan, code);
      s.buffer.resize(s.gather.bytes());
    }
    steps_.push_back(std::move(s));
  }
}

void direct_copies::run(field_table from, field_table to) const {
  for (const auto& s : steps_) {
    if (s.copy == nullptr) {
      s.gather.pack(from, s.buffer.data());
      s.scatter.unpack(to, s.buffer.data());
      continue;
    }
    const auto* source = static_cast<const std::byte*>(from[static_cast<std::size_t>(s.pair.from.field)]);
    auto* target = static_cast<std::byte*>(to[static_cast<std::size_t>(s.pair.to.field)]);
    s.copy(s.shape, source + s.pair.from.offset, target + s.pair.to.offset);
  }
}

}  // namespace wherry
