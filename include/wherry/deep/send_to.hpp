/// @file
/// Sends structures with pointers to ranks that do not know that something will come.
///
///     std::vector<int> to = {1, 2};
///     std::vector<std::vector<std::string>> lists = {{"for rank 1"}, {"for", "rank 2"}};
///     for (auto& [source, list] : wherry::deep::send_to(comm, to, lists)) take(source, list);
///
/// For elements without pointers take `wherry::send_to`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/deep/options.hpp"
#include "wherry/deep/pack.hpp"
#include "wherry/sparse/send_to.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

namespace detail {

/// Sends packed structures, each with its length, and returns those that have come: (source, bytes), in the order of
/// the sources and for each of them in the order in which it sent them. Collective.
/// @param failure of this rank; all ranks then throw
std::vector<std::pair<int, std::vector<std::byte>>> send_packed(const communicator& comm, std::span<const int> to,
                                                                std::size_t given,
                                                                const std::vector<std::vector<std::byte>>& packed,
                                                                const std::exception_ptr& failure,
                                                                const sparse_options& options);

}  // namespace detail

/// Sends `structures[i]` to rank `destinations[i]`, for each i. Returns pairs of a source and a structure, in the order
/// of the sources, and for each of them in the order in which it gave the structures. Collective over `comm`.
/// @param reading has the arena in which objects behind raw pointers are made
/// @throws as `wherry::send_to`, on all ranks alike also if a structure cannot be packed; on this rank alone if one
///   cannot be built
template <class Map = pointer_map, class T>
[[nodiscard]] std::vector<std::pair<int, T>> send_to(const communicator& comm, std::span<const int> destinations,
                                                     const std::vector<T>& structures,
                                                     const sparse_options& options = {},
                                                     const read_options& reading = {}) {
  std::vector<std::vector<std::byte>> packed;
  std::exception_ptr failure;
  try {
    for (const auto& one : structures) {
      memory_sink sink;
      pack<Map>(sink, one);
      packed.push_back(std::move(sink).take());
    }
  } catch (...) {
    failure = std::current_exception();
  }
  const auto arrived = detail::send_packed(comm, destinations, structures.size(), packed, failure, options);
  std::vector<std::pair<int, T>> result(arrived.size());
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    result[i].first = arrived[i].first;
    memory_source from(arrived[i].second.data(), arrived[i].second.size());
    unpack(from, result[i].second, reading);
  }
  return result;
}

}  // namespace wherry::deep
