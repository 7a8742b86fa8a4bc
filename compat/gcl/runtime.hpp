/// @file
/// Starts and ends GCL: "a little runtime component providing initialization and finalization" (GCL, section 2).
#pragma once

#include <mpi.h>

#include <memory>

#include "wherry/core/mpi.hpp"

namespace GCL {
namespace detail {

inline std::unique_ptr<wherry::mpi_session>& session() {
  static std::unique_ptr<wherry::mpi_session> only;
  return only;
}

}  // namespace detail

inline MPI_Comm GCL_WORLD = MPI_COMM_NULL;  ///< MPI_COMM_WORLD after GCL_Init
inline int PID = 0;                         ///< the rank of this process in GCL_WORLD
inline int PROCS = 1;                       ///< the size of GCL_WORLD

/// Starts MPI if the program has not. Call it once, on all processes, before any pattern is made.
inline void GCL_Init(int argc, char** argv) {
  if (!detail::session()) detail::session() = std::make_unique<wherry::mpi_session>(argc, argv);
  GCL_WORLD = MPI_COMM_WORLD;
  PID = detail::session()->rank();
  PROCS = detail::session()->size();
}
inline void GCL_Init() { GCL_Init(0, nullptr); }

/// Ends MPI, also if the program has started it. Patterns may be destroyed before or after.
inline void GCL_Finalize() {
  detail::session().reset();
  if (!wherry::detail::mpi_is_running()) return;
  wherry::prepare_to_finalize();
  wherry::check_mpi(MPI_Finalize(), "MPI_Finalize");
}

}  // namespace GCL
