// What a child of fork() can do with what its parent has bound: nothing, but be told so; and its end does nothing to
// other ranks, files and what is printed. How it ends is the argument: exit, return, throw or kept (all of it
// destroyed, then _exit); none: there is no child. Rank 0 makes the child while something of each pattern is bound, and
// something is in flight.
#include <sys/wait.h>
#include <unistd.h>
#include <wherry/wherry.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace collective = wherry::collective;

int wrong = 0;

void check(bool right, const char* what) {
  if (right) return;
  ++wrong;
  std::printf("wrong: %s\n", what);
}

/// Something of each pattern, for two ranks.
struct everything {
  explicit everything(MPI_Comm users)
      : comm(users),
        grid(users, {.periodic = {true}}),
        u(grid.comm(), {64}, 1),
        v(grid.comm(), {64}, 1),
        halo(grid, u),
        by_messages(grid, by("two_sided"), u),
        flying(grid, v),
        layouts(comm, halo.schedule()),
        words(comm, 4),
        passive(comm),
        group(comm),
        team(wherry::thread_team::of_its_own(2)) {
    group.add(0).add(1).commit();
  }
  static wherry::halo_options by(const char* transport) {
    wherry::halo_options how;
    how.carry.transport = transport;
    return how;
  }
  int other() const { return 1 - comm.rank(); }

  /// All of it, on both ranks.
  void use(int round) {
    const auto mine = [&](int rank) { return 100 * round + rank; };
    for (int i = 0; i < 64; ++i) u(i) = v(i) = mine(comm.rank());
    for (auto* const exchange : {&halo, &by_messages}) {
      u(-1) = u(64) = -1;
      (*exchange)();
      check(u(-1) == mine(other()) && u(64) == mine(other()), "a halo");
    }
    u(-1) = -1;
    void* const fields[] = {u.data()};
    layouts.publish(fields);
    layouts.read(fields);
    check(u(-1) == mine(other()), "a layout");
    layouts.await_readers();
    check(collective::allreduce(comm.users_handle(), mine(comm.rank())) == mine(0) + mine(1), "a sum");
    std::string name = comm.rank() == 0 ? std::to_string(round) : "";
    wherry::deep::bcast(comm, name, 0);
    check(name == std::to_string(round), "a deep copy");
    const int value = mine(comm.rank());
    words.write_notify(other(), 0, std::span(&value, 1), 0);
    words.wait(0);
    check(words.mine()[0] == mine(other()), "a notified write");
    passive.send(other(), std::as_bytes(std::span(&value, 1)));
    int come = 0;
    passive.receive(std::as_writable_bytes(std::span(&come, 1)));
    check(come == mine(other()), "a passive message");
    std::array<int, 1> in{value}, sum{};
    group.allreduce(std::span<const int>(in), sum, std::plus<>{});
    check(sum[0] == mine(0) + mine(1), "a sum of the group");
    group.barrier();
    int parts = 0;
    team.run([&](int number) { std::atomic_ref(parts).fetch_add(number + 1); });
    check(parts == 3, "a team");
  }

  wherry::communicator comm;
  wherry::process_grid grid;
  wherry::field<int, 1> u, v;
  wherry::halo_exchange halo, by_messages, flying;
  wherry::published_layouts layouts;
  wherry::segment<int> words;
  wherry::passive_messages passive;
  wherry::rank_group group;
  wherry::thread_team team;
};

/// What is under way when the child is made.
struct flights {
  explicit flights(everything& all)
      : text(all.comm.rank() == 0 ? "" : "far"),
        deep(all.comm.rank() == 0 ? wherry::deep::start_receive(all.comm, text, 1) : wherry::deep::in_flight()),
        sum(collective::start_allreduce(all.comm.users_handle(), 1)) {
    all.flying.start();
  }
  void end(everything& all) {
    all.flying.wait();
    check(all.v(-1) == 100 + all.other(), "a halo in flight");
    check(sum.wait() == 2, "a sum in flight");
    if (all.comm.rank() == 1) wherry::deep::send(all.comm, text, 0);
    if (all.comm.rank() == 0) deep.wait();
    check(text == "far", "a deep copy in flight");
  }

  std::string text;
  wherry::deep::in_flight deep;
  collective::in_flight<int> sum;
};

std::unique_ptr<everything>& of_static_storage() {
  static std::unique_ptr<everything> all;
  return all;
}

