#include "wherry/motion/mover.hpp"

#include <algorithm>
#include <utility>

#include "bind_movements.hpp"
#include "divide_by_grids.hpp"

namespace wherry {

mover_stages::mover_stages(std::initializer_list<detail::mover_stage> stages) : list_(stages) {}
mover_stages::mover_stages(std::vector<detail::mover_stage> stages) : list_(std::move(stages)) {}
std::span<const detail::mover_stage> mover_stages::list() const { return list_; }

mover::mover(std::initializer_list<movement> at_once, const mover_options& options)
    : mover(std::span(at_once.begin(), at_once.size()), options) {}

mover::mover(std::span<const movement> at_once, const mover_options& options)
    : mover(mover_stages{detail::mover_stage(at_once.begin(), at_once.end())}, options) {}

mover::mover(const mover_stages& stages, const mover_options& options) : mover(bind(stages, options)) {}

mover::bound_list mover::bind(const mover_stages& stages, const mover_options& options) {
  auto arrays = list_arrays(stages.list());
  auto table = table_of(stages.list(), arrays);
  auto bound = bind_movements(stages.list(), arrays, table, options);
  if (options.in_parts) divide_by_grids(bound, stages.list(), arrays);
  return {std::move(arrays), std::move(table), std::move(bound)};
}

void mover::take(std::span<const detail::moved_array> given) {
  const auto* const bound = arrays_.data();
  const auto* const now = given.data();
  const std::size_t count = arrays_.size();
  bool same = given.size() == count;
  for (std::size_t i = 0; same && i < count; ++i) {
    same = now[i].fingerprint == bound[i].fingerprint;
    for (std::size_t k = 0; same && k < i; ++k)
      same = (now[k].shape == now[i].shape) == (bound[k].same_as == bound[i].same_as);
  }
  if (!same) refuse(given);
  for (std::size_t i = 0; i < count; ++i) {
    // On a rank that owns nothing, the number of pieces may differ from the bound one.
    const std::size_t pieces = bound[i].same_as == i ? std::min(bound[i].pieces, now[i].memory.size()) : 0;
    void* const* const from = now[i].memory.data();
    void** const to = table_.data() + bound[i].first;
    for (std::size_t p = 0; p < pieces; ++p) to[p] = from[p];
  }
}

void mover::refuse(std::span<const detail::moved_array> given) const {
  const int rank = exchange_.comm().rank();  // throws error(state) if the mover was moved from
  const auto refusal = [&](std::string_view problem) {
    return error(error_kind::argument, "mover",
                 detail::text("'start' was given arrays of other shapes than the mover was made for: ", problem), rank);
  };
  const auto name = [&](std::size_t i) {
    return detail::text(i % 2 == 0 ? "the source" : "the destination",
                        arrays_.size() > 2 ? detail::text(" of movement ", i / 2) : "");
  };
  if (given.size() != arrays_.size())
    throw refusal(detail::text("there are ", given.size(), " arrays, expected ", arrays_.size()));
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].fingerprint != arrays_[i].fingerprint)
      throw refusal(detail::text(name(i), ' ', given[i].figures(given[i].shape).difference_from(arrays_[i].figures)));
  for (std::size_t i = 0; i < given.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const bool one = given[k].shape == given[i].shape;
      if (one == (arrays_[k].same_as == arrays_[i].same_as)) continue;
      const auto pair = given.size() == 2 ? std::string("they") : detail::text(name(k), " and ", name(i));
      throw refusal(detail::text(pair, one ? " are one array, not two" : " are two arrays, not one"));
    }
  throw refusal("their shapes are unknown");
}

}  // namespace wherry
