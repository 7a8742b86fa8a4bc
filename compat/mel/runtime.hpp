/// @file
/// Starts and ends MEL, exits and aborts, and tells the time.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

#include "mel/call.hpp"

namespace MEL {
namespace detail {

inline std::unique_ptr<wherry::mpi_session>& session() {
  static std::unique_ptr<wherry::mpi_session> only;
  return only;
}

/// A communicator on which ranks that exit meet, apart from the program's own communication.
inline MPI_Comm& exits() {
  static MPI_Comm comm = MPI_COMM_NULL;
  return comm;
}
inline constexpr double seconds_for_exit = 3;

/// True if all ranks call this within `seconds_for_exit`.
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

/// These tell whether MPI has been started, and whether it has ended. Local, at any time.
inline bool IsInitialized() {
  int yes = 0;
  wherry::check_mpi(MPI_Initialized(&yes), "MEL::IsInitialized");
  return yes != 0;
}
inline bool IsFinalized() {
  int yes = 0;
  wherry::check_mpi(MPI_Finalized(&yes), "MEL::IsFinalized");
  return yes != 0;
}

/// Starts MPI if the program has not. Call it once. Collective over all ranks. From then on MPI_COMM_WORLD and
/// MPI_COMM_SELF return errors: MEL's calls throw them, and plain calls of MPI return them.
inline void Init(int& argc, char**& argv) {
  if (!detail::session()) detail::session() = std::make_unique<wherry::mpi_session>(argc, argv);
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
    wherry::check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MEL::Init");
  // Wherry's own communicator makes sends fastest, and only all ranks together can make it.
  wherry::communicator{MPI_COMM_WORLD};
  if (detail::exits() == MPI_COMM_NULL)
    wherry::check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &detail::exits()), "MPI_Comm_dup");
}

/// Ends MPI if Init has started it. Collective over all ranks.
inline void Finalize() {
  if (detail::exits() != MPI_COMM_NULL && wherry::detail::mpi_is_running()) MPI_Comm_free(&detail::exits());
  detail::session().reset();
}

/// Ends the whole job. If all ranks call this within 3 seconds of each other, it calls MPI_Finalize and std::exit(code)
/// (MEL, listing 22). If only some ranks call it, they wait 3 seconds for the others and then abort the job.
[[noreturn]] inline void Exit(int code) {
  std::fflush(nullptr);
  std::cout.flush();
  if (wherry::detail::mpi_is_running()) {
    if (!detail::all_exit()) {
      MPI_Abort(MPI_COMM_WORLD, code);
      std::abort();
    }
    Finalize();
    if (wherry::detail::mpi_is_running()) {
      wherry::prepare_to_finalize();
      MPI_Finalize();
    }
  }
  std::exit(code);
}

/// Prints a text, then exits.
[[noreturn]] inline void Exit(int code, const std::string& text) {
  std::cerr << text << std::endl;
  Exit(code);
}

/// Aborts all ranks at once.
[[noreturn]] inline void Abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}
/// Prints the text, and MPI's text for the code, then aborts.
[[noreturn]] inline void Abort(int code, const std::string& text) {
  int rank = -1, length = 0;
  char words[MPI_MAX_ERROR_STRING] = "";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "MEL::Abort: rank %d: %s\n", rank, text.c_str());
  const detail::comm_errors_return world(MPI_COMM_WORLD), self(MPI_COMM_SELF);  // the code may not be one of MPI's
  if (MPI_Error_string(code, words, &length) == MPI_SUCCESS)
    std::fprintf(stderr, "MEL::Abort: error %d: %s\n", code, words);
  Abort(code);
}

/// The time in seconds since a fixed moment in the past. Local.
inline double Wtime() { return MPI_Wtime(); }
inline double Wtick() { return MPI_Wtick(); }

}  // namespace MEL
