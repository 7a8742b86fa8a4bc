/// @file
/// A collective call as a value, with the arguments of its MPI counterpart. `operation.hpp` runs it.
///
///     const auto what = wherry::collective::call::bcast(values, 100, MPI_DOUBLE, 0, comm);
///     wherry::collective::run(what);
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "wherry/collective/figure_list.hpp"
#include "wherry/core/any_communicator.hpp"

namespace wherry::collective {

/// The collectives of MPI-3.1: chapter 5 (collective communication) and section 7.6 (neighborhood collectives).
enum class kind : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  reduce,
  allgather,
  allgatherv,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  alltoall,
  alltoallv,
  alltoallw,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw
};
inline constexpr int kinds = 22;

/// The name as in MPI, without "MPI_" and in lower case: "reduce_scatter".
std::string_view name_of(kind what);
namespace detail {

/// The collective with this name, or nothing.
std::optional<kind> kind_named(std::string_view name);

}  // namespace detail

/// The arguments of one rank in one call. Each static function below takes the arguments of its MPI counterpart, in
/// MPI's order and with MPI's meaning, including MPI_IN_PLACE, any datatype, any operation and any root. All of them
/// are local and check nothing, because `run` and `start` check the call. A call refers to the caller's buffers, which
/// must stay until the call has ended, and to the caller's lists, which must stay until `run` or `start` returns.
struct call {
  collective::kind kind = kind::barrier;
  MPI_Comm comm = MPI_COMM_NULL;
  const void* send = nullptr;
  void* receive = nullptr;  ///< also the buffer of a broadcast
  std::int64_t send_count = 0, receive_count = 0;
  count_list send_counts{}, receive_counts{};
  place_list send_displacements{}, receive_displacements{};
  MPI_Datatype send_type = MPI_DATATYPE_NULL, receive_type = MPI_DATATYPE_NULL;
  const MPI_Datatype *send_types = nullptr, *receive_types = nullptr;
  /// Displacements in bytes, for `neighbor_alltoallw` only.
  const MPI_Aint *send_addresses = nullptr, *receive_addresses = nullptr;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;

  static call barrier(any_communicator comm);
  static call bcast(void* buffer, std::int64_t count, MPI_Datatype type, int root, any_communicator comm);
  static call gather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                     std::int64_t receive_count, MPI_Datatype receive_type, int root, any_communicator comm);
  static call gatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                      count_list receive_counts, place_list displacements, MPI_Datatype receive_type, int root,
                      any_communicator comm);
  static call scatter(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                      std::int64_t receive_count, MPI_Datatype receive_type, int root, any_communicator comm);
  static call scatterv(const void* send, count_list send_counts, place_list displacements, MPI_Datatype send_type,
                       void* receive, std::int64_t receive_count, MPI_Datatype receive_type, int root,
                       any_communicator comm);
  static call reduce(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op, int root,
                     any_communicator comm);
  static call allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                        std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm);
  static call allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                         count_list receive_counts, place_list displacements, MPI_Datatype receive_type,
                         any_communicator comm);
  static call allreduce(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                        any_communicator comm);
  static call reduce_scatter(const void* send, void* receive, count_list receive_counts, MPI_Datatype type, MPI_Op op,
                             any_communicator comm);
  static call reduce_scatter_block(const void* send, void* receive, std::int64_t receive_count, MPI_Datatype type,
                                   MPI_Op op, any_communicator comm);
  static call scan(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                   any_communicator comm);
  static call exscan(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                     any_communicator comm);
  static call alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                       std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm);
  static call alltoallv(const void* send, count_list send_counts, place_list send_displacements, MPI_Datatype send_type,
                        void* receive, count_list receive_counts, place_list receive_displacements,
                        MPI_Datatype receive_type, any_communicator comm);
  static call alltoallw(const void* send, count_list send_counts, place_list send_displacements,
                        const MPI_Datatype* send_types, void* receive, count_list receive_counts,
                        place_list receive_displacements, const MPI_Datatype* receive_types, any_communicator comm);
  static call neighbor_allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                                 std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm);
  static call neighbor_allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                                  count_list receive_counts, place_list displacements, MPI_Datatype receive_type,
                                  any_communicator comm);
  static call neighbor_alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                                std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm);
  static call neighbor_alltoallv(const void* send, count_list send_counts, place_list send_displacements,
                                 MPI_Datatype send_type, void* receive, count_list receive_counts,
                                 place_list receive_displacements, MPI_Datatype receive_type, any_communicator comm);
  static call neighbor_alltoallw(const void* send, count_list send_counts, const MPI_Aint* send_addresses,
                                 const MPI_Datatype* send_types, void* receive, count_list receive_counts,
                                 const MPI_Aint* receive_addresses, const MPI_Datatype* receive_types,
                                 any_communicator comm);
};

}  // namespace wherry::collective
