/// @file
/// Communicators, and the plain calls on them that the paper's programs need. Errors are exceptions.
#pragma once

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace MEL {

/// An MPI_Comm with a type of its own, so that arguments in a wrong order do not compile. Does not own it.
///
/// A broadcast makes what Wherry needs on a communicator, and so does `Init` for `WORLD` and `Prepare` for
/// another: from then on sends inside a node go through shared memory. Not to be done while a send is under way.
class Comm {
 public:
  static const Comm WORLD, SELF, COMM_NULL;

  constexpr Comm() = default;
  explicit constexpr Comm(MPI_Comm comm) : comm_(comm) {}
  explicit operator MPI_Comm() const { return comm_; }
  MPI_Comm handle() const { return comm_; }
  bool operator==(const Comm&) const = default;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

inline const Comm Comm::WORLD{MPI_COMM_WORLD};
inline const Comm Comm::SELF{MPI_COMM_SELF};
inline const Comm Comm::COMM_NULL{};

inline int CommRank(const Comm& comm) {
  int rank = 0;
  wherry::check_mpi(MPI_Comm_rank(comm.handle(), &rank), "MEL::CommRank");
  return rank;
}
inline int CommSize(const Comm& comm) {
  int size = 1;
  wherry::check_mpi(MPI_Comm_size(comm.handle(), &size), "MEL::CommSize");
  return size;
}
inline void Barrier(const Comm& comm) { wherry::check_mpi(MPI_Barrier(comm.handle()), "MEL::Barrier"); }

namespace detail {

/// An argument that is wrong on this rank.
[[noreturn]] inline void refuse(std::string_view where, std::string_view why) {
  int rank = -1;
  if (wherry::mpi_is_running()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  throw wherry::error(wherry::error_kind::argument, where, why, rank);
}

/// `n` objects of `T` as MPI counts them, also when their bytes are too many for an int.
template <class T> class counted_bytes {
  static_assert(std::is_trivially_copyable_v<T>, "MEL: the shallow calls are for plain data; MEL::Deep has the others");

 public:
  explicit counted_bytes(int n) : count(n) {
    if (n < 0) refuse("MEL", wherry::detail::text("a length of ", n, " is negative"));
    MPI_Datatype made;
    wherry::check_mpi(MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &made), "MPI_Type_contiguous");
    owned_ = wherry::unique_datatype(made);
    wherry::check_mpi(MPI_Type_commit(&made), "MPI_Type_commit");
  }
  MPI_Datatype type() const { return owned_.get(); }
  int count;

 private:
  wherry::unique_datatype owned_;
};

}  // namespace detail

// Plain data: its bytes. `ptr` points to `len` objects on both sides.

template <class T> void Send(T* ptr, int len, int dst, int tag, const Comm& comm) {
  const detail::counted_bytes<T> all(len);
  wherry::check_mpi(MPI_Send(ptr, all.count, all.type(), dst, tag, comm.handle()), "MEL::Send");
}
template <class T> void Send(const T& value, int dst, int tag, const Comm& comm) { Send(&value, 1, dst, tag, comm); }

template <class T> void Recv(T* ptr, int len, int src, int tag, const Comm& comm) {
  const detail::counted_bytes<T> all(len);
  wherry::check_mpi(MPI_Recv(ptr, all.count, all.type(), src, tag, comm.handle(), MPI_STATUS_IGNORE), "MEL::Recv");
}
template <class T> void Recv(T& value, int src, int tag, const Comm& comm) { Recv(&value, 1, src, tag, comm); }

template <class T> void Bcast(T* ptr, int len, int root, const Comm& comm) {
  const detail::counted_bytes<T> all(len);
  wherry::check_mpi(MPI_Bcast(ptr, all.count, all.type(), root, comm.handle()), "MEL::Bcast");
}
template <class T> void Bcast(T& value, int root, const Comm& comm) { Bcast(&value, 1, root, comm); }

}  // namespace MEL
