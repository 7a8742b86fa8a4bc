/// @file
/// Starting and ending, and what time it is.
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

/// Whether MPI has been started, and whether it has been ended. At any time.
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

/// Starts MPI unless the program has. To be called once, by all ranks. From then on MPI_COMM_WORLD and MPI_COMM_SELF
/// return errors, which MEL's calls throw; plain calls of MPI return them.
inline void Init(int& argc, char**& argv) {
  if (!detail::session()) detail::session() = std::make_unique<wherry::mpi_session>(argc, argv);
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
    wherry::check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MEL::Init");
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

/// Prints the text before.
[[noreturn]] inline void Exit(int code, const std::string& text) {
  std::cerr << text << std::endl;
  Exit(code);
}

/// Ends all ranks at once.
[[noreturn]] inline void Abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}
/// Prints before what went wrong: the text, and what MPI says of the code.
[[noreturn]] inline void Abort(int code, const std::string& text) {
  int rank = -1, length = 0;
  char words[MPI_MAX_ERROR_STRING] = "";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "MEL::Abort: rank %d: %s\n", rank, text.c_str());
  const detail::comm_errors_return world(MPI_COMM_WORLD), self(MPI_COMM_SELF);  // the code may be no code of MPI's
  if (MPI_Error_string(code, words, &length) == MPI_SUCCESS)
    std::fprintf(stderr, "MEL::Abort: error %d: %s\n", code, words);
  Abort(code);
}

/// Seconds since some moment.
inline double Wtime() { return MPI_Wtime(); }
inline double Wtick() { return MPI_Wtick(); }

}  // namespace MEL
