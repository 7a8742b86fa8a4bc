/// @file
/// A bound exchange: a schedule that a transport carries, any number of times. Every pattern ends here.
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

/// How to carry a schedule: a member `.carry` of every pattern's options. The same on all ranks.
struct carry_options {
  /// A name of the table, or "auto": what the table expects to take least, for ranks of the same node and for others.
  /// `WHERRY_TRANSPORT` overrides it.
  std::string transport = "auto";
  /// After `start` returns the fields may be written again at once: all that leaves has been copied out, and
  /// nothing arrives before `wait`. Costs a copy. For schedules of one stage.
  bool snapshot = false;
  /// The progress thread carries it on while the user computes; `WHERRY_PROGRESS_THREAD=1` for all. Needs
  /// MPI_THREAD_MULTIPLE, and a core of its own to be of use: KeLP's proxy. Not with `snapshot`, which is then carried
  /// as usual.
  bool progress_thread = false;
  /// False: memory for messages is allocated by `start` and given back by `wait`, as KeLP's mover does (paper 4,
  /// section 2). `auto` takes what can (see the table) then, two_sided; what is asked for by name and cannot keeps it.
  bool keep_buffers = true;
  /// Larger messages are cut into packets of at most so many bytes, one after the other, so that memory for messages is
  /// bounded (by the packet, or the least that is not cut, for each rank that data goes to or comes from): sections of
  /// fields and arrays are cut into layers, index lists anywhere, what else there is (raw buffers, MPI datatypes, your
  /// own functions) not. 0: no packets. `auto` is then `two_sided`, and `wait` depends on the others' waiting.
  std::int64_t packet_bytes = 0;
  /// Packs, unpacks and copies what is long, from 128 KiB on: `openmp_team()`, or `thread_team::of_its_own(4)`. Its
  /// threads call neither MPI nor functions of the user's. Ranks may have different ones.
  thread_team team{};
  /// What you call it, e.g. "pressure": errors, `explain()`, statistics and traces tell it by that from others of its
  /// kind. Ranks may call it differently.
  std::string name{};
};

/// Owns a schedule and what carries it. Movable. One start at a time; different exchanges may be in flight together,
/// also from different threads when MPI was started with MPI_THREAD_MULTIPLE.
class exchange {
 public:
  /// Collective over `comm`, in the same order on all ranks. Compares every message's bytes with its other side.
  /// @throws error on all ranks alike: argument (bad schedule, unknown transport, device memory that the transport
  ///         cannot reach), mismatch (a message that its two sides see differently, naming both ranks and figures).
  exchange(const communicator& comm, wherry::schedule plan, functions code = {}, const carry_options& options = {});
  /// The same for a schedule that several exchanges share.
  exchange(const communicator& comm, std::shared_ptr<const wherry::schedule> plan, functions code = {},
           const carry_options& options = {});
  exchange(exchange&&) noexcept;
  exchange& operator=(exchange&&) noexcept;
  /// Waits for an exchange in flight, unless an exception is under way, a wait or test for it has thrown, or parts of
  /// this rank's are not ready (no thread may say so any more). What is in flight then is abandoned.
  ~exchange();

  /// Gives up an exchange in flight: when it returns the fields are the user's again, with some halo cells filled and
  /// others not. The peers' exchanges end as if this rank had waited; late messages go nowhere. Afterwards, as after a
  /// move, every call but assignment throws error(state); others, and one bound anew, work. With `datatype`, whose
  /// messages leave straight from the fields, it may have to wait for a peer's start (see docs/halo.md).
  void abandon() noexcept;

  /// Sets the table of field pointers, one a field of the schedule, for this and the following starts. Costs nothing.
  void set_fields(std::span<void* const> fields);

  /// Begins. Does not block and needs all ranks eventually, not now. Fields must not be written where they are sent
  /// from, nor read where they are received to, until `wait` returns or `test` is true.
  /// @throws error(state) when already started, error(argument) for a null field.
  void start();
  void start(std::span<void* const> fields);

  /// Divides what leaves into parts that become ready one after the other, as in MPI's partitioned communication
  /// (MPI-4, section 4.2): codes whose threads each compute a part of a field send what is done while the rest is
  /// computed. Local: ranks may have different parts, or 0 of them. Not with `snapshot`.
  /// @param parts_of appends the numbers, from 0 to `parts` - 1, of those that a row of the schedule needs, of any
  ///        stage; called here only. A row that needs none is always ready.
  void divide(int parts, const std::function<void(const block_row& row, std::vector<int>& parts)>& parts_of);
  /// As `start`; but what leaves may be written until its parts are ready. Whatever is sent in one message leaves with
  /// the last of them, and so do copies to oneself; all transports can, `shared`, `two_sided` and `persistent` message
  /// by message.
  /// @throws error(state) where nothing has been divided
  void start_in_parts();
  void start_in_parts(std::span<void* const> fields);
  /// This part of what leaves will not be written any more until the exchange is complete. Any thread may say so, each
  /// part once a start; all others may be in this call or in `wait` meanwhile. Sends what is complete by that; but only
  /// where the ranks share memory, or by the main thread, or with MPI_THREAD_MULTIPLE: else who waits or tests sends.
  /// Takes no lock, and does not block. What is in device memory leaves with the last part; in a scope of `in_stream` a
  /// part is ready when what is in that stream by then is done.
  /// @throws error(argument) for no such part, error(state) for one that is ready already, or without `start_in_parts`
  void ready(int part);

  /// Makes progress; true when the exchange is complete.
  bool test();

  /// Waits until something more has arrived, for those who work on it at once: the ranks all of whose data for this
  /// exchange has come since the last call, not this one itself. Empty: all had, and now the exchange is complete, as
  /// after `wait`, which may be called instead at any time. Valid until the next call.
  ///     for (auto from = exchange.wait_some(); !from.empty(); from = exchange.wait_some()) …
  /// Where a transport cannot tell, they come together when a stage is complete.
  std::span<const int> wait_some();

  /// Returns when complete: at the latest once every peer has called `start`, whatever it does next.
  /// @throws error(timeout) after WHERRY_TIMEOUT seconds, naming the ranks that have not arrived. The exchange is still
  ///         in flight: wait again, or `abandon` it.
  void wait();
  /// The same, delivering into other fields than those sent from; with `snapshot` only.
  void wait(std::span<void* const> fields);

  /// `start` and `wait`.
  void operator()() {
    start();
    wait();
  }

  const wherry::schedule& schedule() const;
  const communicator& comm() const;
  /// The transports in use, e.g. "shared" or "two_sided + shared": what is slower first.
  std::string transport() const;
  /// The schedule's table, which transport carries what and why, and why the others do not.
  std::string explain() const;
  exchange_statistics statistics() const;

  struct state;

 private:
  state& live() const;
  void begin(bool in_parts);

  std::unique_ptr<state> state_;
};

}  // namespace wherry
