/// @file
/// A sparse exchange in turns, each of which moves a bounded number of elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/sparse/arrivals.hpp"
#include "wherry/sparse/arriving.hpp"
#include "wherry/sparse/detail/byte_exchange.hpp"

namespace wherry::detail {

struct sparse_turns {
  std::size_t elements;  ///< from each rank to each rank in one turn
  std::size_t turns;
};

/// Checks the arguments of all ranks, and divides what they send. Collective.
/// @param counts for each rank the number of elements that it gets; -1: it gets no parcel
/// @param fault a fault of this rank's arguments; empty: none
/// @param element bytes of an element
/// @param compared the elements as the program knows them, which all ranks compare
/// @throws error(argument) and error(mismatch) on all ranks alike
sparse_turns agree_on_turns(const communicator& comm, std::string_view where, const std::vector<std::int64_t>& counts,
                            const std::string& fault, std::size_t element, sparse_elements compared,
                            const sparse_options& options);

/// @param fault, compared as for `agree_on_turns`
/// @param for_each_run calls its argument, `visit(to, first, count)`, for all elements in their order
template <class T, class ForEachRun>
arrivals<T> exchange_in_turns(const communicator& comm, std::string_view where, const sparse_options& options,
                              std::string fault, ForEachRun&& for_each_run,
                              const sparse_elements& compared = elements_of<T>()) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()), -1);
  for_each_run([&](int to, const T*, std::size_t count) {
    if (to < 0 || to >= comm.size()) {
      fault = text("a destination is ", to, ", expected a rank from 0 to ", comm.size() - 1);
      return;
    }
    auto& all = counts[static_cast<std::size_t>(to)];
    all = std::max<std::int64_t>(all, 0) + static_cast<std::int64_t>(count);
  });
  const auto [elements, turns] = agree_on_turns(comm, where, counts, fault, sizeof(T), compared, options);
  auto each = options;
  each.limit_bytes = 0;

  byte_exchange sizes(comm, where, elements_of<std::int64_t>(), each, sparse_form::blocking);
  for (int to = 0; to < comm.size(); ++to)
    if (counts[static_cast<std::size_t>(to)] >= 0) sizes.count(to, 1);
  if (sizes.room() != nullptr)
    for (int to = 0; to < comm.size(); ++to)
      if (const auto& count = counts[static_cast<std::size_t>(to)]; count >= 0) sizes.pack(to, &count, 1);
  const auto coming = arriving<std::int64_t>(std::move(sizes)).wait();
  arrivals<T> result;
  result.ranks_to_fill().assign(coming.sources().begin(), coming.sources().end());
  auto& offsets = result.offsets_to_fill();
  std::size_t all = 0;
  for (const auto count : coming.all) {
    offsets.push_back(all);
    all += static_cast<std::size_t>(count);
  }
  collectively(comm, where, [&] { result.all.resize(all); });  // memory that one rank lacks is an error on all
  auto next = offsets;

  for (std::size_t turn = 0; turn < turns; ++turn) {
    // The part of each run that moves in this turn.
    const auto begin = turn * elements, end = begin + elements;
    std::vector<std::size_t> seen(counts.size(), 0);
    const auto for_each_part = [&](auto&& visit) {
      std::fill(seen.begin(), seen.end(), std::size_t{0});
      for_each_run([&](int to, const T* first, std::size_t count) {
        auto& before = seen[static_cast<std::size_t>(to)];
        const auto from = std::max(before, begin), until = std::min(before + count, end);
        if (from < until) visit(to, first + (from - before), until - from);
        before += count;
      });
    };
    byte_exchange part(comm, where, elements_of<T>(), each, sparse_form::blocking);
    for_each_part([&](int to, const T*, std::size_t count) { part.count(to, count); });
    if (part.room() != nullptr)
      for_each_part([&](int to, const T* first, std::size_t count) { part.pack(to, first, count); });
    const auto arrived = arriving<T>(std::move(part)).wait();
    std::size_t place = 0;
    for (const auto& [source, came] : arrived) {
      while (result.sources()[place] != source) ++place;
      std::copy(came.begin(), came.end(), result.all.begin() + static_cast<std::ptrdiff_t>(next[place]));
      next[place] += came.size();
    }
  }
  return result;
}

}  // namespace wherry::detail
