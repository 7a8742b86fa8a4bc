/// @file
/// Deep copies that involve all ranks at once: gather, scatter and allgather. The structures of the ranks may differ
/// in size and shape.
///
///     std::vector<std::string> mine = {"of this rank"};
///     std::vector<std::vector<std::string>> all;
///     wherry::deep::gather(comm, mine, all, 0);   // on rank 0: all[r] is the structure of rank r
///     wherry::deep::allgather(comm, mine, all);  // the same on all ranks
///
/// For elements without pointers take the collectives of `wherry/collective/typed.hpp` instead.
#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "wherry/deep/communicate.hpp"

namespace wherry::deep {

/// Gathers one structure of each rank in `all` at rank `root`, ordered by rank. Collective over `comm`. On other ranks
/// `all` is left as it is, and at the root too after a failure. The caller frees the objects of raw pointers that were
/// in `all` before.
/// @throws wherry::error on a rank that fails, and at the root, which first receives the structures of all other ranks
template <class Map = pointer_map, class T>
void gather(const communicator& comm, const T& mine, std::vector<T>& all, int root, const deep::options& options = {});

/// Copies `all[r]` of rank `root` to `mine` of rank r. Collective over `comm`.
/// @param all at the root one structure for each rank; other ranks do not look at it
/// @throws wherry::error on a rank that fails, and on all ranks if `all` does not have one structure for each rank
template <class Map = pointer_map, class T>
void scatter(const communicator& comm, const std::vector<T>& all, T& mine, int root, const deep::options& options = {});

/// Gathers one structure of each rank in `all` on every rank, ordered by rank. Collective over `comm`. It costs as many
/// broadcasts as there are ranks. After a failure `all` is left as it is.
/// @throws wherry::error on a rank that fails, and on every rank that lacks the structure of a rank that failed
template <class Map = pointer_map, class T>
void allgather(const communicator& comm, const T& mine, std::vector<T>& all, const deep::options& options = {});

namespace detail {

/// Receives into structures that lie `stride` bytes apart, beginning with `first`.
/// @return the first failure, or null
std::exception_ptr gather_roots(const communicator& comm, int root, const outgoing& mine, const incoming& first,
                                std::size_t stride, const deep::options& options);
void scatter_roots(const communicator& comm, int root, const outgoing& first, std::size_t parts, std::size_t stride,
                   const incoming& mine, const deep::options& options);
std::exception_ptr allgather_roots(const communicator& comm, const outgoing& mine, const incoming& first,
                                   std::size_t stride, const deep::options& options);

/// Moves the structures to `all` if there was no failure, else frees them and throws.
template <class T>
void deliver(const std::exception_ptr& failure, std::vector<T>& arrived, std::vector<T>& all,
             const deep::options& options) {
  if (failure != nullptr) {
    undo(arrived, {.arena = options.arena});
    std::rethrow_exception(failure);
  }
  all = std::move(arrived);
}

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
void wherry::deep::gather(const communicator& comm, const T& mine, std::vector<T>& all, int root,
                          const deep::options& options) {
  std::vector<T> arrived(comm.rank() == root ? static_cast<std::size_t>(comm.size()) : 0);
  const auto failure = detail::gather_roots(comm, root, detail::outgoing_root<Map>(mine),
                                            detail::incoming_at(arrived.data()), sizeof(T), options);
  if (comm.rank() == root) detail::deliver(failure, arrived, all, options);
}

template <class Map, class T>
void wherry::deep::scatter(const communicator& comm, const std::vector<T>& all, T& mine, int root,
                           const deep::options& options) {
  auto from = detail::outgoing_root<Map>(std::as_const(mine));
  from.root = const_cast<T*>(all.data());
  detail::scatter_roots(comm, root, from, all.size(), sizeof(T), detail::incoming_root(mine), options);
}

template <class Map, class T>
void wherry::deep::allgather(const communicator& comm, const T& mine, std::vector<T>& all,
                             const deep::options& options) {
  std::vector<T> arrived(static_cast<std::size_t>(comm.size()));
  detail::deliver(detail::allgather_roots(comm, detail::outgoing_root<Map>(mine), detail::incoming_at(arrived.data()),
                                          sizeof(T), options),
                  arrived, all, options);
}
