// Blocks in fields, and a message or copies of them, as an exchange makes them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

#include "support/random_blocks.hpp"

namespace wherry_test {

// Fields, and blocks that do not touch one another.
struct arrangement {
  wherry::plans::schedule plan;
  std::vector<known_block> blocks;
  std::vector<bytes> fields;
};

// A message of these blocks, with all that it keeps pointers to.
struct compiled_message {
  compiled_message(wherry::plans::schedule with_indices, const std::vector<wherry::plans::block>& blocks, int operation,
                   const wherry::plans::functions& code,
                   std::int64_t piece = wherry::detail::shape_kernels::piece_bytes)
      : plan(std::move(with_indices)),
        what(plan.make_message(0, operation, blocks)),
        kernels(plan, piece),
        packing(what, plan, kernels, code) {}
  compiled_message(const arrangement& a, int operation, const wherry::plans::functions& code)
      : compiled_message(a.plan, blocks_of(a), operation, code) {}

  static std::vector<wherry::plans::block> blocks_of(const arrangement& a) {
    std::vector<wherry::plans::block> list;
    for (const auto& b : a.blocks) list.push_back(b.what);
    return list;
  }

  wherry::plans::schedule plan;
  wherry::plans::message what;
  wherry::detail::shape_kernels kernels;
  wherry::detail::message_packing packing;
};

// These copies, made once, as an exchange makes them.
inline void run_copies(wherry::plans::schedule plan, const std::vector<wherry::plans::local_copy>& copies,
                       const wherry::plans::functions& code, wherry::plans::field_table from,
                       wherry::plans::field_table to, bool careful = false) {
  auto& only = plan.stages.emplace_back();
  for (const auto& c : copies) plan.add_copy(only, c);
  wherry::detail::shape_kernels kernels(plan);
  wherry::detail::direct_copies(only.copies, plan, kernels, code, careful).run(from, to);
}

inline std::vector<void*> table(std::vector<bytes>& fields) {
  std::vector<void*> result;
  for (auto& f : fields) result.push_back(f.data());
  return result;
}

}  // namespace wherry_test
