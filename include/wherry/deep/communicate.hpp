/// @file
/// Deep copies from rank to rank: send, receive, broadcast (paper 3, listing 5).
///
/// The root of a structure is an object, a pointer, `array(p, n)` or a container, of one and the same type on both
/// sides; another type is an error on the receiver, and on the sender too where the structure is longer than a message.
/// Where one side fails the other gets an error that quotes it; nobody is left waiting.
#pragma once

#include <concepts>
#include <type_traits>

#include "wherry/deep/detail/roots.hpp"
#include "wherry/deep/options.hpp"

namespace wherry::deep {

/// What a receiver learns.
struct arrival {
  int source = -1;  ///< the rank that sent
  statistics figures;
};

/// Sends a whole structure; it may be changed or freed once this returns. May wait for the receiver, as MPI_Send may;
/// but what a rank sends to itself is kept until it is received.
/// @param to    a rank of `comm`
/// @param root  is not changed
/// @throws error(argument) for a bad rank or tag, before anything is sent; error(mismatch) when the receiver gives up
template <class Map = pointer_map, class T>
statistics send(const pair_communicator& comm, int to, T&& root, const options& how = {});

/// Receives into `root`, which is destroyed first; a pointer must be null. Structures of one source and tag arrive in
/// the order in which they were sent.
/// @param from  a rank, or MPI_ANY_SOURCE
/// @throws wherry::error when what arrives is of another type, or has another length than `array(p, constant)`, or the
///   sender has given up; what had been made by then is freed; pointers in `root` are null
template <class T> arrival receive(const pair_communicator& comm, int from, T&& root, const options& how = {});

/// The same by value.
template <std::default_initializable T> T receive(const pair_communicator& comm, int from, const options& how = {});

/// Collective: the structure of rank `root` on all ranks. On the others it is received into `object`, which only rank
/// `root` may pass as a constant.
/// @throws wherry::error on every rank when the root fails; a rank that fails by itself throws and holds nobody up
template <class Map = pointer_map, class T>
statistics broadcast(const communicator& comm, int root, T&& object, const options& how = {});

namespace detail {

statistics send_root(const communicator& comm, int to, const outgoing& root, const options& how);
arrival receive_root(const communicator& comm, int from, const incoming& root, const options& how);
/// One of the two is used.
statistics broadcast_root(const communicator& comm, int root, const outgoing& from, const incoming& into,
                          const options& how);

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
wherry::deep::statistics wherry::deep::send(const pair_communicator& any, int to, T&& root, const options& how) {
  return detail::send_root(any.comm, to, detail::outgoing_root<Map>(root), how);
}

template <class T>
wherry::deep::arrival wherry::deep::receive(const pair_communicator& any, int from, T&& root, const options& how) {
  static_assert(!std::is_const_v<std::remove_reference_t<T>>, "deep copy: what is to be received is a constant");
  return detail::receive_root(any.comm, from, detail::incoming_root(root), how);
}

template <std::default_initializable T>
T wherry::deep::receive(const pair_communicator& comm, int from, const options& how) {
  T root{};
  receive(comm, from, root, how);
  return root;
}

template <class Map, class T>
wherry::deep::statistics wherry::deep::broadcast(const communicator& comm, int root, T&& object, const options& how) {
  return detail::broadcast_root(comm, root, detail::outgoing_root<Map>(object), detail::incoming_root(object), how);
}
