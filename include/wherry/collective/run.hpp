/// @file
/// Runs collectives with the arguments of MPI, by any of several implementations: blocking, split-phase or persistent.
///
///     const auto what = wherry::collective::call::allreduce(u, sum, 1000, MPI_DOUBLE, MPI_SUM, comm);
///     wherry::collective::run(what);                 // blocking, by the implementation that is chosen
///     wherry::collective::run(what, "ring");         // blocking, by this one
///     auto under_way = wherry::collective::start(what);  // split-phase
///     under_way.wait();
///
/// For C++ values and ranges `typed.hpp` and `typed_start.hpp` need fewer arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "wherry/channel/statistics.hpp"
#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct communicator_state;
struct selection;
enum class whose_arguments : std::uint8_t;

/// Runs the call, with the effect of the MPI function of the same name, by the implementation that is chosen for this
/// kind, size and communicator (see wherry/collective/choice.hpp). MPI's own implementation runs if no other is chosen,
/// or if the chosen one cannot do this call.
///
/// Collective over the call's communicator. The first use of a communicator by Wherry also sets it up.
/// @throws error(argument) before anything is sent; error(mismatch) if the ranks mean different calls; error(timeout)
///   after WHERRY_TIMEOUT seconds, which names the missing ranks where they can be known. After a timeout only MPI's
///   own collectives may be called on this communicator, and after a mismatch none
/// @returns the name of the implementation that ran; the text is never freed
std::string_view run(const call& what);

/// Runs the call by the implementation of this name ("mpi", "nonblocking", …), or by MPI's own if the named one cannot
/// do this call. All ranks give the same name. Collective over the call's communicator.
/// @throws as above, and error(argument) for an unknown name
std::string_view run(const call& what, std::string_view implementation);

/// Options of `start` and `persistent`.
struct start_options {
  /// True: the send buffer may be written to as soon as `start` returns, at the cost of a copy (CRESTA, section 4.3:
  /// -D_PROTECTED_BUFFER). The receive buffer, and the buffer of a broadcast, belong to the call until it has
  /// ended.
  bool protected_buffer = false;
  /// The name of an implementation, as for `run`; empty: the one that is chosen. A `persistent` keeps a copy of it.
  std::string_view implementation = {};
};

/// A split-phase collective that has begun. Several may be in flight on a communicator: all ranks start them in the
/// same order, and end them in any order. The buffers must stay until the call has ended. The call's lists,
/// datatypes, operation and communicator may be freed as soon as `start` returns, as with MPI; MPI_Comm_free waits for
/// the calls in flight.
///
/// It progresses in `test` and `wait`, whenever this rank waits in any other call of Wherry, and on a core of
/// its own with WHERRY_PROGRESS_THREAD.
class running_call {
 public:
  running_call();  ///< a call that has ended
  running_call(running_call&&) noexcept;
  running_call& operator=(running_call&&) noexcept;
  /// Abandons a call that has not ended: the other ranks get the data that this rank has sent by then, or a
  /// timeout.
  ~running_call();

  /// True if the call has ended, and its buffers are the caller's again. Local.
  /// @throws as `run`
  bool test();
  /// Waits until the call has ended.
  /// @throws as `run`
  void wait();
  /// Ends a call that has not ended, as if it had waited for WHERRY_TIMEOUT. Local.
  /// @throws error(timeout)
  void give_up();
  /// The name of the implementation; empty once the call has ended.
  std::string_view implementation() const;

  /// The name of the implementation, also after the end; "" if no call has begun. Everything that carries data has
  /// a function of this name.
  std::string transport() const;
  /// A text such as "allreduce by shared: chosen by the defaults; 8 B to others, 8 B from others": the implementation,
  /// the reason for this choice, the reason if MPI runs in place of it, and the bytes that this rank gives and gets.
  /// Empty if no call has begun.
  std::string explain() const;
  /// The figures of this call alone; they are zero until `test` or `wait` has seen its end. Each byte counts once,
  /// whichever way the implementation carries it: bytes of this rank that other ranks get, and bytes of other ranks
  /// that this rank gets.
  exchange_statistics statistics() const;

  class work;

 private:
  /// The answers of `transport`, `explain` and `statistics` after the end.
  struct account {
    kind what = kind::barrier;
    int place = -1;  // the implementation's row in the table; -1: no call has begun
    std::string_view source, obstacle, wanted;
    exchange_statistics moved;
  };
  friend running_call start_on(const call& what, communicator_state& on, const selection& chosen, whose_arguments whose,
                               bool protected_buffer);
  running_call(std::unique_ptr<work> made, const account& of);
  std::unique_ptr<work> work_;
  account account_;
};

/// Starts the call and does not wait for the other ranks. Collective over the call's communicator, in the sense that
/// all its ranks start the same collectives in the same order.
/// @throws as `run`
running_call start(const call& what, const start_options& options = {});

/// A persistent collective: a call that is started again and again with the same arguments. The buffers must stay as
/// long as this object; lists, datatypes and the operation may be freed as soon as it is made.
class persistent {
 public:
  /// Keeps the arguments. Local; nothing is sent.
  explicit persistent(const call& what, const start_options& options = {});

  /// Starts the call, as `start` does. Collective over the call's communicator.
  /// @throws as `start`, and error(state) if the last start has not ended
  void start();
  /// True if the last start has ended, or if there was none. Local.
  /// @throws as `run`
  bool test() { return last_.test(); }
  /// Waits until the last start has ended.
  /// @throws as `run`
  void wait() { last_.wait(); }
  /// Starts the call and waits for its end.
  void operator()() {
    start();
    wait();
  }

  /// The name of the implementation of the last start. Before the first start, it is the name of the implementation
  /// that `start` would use, and the call is collective if the communicator has not been set up yet.
  std::string transport() const;
  /// A text about the last start, as from a `running_call`; before the first start about the choice that it would make.
  std::string explain() const;
  /// The sum of the figures of all starts that have ended.
  exchange_statistics statistics() const;

 private:
  std::shared_ptr<const void> kept_;  // copies of the arguments besides the buffers
  call call_;
  start_options options_;
  std::string implementation_;  // the caller's text, which may go
  running_call last_;
  exchange_statistics before_;  // of all starts before the last one
};

/// A text that says which implementation `run` would use for this call, and why. Local once the communicator has been
/// set up, else collective over it.
/// @throws error(argument) for arguments that `run` would refuse
std::string explain(const call& what);

}  // namespace wherry::collective
