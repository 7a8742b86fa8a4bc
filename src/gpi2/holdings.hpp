// What the exchanges of a communicator have of GASPI's segments. An exchange is destroyed by each rank in its own time,
// and peers may write to what it had until they are through with theirs; so that waits here until the next bind, or the
// communicator's end, finds that all ranks are.
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

/// What one exchange has.
struct holding {
  struct part {
    part(const caller& who, std::size_t bytes, std::size_t sends, std::size_t receives)
        : places(who, bytes, sends, receives) {}
    stage_places places;
    std::uint64_t starts = 0;
  };
  std::deque<part> stages;
  std::vector<std::pair<posting_queue*, std::uint64_t>> last_requests;  // with their tickets
  std::atomic<bool> is_unused{false};                                   // by this rank's exchange
};

class holdings {
 public:
  /// Those of a communicator, made when first asked for, which all ranks do together.
  static std::shared_ptr<holdings> of(const communicator& comm);

  void add(std::shared_ptr<holding> one) { list_.push_back(std::move(one)); }
  /// Collective: gives back what no rank uses any more. Where that is not enough for some rank, and GASPI still has to
  /// end what no exchange uses, that is waited for, for a second at most.
  /// @param has_room whether this rank now has what its next exchange needs
  void make_room(const communicator& comm, const std::function<bool()>& has_room);

 private:
  struct outcome {
    bool had_room = false, has_time = false;  // all ranks
    bool freed = false;                       // whether anything was
    bool awaits = false;                      // whether GASPI has yet to end something that no exchange uses any more
  };
  outcome free_settled(const communicator& comm, bool has_room, bool has_time);
  void settle_at_end(const communicator& ending);
  std::vector<std::shared_ptr<holding>> list_;  // of the same exchanges in the same order on all ranks
};

}  // namespace wherry::gpi2
