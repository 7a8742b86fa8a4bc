// Hands a flight whose owner ends first to the graveyard (companions.hpp), which drives it to its end.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "companions.hpp"

namespace wherry {

/// Gives up a flight, so that the graveyard drives it to its end. In a child of fork(), the flight belongs to the
/// parent and is only forgotten. `Flight::let_go()` makes the flight independent of its owner's memory and code, and
/// returns true if the flight is complete.
template <class Flight> void abandon_flight(std::unique_ptr<Flight> left) noexcept {
  if (detail::is_forked_child()) return static_cast<void>(left.release());
  if (!left) return;
  if (!detail::mpi_has_ended() && !left->let_go()) return companions::adopt(std::move(left));
  left->drive_alone();
}

/// True if a destructor may wait for a flight. It must not wait while an exception unwinds, because other ranks may be
/// waiting to learn of that failure.
inline bool destructor_may_wait() { return std::uncaught_exceptions() == 0 && !detail::mpi_has_ended(); }

/// Owns a flight that its owner drives. If the owner goes before the flight is complete, the graveyard takes it over.
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
