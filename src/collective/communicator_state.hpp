// What the collectives keep with a communicator.
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
#include "first_calls.hpp"
#include "mailboxes.hpp"
#include "neighborhood.hpp"
#include "node_board.hpp"
#include "node_map.hpp"
#include "persistent_channels.hpp"
#include "scratch.hpp"
#include "usage.hpp"

namespace wherry::collective {

struct carrier_room;

/// What those who carry algorithms by messages keep between calls.
/// One thread may begin a call where another, which waits for something else, ends one.
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

/// How the writes of mailboxes get there.
enum class putting : std::uint8_t { by_windows, by_notified_writes, by_coarrays };

struct kept_mailboxes {
  std::unique_ptr<mailboxes> boxes;  ///< null until they are needed
  std::string_view obstacle;         ///< why there are none, on all ranks alike: known before, or since it was tried
};

struct communicator_state {
  /// Collective over `users` the first time, local afterwards.
  static communicator_state& of(MPI_Comm users) {
    require_mpi("collective");
    auto* const known = last_asked.of(users);
    return known != nullptr ? *known : find_or_make(users);
  }

  explicit communicator_state(const communicator& on);
  communicator_state(const communicator_state&) = delete;
  communicator_state& operator=(const communicator_state&) = delete;
  ~communicator_state();

  /// Its communicator is freed: on all ranks, which have begun the same calls. Waits until those have ended. Where it
  /// cannot, because a rank does not come, say, it stays for good: they refer to it.
  static void end(std::unique_ptr<communicator_state> ending) noexcept;

  communicator comm;
  call_sequence sequence;
  node_map nodes;
  bool one_node = false;  ///< all ranks share memory
  /// Of this rank's node; null, on all ranks alike, where some node has no memory for it.
  std::unique_ptr<node_board> board;
  std::int64_t least_slot = 0;  ///< bytes, of all nodes' boards
  /// Null: it has no topology.
  std::unique_ptr<neighborhood> around;
  choices chosen;
  std::unique_ptr<first_calls> first;  ///< null: they show nothing
  bool checked = false;                ///< WHERRY_CHECK
  /// Some rank has WHERRY_TIMEOUT: MPI's own collectives are begun, and waited for as ours are, on all ranks alike.
  bool mpi_in_time = false;
  scratch_pool pool;
  carrier_rooms rooms;
  std::array<kept_mailboxes, 3> mail;  ///< by `putting`
  /// Begun, not ended, and not given up; on this rank. Whoever sees 0 sees what they have done.
  std::atomic<int> calls_under_way{0};
  call_counts counts;                 ///< of all
  std::shared_ptr<call_trace> trace;  ///< null: WHERRY_TRACE was off when this was made
  bool measured = false;              ///< waits are, for WHERRY_STATS or WHERRY_TRACE
  /// In flight in the private duplicate, which must not go before they are complete: of what was given up. They last
  /// for good.
  std::vector<MPI_Request*> left_to_mpi;
  std::string given_up;  ///< the call that was, after which ranks no longer agree on what comes next
  int own_tag = -1;      ///< of all its calls' messages, which come one after the other; -1: each gets one
  /// That one is given up, for what is being handled just now, and with it all later ones.
  void give_up(kind what, std::uint64_t number) noexcept;
  persistent_channels persistent;  ///< what calls of this communicator's that start again and again have

 private:
  /// A thread asks for the last communicator's again, mostly; until one is freed, whose handle may be another's then.
  struct asked {
    MPI_Comm comm;
    std::uint64_t freed;
    communicator_state* state;
    communicator_state* of(MPI_Comm users) const {
      if (ranks_share_a_process) return nullptr;
      return comm == users && freed == freed_so_far.load(std::memory_order_acquire) ? state : nullptr;
    }
  };
  static constinit thread_local asked last_asked;
  static std::atomic<std::uint64_t> freed_so_far;
  static communicator_state& find_or_make(MPI_Comm users);

  bool has_calls_under_way() const {
    return calls_under_way.load(std::memory_order_acquire) != 0 || persistent.any_under_way();
  }
  /// False: they have not ended, and nobody is to wait any longer.
  bool sees_its_calls_end();
  /// Collective: none, on all ranks alike, where there is not enough shared memory.
  void make_board();
};

/// One of MPI's own begins. @throws error where others have refused an earlier one, or given it up
inline void begin_of_mpi(kind what, communicator_state& on) {
  try {
    on.sequence.begin_of_mpi();
  } catch (...) {
    on.give_up(what, on.sequence.number());
    throw;
  }
}

/// Does what may find out that this rank cannot make its next call; the others hear of it.
template <class Check> void refusing(communicator_state& on, Check&& check) {
  try {
    std::forward<Check>(check)();
  } catch (const error& why) {
    on.sequence.refuse(why);
    throw;
  }
}

}  // namespace wherry::collective
