#include "wherry/sparse/plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "wherry/plan/schedule_builder.hpp"

namespace wherry::detail {
namespace {

constexpr const char* pattern_name = "sparse_plan";

/// The places of the elements for each rank.
std::map<int, std::vector<std::int64_t>> places_by_rank(const std::vector<int>& destinations) {
  std::map<int, std::vector<std::int64_t>> places;
  for (std::size_t i = 0; i < destinations.size(); ++i) places[destinations[i]].push_back(static_cast<std::int64_t>(i));
  return places;
}

}  // namespace

sparse_pattern find_pattern(const communicator& comm, std::span<const int> destinations,
                            const sparse_options& options) {
  byte_exchange exchange(comm, pattern_name, elements_of<std::int64_t>(), options, sparse_form::blocking);
  exchange.check(destinations);
  std::map<int, std::int64_t> counts;
  if (!exchange.is_refused())
    for (const int to : destinations) ++counts[to];
  for (const auto& [to, count] : counts) exchange.count(to, 1);
  if (exchange.room() != nullptr)
    for (const auto& [to, count] : counts) exchange.pack(to, &count, 1);
  const auto arrived = arriving<std::int64_t>(std::move(exchange)).wait();
  sparse_pattern found;
  found.destinations.assign(destinations.begin(), destinations.end());
  found.sources.assign(arrived.sources().begin(), arrived.sources().end());
  for (const auto count : arrived.all) {
    found.offsets.push_back(found.arriving);
    found.arriving += static_cast<std::size_t>(count);
  }
  return found;
}

exchange bind_pattern(const communicator& comm, const sparse_pattern& along, bool back, const sparse_elements& elements,
                      const carry_options& carry) {
  plans::schedule_builder builder(pattern_name, comm.rank());
  const auto bytes = static_cast<std::int64_t>(elements.bytes);
  const auto field_of = [&](const char* name, std::size_t count) {
    return builder.add_field(
        {.name = name, .element = bytes, .highest = static_cast<std::int64_t>(count) * bytes, .type = elements.type});
  };
  const auto out = field_of(back ? "replies" : "values", back ? along.arriving : along.destinations.size());
  const auto in = field_of(back ? "answers" : "arrived", back ? along.destinations.size() : along.arriving);
  const auto own = back ? in : out, others = back ? out : in;
  for (const auto& [rank, places] : places_by_rank(along.destinations)) {
    const auto list = builder.indices().add(places);
    const auto block = plans::indexed_block(own, bytes, list, std::ssize(places), bytes);
    back ? builder.receive(rank, block) : builder.send(rank, block);
  }
  for (std::size_t i = 0; i < along.sources.size(); ++i) {
    const auto end = i + 1 < along.offsets.size() ? along.offsets[i + 1] : along.arriving;
    const std::array extents{static_cast<std::int64_t>(end - along.offsets[i])}, strides{bytes};
    const auto block =
        plans::strided_block(others, bytes, static_cast<std::int64_t>(along.offsets[i]) * bytes, extents, strides);
    back ? builder.send(along.sources[i], block) : builder.receive(along.sources[i], block);
  }
  return exchange(comm, builder.finish(), {}, carry);
}

void require_length(const char* argument, std::size_t given, std::size_t wanted, int rank) {
  if (given == wanted) return;
  throw error(error_kind::argument, pattern_name, text("'", argument, "' has ", given, " elements, expected ", wanted),
              rank);
}

}  // namespace wherry::detail
