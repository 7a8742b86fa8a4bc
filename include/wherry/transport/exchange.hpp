/// @file
/// A bound exchange: a schedule that a transport carries, any number of times. Every pattern ends here.
///
///     wherry::exchange exchange(comm, plan, {}, {.transport = "two_sided"});  // collective
///     exchange.set_fields(pointers);                                          // one for each field of the plan
///     for (int step = 0; step < steps; ++step) {
///       exchange.start();
///       compute_interior();
///       exchange.wait();
///     }
///
/// Use `halo_exchange`, `index_exchange` or `mover` for halos, index lists and motions: they make the schedule and bind
/// it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/thread_team.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Options for the way in which a schedule is carried. They are the member `.carry` of every pattern's options, and
/// must be the same on all ranks except for `team` and `name`.
struct carry_options {
  /// The name of a transport, or "auto": the transports with the least expected time, one for ranks of the same node
  /// and one for the others. `WHERRY_TRANSPORT` overrides it.
  std::string transport = "auto";
  /// True: `start` copies all data that is sent, so that the fields may be written again as soon as it returns, and
  /// nothing arrives in them before `test` or `wait`. Only for schedules of one stage.
  bool snapshot = false;
  /// True: a thread carries the exchange while the user computes, like KeLP's proxy. It needs MPI_THREAD_MULTIPLE, and
  /// helps only if it has a core of its own, for example if a rank may use more cores than it has threads that compute;
  /// the program `wherry_overlap` measures whether it helps. `WHERRY_PROGRESS_THREAD=1` sets it for all exchanges. It
  /// has no effect with `snapshot`.
  bool progress_thread = false;
  /// False: `start` allocates the memory for messages and `wait` frees it, as KeLP's mover does (KeLP, section 2).
  /// `auto` then means a transport that can do so (two_sided). A transport that is chosen by name and cannot do so
  /// keeps its memory.
  bool keep_buffers = true;
  /// Cuts larger messages into packets of at most this many bytes that travel one after the other, so that the memory
  /// for messages is bounded: for each peer, by one packet or by the smallest piece that cannot be cut. Sections of
  /// fields and arrays are cut into layers, and index lists anywhere; raw buffers, MPI datatypes and functions of the
  /// user's are not cut. 0: no packets. With packets, `auto` means `two_sided`, and `wait` returns only if the peers
  /// wait, too.
  std::int64_t packet_bytes = 0;
  /// The threads that pack, unpack and copy messages of 128 KiB and more: `openmp_team()`, or
  /// `thread_team::of_its_own(4)`. They call neither MPI nor functions of the user's. Ranks may have different teams.
  thread_team team{};
  /// A name of your choice, e.g. "pressure", for errors, `explain()`, statistics and traces. Ranks may choose different
  /// names.
  std::string name{};
};

/// Owns a schedule and its bound transports. Movable. It can be started again only after it has completed. Different
/// exchanges may be in flight together, also from different threads if MPI was started with MPI_THREAD_MULTIPLE. All
/// functions but the constructors are local.
class exchange {
 public:
  /// Binds a schedule. Collective over `comm`, in the same order on all ranks. It compares every message with its other
  /// side.
  /// @throws error on all ranks alike: argument (a bad schedule, an unknown transport, device memory that the transport
  ///   cannot reach); mismatch (a message that its two sides see differently: it names both ranks and both figures);
  ///   state or resource (no progress thread)
  exchange(const communicator& comm, wherry::plans::schedule plan, plans::functions code = {},
           const carry_options& options = {});
  /// Binds, in the same way, a schedule that several exchanges share.
  exchange(const communicator& comm, std::shared_ptr<const wherry::plans::schedule> plan, plans::functions code = {},
           const carry_options& options = {});
  exchange(exchange&&) noexcept;
  exchange& operator=(exchange&&) noexcept;
  /// Waits for an exchange in flight. It abandons the exchange instead if an exception unwinds, if a `wait` or a `test`
  /// for it has thrown, or if `ready` was not called for all parts of this rank, because no thread can call it any
  /// more.
  ~exchange();

  /// Gives up an exchange in flight. When it returns, the fields belong to the user again; some halo cells are filled
  /// and others are not. The exchanges of the peers complete as if this rank had waited, and late messages are dropped.
  /// Afterwards, as after a move, every call except assignment throws error(state); other exchanges, and one that is
  /// bound anew, work. With `datatype`, whose messages leave directly from the fields, the call may have to wait for a
  /// peer's `start` (see docs/understand/waiting.md).
  void abandon() noexcept;

