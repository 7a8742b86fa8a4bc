#include "wherry/motion/plan_knowledge.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "wherry/core/error.hpp"

namespace wherry::detail {
namespace {

/// The figures up to the last one that is not 0, such as "1 1 0".
std::string figures_of(const std::array<index_t, max_dimensions>& along) {
  std::size_t last = along.size();
  while (last > 1 && along[last - 1] == 0) --last;
  std::string all;
  for (std::size_t d = 0; d < last; ++d) all += text(d == 0 ? "" : " ", along[d]);
  return all;
}

std::string words_for(const acquaintance& one) {
  std::string across;
  for (std::size_t d = 0; d < one.periodic.size(); ++d)
    if (one.periodic[d])
      across += text(across.empty() ? ", across the periodic edges of " : ", ", "dimension ", d, " from ", one.lower[d],
                     " to ", one.upper[d]);
  return text("a reach of ", figures_of(one.minus), " downwards and ", figures_of(one.plus), " upwards", across);
}

}  // namespace

bool acquaintance::covers(const acquaintance& needed) const {
  for (std::size_t d = 0; d < minus.size(); ++d) {
    if (minus[d] < needed.minus[d] || plus[d] < needed.plus[d]) return false;
    if (needed.periodic[d] && (!periodic[d] || lower[d] != needed.lower[d] || upper[d] != needed.upper[d]))
      return false;
  }
  return true;
}

bool plan_knowledge::covers(const acquaintance& needed) const {
  return !is_said || std::any_of(all.begin(), all.end(), [&](const acquaintance& one) {
    return one.pair == needed.pair && one.covers(needed);
  });
}

std::uint64_t next_pair() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void require_knowledge(const char* where, bool is_complete, const plan_knowledge& known, const acquaintance& needed,
                       int rank) {
  if (is_complete || known.covers(needed)) return;
  std::string knows;
  for (const auto& one : known.all)
    if (one.pair == 0) knows += text(knows.empty() ? "" : "; ", words_for(one));
  throw error(error_kind::argument, where,
              text("the partial floor plan knows too little: this needs ", words_for(needed),
                   ", and it was resolved for ", knows.empty() ? "nothing" : knows),
              rank);
}

void require_pair(const char* where, bool one_is_complete, const plan_knowledge& from, const plan_knowledge& to,
                  const acquaintance& needed, int rank) {
  if (one_is_complete || !from.is_said || !to.is_said) return;
  const bool met = std::any_of(from.all.begin(), from.all.end(), [&](const acquaintance& one) {
    auto of_both = needed;
    of_both.pair = one.pair;
    return one.pair != 0 && one.covers(of_both) && to.covers(of_both);
  });
  if (!met)
    throw error(error_kind::argument, where,
                "the two floor plans, which are partial, were not resolved together in this space: see 'resolve(comm, "
                "from, to, space)'",
                rank);
}

}  // namespace wherry::detail
