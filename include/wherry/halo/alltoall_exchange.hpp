/// @file
/// The generic all-to-all exchange (GCL, sections 1 and 2): raw memory, array sections, user structures and MPI
/// datatypes, between any ranks.
///
///     wherry::alltoall_exchange exchange(comm);
///     exchange.send(2, array, part);                // a view and a box, or wherry::section_of(…)
///     exchange.receive(0, buffer, bytes);           // raw memory
///     exchange.commit();                             // collective
///     exchange();                                   // any number of times
///
/// For the neighbours of a process grid use `buffer_exchange`; for index lists, `index_exchange`. MPI's own all-to-all
/// operations are in the module `collective`.
#pragma once

#include <utility>

#include "wherry/halo/mpi_buffer.hpp"
#include "wherry/halo/transfer_set.hpp"

namespace wherry {

/// An exchange between any ranks. Each rank registers its sends and its receives, locally, and then all ranks call
/// `commit`. A rank may send to itself. The n-th send that rank a registers for rank b arrives in the n-th receive that
/// b registers from a. Both must have the same number of bytes; two sections must have the same elements, which travel
/// with dimension 0 fastest and may have different layouts. A pair of ranks that exchanges nothing costs nothing.
/// Movable.
class alltoall_exchange : public detail::registered_pattern {
 public:
  /// Local. `commit` is the collective step.
  explicit alltoall_exchange(const communicator& comm, const carry_options& options = {})
      : detail::registered_pattern(detail::transfer_set(comm, "all to all", options)) {}

  /// Registers raw memory: a pointer and a number of bytes. Errors in registrations are reported by `commit`.
  void send(int to, const void* buffer, index_t bytes) { set_.add_send(detail::transfer::of(to, 0, buffer, bytes)); }
  void receive(int from, void* buffer, index_t bytes) {
    set_.add_receive(detail::transfer::of(from, 0, buffer, bytes));
  }
  /// Registers a section of an array.
  void send(int to, array_section part) { set_.add_send(detail::transfer::of(to, 0, std::move(part))); }
  void receive(int from, array_section part) { set_.add_receive(detail::transfer::of(from, 0, std::move(part))); }
  template <class T, int N> void send(int to, const view<T, N>& array, const box<N>& part) {
    send(to, section_of(array, part));
  }
  template <class T, int N> void receive(int from, const view<T, N>& array, const box<N>& part) {
    static_assert(!std::is_const_v<T>, "a const array is read-only: it may be sent, not received into");
    receive(from, section_of(array, part));
  }
  /// Registers a region of a user structure, whose functions gather and scatter `bytes` bytes for it.
  void send(int to, const user_structure& from, index_t region, index_t bytes) {
    set_.add_send(detail::transfer::of(to, 0, from, region, bytes));
  }
  void receive(int from, const user_structure& into, index_t region, index_t bytes) {
    set_.add_receive(detail::transfer::of(from, 0, into, region, bytes));
  }
  /// Registers memory that an MPI datatype describes.
  void send(int to, const mpi_buffer& from) {
    if (!from.problem.empty()) set_.remember(from.problem);
    send(to, from.structure, 0, from.bytes);
  }
  void receive(int from, const mpi_buffer& into) {
    if (!into.problem.empty()) set_.remember(into.problem);
    receive(from, into.structure, 0, into.bytes);
  }
  /// Moves a registered transfer to another address from the next start on, for swapped buffers. Local, costs nothing
  /// and needs no `commit`.
  /// @param memory the new address; of a section, the address of its first element
  /// @param which counts the transfers registered for that rank, from 0
  /// @throws error(argument) on this rank if there is no such transfer, if it has no address (a user structure or an
  ///         MPI datatype), or if `memory` is null
  void move_send(int to, const void* memory, int which = 0) { set_.move_send(to, which, memory); }
  void move_receive(int from, void* memory, int which = 0) { set_.move_receive(from, which, memory); }
  /// Removes all registrations.
  void clear() { set_.clear(); }
};

}  // namespace wherry
