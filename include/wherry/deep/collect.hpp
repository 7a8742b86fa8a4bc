/// @file
/// Deep copies of many ranks at once: gather, scatter, all_gather. Structures may differ in size and shape.
#pragma once

#include <exception>
#include <type_traits>
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

/// A deep copy inside a rank.
template <class Map, class T> void copy(const T& from, T& to, const options& how) {
  memory_sink sink;
  pack<Map>(sink, from);
  memory_source source(sink.bytes().data(), sink.bytes().size());
  unpack(source, to, {.arena = how.arena});
}

/// Does all parts, also after one of them has failed, and then throws the first failure.
class first_failure {
 public:
  template <class Part> void of(Part part) {
    try {
      part();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  bool any() const { return failure_ != nullptr; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

template <class T>
void receive_part(std::string_view where, const communicator& comm, int from, stream_tag tag, T& part,
                  const options& how) {
  const auto arriving = open_receive(where, comm, from, tag, fingerprint_once<T>());
  unpack(*arriving.bytes, part, {.arena = how.arena});
}

template <class Map, class T>
void send_part(std::string_view where, const communicator& comm, int to, stream_tag tag, const T& part) {
  const auto sink = open_send(where, comm, to, tag, fingerprint_once<T>());
  pack<Map>(*sink, part);
}

/// All or nothing.
template <class T>
void deliver(const first_failure& failure, std::vector<T>& arrived, std::vector<T>& all, const options& how) {
  if (failure.any()) undo(arrived, {.arena = how.arena});
  failure.rethrow();
  all = std::move(arrived);
}

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
void wherry::deep::gather(const communicator& comm, int root, const T& mine, std::vector<T>& all, const options& how) {
  constexpr std::string_view where = "deep::gather";
  check_rank(where, comm, root);
  compare_calls(where, comm, root, detail::fingerprint_once<T>());
  const auto tag = stream_tag::of_collective(comm);
  if (comm.rank() != root) {
    detail::send_part<Map>(where, comm, root, tag, mine);
    return expect_nothing(where, comm, tag);
  }
  std::vector<T> arrived(static_cast<std::size_t>(comm.size()));
  detail::first_failure failure;
  for (int from = 0; from < comm.size(); ++from) {
    auto& part = arrived[static_cast<std::size_t>(from)];
    failure.of([&] {
      from == root ? detail::copy<Map>(mine, part, how) : detail::receive_part(where, comm, from, tag, part, how);
    });
  }
  detail::deliver(failure, arrived, all, how);
}

template <class Map, class T>
void wherry::deep::scatter(const communicator& comm, int root, const std::vector<T>& all, T& mine, const options& how) {
  constexpr std::string_view where = "deep::scatter";
  check_rank(where, comm, root);
  compare_calls(where, comm, root, detail::fingerprint_once<T>());
  const auto tag = stream_tag::of_collective(comm);
  if (comm.rank() != root) {
    const auto arriving = open_receive(where, comm, root, tag, detail::fingerprint_once<T>());
    detail::unpack_or_drain(*arriving.bytes, mine, how);
    return;
  }
  detail::first_failure failure;
  const bool enough = all.size() == static_cast<std::size_t>(comm.size());
  const auto wrong = [&] {
    return error(error_kind::argument, where, text(all.size(), " structures for ", comm.size(), " ranks"), root);
  };
  for (int to = 0; to < comm.size(); ++to)
    failure.of([&] {
      if (!enough) {
        if (to != root) open_send(where, comm, to, tag, detail::fingerprint_once<T>())->abandon(wrong().text());
        throw wrong();
      }
      const auto& part = all[static_cast<std::size_t>(to)];
      to == root ? detail::copy<Map>(part, mine, how) : detail::send_part<Map>(where, comm, to, tag, part);
    });
  failure.rethrow();
  expect_nothing(where, comm, tag);
}

template <class Map, class T>
void wherry::deep::all_gather(const communicator& comm, const T& mine, std::vector<T>& all, const options& how) {
  constexpr std::string_view where = "deep::all_gather";
  const auto fingerprint = detail::fingerprint_once<T>();
  std::vector<T> arrived(static_cast<std::size_t>(comm.size()));
  detail::first_failure failure;
  for (int from = 0; from < comm.size(); ++from) {
    auto& part = arrived[static_cast<std::size_t>(from)];
    failure.of([&] {
      if (from == comm.rank()) {
        pack<Map>(*open_broadcast(where, comm, fingerprint), mine);
        detail::copy<Map>(mine, part, how);
      } else {
        unpack(*join_broadcast(where, comm, from, fingerprint), part, {.arena = how.arena});
      }
    });
  }
  detail::deliver(failure, arrived, all, how);
}
