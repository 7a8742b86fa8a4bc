/// @file
/// Layouts that ranks publish once, so that their neighbours read straight from them after a notification (paper 5,
/// section 4: "merely notify the availability of rank-local data for node-local reading").
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "wherry/channel/notification_words.hpp"
#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/owned.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

struct published_options {
  /// Yours by MPI_Win_allocate_shared, in the same order on all ranks, over ranks among which are all of the node:
  /// fields in this rank's parts of them are read in place like those in memory of Wherry's. They outlive the layouts
  /// on all ranks.
  std::vector<MPI_Win> windows{};
  /// What you call them, e.g. "pressure": errors, `explain()`, statistics and traces tell them by that from others.
  /// Ranks may call them differently.
  std::string name{};
};

/// A halo read in place, every step from another array:
///
///     wherry::halo_exchange halo(grid, {}, f);                        // what moves
///     wherry::published_layouts layouts(comm, halo.schedule());      // collective: where it lies, told once
///     for (...) {
///       void* const now[] = {f.data()};
///       layouts.publish(now);        // my interior is there: neighbours may read it
///       compute_interior(f);
///       layouts.read(now);           // theirs, straight into my halo
///       compute_rim(f, g);
///       std::swap(f, g);
///     }
///
/// Long rows of fields in node-shared memory (`field`, `grid`, `node_memory`, pieces of them, and of windows that the
/// options name) are copied once, by the reader, from the neighbour's memory, and so are short ones of fields that lie
/// between each other. Other short rows, other memory, and what goes to other nodes leave by the same calls as
/// double-buffered notified writes.
///
/// What is in device memory is packed there when it is published, into memory that the device lends to those of the
/// same node, and pinned memory of the host for others; their devices unpack it. In a scope of `in_stream` a
/// publication is of what the stream makes before it, and `publish` does not wait for that: it leaves when the device
/// is so far and this rank calls `read`, `await_readers`, or anything of Wherry's that waits. What `read` brings is
/// there for what is put into the stream afterwards; that it has been read the neighbours hear in this rank's next
/// call.
///
/// What waits returns false when its `seconds` are over, and the same call goes on where it was; 0 only looks. Without,
/// WHERRY_TIMEOUT ends a wait by error(timeout) that names the ranks, after which it goes on where it was, too.
///
/// Unlike an exchange's `wait`, nothing here packs for a reader that is late: what is published must stay as it is
/// until `await_readers` returns. With two arrays that take turns that is no wait at all.
class published_layouts {
 public:
  /// Collective. @param plan that has all its messages in the first stage, and stores what arrives: a pattern's
  ///   `schedule()`, but for halos `by_dimension`
  /// @throws error on all ranks alike: argument (messages in later stages, operations, blocks of the user's code),
  /// mismatch where
  ///         two ranks' messages differ, resource
  published_layouts(const communicator& comm, wherry::schedule plan, const published_options& options = {});
  published_layouts(published_layouts&&) noexcept;
  published_layouts& operator=(published_layouts&&) noexcept;
  /// Local. Withdraws what neighbours have not begun to read in place, for which they get an error(state) that names
  /// this rank, and waits for what they read just now: afterwards the fields may go, whatever has been thrown.
  ~published_layouts();

  /// Local, but for readers that are two publications behind, for which it waits.
  /// @param fields one address a field of the plan, as `exchange::start` takes them; others than the last time, as you
  /// like
  /// @throws error(argument) where one is missing; error(state) where one lies in a piece of the node's shared memory
  /// that was freed; error(timeout)
  bool publish(field_table fields, double seconds = no_limit);
  /// Waits for the neighbours' publications, one of each since the last time, and has them in `fields`. Copies to
  /// oneself are made too. Each publication is read once.
  /// @throws error(timeout); error(state) that names a rank which has given up its layouts before they were read
  bool read(field_table fields, double seconds = no_limit);
  /// Returns when what this rank has published may change: all have read it, or, from a device, it has been packed.
  /// @throws error(timeout); error(state) where a field of ours was freed meanwhile
  bool await_readers(double seconds = no_limit);

  const wherry::schedule& schedule() const;
  exchange_statistics statistics() const;
  /// "device_shared", "read in place", "notified writes", or several of them, as they are meant to be: of fields that
  /// turn out to lie in memory that the node does not see what was to be read in place is written, too
  std::string transport() const;
  /// A line a rank, below the name: "from rank 1: 12 blocks of 98304 bytes in place, 0 of 0 bytes by notified write"
  std::string explain() const;

 private:
  struct state;
  detail::owned<std::unique_ptr<state>> state_;
};

}  // namespace wherry
