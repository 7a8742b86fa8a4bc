#include "wherry/notify/health.hpp"

#include <algorithm>
#include <string_view>

#include "wherry/core/error.hpp"

#include "core/patience.hpp"
#include "core/pings.hpp"
#include "core/rank_lives.hpp"

namespace wherry {
namespace {

constexpr const char* where = "health";
const std::vector<int> nobody;

void check_rank(const communicator& comm, int rank) {
  if (rank < 0 || rank >= comm.size())
    throw error(error_kind::argument, where, text("'rank' is ", rank, ", of a communicator of ", comm.size()),
                comm.rank());
}

void check_other(const communicator& comm, int rank) {
  check_rank(comm, rank);
  if (rank == comm.rank()) throw error(error_kind::argument, where, "'rank' is this rank itself", comm.rank(), {rank});
}

/// False: it does not come true within `seconds`.
template <class True> bool await(const communicator& comm, std::string_view what, double seconds, True&& is_true) {
  patience patient(comm, where, what);
  patient.within(std::max(seconds, 0.0)).needs(nobody);
  while (!is_true())
    if (patient.pause_in_vain()) return is_true();
  return true;
}

/// A rank that MPI refuses to write to does not live, for all that we know.
bool is_answered(const communicator& comm, int rank, pings::question what, double seconds) {
  try {
    const auto number = pings::ask(comm, rank, what);
    return await(comm, "an answer", seconds, [&] {
      pings::answer(comm);
      return pings::was_answered(comm, rank, number);
    });
  } catch (const error& problem) {
    if (problem.kind() != error_kind::mpi) throw;
    return false;
  }
}

}  // namespace

rank_health health(const communicator& comm, int rank) {
  check_rank(comm, rank);
  return comm.lives().is_corrupt(rank) ? rank_health::corrupt : rank_health::healthy;
}

std::vector<rank_health> health(const communicator& comm) {
  std::vector<rank_health> all;
  for (int rank = 0; rank < comm.size(); ++rank) all.push_back(health(comm, rank));
  return all;
}

void take_for_dead(const communicator& comm, int rank) {
  check_other(comm, rank);
  comm.lives().take_for_dead(rank);
}

bool ping(const communicator& comm, int rank, double seconds) {
  check_rank(comm, rank);
  if (rank == comm.rank()) return true;
  auto& lives = comm.lives();
  if (lives.was_taken_for_dead(rank)) return false;
  const bool is_alive =
      lives.is_near(rank) ? !lives.has_died(rank) : is_answered(comm, rank, pings::question::alive, seconds);
  if (!is_alive) lives.take_for_dead(rank);
  return is_alive;
}

bool end_rank(const communicator& comm, int rank, double seconds) {
  check_other(comm, rank);
  auto& lives = comm.lives();
  lives.take_for_dead(rank);
  if (!lives.is_near(rank)) return is_answered(comm, rank, pings::question::end, seconds);
  return lives.end(rank) && await(comm, "the end of a rank", seconds, [&] { return lives.has_died(rank); });
}

}  // namespace wherry
