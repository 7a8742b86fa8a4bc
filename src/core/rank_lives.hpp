// Which ranks of a communicator are known to have died. Of this rank's node the operating system knows; of others what
// the ranks of their nodes have told (pings.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace wherry {

class communicator;

/// A process, so that another one that gets its number later is not taken for it.
struct process_identity {
  std::int64_t number = 0;
  std::uint64_t start = 0;       // since the machine began; 0: not known
  std::uint64_t name_space = 0;  // in which the number is one; 0: not known

  static const process_identity& own();
};

/// Watches one process by a descriptor of the system's, or where it gives none by asking for its number.
class watched_process {
 public:
  explicit watched_process(const process_identity& who);
  ~watched_process();
  watched_process(const watched_process&) = delete;
  watched_process& operator=(const watched_process&) = delete;

  /// True once it has ended, even if nobody has asked for its status yet. Once true, always.
  bool has_ended();
  /// Ends it, as SIGKILL does. False: the system does not let us.
  bool end();

 private:
  process_identity who_;
  int descriptor_ = -1;
  bool ended_ = false, can_be_seen_ = true;
};

/// Of one communicator. Thread safe.
class rank_lives {
 public:
  /// @param ranks of the node, with their processes
  void know(const std::vector<int>& ranks, const std::vector<process_identity>& processes, int self);

  /// A rank of this node, as the system says; of another one, as somebody there has told.
  bool has_died(int rank);
  /// Of another node: somebody there has told.
  void hear_of_death(int rank);
  /// It has died, or was taken for dead.
  bool is_corrupt(int rank);
  /// From now on, on this rank; those who wait for anybody do not tell it any more.
  void take_for_dead(int rank);
  bool was_taken_for_dead(int rank);
  /// Ranks that have died and that nobody has taken for dead.
  std::vector<int> newly_dead();
  /// Ranks of this node that have died since this was last asked: other nodes shall hear of it.
  std::vector<int> deaths_to_tell();
  /// A rank has died, and somebody knows: nobody shall wait for all any more.
  bool survives_a_death();
  /// Ends a rank of this node. False: it is not of this node, or the system does not let us.
  bool end(int rank);
  bool is_near(int rank);
  /// A corrupt rank of another node, which MPI had better not be asked to write to: it may never come back. Costs
  /// little as long as nobody has died.
  bool is_lost_afar(int rank) {
    return knows_some_.load(std::memory_order_relaxed) && !is_near(rank) && is_corrupt(rank);
  }

 private:
  // With the guard held:
  watched_process* process_of(int rank);  // null: of another node, or not to be seen
  bool is_known_to_have_died(int rank);

  std::atomic<bool> knows_some_{false};
  std::mutex guard_;
  std::map<int, process_identity> near_;
  std::map<int, std::unique_ptr<watched_process>> watched_;  // made when first asked for
  std::set<int> taken_for_dead_, heard_of_, told_;
};

/// Before MPI is asked to write to a rank, or to read from it.
/// @param called who asks, for the error
/// @throws error(lost) for one on another node that has died, or was taken for dead
void require_alive(const communicator& comm, const std::string& called, int rank);

}  // namespace wherry
