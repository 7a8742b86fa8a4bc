#include "single_places.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "wherry/plan/block.hpp"

namespace wherry {
namespace {

/// The offsets, from the field's pointer, of all elements of `bytes` bytes, in the order of the wire.
std::vector<std::int64_t> elements_of(const plans::block& b, std::int64_t bytes, const plans::schedule& plan) {
  std::vector<std::int64_t> places;
  const auto add_run = [&](std::int64_t offset, std::int64_t run) {
    for (std::int64_t i = 0; i < run; i += bytes) places.push_back(offset + i);
  };
  if (b.kind == plans::block::form::strided)
    plans::for_each_run(b, add_run);
  else
    plan.indices.for_each_place(b.list, b.skipped, b.count,
                                [&](std::int64_t place) { add_run(b.offset + place * b.unit, b.run); });
  return places;
}

/// Some elements of a block, as an indexed block.
plans::block_row listed(const plans::block& b, std::int64_t bytes, const std::vector<std::int64_t>& places,
                        const std::vector<std::size_t>& which, plans::schedule& plan) {
  std::vector<std::int64_t> list(which.size());
  const auto fits = [&](std::size_t i) { return (places[i] - b.offset) % b.element == 0; };
  const auto unit = std::all_of(which.begin(), which.end(), fits) ? b.element : 1;
  std::transform(which.begin(), which.end(), list.begin(),
                 [&](std::size_t i) { return (places[i] - b.offset) / unit; });
  plans::block part;
  part.kind = plans::block::form::indexed;
  part.operation = b.operation;
  part.field = b.field;
  part.offset = b.offset;
  part.run = bytes;
  part.element = b.element;
  part.wire_element = b.wire_element;
  part.count = std::ssize(list);
  part.list = plan.indices.add(list);
  part.unit = unit;
  return plan.row_of(part);
}

}  // namespace

std::vector<std::pair<plans::block_row, plans::block_row>> by_single_places(plans::schedule& plan,
                                                                            const plans::block_row& from,
                                                                            const plans::block_row& to) {
  const auto into = plan.what(to), source = plan.what(from);
  const auto places = elements_of(into, into.element, plan);
  std::unordered_map<std::int64_t, std::size_t> met;  // how often a place was met
  std::vector<std::vector<std::size_t>> turns;        // turn n: the elements that meet their place for the n-th time
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto turn = met[places[i]]++;
    if (turn == turns.size()) turns.emplace_back();
    turns[turn].push_back(i);
  }
  if (turns.size() < 2) return {{from, to}};
  const auto arriving = source.bytes() / std::ssize(places);
  const auto sources = elements_of(source, arriving, plan);
  std::vector<std::pair<plans::block_row, plans::block_row>> parts;
  for (const auto& which : turns)
    parts.emplace_back(listed(source, arriving, sources, which, plan), listed(into, into.element, places, which, plan));
  return parts;
}

}  // namespace wherry
