/// @file
/// Starting and ending.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

namespace MEL {
namespace detail {

inline std::unique_ptr<wherry::mpi_session>& session() {
  static std::unique_ptr<wherry::mpi_session> only;
  return only;
}

/// Where ranks that exit meet, apart from all that the program communicates.
inline MPI_Comm& exits() {
  static MPI_Comm comm = MPI_COMM_NULL;
  return comm;
}
inline constexpr double seconds_for_exit = 3;

/// Whether all ranks have come within so many seconds.
inline bool all_exit() {
  if (exits() == MPI_COMM_NULL) return false;
  MPI_Request all = MPI_REQUEST_NULL;
  int come = MPI_Ibarrier(exits(), &all) == MPI_SUCCESS ? 0 : 1;
  for (const double until = MPI_Wtime() + seconds_for_exit; come == 0 && MPI_Wtime() < until;) {
    MPI_Test(&all, &come, MPI_STATUS_IGNORE);
    if (come == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return all == MPI_REQUEST_NULL;
}

}  // namespace detail

/// Starts MPI unless the program has. To be called once, by all ranks.
inline void Init(int& argc, char**& argv) {
  if (!detail::session()) detail::session() = std::make_unique<wherry::mpi_session>(argc, argv);
  // Wherry's duplicate, which all ranks must take part in, makes sends between two of them fastest.
  wherry::communicator{MPI_COMM_WORLD};
  if (detail::exits() == MPI_COMM_NULL)
    wherry::check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &detail::exits()), "MPI_Comm_dup");
}

/// Ends MPI where Init has started it.
inline void Finalize() {
  if (detail::exits() != MPI_COMM_NULL && wherry::mpi_is_running()) MPI_Comm_free(&detail::exits());
  detail::session().reset();
}

/// Ends the whole job. Where all ranks call it, within 3 seconds of each other, it is MPI_Finalize and then
/// std::exit(code) (paper 3, listing 22); where only some do, they wait so long for the others, and then those are
/// ended, too.
[[noreturn]] inline void Exit(int code) {
  std::fflush(nullptr);
  std::cout.flush();
  if (wherry::mpi_is_running()) {
    if (!detail::all_exit()) {
      MPI_Abort(MPI_COMM_WORLD, code);
      std::abort();
    }
    Finalize();
    if (wherry::mpi_is_running()) {
      wherry::prepare_to_finalize();
      MPI_Finalize();
    }
  }
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
