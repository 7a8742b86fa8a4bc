/// @file
/// Deep copies of many ranks at once: gather, scatter, all_gather. Structures may differ in size and shape.
#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "wherry/deep/communicate.hpp"

namespace wherry::deep {

/// Collective: at rank `root`, `all` comes to hold one structure a rank, by rank; elsewhere it is left alone, and so it
/// is after a failure. Raw pointers in what was in `all` before are the caller's to free.
/// @throws wherry::error on a rank that fails, and at the root, after it has taken what the other ranks send
template <class Map = pointer_map, class T>
void gather(const communicator& comm, int root, const T& mine, std::vector<T>& all, const options& how = {});

/// Collective: rank r receives `all[r]` of rank `root` in `mine`.
/// @param all  at the root as many as there are ranks; elsewhere not looked at
template <class Map = pointer_map, class T>
void scatter(const communicator& comm, int root, const std::vector<T>& all, T& mine, const options& how = {});

/// Collective: one structure a rank, by rank, on every rank: as many broadcasts as ranks.
template <class Map = pointer_map, class T>
void all_gather(const communicator& comm, const T& mine, std::vector<T>& all, const options& how = {});

namespace detail {

/// What arrives in parts `stride` bytes apart, the first of them `first`. @return the first failure, if any
std::exception_ptr gather_roots(const communicator& comm, int root, const outgoing& mine, const incoming& first,
                                std::size_t stride, const options& how);
void scatter_roots(const communicator& comm, int root, const outgoing& first, std::size_t parts, std::size_t stride,
                   const incoming& mine, const options& how);
std::exception_ptr all_gather_roots(const communicator& comm, const outgoing& mine, const incoming& first,
                                    std::size_t stride, const options& how);

/// All or nothing.
template <class T>
void deliver(const std::exception_ptr& failure, std::vector<T>& arrived, std::vector<T>& all, const options& how) {
  if (failure != nullptr) {
    undo(arrived, {.arena = how.arena});
    std::rethrow_exception(failure);
  }
  all = std::move(arrived);
}

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
void wherry::deep::gather(const communicator& comm, int root, const T& mine, std::vector<T>& all, const options& how) {
  std::vector<T> arrived(comm.rank() == root ? static_cast<std::size_t>(comm.size()) : 0);
  const auto failure = detail::gather_roots(comm, root, detail::outgoing_root<Map>(mine),
                                            detail::incoming_at(arrived.data()), sizeof(T), how);
  if (comm.rank() == root) detail::deliver(failure, arrived, all, how);
}

template <class Map, class T>
void wherry::deep::scatter(const communicator& comm, int root, const std::vector<T>& all, T& mine, const options& how) {
  auto from = detail::outgoing_root<Map>(std::as_const(mine));
  from.root = const_cast<T*>(all.data());
  detail::scatter_roots(comm, root, from, all.size(), sizeof(T), detail::incoming_root(mine), how);
}

template <class Map, class T>
void wherry::deep::all_gather(const communicator& comm, const T& mine, std::vector<T>& all, const options& how) {
  std::vector<T> arrived(static_cast<std::size_t>(comm.size()));
  detail::deliver(detail::all_gather_roots(comm, detail::outgoing_root<Map>(mine), detail::incoming_at(arrived.data()),
                                           sizeof(T), how),
                  arrived, all, how);
}
