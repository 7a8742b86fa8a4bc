// What becomes of a flight whose owner ends before it does.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "companions.hpp"

namespace wherry {

/// Gives up a flight: the graveyard drives it to its end. A child of fork() forgets what belongs to its parent.
/// `Flight::let_go()` makes it need nothing of its owner's any more; it returns true when it is at its end.
template <class Flight> void abandon_flight(std::unique_ptr<Flight> left) noexcept {
  if (is_forked_child()) return static_cast<void>(left.release());
  if (!left) return;
  if (!mpi_has_ended() && !left->let_go()) return companions::adopt(std::move(left));
  left->drive_alone();
}

/// May a destructor wait for a flight? Not while an exception is under way, which others wait to hear of.
inline bool destructor_may_wait() { return std::uncaught_exceptions() == 0 && !mpi_has_ended(); }

/// Owns a flight that its owner drives, and the graveyard when the owner is gone before its end.
template <class Flight> class abandonable {
 public:
  explicit abandonable(std::unique_ptr<Flight> work) : work_(std::move(work)) {}
  abandonable(abandonable&&) noexcept = default;
  abandonable& operator=(abandonable&&) = delete;
  ~abandonable() { abandon_flight(std::move(work_)); }
  Flight* operator->() const { return work_.get(); }

 private:
  std::unique_ptr<Flight> work_;
};

}  // namespace wherry
