/// @file
/// Starting and ending, in programs that own MPI and in those that leave it to KeLP.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

namespace kelp {

/// KeLP lives as long as one of these: `kelp::KelpConfig config(argc, argv);` first in `main`. Starts MPI unless the
/// program has, and ends it only where it started it. KeLP communicates on a private duplicate of the communicator
/// ("may interoperate with other software that uses MPI", paper 4, section 2). Collective over the communicator. When
/// several are alive, the youngest counts; they end in reverse order.
class KelpConfig {
 public:
  KelpConfig() : session_(std::in_place), before_(current()), comm_(MPI_COMM_WORLD) { current() = this; }
  KelpConfig(int& argc, char**& argv) : session_(std::in_place, argc, argv), before_(current()), comm_(MPI_COMM_WORLD) {
    current() = this;
  }
  /// MPI is the program's, and KeLP shall use these processes of it.
  explicit KelpConfig(MPI_Comm users) : before_(current()), comm_(users) { current() = this; }
  ~KelpConfig() { current() = before_; }
  KelpConfig(const KelpConfig&) = delete;
  KelpConfig& operator=(const KelpConfig&) = delete;

  const wherry::communicator& comm() const { return comm_; }
  /// The youngest. @throws wherry::error(state) when there is none
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

/// How many processes there are, and which of them this is.
inline int nodes() { return KelpConfig::in_use().comm().size(); }
inline int self() { return KelpConfig::in_use().comm().rank(); }

}  // namespace kelp
