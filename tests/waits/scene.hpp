// A table of waits, and what they stand on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

namespace waits {

/// What a wait stands on: a communicator of its own, and all that has been made for it, which goes when all ranks have
/// come back.
class scene {
 public:
  scene(const wherry_test::context& where, int late_one, int ranks_a_node);
  ~scene();
  scene(const scene&) = delete;
  scene& operator=(const scene&) = delete;

  int rank() const { return test.rank; }
  int size() const { return test.size; }
  int next() const { return (rank() + 1) % size(); }
  int before() const { return (rank() + size() - 1) % size(); }
  bool is_late() const { return rank() == late; }
  template <class T, class... Arguments> T& keep(Arguments&&... arguments) {
    auto made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    kept_.push_back(made);
    return *made;
  }
  /// Its name; it goes with the scene.
  std::string file(const std::string& name);

  const wherry_test::context& test;
  int late;
  MPI_Comm users = MPI_COMM_NULL;
  std::unique_ptr<wherry::communicator> comm;

 private:
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<std::string> files_;
};

/// What is done by the ranks that do come, or by rank 0 alone.
struct attempt {
  std::function<void()> wait;  ///< ends by WHERRY_TIMEOUT. Null: it only has limits of its own
  /// The same for so many seconds: false, nothing has come. Null: it has no limit of its own.
  std::function<bool(double)> within = nullptr;
  bool by_rank_0_alone = false;
  /// Not null: with WHERRY_STATS this has counted the seconds of the wait in vain.
  std::function<double()> seconds_waiting = nullptr;
  /// On all ranks, when all have come back.
  std::function<void()> afterwards = nullptr;
};

enum class late_rank { first, last };
enum class names { the_late_rank, nobody };

struct waiting {
  std::string name;
  std::function<attempt(scene&)> prepare;  ///< on all ranks
  late_rank who = late_rank::last;
  names named = names::the_late_rank;
  bool measured = false;   ///< WHERRY_STATS is set
  bool by_window = false;  ///< tells a rank of another node through MPI's window
};

// A file each.
void add_exchanges(std::vector<waiting>& list, const std::vector<std::string>& transports);
void add_agreements(std::vector<waiting>& list);
void add_segments(std::vector<waiting>& list);
void add_streams(std::vector<waiting>& list);

}  // namespace waits
