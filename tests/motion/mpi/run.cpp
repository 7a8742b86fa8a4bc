#include "motion/mpi/run.hpp"

namespace wherry_test {

carriers::carriers(const context& test) : comms_(test.comm) {
  for (const MPI_Comm comm : comms_.list()) choices_.push_back({comm, usable_transports(comm)});
}

MPI_Comm carriers::choose(motion_case& what, random_case& now) const {
  const auto& chosen = pick(now.random);
  what.transport = chosen.transports[static_cast<std::size_t>(now.number) % chosen.transports.size()];
  return chosen.comm;
}

motion_under_way::motion_under_way(const motion_case& what, const live_motion& live, const cell_values& values,
                                   bool others, int round)
    : what_(what), live_(live), others_(others) {
  const auto& source = others ? live.other_source : live.source;
  const auto& destination = others ? live.other_destination : live.destination;
  source.fill(round, values);
  if (!what.endogenous) destination.fill(round, values);
  expected_.emplace_back(destination).apply(what.moves, source.id, round, values);
  if (!what.endogenous) expected_.emplace_back(source);
}

void motion_under_way::start() { live_.start(others_); }

void motion_under_way::finish(random_numbers& random) {
  if (random.chance(30)) {
    while (!live_.mover->test()) {
    }
    return;
  }
  for (int i = random.between(0, 3); i-- > 0;)
    if (live_.mover->test()) return;
  live_.mover->wait();
}

bool motion_under_way::check(const std::string& title) const {
  for (const auto& e : expected_)
    if (const auto wrong = e.difference())
      return FAIL(title + ", " + live_.mover->transport() + ": " + *wrong + "\n    " + what_.text());
  return pass();
}

void move_and_check(const motion_case& what, MPI_Comm comm, random_case& now, const cell_values& values,
                    const std::optional<wherry::reduction>& update) {
  const wherry::communicator ours(comm);
  log(now.title + ", " + what.transport + ": " + what.text());
  const auto live = bind(what, ours, update);
  for (int round = 1; round <= 3; ++round) {
    motion_under_way motion(what, live, values, round == 2, round);
    motion.start();
    motion.finish(now.random);
    motion.check(now.title + ", round " + std::to_string(round));
  }
}

}  // namespace wherry_test
