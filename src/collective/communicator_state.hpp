// The state of collectives that is kept with a communicator.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

#include "call_sequence.hpp"
#include "call_trace.hpp"
#include "choices.hpp"
#include "core/node_map.hpp"
#include "mailboxes.hpp"
#include "neighborhood.hpp"
#include "node_board.hpp"
#include "persistent_channels.hpp"
#include "scratch.hpp"
#include "usage.hpp"

namespace wherry::collective {

struct carrier_room;

/// Memory that algorithms by messages keep between calls. It is locked because one thread may begin a call while
/// another, which waits for something else, ends one.
class carrier_rooms {
 public:
  carrier_rooms();
  ~carrier_rooms();
  std::unique_ptr<carrier_room> take(scratch_pool& pool);
  void give_back(std::unique_ptr<carrier_room> room) noexcept;

 private:
  brief_lock guard_;
  std::vector<std::unique_ptr<carrier_room>> free_;
};

/// The ways to write to mailboxes.
enum class putting : std::uint8_t { by_windows, by_notified_writes, by_coarrays };

struct kept_mailboxes {
  std::unique_ptr<mailboxes> boxes;  ///< null until they are needed
  /// Why there are none, on all ranks alike: known from the beginning, or after a failed attempt.
  std::string_view obstacle;
};

struct communicator_state {
  /// The state of a communicator. Collective over `users` the first time, local afterwards.
  static communicator_state& of(MPI_Comm users) {
    wherry::detail::require_mpi("collective");
    auto* const known = last_asked.of(users);
    return known != nullptr ? *known : find_or_make(users);
  }

  explicit communicator_state(const communicator& on);
  communicator_state(const communicator_state&) = delete;
  communicator_state& operator=(const communicator_state&) = delete;
  ~communicator_state();

  /// Ends the state when its communicator is freed, on all ranks, which have begun the same calls. Waits until these
  /// have ended. If they do not end, for example because a rank does not come, the state stays for good, because the
  /// calls refer to it.
  static void end(std::unique_ptr<communicator_state> ending) noexcept;

  communicator comm;
  call_sequence sequence;
  node_map nodes;
  bool one_node = false;  ///< all ranks share memory
  /// The board of this rank's node; null, on all ranks alike, if some node has no memory for its board.
  std::unique_ptr<node_board> board;
  std::int64_t least_slot = 0;  ///< the smallest slot of all nodes' boards, in bytes
  /// Null if the communicator has no topology.
  std::unique_ptr<neighborhood> around;
  choices chosen;
  bool checked = false;  ///< WHERRY_CHECK
  /// True if some rank has WHERRY_TIMEOUT: all ranks then begin MPI's own collectives and wait for them as for ours.
  bool mpi_in_time = false;
  scratch_pool pool;
  carrier_rooms rooms;
  std::array<kept_mailboxes, 3> mail;  ///< by `putting`
  /// The calls that have begun and have neither ended nor been given up, on this rank. A thread that reads 0 sees
  /// everything that they have done.
  std::atomic<int> calls_under_way{0};
  call_counts counts;                 ///< of all calls
  std::shared_ptr<call_trace> trace;  ///< null if WHERRY_TRACE was off when this was made
  bool measured = false;              ///< waits are measured, for WHERRY_STATS or WHERRY_TRACE
  /// Requests of calls that were given up, in flight in the private duplicate, which must not be freed before they are
  /// complete. They last for good.
  std::vector<MPI_Request*> left_to_mpi;
  std::string given_up;  ///< the call that was given up, after which ranks no longer agree on the next call
  /// The tag of all messages of its calls, which come one after the other; -1: each call gets its own.
  int own_tag = -1;
  /// Gives up this call, because of the exception that is being handled, and with it all later calls.
  void give_up(kind what, std::uint64_t number) noexcept;
  persistent_channels persistent;  ///< the channels of persistent calls

 private:
  /// A thread mostly asks for the same communicator again. The answer is valid until a communicator is freed, because
  /// its handle may then be reused.
  struct asked {
    MPI_Comm comm;
    std::uint64_t freed;
    communicator_state* state;
    communicator_state* of(MPI_Comm users) const {
      if (wherry::detail::ranks_share_a_process) return nullptr;
      return comm == users && freed == freed_so_far.load(std::memory_order_acquire) ? state : nullptr;
    }
  };
  static constinit thread_local asked last_asked;
  static std::atomic<std::uint64_t> freed_so_far;
  static communicator_state& find_or_make(MPI_Comm users);

  bool has_calls_under_way() const {
    return calls_under_way.load(std::memory_order_acquire) != 0 || persistent.any_under_way();
  }
  /// Waits for the calls; false if they have not ended, and the wait must end.
  bool sees_its_calls_end();
  /// Makes the board. Collective. There is none, on all ranks alike, if some node lacks shared memory.
  void make_board();
};

/// Begins a call of MPI's own.
/// @throws error if another rank has refused an earlier call, or given it up
inline void begin_of_mpi(kind what, communicator_state& on) {
  try {
    on.sequence.begin_of_mpi();
  } catch (...) {
    on.give_up(what, on.sequence.number());
    throw;
  }
}

/// Runs a check that may find that this rank cannot make its next call; then the other ranks are told.
template <class Check> void refusing(communicator_state& on, Check&& check) {
  try {
    std::forward<Check>(check)();
  } catch (const error& why) {
    on.sequence.refuse(why);
    throw;
  }
}

}  // namespace wherry::collective
