// One rank ends itself by SIGKILL in the middle of traffic. The others report it by name within seconds, and go on
// without it, in whatever they wait. Launched so that the job survives; ends by _exit, since MPI_Finalize may wait for
// the dead.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

namespace {

constexpr int victim = 1;

[[noreturn]] void end(int status) {
  std::fflush(nullptr);
  _exit(status);
}

void require(bool what, int rank, const char* words) {
  if (what) return;
  std::printf("rank %d: wrong: %s\n", rank, words);
  end(1);
}

// Everybody writes to everybody, and waits for everybody; each round a notification from each.
void notifications(const wherry::communicator& comm, int step) {
  static wherry::segment<int> all(comm, static_cast<std::size_t>(comm.size()), {.notifications = comm.size()});
  for (int to = 0; to < comm.size(); ++to)
    all.write_notify(to, static_cast<std::size_t>(comm.rank()), std::span<const int>(&step, 1), comm.rank());
  for (int from = 0; from < comm.size(); ++from) all.wait(from);
}

void collectives(const wherry::communicator& comm, int step) {
  static wherry::rank_group group(comm);
  if (group.size() == 0)
    for (int rank = 0; rank < comm.size(); ++rank) group.add(rank);
  group.commit();
  int most = 0;
  group.allreduce(std::span<const int>(&step, 1), {&most, 1}, wherry::maximum{});
  group.barrier(1000);  // a limit of one's own makes no difference
}

// All wait for the victim alone, which nobody writes to.
void word(const wherry::communicator& comm, int step) {
  static wherry::segment<int> all(comm, 1);
  if (comm.rank() == victim)
    for (int to = 0; to < comm.size(); ++to) all.write_notify(to, 0, std::span<const int>(&step, 1), 0);
  all.wait(0);
  collectives(comm, step);
}

void requests(const wherry::communicator& comm, int step) {
  static wherry::passive_messages mail(comm);
  mail.send((comm.rank() + 1) % comm.size(), std::as_bytes(std::span(&step, 1)));
  int come = 0;
  while (!mail.receive(std::as_writable_bytes(std::span(&come, 1)), 1000)) {
  }
}

void layouts(const wherry::communicator& comm, int) {
  static wherry::process_grid grid(comm, {.periodic = {true, true}});
  static wherry::field<double, 2> f(grid.comm(), {64, 64}, 1), g(grid.comm(), {64, 64}, 1);
  static wherry::halo_exchange halo(grid, {}, f);
  static wherry::published_layouts layouts(grid.comm(), halo.schedule());
  void* const now[] = {f.data()};
  layouts.publish(now);
  layouts.read(now);
  std::swap(f, g);
}

// What the survivors do among themselves.
void go_on_without(const wherry::communicator& comm, int rank) {
  require(wherry::health(comm, victim) == wherry::rank_health::corrupt, rank, "the dead rank is corrupt");
  wherry::take_for_dead(comm, victim);
  const auto all = wherry::health(comm);
  require(std::count(all.begin(), all.end(), wherry::rank_health::corrupt) == 1, rank, "one rank is corrupt");
  require(!wherry::ping(comm, victim, 1), rank, "the dead do not answer");
  wherry::rank_group survivors(comm);
  int ranks = 0;
  for (int r = 0; r < comm.size(); ++r)
    if (r != victim) survivors.add(r), ranks += r;
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    require(survivors.commit(20), rank, "survivors meet");
    require(survivors.allreduce(std::span<const int>(&rank, 1), {&sum, 1}, std::plus<>{}, 20), rank, "they reduce");
    require(sum == ranks, rank, "the sum");
  }
}

void die_in_the_middle(const wherry::communicator& comm,
                       const std::function<void(const wherry::communicator&, int)>& step) {
  const int rank = comm.rank();
  double began = MPI_Wtime();
  try {
    for (int i = 0;; ++i) {
      began = MPI_Wtime();
      if (rank == victim && i == 500) raise(SIGKILL);
      step(comm, i);
      require(i < 510, rank, "it goes on with a dead rank");
    }
  } catch (const wherry::error& problem) {
    const double waited = MPI_Wtime() - began;
    if (problem.kind() != wherry::error_kind::lost) std::printf("rank %d: another error: %s\n", rank, problem.what());
    require(problem.kind() == wherry::error_kind::lost, rank, "the kind of error");
    require(problem.peers() == std::vector{victim}, rank, "who is named");
    require(waited < 5, rank, "within seconds");
    require(std::string(problem.what()).find("a rank has died: rank 1") != std::string::npos, rank, "its words");
  }
  go_on_without(comm, rank);
}

