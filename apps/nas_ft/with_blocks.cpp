#include "with_blocks.hpp"

#include <algorithm>

namespace nas_ft {
namespace {

array make_array(const wherry::communicator& comm, const stage& where, const char* name) {
  return array(comm, where.blocks, {.layout = where.order, .name = name});
}

std::vector<array> make_arrays(const wherry::communicator& comm, const std::vector<stage>& stages) {
  std::vector<array> arrays;
  for (const auto& s : stages) arrays.push_back(make_array(comm, s, "field"));
  return arrays;
}

std::vector<array*> pointers_to(std::vector<array>& arrays) {
  std::vector<array*> list;
  for (auto& a : arrays) list.push_back(&a);
  return list;
}

/// From the decayed spectrum back to the field.
std::vector<array*> way_back(std::vector<array>& arrays, array& decayed) {
  auto list = pointers_to(arrays);
  list.back() = &decayed;
  std::reverse(list.begin(), list.end());
  return list;
}

std::vector<stage> reversed(std::vector<stage> stages) {
  std::reverse(stages.begin(), stages.end());
  return stages;
}

}  // namespace

with_blocks::with_blocks(const wherry::communicator& comm, const problem& what, const rank_grid& ranks, int chunks,
                         const transposing_options& how)
    : problem_(what),
      stages_(stages_of(what, ranks, chunks)),
      arrays_(make_arrays(comm, stages_)),
      decayed_(make_array(comm, stages_.back(), "spectrum")),
      decay_(what),
      forward_(pointers_to(arrays_), stages_, direction::forward, how),
      inverse_(way_back(arrays_, decayed_), reversed(stages_), direction::inverse, how) {}

void with_blocks::fill() {
  for (const auto& [number, cells, values] : arrays_.front().blocks()) fill_random(values, cells, problem_);
}

void with_blocks::forward() {
  forward_([](std::size_t, const wherry::box<3>&) {});
}

void with_blocks::evolve(int t) {
  decay_.set_time(t);
  const auto from = arrays_.back().blocks(), to = decayed_.blocks();
  inverse_([&](std::size_t block, const wherry::box<3>& plane) {
    decay_.apply(from[block].values, to[block].values, plane);
  });
}

complex with_blocks::checksum() {
  complex sum = 0;
  for (const auto& [number, cells, values] : arrays_.front().blocks()) sum += part_of_checksum(values, cells, problem_);
  return sum;
}

}  // namespace nas_ft
