/// @file
/// Wherry's own object for a communicator of the user's. It holds a private duplicate, the ranks of the node, and the
/// node-shared memory.
///
/// Every function that takes a `communicator` also takes an MPI_Comm, so most programs never name this type. Other
/// functions have a parameter of type `any_communicator` or `deep::pair_communicator`. Pass an MPI_Comm or a
/// `communicator` there as well:
///
///     parameter                 the first use of an MPI_Comm there
///     communicator              is collective over it
///     any_communicator          is collective over it; later ones only look it up (collectives)
///     deep::pair_communicator   is local: two ranks suffice (deep::send and deep::receive)
///
/// Make a `communicator` yourself to choose where the collective first use takes place:
///
///     wherry::communicator comm(MPI_COMM_WORLD);  // collective the first time, local from then on
///     if (comm.rank() == 0 && !comm.shared_memory_shortfall().empty())
///       std::fprintf(stderr, "%s\n", comm.shared_memory_shortfall().c_str());
///     wherry::node_memory scratch(comm, 1 << 20);  // local: 1 MiB that the ranks of the node can read
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

namespace detail {

class node_arena;

}  // namespace detail
class rank_lives;

/// A value that stands for one communicator of the user's. Copies are cheap and refer to the same private duplicate.
///
/// The first call that gives an MPI_Comm to any part of Wherry is collective over it, because it makes the duplicate.
/// The duplicate is kept with the MPI_Comm as an attribute, so that later calls find it locally. It is freed with the
/// MPI_Comm, or at MPI_Finalize. Errors on the duplicate become exceptions; the error handler of the user's
/// communicator is left alone.
class communicator {
 public:
  /// Collective over `users` the first time, local from then on. If it throws error(timeout), the call may be repeated
  /// and continues where it stopped.
  /// @throws error(argument) for MPI_COMM_NULL or an inter-communicator; error(state) outside MPI_Init…MPI_Finalize;
  ///   error(timeout) if some ranks do not call it within WHERRY_TIMEOUT
  communicator(MPI_Comm users);
  // There are no moves, so that no object is ever without a communicator.
  communicator(const communicator&) = default;
  communicator& operator=(const communicator&) = default;

  /// Local. Returns a communicator for messages between two ranks, in which the other ranks take no part. If a
  /// `communicator` for `users` exists, the result is that one. Otherwise it is a view of `users` itself that has no
  /// node and no arena and is not kept. Both ends of a message must get the same kind of result.
  /// @throws as the constructor, except error(timeout)
  static communicator for_messages(MPI_Comm users);

  int rank() const;
  int size() const;

  /// The private duplicate, on which only Wherry communicates. Pass `users_handle()` to your own MPI calls. @throws
  /// error(state) if MPI has ended
  MPI_Comm private_handle() const;
  /// The MPI_Comm from which it was made. @throws error(state) if the user has freed it, or if MPI has ended
  MPI_Comm users_handle() const;

  /// The ranks of this communicator that share memory with this rank, in ascending order, this rank included.
  const std::vector<int>& node_ranks() const;

  /// The place of `rank` in `node_ranks()`, or -1 if that rank is on another node.
  int node_index(int rank) const;

  /// The node-shared memory of this communicator's ranks; null if the operating system gives none.
  detail::node_arena* arena() const;
  /// One sentence that says which part of the node-shared memory is missing, and why: a limit of the system (ulimit -v,
  /// -f), or no kind of shared memory that works. Empty if nothing is missing. If several ranks share a node, the
  /// constructor prints the sentence on stderr, once for the job.
  const std::string& shared_memory_shortfall() const;

  /// The ranks that are known to have died. Users ask wherry/notify/health.hpp instead.
  rank_lives& lives() const;
  /// A number that is the same on all ranks and that no other communicator of this process has had. It is 0 for a view
  /// that `for_messages` made.
  std::uint64_t serial() const;

  /// A tag that no other exchange on this communicator uses. Local, but all ranks must call it in the same order: then
  /// every rank gets the same tag.
  int next_tag() const;

  /// Local. Runs `last` when the user frees this communicator, or when MPI_Finalize begins. `last` may be collective,
  /// so all ranks must register the same functions in the same order. It does not run while an exception unwinds, in a
  /// child of fork(), or after a rank has died.
  void at_end(std::function<void(const communicator&)> last) const;

  bool operator==(const communicator& other) const { return state_ == other.state_; }

  struct state;
  static void end(const std::shared_ptr<state>& ending) noexcept;

 private:
  explicit communicator(std::shared_ptr<state> made) : state_(std::move(made)) {}
  std::shared_ptr<state> state_;
};

namespace detail {

/// Turns a failure of some ranks into an error on all ranks instead of a hang. Collective. Every rank passes its own
/// error, or null. If any rank passes an error, all ranks throw: a rank that failed throws its own error, the others an
/// error that quotes the lowest rank that failed. If some ranks fail with a `mismatch` and others with an error of
/// another kind, all ranks throw or quote the other error, because it may have caused the mismatch. If no rank failed
/// but `fingerprint` is not the same on all ranks, all throw error(mismatch) with the text `on_disagreement`.
void agree_or_throw(const communicator& comm, std::string_view where, const error* mine, std::uint32_t fingerprint = 0,
                    std::string_view on_disagreement = {});

/// Runs `step`, which may throw, and then calls `agree_or_throw`. Collective.
///     collectively(comm, "halo_exchange", [&] { check(arguments); });
template <class Step>
void collectively(const communicator& comm, std::string_view where, Step&& step, std::uint32_t fingerprint = 0,
                  std::string_view on_disagreement = {});

/// Runs `step` and returns the error that it throws, or nothing. Local. Any other exception becomes an error(resource)
/// with its text.
template <class Step> std::optional<error> error_of(const communicator& comm, std::string_view where, Step&& step);

}  // namespace detail

}  // namespace wherry

template <class Step>
std::optional<wherry::error> wherry::detail::error_of(const communicator& comm, std::string_view where, Step&& step) {
  try {
    std::forward<Step>(step)();
  } catch (const error& failure) {
    return failure;
  } catch (const std::exception& failure) {
    return error(error_kind::resource, where, failure.what(), comm.rank());
  } catch (...) {
    return error(error_kind::resource, where, "an exception was thrown that is not a std::exception", comm.rank());
  }
  return std::nullopt;
}

template <class Step>
void wherry::detail::collectively(const communicator& comm, std::string_view where, Step&& step,
                                  std::uint32_t fingerprint, std::string_view on_disagreement) {
  detail::require_mpi(where, comm.rank());
  const auto mine = detail::error_of(comm, where, std::forward<Step>(step));
  detail::agree_or_throw(comm, where, mine ? &*mine : nullptr, fingerprint, on_disagreement);
}
