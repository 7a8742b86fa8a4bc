/// @file
/// Collectives of MPI, by any of several implementations: at once, or in two phases.
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

/// Collective over the call's communicator, and the first time that anything of Wherry's is given it, also to set that
/// up. Does what the MPI counterpart does, by the implementation that is chosen for this kind, size and communicator
/// (see wherry/collective/choice.hpp): MPI's own where nothing else is, or nothing else can.
/// @throws error(argument) before anything is sent, error(timeout) as WHERRY_TIMEOUT says, naming who is missing;
///   after that nothing but MPI's own collectives may be called on this communicator
/// @returns the name of the implementation that did it, for ever valid
std::string_view run(const call& what);

/// The same by the implementation of this name ("mpi", "nonblocking", …; the same on all ranks), whatever is chosen;
/// where it cannot do this call, by MPI's own.
/// @throws also error(argument) for a name that nobody has
std::string_view run(const call& what, std::string_view implementation);

struct begin_options {
  /// The send buffer may be written to as soon as `begin` returns (paper 2, section 4.3: -D_PROTECTED_BUFFER). Costs a
  /// copy. The receive buffer, and the one of a broadcast, are the operation's until it has ended.
  bool protected_buffer = false;
  std::string_view implementation = {};  ///< as that of `run`; none: the one that is chosen
};

/// One that has begun. Several may be in flight; each rank begins them in the same order, and ends them in any. As MPI
/// allows, the call's lists, datatypes, operation and communicator may be freed at once: MPI_Comm_free waits until what
/// is in flight has ended.
/// Proceeds when it is asked, and whenever anything of Wherry's waits; on a core of its own with
/// WHERRY_PROGRESS_THREAD.
class operation {
 public:
  operation();  ///< one that has ended
  operation(operation&&) noexcept;
  operation& operator=(operation&&) noexcept;
  /// What has not ended is abandoned: the other ranks get what this one has sent by then, or a timeout.
  ~operation();

  /// True: it has ended, and the buffers are the caller's again. @throws as `run`
  bool test();
  /// Waits for that.
  void end();
  /// Ends it, if it has not ended, as a wait for it does when WHERRY_TIMEOUT is over. @throws error(timeout)
  void give_up();
  /// The name of the implementation that does it; nothing once it has ended.
  std::string_view implementation() const;

  /// The same, and also once it has ended; "" where none has begun.
  std::string transport() const;
  /// "allreduce by shared: chosen by the defaults; 8 B to others, 8 B from others": by what, who has chosen it, what
  /// falls through to MPI and why; and what this rank gives and gets.
  std::string explain() const;
  /// Of this one alone: nothing until it has ended, as its rank knows from `test` or `end`. What others get of this
  /// rank's, each byte once, and this rank of others', whichever way the implementation carries it.
  exchange_statistics statistics() const;

  class work;

 private:
  /// What it answers, once it has ended, too.
  struct account {
    kind what = kind::barrier;
    int place = -1;  // of the implementation, in the table; none: nothing has begun
    std::string_view source, obstacle, wanted;
    exchange_statistics moved;
  };
  friend operation begin_on(const call& what, communicator_state& on, const selection& chosen, whose_arguments whose,
                            bool protected_buffer);
  operation(std::unique_ptr<work> made, const account& of);
  std::unique_ptr<work> work_;
  account account_;
};

/// Collective, as `run`, in that all ranks begin the same collectives of a communicator in the same order; does not
/// wait for the other ranks.
operation begin(const call& what, const begin_options& options = {});

/// A call that is made again and again with the same arguments. Refers to the caller's buffers, as `call` does; lists,
/// datatypes and the operation may be freed at once.
class persistent {
 public:
  explicit persistent(const call& what, const begin_options& options = {});

  /// As `begin`. @throws error(state) where the last one has not ended
  void start();
  /// True: it has ended, or there is none.
  bool test() { return last_.test(); }
  void wait() { last_.end(); }
  void operator()() {
    start();
    wait();
  }

  /// As of `operation`: of the last one. Before the first one: who would do it; then collective, as `explain` is.
  std::string transport() const;
  std::string explain() const;
  /// Of all that have ended.
  exchange_statistics statistics() const;

 private:
  std::shared_ptr<const void> kept_;  // what the call refers to besides its buffers
  call call_;
  begin_options options_;
  operation last_;
  exchange_statistics before_;  // of those before the last one
};

/// Which implementation `run` takes for such a call, and why. Local, once the communicator is set up; else collective.
std::string explain(const call& what);

}  // namespace wherry::collective
