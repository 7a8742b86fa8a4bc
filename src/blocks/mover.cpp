#include "wherry/blocks/mover.hpp"

#include <algorithm>
#include <array>

#include "bind_movements.hpp"

namespace wherry {

mover::mover(std::initializer_list<movement> at_once, const mover_options& how)
    : mover(std::array{mover_stage(at_once)}, how) {}

mover::mover(std::initializer_list<std::initializer_list<movement>> stages, const mover_options& how)
    : mover(std::vector<mover_stage>(stages.begin(), stages.end()), how) {}

mover::mover(std::span<const mover_stage> stages, const mover_options& how)
    : arrays_(list_arrays(stages)),
      table_(table_of(stages, arrays_)),
      exchange_(bind_movements(stages, arrays_, table_, how)) {}

void mover::start_between(std::span<const detail::moved_array> given) {
  bool same = given.size() == arrays_.size();
  for (std::size_t i = 0; same && i < given.size(); ++i) {
    same = given[i].fingerprint == arrays_[i].fingerprint;
    for (std::size_t k = 0; same && k < i; ++k)
      same = (given[k].shape == given[i].shape) == (arrays_[k].same_as == arrays_[i].same_as);
  }
  if (!same) refuse(given);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [fingerprint, same_as, first, pieces, figures] = arrays_[i];
    // A rank that owns nothing may be given memory that it was not bound to.
    if (same_as == i) std::copy_n(given[i].memory.begin(), std::min(pieces, given[i].memory.size()), &table_[first]);
  }
  exchange_.start(table_);
}

void mover::refuse(std::span<const detail::moved_array> given) const {
  const int rank = exchange_.comm().rank();  // which a mover that was moved from has not
  const auto refusal = [&](std::string_view problem) {
    return error(error_kind::argument, "mover",
                 text("start was given arrays of other shapes than the mover was made for: ", problem), rank);
  };
  const auto name = [&](std::size_t i) {
    return text(i % 2 == 0 ? "the source" : "the destination", arrays_.size() > 2 ? text(" of movement ", i / 2) : "");
  };
  if (given.size() != arrays_.size()) throw refusal(text("there are ", given.size(), " of them, not ", arrays_.size()));
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].fingerprint != arrays_[i].fingerprint)
      throw refusal(text(name(i), ' ', given[i].figures(given[i].shape).difference_from(arrays_[i].figures)));
  for (std::size_t i = 0; i < given.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const bool one = given[k].shape == given[i].shape;
      if (one == (arrays_[k].same_as == arrays_[i].same_as)) continue;
      const auto pair = given.size() == 2 ? std::string("they") : text(name(k), " and ", name(i));
      throw refusal(text(pair, one ? " are one array, not two" : " are two arrays, not one"));
    }
  throw refusal("of no shape that is known");
}

}  // namespace wherry