// Ranks that count as other nodes: nothing is known by itself.
void ask(const wherry::communicator& comm) {
  const int rank = comm.rank();
  wherry::segment<int> s(comm, 1);
  if (rank == victim) {
    wherry::rank_group others(comm);
    for (int r = 0; r < comm.size(); ++r) others.add(r);
    others.commit();
    others.barrier();  // answers all pings here
    raise(SIGKILL);
  }
  for (int r = 0; r < comm.size(); ++r) require(wherry::ping(comm, r, 10), rank, "all answer");
  wherry::rank_group all(comm);
  for (int r = 0; r < comm.size(); ++r) all.add(r);
  all.commit();
  for (int r = 0; r < comm.size(); ++r) require(wherry::ping(comm, r, 10), rank, "all answer");
  all.barrier();
  sleep(1);
  require(!wherry::ping(comm, victim, 0.5), rank, "the dead do not answer");
  require(!wherry::ping(comm, victim, 0), rank, "nor later");
  require(wherry::health(comm, victim) == wherry::rank_health::healthy, rank, "nothing is known");
  wherry::take_for_dead(comm, victim);
  go_on_without(comm, rank);
}

// Nobody dies in the middle of somebody's collective call. When it returns, all have come, and wait for rank 0 alone.
void all_are_here(const wherry::communicator& comm) {
  if (comm.rank() != 0) {
    MPI_Send(nullptr, 0, MPI_BYTE, 0, 8, MPI_COMM_WORLD);
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int r = 1; r < comm.size(); ++r) MPI_Recv(nullptr, 0, MPI_BYTE, r, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int r = 1; r < comm.size(); ++r) MPI_Send(nullptr, 0, MPI_BYTE, r, 8, MPI_COMM_WORLD);
}

// A rank dies while others wait for its answer.
void pinged(const wherry::communicator& comm) {
  const int rank = comm.rank();
  wherry::segment<int> s(comm, 1);
  all_are_here(comm);
  if (rank == victim) {
    sleep(1);
    raise(SIGKILL);
  }
  if (comm.node_index(victim) < 0) {
    const double began = MPI_Wtime();
    require(!wherry::ping(comm, victim, 600), rank, "it does not answer");
    require(MPI_Wtime() - began < 60, rank, "its death is heard of");
  } else {
    try {
      s.wait(0);
    } catch (const wherry::error& problem) {
      require(problem.kind() == wherry::error_kind::lost, rank, "the kind of error");
    }
  }
  go_on_without(comm, rank);
}

// All order the same rank to end.
void kill_by_all(const wherry::communicator& comm) {
  const int rank = comm.rank();
  wherry::segment<int> s(comm, 1);
  all_are_here(comm);
  if (rank == victim) s.wait(0);
  require(wherry::end_rank(comm, victim, 60), rank, "it is ended");
  require(wherry::end_rank(comm, victim, 60), rank, "it has ended");
  int refused = 0;
  const int value = 1;
  try {
    if (comm.node_index(victim) < 0) s.write(victim, 0, std::span(&value, 1));
  } catch (const wherry::error& problem) {
    refused = problem.kind() == wherry::error_kind::lost ? 1 : 0;
  }
  require(refused == (comm.node_index(victim) < 0 ? 1 : 0), rank, "nothing is written there");
  go_on_without(comm, rank);
}

// Rank 0 ends another one.
void kill_it(const wherry::communicator& comm) {
  const int rank = comm.rank();
  wherry::rank_group all(comm);
  for (int r = 0; r < comm.size(); ++r) all.add(r);
  all.commit();
  if (rank == 0) {
    require(wherry::end_rank(comm, victim, 10), rank, "it is ended");
    require(wherry::end_rank(comm, victim, 1), rank, "it has ended");
    for (int r = 2; r < comm.size(); ++r) MPI_Send(nullptr, 0, MPI_BYTE, r, 9, MPI_COMM_WORLD);
  } else if (rank == victim) {
    all.barrier();
    require(false, rank, "it lives");
  } else {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (comm.node_index(victim) < 0) wherry::take_for_dead(comm, victim);
    sleep(1);
  }
  go_on_without(comm, rank);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const wherry::communicator comm(MPI_COMM_WORLD);
  const std::string how = argc > 1 ? argv[1] : "";
  try {
    if (how == "notifications") die_in_the_middle(comm, notifications);
    if (how == "collectives") die_in_the_middle(comm, collectives);
    if (how == "word") die_in_the_middle(comm, word);
    if (how == "requests") die_in_the_middle(comm, requests);
    if (how == "layouts") die_in_the_middle(comm, layouts);
    if (how == "ask") ask(comm);
    if (how == "pinged") pinged(comm);
    if (how == "kill_by_all") kill_by_all(comm);
    if (how == "kill") kill_it(comm);
  } catch (const std::exception& problem) {
    std::printf("rank %d: uncaught: %s\n", comm.rank(), problem.what());
    end(1);
  }
  std::printf("rank %d: has gone on without rank %d\n", comm.rank(), victim);
  end(0);
}
