/// @file
/// Starts and ends KeLP, in programs that call MPI_Init themselves and in programs that leave it to KeLP.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

namespace kelp {

/// KeLP runs as long as an object of this class lives: `kelp::KelpConfig config(argc, argv);` should come first in
/// `main`. It starts MPI if the program has not, and then also ends it. KeLP communicates on a private duplicate of the
/// communicator ("may interoperate with other software that uses MPI", KeLP, section 2). The constructors are
/// collective over the communicator. If several objects are alive, the youngest is in use; they must be destroyed in
/// reverse order.
class KelpConfig {
 public:
  KelpConfig() : session_(std::in_place), before_(current()), comm_(MPI_COMM_WORLD) { current() = this; }
  KelpConfig(int& argc, char**& argv) : session_(std::in_place, argc, argv), before_(current()), comm_(MPI_COMM_WORLD) {
    current() = this;
  }
  /// For a program that runs MPI itself: KeLP uses the processes of this communicator.
  explicit KelpConfig(MPI_Comm users) : before_(current()), comm_(users) { current() = this; }
  ~KelpConfig() { current() = before_; }
  KelpConfig(const KelpConfig&) = delete;
  KelpConfig& operator=(const KelpConfig&) = delete;

  const wherry::communicator& comm() const { return comm_; }
  /// The youngest object. Local.
  /// @throws wherry::error(state) if there is none
  static const KelpConfig& in_use() {
    if (current() == nullptr)
      throw wherry::error(wherry::error_kind::state, "kelp", "KeLP is not started: make a kelp::KelpConfig first");
    return *current();
  }

 private:
  static const KelpConfig*& current() {
    static const KelpConfig* youngest = nullptr;
    return youngest;
  }

  std::optional<wherry::mpi_session> session_;
  const KelpConfig* before_;
  wherry::communicator comm_;
};

/// The number of processes of KeLP. Local.
inline int nodes() { return KelpConfig::in_use().comm().size(); }
/// The rank of this process. Local.
inline int self() { return KelpConfig::in_use().comm().rank(); }

}  // namespace kelp
