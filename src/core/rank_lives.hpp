// Knows which ranks of a communicator have died. The operating system tells of this rank's node; ranks of other nodes
// tell of theirs (pings.hpp).
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

/// Identifies a process, so that a later process with the same number is not taken for it.
struct process_identity {
  std::int64_t number = 0;
  std::uint64_t start = 0;       // start time since the machine began; 0: not known
  std::uint64_t name_space = 0;  // name space of the number; 0: not known

  static const process_identity& own();
};

/// Watches one process through a descriptor of the system's. If the system gives none, it looks for the process's
/// number.
class watched_process {
 public:
  explicit watched_process(const process_identity& who);
  ~watched_process();
  watched_process(const watched_process&) = delete;
  watched_process& operator=(const watched_process&) = delete;

  /// True once the process has ended, even if its status was not collected yet. It stays true.
  bool has_ended();
  /// Ends the process as SIGKILL does. False if the system does not allow it.
  bool end();

 private:
  process_identity who_;
  int descriptor_ = -1;
  bool ended_ = false, can_be_seen_ = true;
};

/// The lives of the ranks of one communicator. Thread safe.
class rank_lives {
 public:
  /// @param ranks the ranks of the node, whose processes follow
  void know(const std::vector<int>& ranks, const std::vector<process_identity>& processes, int self);

  /// True if a rank has died: for this node by the system, for another node by the report of one of its ranks.
  bool has_died(int rank);
  /// Notes the report that a rank of another node has died.
  void hear_of_death(int rank);
  /// True if the rank has died or was taken for dead.
  bool is_corrupt(int rank);
  /// From now on this rank takes `rank` for dead. Waits for any rank do not report its death any more.
  void take_for_dead(int rank);
  bool was_taken_for_dead(int rank);
  /// Ranks that have died and were not taken for dead.
  std::vector<int> newly_dead();
  /// Ranks of this node that have died since the last call, so that other nodes can be told.
  std::vector<int> deaths_to_tell();
  /// True if a rank is known to have died: nothing may wait for all ranks any more.
  bool survives_a_death();
  /// Ends a rank of this node. False if it is on another node, or if the system does not allow it.
  bool end(int rank);
  bool is_near(int rank);
  /// True for a dead rank of another node: a call of MPI that writes to it may never return. Costs little until a rank
  /// has died.
  bool is_lost_afar(int rank) {
    return knows_some_.load(std::memory_order_relaxed) && !is_near(rank) && is_corrupt(rank);
  }

 private:
  // With `guard_` held:
  watched_process* process_of(int rank);  // null: the rank is on another node, or cannot be seen
  bool is_known_to_have_died(int rank);

  std::atomic<bool> knows_some_{false};
  std::mutex guard_;
  std::map<int, process_identity> near_;
  std::map<int, std::unique_ptr<watched_process>> watched_;  // each is made when it is first needed
  std::set<int> taken_for_dead_, heard_of_, told_;
};

/// To be called before MPI is asked to write to a rank or to read from it.
/// @param called the caller, for the error
/// @throws error(lost) if the rank is on another node and has died or was taken for dead
void require_alive(const communicator& comm, const std::string& called, int rank);

}  // namespace wherry