  /// Sets the field pointers for this start and the following ones: one pointer for each field of the schedule. The
  /// memory stays the user's. The call costs next to nothing.
  /// @throws error(argument) for a wrong number of pointers, or a null pointer to a field that the schedule uses;
  ///   error(state) between `start` and `wait`, unless the exchange takes a `snapshot`
  void set_fields(std::span<void* const> fields);

  /// Begins the exchange and returns without blocking. It completes only if all peers call `start`, sooner or later.
  /// Until `wait` returns or `test` returns true, fields must not be written where they are sent from, nor read where
  /// they are received to.
  /// @throws error(state) if it is already started, no fields were set, a field was freed since it was set, or MPI has
  ///   ended. With pointers: also error(argument) as `set_fields`
  void start();
  void start(std::span<void* const> fields);

  /// Divides the data that is sent into parts that become ready one after the other, as in MPI's partitioned
  /// communication (MPI-4, section 4.2). A code whose threads each compute a part of a field then sends finished parts
  /// while it computes the others. Ranks may have different parts, or none. Not with `snapshot`.
  /// @param parts_of appends the numbers, from 0 to `parts` - 1, of the parts that a row of the schedule, of any stage,
  ///   needs; it is called only in this call. A row that needs no part is always ready
  /// @throws error(state) between start and wait; error(argument) for a negative number, or with `snapshot`
  void divide(int parts, const std::function<void(const plans::block_row& row, std::vector<int>& parts)>& parts_of);
  /// Begins as `start` does, but data that is sent may be written until its parts are ready. A message leaves with its
  /// last part, and a copy to the rank itself is made with its last part. All transports can do this; `shared`,
  /// `two_sided` and `persistent` send message by message.
  /// @throws as `start`; also error(state) if nothing was divided
  void start_in_parts();
  void start_in_parts(std::span<void* const> fields);
  /// Says that this part of the data will not be written any more until the exchange is complete. Any thread may call
  /// it, once for each part and start, while others are in this call or in `wait`. The call takes no lock and does not
  /// block. It sends the messages that are now complete if the ranks share memory, on the main thread, or with
  /// MPI_THREAD_MULTIPLE; otherwise the next `test` or `wait` sends them. Data in device memory leaves with the last
  /// part; in a scope of `in_stream`, a part is ready when all work in that stream so far is done.
  /// @throws error(argument) if there is no such part; error(state) if it is ready already, or without `start_in_parts`
  void ready(int part);

  /// Makes progress. Returns true when the exchange is complete, and before the first start. @throws as `wait`, except
  /// error(timeout)
  bool test();

  /// Waits until more data has arrived, for programs that use it at once. It returns the ranks, without this one, whose
  /// data for this exchange has become complete since the last call. If there are none left, the exchange is complete,
  /// as after `wait`, which may be called instead at any time. The result is valid until the next call.
  ///     for (auto from = exchange.wait_some(); !from.empty(); from = exchange.wait_some()) …
  /// If a transport cannot tell its messages apart, all their ranks are returned together when a stage is complete.
  std::span<const int> wait_some();

  /// Returns when the exchange is complete, at the latest once every peer has called `start`, whatever the peers do
  /// next.
  /// @throws error(timeout) after WHERRY_TIMEOUT seconds, which names the ranks that have not arrived. The exchange is
  ///   then still in flight: wait again, or `abandon` it. error(lost) if a peer has died; error(state) without `start`,
  ///   or if a field was freed
  void wait();
  /// Waits as `wait()` does, but delivers into other fields than those that were sent. With `snapshot` only. @throws
  /// also error(state) without `snapshot`
  void wait(std::span<void* const> fields);

  /// Calls `start` and `wait`.
  void operator()() {
    start();
    wait();
  }

  const wherry::plans::schedule& schedule() const;
  const communicator& comm() const;
  /// The transports in use, e.g. "shared" or "two_sided + shared". The slower one comes first.
  std::string transport() const;
  /// A text with the schedule as a table, the transport of each message and the reason for it, and the reasons against
  /// the other transports.
  std::string explain() const;
  exchange_statistics statistics() const;

  struct state;

 private:
  state& live() const;
  void begin(bool in_parts);

  std::unique_ptr<state> state_;
};

}  // namespace wherry
