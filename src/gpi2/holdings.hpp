// The parts of GASPI's segments that the exchanges of a communicator hold. Each rank destroys an exchange in its own
// time, and peers may write to that rank's part until their own exchange is complete. So the part waits here until the
// next bind, or the communicator's end, finds that no rank uses it any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "stage_places.hpp"

namespace wherry::gpi2 {

/// The parts that one exchange holds.
struct holding {
  struct part {
    part(const caller& who, std::size_t bytes, std::size_t sends, std::size_t receives)
        : places(who, bytes, sends, receives) {}
    stage_places places;
    std::uint64_t starts = 0;
  };
  std::deque<part> stages;
  std::vector<std::pair<posting_queue*, std::uint64_t>> last_requests;  // with their tickets
  std::atomic<bool> is_unused{false};                                   // this rank's exchange is gone
};

class holdings {
 public:
  /// The holdings of a communicator. The first call makes them; all ranks must make it together.
  static std::shared_ptr<holdings> of(const communicator& comm);

  void add(std::shared_ptr<holding> one) { list_.push_back(std::move(one)); }
  /// Collective. Gives back the parts that no rank uses any more. If some rank then still lacks room, and GASPI has yet
  /// to complete requests of exchanges that are gone, waits for these for a second at most.
  /// @param has_room true if this rank now has what its next exchange needs
  void make_room(const communicator& comm, const std::function<bool()>& has_room);

 private:
  struct outcome {
    bool had_room = false, has_time = false;  // of all ranks
    bool freed = false;                       // something was given back
    bool awaits = false;                      // GASPI has yet to complete requests of an exchange that is gone
  };
  outcome free_settled(const communicator& comm, bool has_room, bool has_time);
  void settle_at_end(const communicator& ending);
  std::vector<std::shared_ptr<holding>> list_;  // the same exchanges in the same order on all ranks
};

}  // namespace wherry::gpi2
