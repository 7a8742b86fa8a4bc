/// @file
/// Deep copies from rank to rank: send, receive, broadcast (paper 3, listing 5).
///
/// The root of a structure is an object, a pointer, `array(p, n)` or a container, of one and the same type on both
/// sides; another type is an error on the receiver, and on the sender too where the structure is longer than a message.
/// Where one side fails the other gets an error that quotes it; nobody is left waiting.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "wherry/deep/options.hpp"
#include "wherry/deep/pack.hpp"
#include "wherry/transport/byte_channels.hpp"

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

template <class T> std::uint64_t fingerprint_once() {
  static const std::uint64_t value = type_fingerprint<T>();
  return value;
}

/// Packs all of `root`; where that fails the error goes the way that the structure would have gone.
template <class Map, class T, class Start>
byte_flight start_packed(std::string_view where, const communicator& comm, T& root, const options& how,
                         statistics& figures, Start start) {
  packed_stream packed(where, comm, how.buffer_bytes);
  try {
    figures = pack<Map>(packed, root);
  } catch (...) {
    start(std::move(packed)).leave();
    throw;
  }
  return start(std::move(packed));
}

/// Reads the structure, or throws; the stream is read to its end in any case.
template <class T> statistics unpack_or_drain(byte_source& source, T& root, const options& how) {
  try {
    if constexpr (std::is_const_v<T>) refuse("what is to be received is a constant");
    must_be_empty(root);
  } catch (...) {
    source.fail(std::current_exception());
    source.finish();
  }
  return unpack(source, const_cast<std::remove_const_t<T>&>(root), {.arena = how.arena});
}

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
wherry::deep::statistics wherry::deep::send(const pair_communicator& any, int to, T&& root, const options& how) {
  constexpr std::string_view where = "deep::send";
  const auto& comm = any.comm;
  const auto tag = stream_tag::of_user(comm, how.tag, where);
  const auto fingerprint = detail::fingerprint_once<T>();
  check_rank(where, comm, to);
  if (!how.buffered) {
    const auto sink = open_send(where, comm, to, tag, fingerprint);
    return pack<Map>(*sink, root);
  }
  statistics figures;
  auto flight = detail::start_packed<Map>(where, comm, root, how, figures, [&](packed_stream&& packed) {
    return start_send(where, comm, to, tag, fingerprint, std::move(packed));
  });
  if (to == comm.rank())
    std::move(flight).leave();
  else
    flight.wait();
  return figures;
}

template <class T>
wherry::deep::arrival wherry::deep::receive(const pair_communicator& any, int from, T&& root, const options& how) {
  constexpr std::string_view where = "deep::receive";
  const auto& comm = any.comm;
  const auto tag = stream_tag::of_user(comm, how.tag, where);
  const auto fingerprint = detail::fingerprint_once<T>();
  detail::must_be_empty(root);
  if (!how.buffered) {
    const auto arriving = open_receive(where, comm, from, tag, fingerprint);
    return {arriving.source, unpack(*arriving.bytes, root, {.arena = how.arena})};
  }
  auto flight = start_receive(where, comm, from, tag, fingerprint);
  flight.wait_or_withdraw();
  return {flight.source(), unpack(*flight.bytes(), root, {.arena = how.arena})};
}

template <std::default_initializable T>
T wherry::deep::receive(const pair_communicator& comm, int from, const options& how) {
  T root{};
  receive(comm, from, root, how);
  return root;
}

template <class Map, class T>
wherry::deep::statistics wherry::deep::broadcast(const communicator& comm, int root, T&& object, const options& how) {
  constexpr std::string_view where = "deep::broadcast";
  const auto fingerprint = detail::fingerprint_once<T>();
  check_rank(where, comm, root);
  if (!how.buffered) {
    if (comm.rank() == root) {
      const auto sink = open_broadcast(where, comm, fingerprint);
      return pack<Map>(*sink, object);
    }
    const auto source = join_broadcast(where, comm, root, fingerprint);
    return detail::unpack_or_drain(*source, object, how);
  }
  statistics figures;
  if (comm.rank() == root) {
    detail::start_packed<Map>(where, comm, object, how, figures, [&](packed_stream&& packed) {
      return start_broadcast(where, comm, fingerprint, std::move(packed));
    }).wait();
    return figures;
  }
  auto flight = start_broadcast(where, comm, root, fingerprint);
  flight.wait();
  return detail::unpack_or_drain(*flight.bytes(), object, how);
}
