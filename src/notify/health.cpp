#include "wherry/notify/health.hpp"

#include <string_view>
#include <vector>

#include "wherry/core/error.hpp"

#include "core/patience.hpp"
#include "core/pings.hpp"
#include "core/rank_lives.hpp"

namespace wherry {
namespace {

constexpr const char* in_health = "health";
const std::vector<int> nobody;

void check_rank(const communicator& comm, int rank) {
  detail::require_mpi(in_health, comm.rank());
  if (rank < 0 || rank >= comm.size())
    throw error(error_kind::argument, in_health,
                detail::text("'rank' is ", rank, ", expected a rank from 0 to ", comm.size() - 1), comm.rank());
}

void check_other(const communicator& comm, int rank) {
  check_rank(comm, rank);
  if (rank == comm.rank())
    throw error(error_kind::argument, in_health, "'rank' is this rank itself, expected another one", comm.rank(),
                {rank});
}

/// Waits until `is_true` returns true, which depends on `rank`. False if it does not within `seconds`.
template <class True>
bool await(const communicator& comm, int rank, std::string_view what, double seconds, True&& is_true) {
  patience patient(comm, in_health, what);
  patient.needs(nobody);
  return patient.poll_for(seconds, is_true, [rank](std::vector<int>& missing) { missing.push_back(rank); });
}

bool is_answered(const communicator& comm, int rank, pings::question what, double seconds) {
  try {
    pings::ask(comm, rank, what);
  } catch (const error& problem) {  // a rank that MPI refuses to send to is taken for dead
    if (problem.kind() != error_kind::mpi) throw;
    comm.lives().take_for_dead(rank);
    return false;
  }
  bool has_answered = false;
  await(comm, rank, "an answer", seconds, [&] {
    pings::answer(comm);
    has_answered = pings::was_answered(comm, rank, what);
    return has_answered || comm.lives().has_died(rank);  // another rank may have reported its death
  });
  return has_answered;
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
  require_seconds(seconds, in_health, comm.rank());
  if (rank == comm.rank()) return true;
  auto& lives = comm.lives();
  if (lives.is_corrupt(rank)) return false;
  return lives.is_near(rank) || is_answered(comm, rank, pings::question::alive, seconds);
}

bool end_rank(const communicator& comm, int rank, double seconds) {
  check_other(comm, rank);
  require_seconds(seconds, in_health, comm.rank());
  auto& lives = comm.lives();
  lives.take_for_dead(rank);
  if (lives.has_died(rank)) return true;
  if (!lives.is_near(rank)) {
    if (is_answered(comm, rank, pings::question::end, seconds)) lives.hear_of_death(rank);
    return lives.has_died(rank);
  }
  return lives.end(rank) && await(comm, rank, "the end of a rank", seconds, [&] { return lives.has_died(rank); });
}

}  // namespace wherry
