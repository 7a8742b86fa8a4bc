/// @file
/// Starting and ending.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <memory>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

namespace MEL {
namespace detail {

inline std::unique_ptr<wherry::mpi_session>& session() {
  static std::unique_ptr<wherry::mpi_session> only;
  return only;
}

}  // namespace detail

/// Starts MPI unless the program has. To be called once, by all ranks.
inline void Init(int& argc, char**& argv) {
  if (!detail::session()) detail::session() = std::make_unique<wherry::mpi_session>(argc, argv);
  // Wherry's duplicate, which all ranks must take part in, makes sends between two of them fastest.
  wherry::communicator{MPI_COMM_WORLD};
}

/// Ends MPI where Init has started it.
inline void Finalize() { detail::session().reset(); }

/// MPI_Finalize and then std::exit(code) (paper 3, listing 22). On all ranks.
[[noreturn]] inline void Exit(int code) {
  Finalize();
  if (wherry::mpi_is_running()) MPI_Finalize();
  std::exit(code);
}

/// Ends all ranks at once.
[[noreturn]] inline void Abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

/// Seconds since some moment.
inline double Wtime() { return MPI_Wtime(); }
inline double Wtick() { return MPI_Wtick(); }

}  // namespace MEL
