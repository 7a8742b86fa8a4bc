/// @file
/// More collectives for C++ values and ranges: collectives with a root, and reductions of ranges. It continues
/// wherry/collective/typed.hpp.
///
///     const auto all = wherry::collective::gatherv(comm, my_particles);   // on rank 0: all.of(rank) of each rank
///     const auto mine = wherry::collective::scatter(comm, parameters);    // an equal block of rank 0's for each rank
///
/// All of these are collective over `comm` and throw as `run`, and error(argument) for lengths that do not fit: on all
/// ranks if the wrong length is that of the root.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/collective/typed.hpp"

namespace wherry::collective {

namespace detail {

// Compiled once: the lengths that travel before the elements.
void bcast_sizes(MPI_Comm comm, std::size_t* first, int count, int root);
int scatter_count(MPI_Comm comm, const std::vector<int>& counts, int root);

/// Throws on all ranks an error about a length that only the root has.
[[noreturn]] inline void throw_roots_length(MPI_Comm comm, const char* what, const char* argument, std::size_t length,
                                            int root) {
  throw error(error_kind::argument, what,
              wherry::detail::text("'", argument, "' of rank ", root, " has ", length,
                                   " elements, which cannot be shared out evenly among ", size_of(comm), " ranks"),
              rank_in(comm));
}

}  // namespace detail

/// Gathers ranges of different lengths at the root, ordered by rank. Returns their lengths on all ranks, and the
/// elements on the root; on other ranks `all` is empty.
template <elements Range> [[nodiscard]] auto gatherv(any_communicator comm, const Range& mine, int root = 0) {
  using T = detail::value_in<Range>;
  const detail::datatype<T> type;
  parts_of_all<T> parts;
  parts.counts = detail::allgather_counts(comm, detail::count_in(comm, mine, "mine"));
  const auto whole = detail::offsets_of(parts.counts, parts.offsets);
  detail::as_int(comm, whole, "all ranks' elements");
  const int rank = detail::rank_in(comm);
  if (rank == root) detail::make_room(comm, "gatherv", parts.all, whole);
  run(call::gatherv(std::ranges::data(mine), parts.counts[static_cast<std::size_t>(rank)], type.get(), parts.all.data(),
                    parts.counts.data(), parts.offsets.data(), type.get(), root, comm));
  return parts;
}

/// Scatters the root's range: it has as many equal blocks as there are ranks, and rank r gets block r. Other ranks may
/// pass an empty range, because theirs is ignored.
template <elements Range> [[nodiscard]] auto scatter(any_communicator comm, const Range& all, int root = 0) {
  const auto ranks = static_cast<std::size_t>(detail::size_of(comm));
  std::size_t whole = std::ranges::size(all);
  detail::bcast_sizes(comm, &whole, 1, root);
  if (whole % ranks != 0) detail::throw_roots_length(comm, "scatter", "all", whole, root);
  const detail::datatype<detail::value_in<Range>> type;
  const auto count = detail::as_int(comm, whole / ranks, "all");
  std::vector<detail::value_in<Range>> mine;
  detail::make_room(comm, "scatter", mine, static_cast<std::size_t>(count));
  run(call::scatter(std::ranges::data(all), count, type.get(), mine.data(), count, type.get(), root, comm));
  return mine;
}

/// Scatters the root's range in parts of different lengths: rank r gets the next `counts[r]` elements. The arguments of
/// other ranks are ignored.
template <elements Range>
[[nodiscard]] auto scatterv(any_communicator comm, const Range& all, const std::vector<int>& counts, int root = 0) {
  const bool here = detail::rank_in(comm) == root;
  auto fault = here ? detail::fault_of(counts, comm, std::ranges::size(all)) : detail::counts_fault::none;
  bcast(comm, fault, root);
  if (fault != detail::counts_fault::none) detail::throw_counts(comm, "scatterv", fault, root);
  const auto count = detail::scatter_count(comm, counts, root);
  std::vector<int> places;
  if (here) detail::offsets_of(counts, places);
  const detail::datatype<detail::value_in<Range>> type;
  std::vector<detail::value_in<Range>> mine;
  detail::make_room(comm, "scatterv", mine, static_cast<std::size_t>(count));
  run(call::scatterv(std::ranges::data(all), counts.data(), places.data(), type.get(), mine.data(), count, type.get(),
                     root, comm));
  return mine;
}
/// Scatters the root's `parts`: rank r gets `parts[r]`. The arguments of other ranks are ignored.
template <elements Range>
[[nodiscard]] auto scatterv(any_communicator comm, const std::vector<Range>& parts, int root = 0) {
  std::vector<detail::value_in<Range>> leaving;
  std::vector<int> counts;
  if (detail::rank_in(comm) == root)
    for (const auto& part : parts) {
      detail::append(leaving, part);
      counts.push_back(detail::most_of_int(std::ranges::size(part)));  // if cut off, the sum shows it to all ranks
    }
  return scatterv(comm, leaving, counts, root);
}

/// Reduces ranges element by element to the root's `out`, which has the length of `in`. On other ranks `out` stays as
/// it is.
template <elements In, writable Out, operation_on<detail::value_in<In>> Op = std::plus<>>
void reduce(any_communicator comm, const In& in, Out&& out, Op how = {}, int root = 0) {
  static_assert(std::is_same_v<detail::value_in<In>, detail::value_in<Out>>, "both ranges have the same elements");
  if (detail::rank_in(comm) == root) detail::check_lengths(comm, "reduce", in, out, 1);
  const detail::reduction_operation<detail::value_in<In>, Op> by(how);
  run(call::reduce(std::ranges::data(in), std::ranges::data(out), detail::count_in(comm, in, "in"), by.type(), by.op(),
                   root, comm));
}

/// Reduces element by element the ranges of the ranks up to this one, itself included. All ranges have one length.
template <elements In, writable Out, operation_on<detail::value_in<In>> Op = std::plus<>>
void scan(any_communicator comm, const In& in, Out&& out, Op how = {}) {
  static_assert(std::is_same_v<detail::value_in<In>, detail::value_in<Out>>, "both ranges have the same elements");
  detail::check_lengths(comm, "scan", in, out, 1);
  const detail::reduction_operation<detail::value_in<In>, Op> by(how);
  run(call::scan(std::ranges::data(in), std::ranges::data(out), detail::count_in(comm, in, "in"), by.type(), by.op(),
                 comm));
}

/// Reduces ranges that have as many equal blocks as there are ranks: rank r gets block r of the result.
template <elements Range, operation_on<detail::value_in<Range>> Op = std::plus<>>
[[nodiscard]] auto reduce_scatter(any_communicator comm, const Range& blocks, Op how = {}) {
  using T = detail::value_in<Range>;
  const auto ranks = static_cast<std::size_t>(detail::size_of(comm));
  if (std::ranges::size(blocks) % ranks != 0)
    detail::throw_uneven(comm, "reduce_scatter", "blocks", std::ranges::size(blocks));
  const detail::reduction_operation<T, Op> by(how);
  const auto count = detail::as_int(comm, std::ranges::size(blocks) / ranks, "blocks");
  std::vector<T> mine;
  detail::make_room(comm, "reduce_scatter", mine, static_cast<std::size_t>(count));
  run(call::reduce_scatter_block(std::ranges::data(blocks), mine.data(), count, by.type(), by.op(), comm));
  return mine;
}

}  // namespace wherry::collective
