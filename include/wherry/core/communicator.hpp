/// @file
/// Wherry's view of a user's communicator: a private duplicate, the node's ranks, and the node-shared memory.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry {

class node_arena;
class rank_lives;

/// A value that stands for one user communicator. Copies are cheap and refer to the same private duplicate. Whatever
/// takes one takes an MPI_Comm as well; the first time that anything of Wherry's is given it, it is collective over it.
///
/// The duplicate is made once a communicator and kept with it as an MPI attribute, so that asking again costs nothing;
/// it is freed with the user's communicator, or at MPI_Finalize. The user's error handler is left alone; errors on the
/// duplicate become exceptions.
class communicator {
 public:
  /// Collective over `users` the first time; local afterwards. After error(timeout) it may be called again.
  /// @throws error(argument) for MPI_COMM_NULL or an inter-communicator, error(state) outside MPI_Init…MPI_Finalize.
  communicator(MPI_Comm users);
  // No moves, so that none is ever without a communicator.
  communicator(const communicator&) = default;
  communicator& operator=(const communicator&) = default;

  /// Local: for messages between two ranks, of which the others know nothing. What the constructor gives where `users`
  /// has been asked for before; else a view of `users` itself, without node and arena, that is not kept. All ranks
  /// between which messages are under way must have got the same.
  static communicator for_messages(MPI_Comm users);

  int rank() const;
  int size() const;

  /// The private duplicate. Only Wherry communicates on it.
  MPI_Comm handle() const;
  /// The user's, of which it was made. @throws error(state) where he has freed it
  MPI_Comm users() const;

  /// Ranks of this communicator that share memory with this one, ascending, itself included.
  const std::vector<int>& node_ranks() const;

  /// Place of `rank` among `node_ranks()`, or -1 when it lives on another node.
  int node_index(int rank) const;

  /// Node-shared memory of this communicator's ranks, or null where the operating system gives none.
  node_arena* arena() const;
  /// One sentence on what of it is missing, and why: a limit of the system (ulimit -v, -f) or no way to it at all.
  /// Empty: nothing. Where ranks that share a node are concerned it has been said on stderr, once for the job.
  const std::string& shared_memory_shortfall() const;

  /// Which ranks are known to have died (what users ask is wherry/notify/health.hpp).
  rank_lives& lives() const;
  /// A number of this communicator that no other one of the process has had, the same on all ranks. 0: a view for
  /// messages only.
  std::uint64_t serial() const;

  /// A tag that no other exchange on this communicator uses. Collective in order: every rank gets the same one.
  int next_tag() const;

  /// Runs `last` when the user frees this communicator, or when MPI_Finalize begins: on all ranks, so it may be
  /// collective. All must have asked for it. Not while an exception is under way.
  void at_end(std::function<void(const communicator&)> last) const;

  bool operator==(const communicator& other) const { return state_ == other.state_; }

  struct state;
  static void end(const std::shared_ptr<state>& ending) noexcept;

 private:
  explicit communicator(std::shared_ptr<state> made) : state_(std::move(made)) {}
  std::shared_ptr<state> state_;
};

/// Agreement on failure, so that one rank's bad argument is an error everywhere instead of a hang. Collective.
/// Every rank passes its own error or null. Where there is any, all ranks throw: those that failed their own, the
/// others one that quotes the first rank that failed. A `mismatch` gives way to another rank's error, which may have
/// caused it. `fingerprint` must be equal on all ranks; otherwise all throw error(mismatch) with the text
/// `on_disagreement`.
void agree_or_throw(const communicator& comm, std::string_view where, const error* mine, std::uint32_t fingerprint = 0,
                    std::string_view on_disagreement = {});

/// Runs `step`, which may throw, and then agrees: `collectively(comm, "halo_exchange", [&]{ check(arguments); })`.
template <class Step>
void collectively(const communicator& comm, std::string_view where, Step&& step, std::uint32_t fingerprint = 0,
                  std::string_view on_disagreement = {});

/// The error that `step` throws, if any.
template <class Step> std::optional<error> error_of(const communicator& comm, std::string_view where, Step&& step);

}  // namespace wherry

template <class Step>
std::optional<wherry::error> wherry::error_of(const communicator& comm, std::string_view where, Step&& step) {
  try {
    std::forward<Step>(step)();
  } catch (const error& failure) {
    return failure;
  } catch (const std::exception& failure) {
    return error(error_kind::resource, where, failure.what(), comm.rank());
  } catch (...) {
    return error(error_kind::resource, where, "an exception that is no std::exception", comm.rank());
  }
  return std::nullopt;
}

template <class Step>
void wherry::collectively(const communicator& comm, std::string_view where, Step&& step, std::uint32_t fingerprint,
                          std::string_view on_disagreement) {
  require_mpi(where, comm.rank());
  const auto mine = error_of(comm, where, std::forward<Step>(step));
  agree_or_throw(comm, where, mine ? &*mine : nullptr, fingerprint, on_disagreement);
}
