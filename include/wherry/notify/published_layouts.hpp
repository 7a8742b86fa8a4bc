/// @file
/// Published layouts: each rank tells the others of its node once where its arrays lie, so that they can read halos in
/// place at each step, after a notification (GASPI, section 4).
///
///     wherry::halo_exchange halo(grid, {}, f);                        // plans the messages
///     wherry::published_layouts layouts(comm, halo.schedule());      // collective: tells the layouts once
///     for (...) {
///       void* const now[] = {f.data()};
///       layouts.publish(now);        // my interior is complete: neighbours may read it
///       compute_interior(f);
///       layouts.read(now);           // copies the neighbours' cells straight into my halo
///       compute_rim(f, g);
///       std::swap(f, g);
///     }
///
/// If the arrays do not alternate, or a neighbour may be late, use `halo_exchange`: its `wait` depends only on the
/// neighbours' starts, whereas published data must stay unchanged until all readers are done.
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

/// Options of published layouts.
struct published_options {
  /// Windows of the user, made by MPI_Win_allocate_shared over groups that include all ranks of the node, in the same
  /// order on all ranks. Fields in this rank's parts of them are read in place, like fields in Wherry's memory. The
  /// windows must outlive the layouts on all ranks.
  std::vector<MPI_Win> windows{};
  /// A name for errors, `explain()`, statistics and traces, such as "pressure". May differ between ranks.
  std::string name{};
};

/// The two halves of an exchange, each of which a rank starts by itself: `publish` makes its own fields available, and
/// `read` takes the neighbours' data. Both may use other arrays in every step. Movable.
///
/// **In place.** The reader copies long rows of fields in node-shared memory (`field`, `x_array`, `node_memory`, and
/// the windows of the options) once, straight from the neighbour's memory, and also short rows of fields that
/// interleave. All other data (other short rows, other memory, other nodes) travels by the same calls as
/// double-buffered notified writes.
///
/// **Published data must stay unchanged until `await_readers` returns**, because nothing packs it for a late reader, as
/// the `wait` of an exchange does. With two arrays that alternate, `await_readers` is not needed: `publish` waits for
/// readers that are two publications behind.
///
/// **Time.** A call that waits returns false when its `seconds` are over, and the same call then continues; with 0 it
/// only looks. Without `seconds`, WHERRY_TIMEOUT ends a wait by error(timeout) that names the ranks, and the same call
/// then continues too.
///
/// **Devices.** Data in device memory is packed there when it is published, into memory that the device lends to ranks
/// of the same node and into pinned host memory for other ranks, and the readers' devices unpack it. In a scope of
/// `in_stream`, `publish` covers the work that is in the stream before it and does not wait for it. The data leaves
/// when the device has done that work and this rank calls `read`, `await_readers` or any wait of Wherry. Data from
/// `read` is available to work that is put into the stream afterwards. The neighbours learn in this rank's next call
/// that the data was read.
class published_layouts {
 public:
  /// Collective over `comm`.
  /// @param plan a schedule that has all messages in its first stage and only stores arriving data: the `schedule()` of
  ///        a pattern, except of halos with the order `by_dimension`
  /// @throws error on all ranks alike: argument for messages in later stages, operations, or blocks of user
  ///         code; mismatch if the messages of two ranks differ; resource if memory is exhausted
  published_layouts(const communicator& comm, wherry::plans::schedule plan, const published_options& options = {});
  published_layouts(published_layouts&&) noexcept;
  published_layouts& operator=(published_layouts&&) noexcept;
  /// Local. Withdraws publications that neighbours have not begun to read in place, for which the neighbours get an
  /// error(state) that names this rank, and waits for reads that have begun. The fields may be freed afterwards.
  ~published_layouts();

  /// Makes this rank's fields available to the neighbours. Local, except that it waits for readers that are two
  /// publications behind.
  /// @param fields one address for each field of the plan, as `exchange::start` takes them; they may differ from those
  ///        of the last call
  /// @return false if a reader is still behind after `seconds`; call `publish` again
  /// @throws error(argument) for a missing address; error(state) for a field in node-shared memory that was
  ///         freed; error(timeout)
  bool publish(plans::field_table fields, double seconds = no_limit);
  /// Waits for the next publication of every neighbour and copies its data into `fields`, which also get the plan's
  /// copies from the rank to itself. Each publication is read once.
  /// @return false if a neighbour has not published within `seconds`; call `read` again
  /// @throws error(timeout); error(state) that names a rank which has destroyed its layouts before they were read
  bool read(plans::field_table fields, double seconds = no_limit);
  /// Waits until the published fields may be changed: all neighbours have read them or, for device memory, they have
  /// been packed.
  /// @return false if this is not so after `seconds`; call `await_readers` again
  /// @throws error(timeout); error(state) if a published field of this rank was freed in the meantime
  bool await_readers(double seconds = no_limit);

  const wherry::plans::schedule& schedule() const;
  exchange_statistics statistics() const;
  /// The planned ways of the data: "device_shared", "read in place", "notified writes", or several of these. If a field
  /// turns out to lie in memory that the node cannot see, its data is written even if it was planned to be read in
  /// place.
  std::string transport() const;
  /// One line for each rank that data comes from, such as "from rank 1: 12 blocks of 98304 bytes in place, 0 of 0 bytes
  /// by notified write".
  std::string explain() const;

 private:
  struct state;
  detail::owned<std::unique_ptr<state>> state_;
};

}  // namespace wherry