/// Each call is an error(state) that says why.
void try_all(everything& all, flights& under_way) {
  int refused = 0;
  const auto refuses = [&](const char* what, auto&& call) {
    try {
      call();
      std::printf("wrong: child: %s: nothing was thrown\n", what);
    } catch (const wherry::error& failure) {
      const bool right = failure.kind() == wherry::error_kind::state &&
                         failure.text().find("a child by fork() of process") != std::string::npos;
      if (!right) std::printf("wrong: child: %s: %s\n", what, failure.what());
      refused += right ? 1 : 0;
    }
  };
  void* const fields[] = {all.u.data()};
  int value = 7;
  const std::span<int> ints(&value, 1);
  refuses("start", [&] { all.halo.start(); });
  refuses("start by messages", [&] { all.by_messages.start(); });
  refuses("test", [&] { all.flying.test(); });
  refuses("wait", [&] { all.flying.wait(); });
  refuses("bind", [&] { wherry::halo_exchange(all.grid, all.u); });
  refuses("publish", [&] { all.layouts.publish(fields); });
  refuses("read", [&] { all.layouts.read(fields); });
  refuses("await_readers", [&] { all.layouts.await_readers(); });
  refuses("write", [&] { all.words.write(1, 0, ints); });
  refuses("notify", [&] { all.words.notify(1, 0); });
  refuses("write_notify", [&] { all.words.write_notify(1, 0, ints, 0); });
  refuses("segment's read", [&] { all.words.read(1, 0, ints); });
  refuses("segment's wait", [&] { all.words.wait(0); });
  refuses("reset", [&] { all.words.reset(0); });
  refuses("flush", [&] { all.words.flush(); });
  refuses("segment", [&] { wherry::segment<int>(all.comm, 1); });
  refuses("send passively", [&] { all.passive.send(1, std::as_bytes(ints)); });
  refuses("receive passively", [&] { all.passive.receive(std::as_writable_bytes(ints)); });
  refuses("barrier of the group", [&] { all.group.barrier(); });
  refuses("commit", [&] { wherry::rank_group(all.comm).add(0).commit(); });
  refuses("allreduce", [&] { value = collective::allreduce(all.comm.users_handle(), 1); });
  refuses("barrier", [&] { collective::barrier(MPI_COMM_WORLD); });
  refuses("begin", [&] { static_cast<void>(collective::start_barrier(all.comm.users_handle())); });
  refuses("wait", [&] { value = under_way.sum.wait(); });
  refuses("deep send", [&] { wherry::deep::send(all.comm, value, 1); });
  refuses("deep receive", [&] { wherry::deep::receive(all.comm, value, 1); });
  refuses("deep broadcast", [&] { wherry::deep::bcast(all.comm, value, 0); });
  refuses("deep wait", [&] { under_way.deep.wait(); });
  refuses("field", [&] { wherry::field<int, 1>(all.grid.comm(), {5}, 1); });
  refuses("array file", [&] {
    wherry::x_array<int, 1> x(all.comm, wherry::decompose(wherry::box<1>{{0}, {8}}, 2));
    wherry::write_array("/dev/null/never", x);
  });
  refuses("health", [&] { static_cast<void>(wherry::health(all.comm, 1)); });
  refuses("communicator", [&] { wherry::communicator(MPI_COMM_WORLD); });
  int parts = 0;
  all.team.run([&](int number) { parts += number + 1; });  // by this thread
  check(parts == 3, "child: a team");
  std::printf("child: %d calls were refused\n", refused);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "exit";
  wherry::mpi_session mpi(argc, argv);
  const int rank = mpi.rank();
  MPI_Comm users = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &users);
  of_static_storage() = std::make_unique<everything>(users);
  auto& all = *of_static_storage();
  all.use(1);
  std::optional<flights> under_way(std::in_place, all);
  std::fflush(stdout);
  if (rank == 0 && how != "none") {
    const pid_t child = fork();
    if (child == 0) {
      try_all(all, *under_way);
      std::fflush(stdout);
      if (how == "return") return 0;
      if (how == "exit") std::exit(0);
      if (how == "throw") throw std::runtime_error("the child throws");
      under_way.reset();
      of_static_storage().reset();
      wherry::prepare_to_finalize();
      std::fflush(stdout);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    check(how == "throw" ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0, "how the child ended");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  under_way->end(all);
  all.use(2);
  under_way.reset();
  of_static_storage().reset();
  MPI_Comm_free(&users);
  if (wrong == 0) std::printf("rank %d: all is right\n", rank);
}
