/// @file
/// The generic all-to-all (paper 1, sections 1 and 2): anything from any rank to any rank.
#pragma once

#include <utility>

#include "wherry/halo/mpi_buffer.hpp"
#include "wherry/halo/transfer_set.hpp"

namespace wherry {

/// Any rank registers what it sends to any rank and what it receives from any rank, itself included: raw bytes,
/// sections of arrays of any layout, regions of user structures. The n-th send from rank a to rank b arrives in the
/// n-th receive that b has registered from a; both have the same bytes, and two sections the same elements in the order
/// of their indices, dimension 0 fastest. What ranks have nothing to say to one another costs nothing. Movable.
///
///     wherry::all_to_all exchange(comm);
///     exchange.send(2, array, part);                // a view and a box, or wherry::section(…)
///     exchange.receive(0, buffer, bytes);           // raw memory
///     exchange.setup();                             // collective
///     exchange();                                   // any number of times
class all_to_all : public registered_pattern {
 public:
  explicit all_to_all(const communicator& comm, const carry_options& options = {})
      : registered_pattern(detail::transfer_set(comm, "all to all", options)) {}

  /// Raw memory: a pointer and a number of bytes.
  void send(int to, const void* buffer, index_t bytes) { set_.add_send(detail::transfer::of(to, 0, buffer, bytes)); }
  void receive(int from, void* buffer, index_t bytes) {
    set_.add_receive(detail::transfer::of(from, 0, buffer, bytes));
  }
  /// A part of an array.
  void send(int to, array_section part) { set_.add_send(detail::transfer::of(to, 0, std::move(part))); }
  void receive(int from, array_section part) { set_.add_receive(detail::transfer::of(from, 0, std::move(part))); }
  template <class T, int N> void send(int to, const view<T, N>& array, const box<N>& part) {
    send(to, section(array, part));
  }
  template <class T, int N> void receive(int from, const view<T, N>& array, const box<N>& part) {
    static_assert(!std::is_const_v<T>, "a const array is read-only: it may be sent, not received into");
    receive(from, section(array, part));
  }
  /// `bytes` that the structure's functions gather and scatter for `region`.
  void send(int to, const user_structure& from, index_t region, index_t bytes) {
    set_.add_send(detail::transfer::of(to, 0, from, region, bytes));
  }
  void receive(int from, const user_structure& into, index_t region, index_t bytes) {
    set_.add_receive(detail::transfer::of(from, 0, into, region, bytes));
  }
  /// Memory that an MPI datatype describes.
  void send(int to, const mpi_buffer& from) {
    if (!from.problem.empty()) set_.remember(from.problem);
    send(to, from.structure, 0, from.bytes);
  }
  void receive(int from, const mpi_buffer& into) {
    if (!into.problem.empty()) set_.remember(into.problem);
    receive(from, into.structure, 0, into.bytes);
  }
  /// From the next start on what was registered as number `which` for that rank, counted from 0, is at another address
  /// (of a section, that of its first element): swapped buffers, at no cost, without a `setup`.
  /// @throws error(argument) on this rank where there is no such one, or it has no address of its own
  void move_send(int to, const void* memory, int which = 0) { set_.move_send(to, which, memory); }
  void move_receive(int from, void* memory, int which = 0) { set_.move_receive(from, which, memory); }
  /// Forgets all that was registered.
  void clear() { set_.clear(); }
};

}  // namespace wherry
