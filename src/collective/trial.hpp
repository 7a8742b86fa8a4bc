// Finds the best of several implementations from the calls that a program makes anyway: it assigns turns, and judges
// the times. Pure data: no MPI, no clock. Turns depend only on the number of the call, so that all ranks take the same
// ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry::collective {

class trial {
 public:
  /// @param candidates places in the table of implementations; the first is MPI's own
  explicit trial(std::vector<int> candidates);

  bool is_decided() const { return step_ == step::decided; }
  /// True if all turns of this step have been taken, so that the ranks must agree on times.
  bool is_due() const { return !is_decided() && next_ == turns_.size(); }

  /// The candidate that runs the next call.
  int candidate() const { return racers_[turns_[next_]].implementation; }
  /// Records that the call begins. A call that does not end counts as infinitely slow.
  void begin_turn() { ++next_; }
  /// Records the time of the call on this rank, in microseconds.
  void end_turn(double us);

  /// The times of this rank's calls, one for each turn of this step.
  const std::vector<double>& times() const { return times_; }
  /// Ends the step.
  /// @param slowest the same times, each that of the slowest rank
  void agree(const std::vector<double>& slowest);

  /// The result, once it is decided.
  int winner() const { return winner_; }
  double us_of_winner() const { return us_of_winner_; }
  double us_of_mpi() const { return us_of_mpi_; }

 private:
  enum class step : std::uint8_t {
    look,   ///< a few calls of each
    race,   ///< those that may still win
    again,  ///< the best one beside MPI's own, to exclude luck
    decided
  };
  struct racer {
    int implementation;
    std::vector<double> us;
  };
  void set_out(step next, int rounds);
  void drop_hopeless();
  const racer* best() const;
  void decide(const racer& winner);

  step step_ = step::look;
  std::vector<racer> racers_;  // the first is MPI's own
  std::vector<std::size_t> turns_;
  std::vector<double> times_;
  std::size_t next_ = 0;
  std::uint32_t random_ = 1;  // the state of a random number generator, for the order of turns
  int winner_ = 0;
  double us_of_winner_ = 0, us_of_mpi_ = 0;
};

}  // namespace wherry::collective
