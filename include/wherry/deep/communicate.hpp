/// @file
/// Deep copies between ranks: send, receive and broadcast (MEL, listing 5).
///
///     std::vector<std::string> names;                       // filled on rank 0
///     wherry::deep::bcast(comm, names, 0);              // all ranks have the same strings
///     if (comm.rank() == 0) wherry::deep::send(comm, names, 1, {.tag = 7});
///     if (comm.rank() == 1) wherry::deep::receive(comm, names, 0, {.tag = 7});
///
/// The root of a structure is an object, a raw or smart pointer, `array(p, n)` or a container; the root of `send` may
/// be a temporary. Its type must be the same on both sides: a structure of another type is an error on the receiver,
/// and also on the sender if the structure is longer than one message. If one side fails, the other side gets an error
/// that quotes the reason, and no rank is left waiting. The calls of this header block; `in_flight.hpp` has the calls
/// that return at once, and `collect.hpp` has gather and scatter.
#pragma once

#include <concepts>
#include <type_traits>

#include "wherry/deep/detail/roots.hpp"
#include "wherry/deep/options.hpp"

namespace wherry::deep {

/// The result of `receive`.
struct arrival {
  int source = -1;  ///< the rank that sent the structure
  copy_statistics figures;
};

/// Sends a whole structure to rank `to`, which receives it; no other rank takes part. The structure may be changed or
/// freed once this returns. The call may wait for the receiver, as MPI_Send may; a structure that a rank sends to
/// itself is kept until it is received, so that such a send never waits.
/// @param to a rank of `comm`
/// @param root the structure; it is not changed
/// @throws error(argument) for a bad rank or tag, before anything is sent; error(mismatch) if the receiver gives up
template <class Map = pointer_map, class T>
copy_statistics send(const pair_communicator& comm, T&& root, int to, const deep::options& options = {});

/// Receives a structure into `root` from a rank that sends it; no other rank takes part. The destructor of the
/// old value runs first; it does not free objects behind raw pointers, which `destroy` does. If the structure is itself
/// a raw pointer, it must be null; a smart pointer or container loses its old contents. Structures of one source and
/// tag arrive in the order in which they were sent.
/// @param from a rank of `comm`, or MPI_ANY_SOURCE
/// @throws wherry::error if the structure that arrives has another type, or another length than `array(p, constant)`,
///   or if the sender has given up. All objects that had been made by then are freed, and pointers in `root` are null
template <class T>
arrival receive(const pair_communicator& comm, T&& root, int from, const deep::options& options = {});

/// Receives a structure in the same way, and returns it.
template <std::default_initializable T>
T receive(const pair_communicator& comm, int from, const deep::options& options = {});

/// Copies the structure of rank `root` to all ranks. Collective over `comm`. On all other ranks the structure is
/// received into `object`, as `receive` does; only rank `root` may pass a constant.
/// @throws wherry::error on every rank if the root fails; a rank that fails alone throws, and delays no other rank
template <class Map = pointer_map, class T>
copy_statistics bcast(const communicator& comm, T&& object, int root = 0, const deep::options& options = {});

namespace detail {

copy_statistics send_root(const communicator& comm, int to, const outgoing& root, const deep::options& options);
arrival receive_root(const communicator& comm, int from, const incoming& root, const deep::options& options);
/// Rank `root` uses `from`, every other rank uses `into`.
copy_statistics bcast_root(const communicator& comm, int root, const outgoing& from, const incoming& into,
                           const deep::options& options);

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
wherry::deep::copy_statistics wherry::deep::send(const pair_communicator& any, T&& root, int to,
                                                 const deep::options& options) {
  return detail::send_root(any.comm, to, detail::outgoing_root<Map>(root), options);
}

template <class T>
wherry::deep::arrival wherry::deep::receive(const pair_communicator& any, T&& root, int from,
                                            const deep::options& options) {
  static_assert(!std::is_const_v<std::remove_reference_t<T>>, "deep copy: what is to be received is a constant");
  return detail::receive_root(any.comm, from, detail::incoming_root(root), options);
}

template <std::default_initializable T>
T wherry::deep::receive(const pair_communicator& comm, int from, const deep::options& options) {
  T root{};
  receive(comm, root, from, options);
  return root;
}

template <class Map, class T>
wherry::deep::copy_statistics wherry::deep::bcast(const communicator& comm, T&& object, int root,
                                                  const deep::options& options) {
  return detail::bcast_root(comm, root, detail::outgoing_root<Map>(object), detail::incoming_root(object), options);
}
