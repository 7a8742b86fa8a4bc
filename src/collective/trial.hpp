// Which of several implementations is best, found out by the calls that a program makes anyway: whose turn it is, and
// what the times say. Pure: no MPI, no clock. Turns come by the number of the call alone, so that all ranks take the
// same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry::collective {

class trial {
 public:
  /// Places in the table of implementations; MPI's own is the first.
  explicit trial(std::vector<int> candidates);

  bool is_decided() const { return step_ == step::decided; }
  /// All turns of this step have been taken: ranks agree on times now.
  bool is_due() const { return !is_decided() && next_ == turns_.size(); }

  /// The candidate whose turn the next call is.
  int candidate() const { return racers_[turns_[next_]].implementation; }
  /// That call begins. What does not end has taken for ever.
  void begin_turn() { ++next_; }
  /// It has taken so many microseconds here.
  void end_turn(double us);

  /// One figure a turn of this step: what this rank's calls took.
  const std::vector<double>& times() const { return times_; }
  /// The step ends. @param slowest the same figures, each the slowest rank's
  void agree(const std::vector<double>& slowest);

  /// Once it is decided.
  int winner() const { return winner_; }
  double us_of_winner() const { return us_of_winner_; }
  double us_of_mpi() const { return us_of_mpi_; }

 private:
  enum class step : std::uint8_t {
    look,   ///< a few calls of each, for a first idea
    race,   ///< those that are not hopeless
    again,  ///< the best one beside MPI's own: luck does not come twice
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
  std::uint32_t random_ = 1;  // of the orders of turns
  int winner_ = 0;
  double us_of_winner_ = 0, us_of_mpi_ = 0;
};

}  // namespace wherry::collective
