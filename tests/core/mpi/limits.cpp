// The limits of real machines, as far as a program can set them itself; the others: limited.py.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

constexpr std::size_t mega = std::size_t{1} << 20;

// A ring on a communicator; checks one exchange of one cell on each side.
void ring(MPI_Comm comm) {
  const wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::field<int, 1> u(grid.comm(), {3}, 1);
  wherry::halo_exchange exchange(grid, u);
  const int rank = grid.comm().rank(), size = grid.comm().size();
  for (int i = 0; i < 3; ++i) u(i) = 10 * rank + i;
  exchange();
  CHECK_EQUAL(u(-1), 10 * ((rank + size - 1) % size) + 2);
  CHECK_EQUAL(u(3), 10 * ((rank + 1) % size));
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

std::size_t address_space() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

// For as long as it lives.
class descriptor_limit {
 public:
  explicit descriptor_limit(rlim_t most) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit now{most, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~descriptor_limit() { setrlimit(RLIMIT_NOFILE, &before_); }
  descriptor_limit(const descriptor_limit&) = delete;
  descriptor_limit& operator=(const descriptor_limit&) = delete;

 private:
  rlimit before_{};
};

// For as long as it lives the system gives no threads: their stacks would be larger than all address space.
class no_threads {
 public:
  no_threads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t now;
    pthread_attr_init(&now);
    pthread_attr_setstacksize(&now, std::size_t{1} << 50);
    pthread_setattr_default_np(&now);
    pthread_attr_destroy(&now);
  }
  ~no_threads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  no_threads(const no_threads&) = delete;
  no_threads& operator=(const no_threads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace

// Each used to cost a descriptor and an address range as large as all memory.
WHERRY_TEST(communicators_share_an_arena, ranks(1, 2, 4).not_simulated("ranks share a process")) {
  ring(test.comm);
  const auto descriptors = open_descriptors(), space = address_space();
  const descriptor_limit few(256);
  std::vector<MPI_Comm> all;
  // MPICH has 2,048 contexts, and each of these takes two. More ranks than cores are slow.
  const int wanted = test.size <= 2 ? 1000 : 40;
  for (int i = 0; i < wanted; ++i) {
    auto& made = all.emplace_back();
    if (i % 4 == 3)
      MPI_Comm_split(test.comm, (test.rank + i) / 2 % 2, -test.rank, &made);
    else
      MPI_Comm_dup(test.comm, &made);
    const wherry::communicator comm(made);
    REQUIRE(comm.arena() != nullptr);
    if (i % 97 < 2) ring(made);
  }
  for (std::size_t i = 0; i < all.size(); i += 97) ring(all[i]);
  CHECK(open_descriptors() <= descriptors + 1);
  CHECK(address_space() < space + 512 * mega);
  for (auto& comm : all) MPI_Comm_free(&comm);
  ring(test.comm);
}

// What a communicator has not given back is there again once all its ranks have let go of it.
WHERRY_TEST(what_communicators_leave_behind_is_used_again, ranks(1, 2, 3)) {
  const wherry::communicator here(test.comm);
  auto* arena = here.arena();
  const auto used_now = [&] {
    MPI_Barrier(test.comm);
    arena->deallocate(arena->allocate(64));  // looks for what has been released
    return arena->used();
  };
  const auto before = used_now();
  for (int i = 0; i < 5; ++i) {
    MPI_Comm mine = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &mine);
    {
      const wherry::communicator comm(mine);
      comm.arena()->allocate(mega);
      comm.arena()->retire(comm.arena()->allocate(4 * mega), [] { return false; });
      CHECK(arena->used() >= before + 5 * mega);
    }
    MPI_Barrier(test.comm);
    if (test.rank > 0) MPI_Comm_free(&mine);
    if (test.size > 1) CHECK(used_now() >= before);  // rank 0 may still read what the others left
    if (test.rank == 0) MPI_Comm_free(&mine);
  }
  CHECK_EQUAL(used_now(), before);
}

// What a peer may still read there is the peer's own mapping of it.
// Small pieces that are gone make room for large ones, and the other way round.
WHERRY_TEST(memory_is_zero_whatever_was_there_before, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  wherry_test::random_numbers random(wherry_test::hash(test.seed, test.rank));
  const auto team = wherry::thread_team::of_its_own(wherry::detail::ranks_share_a_process ? 1 : 2);
  struct piece {
    wherry::node_memory memory;
    std::size_t bytes;
  };
  std::vector<piece> pieces;
  const std::size_t most = test.size > 32 ? mega : 9 * mega;
  for (int round = 0; round < 400; ++round) {
    if (!pieces.empty() && (pieces.size() > 40 || random.chance(40))) {
      std::swap(pieces[static_cast<std::size_t>(random.between(0, static_cast<int>(pieces.size()) - 1))],
                pieces.back());
      pieces.pop_back();
      if (random.chance(3)) pieces.clear();
      continue;
    }
    const auto largest = random.chance(60) ? std::size_t{100'000} : most;
    const auto bytes = static_cast<std::size_t>(random.between(1, static_cast<int>(largest)));
    const wherry::node_memory memory =
        random.chance(20) ? wherry::node_memory(comm, bytes, team) : wherry::node_memory(comm, bytes);
    const auto* const first = memory.data();
    const auto dirty = std::count_if(first, first + bytes, [](std::byte b) { return b != std::byte{0}; });
    CHECK_EQUAL(dirty, 0);
    std::memset(memory.data(), 0x5A, bytes);
    pieces.push_back({memory, bytes});
  }
  for (const auto& [memory, bytes] : pieces)
    CHECK(std::all_of(memory.data(), memory.data() + bytes, [](std::byte b) { return b == std::byte{0x5A}; }));
}

// What a rank no longer uses others can have.
WHERRY_TEST(memory_goes_back_to_the_system, ranks(1, 2).not_simulated("ranks share a process")) {
  const wherry::communicator comm(test.comm);
  const auto resident = [] {  // KiB of shared memory
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (word == "RssShmem:") {
        long kilobytes = 0;
        status >> kilobytes;
        return kilobytes;
      }
    return -1L;
  };
  const auto filled = [&] {
    wherry::node_memory memory(comm, 64 * mega);
    std::memset(memory.data(), 1, 64 * mega);
    return memory;
  };
  const auto before = resident();
  if (before < 0) test.skip("the system does not say how much is resident");
  {
    const auto one = filled();
    for (int i = 0; i < 3; ++i) filled();
    CHECK(resident() >= before + (60 << 10));
    CHECK(resident() <= before + (132 << 10));  // at most as much as is in use
  }
  CHECK(resident() <= before + (4 << 10));
}

WHERRY_TEST(arenas_go_with_their_last_communicator, ranks(2, 3).not_simulated("ranks share a process")) {
  const auto before = std::to_string(wherry::current_settings().arena_size);
  const with_setting of_its_own("arena_size", "96M", before.c_str());
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &mine);
  const auto space = address_space();
  {
    const wherry::communicator comm(mine);
    comm.arena()->retire(comm.arena()->allocate(4 * mega), [] { return false; });
  }
  const auto with_arenas = address_space();
  CHECK(with_arenas >= space + 96 * mega);
  MPI_Barrier(test.comm);
  if (test.rank > 0) MPI_Comm_free(&mine);
  MPI_Barrier(test.comm);
  if (test.rank > 0) CHECK(address_space() + static_cast<std::size_t>(test.size) * 96 * mega <= with_arenas);
  MPI_Barrier(test.comm);
  if (test.rank == 0) MPI_Comm_free(&mine);
}

// A child sees the same memory; nothing it does with it hurts its parent.
WHERRY_TEST(children_read_fields, ranks(1, 2).not_simulated("ranks share a process")) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  for (const wherry::index_t cells : {wherry::index_t{100}, wherry::index_t{1} << 20}) {
    std::optional<wherry::field<int, 1>> u(std::in_place, grid.comm(), wherry::point<1>{cells}, 1);
    wherry::halo_exchange exchange(grid, *u);
    for (int i = 0; i < cells; ++i) (*u)(i) = 3 * i + test.rank;
    exchange();
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      int wrong = 0;
      for (int i = 0; i < cells; ++i) wrong += (*u)(i) == 3 * i + test.rank ? 0 : 1;
      try {
        wherry::field<int, 1> more(grid.comm(), {10}, 1);
        ++wrong;
      } catch (const wherry::error& problem) {
        wrong += problem.kind() == wherry::error_kind::state ? 0 : 1;
      }
      (*u)(5) = -1;  // the same memory: its parent sees it
      u.reset();     // frees nothing
      _exit(wrong == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_EQUAL((*u)(5), -1);
    CHECK_EQUAL((*u)(7), 3 * 7 + test.rank);
    wherry::field<int, 1> another(grid.comm(), {cells}, 1);  // elsewhere
    another(7) = 12;
    CHECK_EQUAL((*u)(7), 3 * 7 + test.rank);
    exchange();
    CHECK_EQUAL((*u)(-1), static_cast<int>(3 * (cells - 1)) + (test.rank + test.size - 1) % test.size);
  }
}

// Any process of this user can open an arena's file, by /proc; a shorter one would be a SIGBUS for all who have mapped
// it.
WHERRY_TEST(nobody_can_cut_an_arena, ranks(1, 2).not_simulated("ranks share a process")) {
  const wherry::communicator comm(test.comm);
  REQUIRE(comm.arena() != nullptr);
  int sealed = 0;
  for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (!std::filesystem::read_symlink(open.path(), ignored).string().starts_with("/memfd:wherry")) continue;
    const int file = std::stoi(open.path().filename().string());
    CHECK(ftruncate(file, 1 << 20) != 0 && errno == EPERM);
    ++sealed;
  }
  CHECK(sealed > 0);
}

WHERRY_TEST(a_full_arena_says_so, ranks(1, 2).not_simulated("settings differ from rank to rank")) {
  const setting small("arena_size", "16M", "0");
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &mine);
  {
    const wherry::process_grid grid(mine, {.periodic = {true}});
    CHECK_EQUAL(grid.comm().arena()->capacity(), 16 * mega);
    CHECK_EQUAL(grid.comm().shared_memory_shortfall(), "");
    const auto until_full = [&] {
      std::vector<wherry::field<double, 1>> fields;
      for (;;) try {
          fields.emplace_back(grid.comm(), wherry::point<1>{(1 << 17) - 2}, 1);
          fields.back()(0) = 1;
        } catch (const wherry::error& full) {
          CHECK_EQUAL(full.kind(), wherry::error_kind::resource);
          const std::string said = full.what();
          CHECK(said.find("1048576 bytes") != std::string::npos && said.find("WHERRY_ARENA_SIZE") != std::string::npos);
          return fields.size();
        }
    };
    const auto first = until_full();
    CHECK(first >= 14 && first <= 16);
    CHECK_EQUAL(until_full(), first);
    for (const std::size_t absurd : {~std::size_t{0}, ~std::size_t{0} - 63, std::size_t{1} << 63, 16 * mega})
      CHECK_THROWS_WITH(grid.comm().arena()->allocate(absurd), "no node-shared memory left");
  }
  ring(mine);
  MPI_Comm_free(&mine);
}

// One rank has no progress thread: all learn it, and what was not bound is driven by nobody.
WHERRY_TEST(a_thread_that_is_not_to_be_had, ranks(1, 2, 3).not_simulated("threads")) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  wherry::field<int, 2> u(grid.comm(), {4, 4}, 1);
  const wherry::halo_options in_stages{.order = wherry::halo_order::by_dimension};
  const setting threaded("progress_thread", "1", "0");
  const auto exchange_all = [&] {
    for_each_point(u.whole(), [&](const auto& p) { u[p] = -1; });
    for_each_point(u.core(), [&](const auto& p) { u[p] = 5; });
    wherry::halo_exchange exchange(grid, in_stages, u);
    for (int i = 0; i < 3; ++i) exchange();
    for_each_point(u.whole(), [&](const auto& p) { CHECK_EQUAL(u[p], 5); });
  };
  for (int i = 0; i < 3; ++i) {
    std::optional<no_threads> here;
    if (test.rank == test.size - 1) here.emplace();
    try {
      exchange_all();
      FAIL("there was a thread");
    } catch (const wherry::error& problem) {
      const std::string said = problem.what();
      CHECK_EQUAL(problem.kind(), wherry::error_kind::resource);
      if (fault(said.find("the progress thread cannot be started") == std::string::npos)) FAIL("says " + said);
    }
  }
  ring(test.comm);
  exchange_all();
}

WHERRY_TEST(sizes_that_do_not_fit_are_errors, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  using wherry::error_kind;
  const auto refused = [&](const std::string& title, const std::string& words, const std::function<void()>& act) {
    all_throw(test, title, error_kind::argument, words, act);
  };
  const wherry::index_t huge = wherry::index_t{1} << 61, largest = std::numeric_limits<wherry::index_t>::max();
  refused("2^61 doubles", "number of bytes does not fit", [&] { wherry::field<double, 1>(comm, {huge}, 0); });
  refused("a cube", "number of bytes does not fit",
          [&] { wherry::field<double, 3>(comm, {1 << 21, 1 << 21, 1 << 21}, 1); });
  refused("wide halos", "extent with halos does not fit", [&] { wherry::field<char, 1>(comm, {1}, largest); });
  refused("a row", "does not fit", [&] { wherry::field<double, 2>(comm, {huge, 4}, 0); });
  refused("65536^4 ranks", "number of ranks in the grid does not fit", [&] {
    wherry::process_grid(test.comm, {.periodic = {true, true, true, true}, .extents = {65536, 65536, 65536, 65536}});
  });

  wherry::floor_plan<2> vast, one;
  for (int rank = 0; rank < test.size; ++rank) {
    vast.add({{0, 0}, {wherry::index_t{1} << 31, wherry::index_t{1} << 31}}, rank);
    one.add({{0, 0}, {1000, 1000}}, rank);
  }
  const auto no_array = [&](const std::string& title, const wherry::floor_plan<2>& plan,
                            const wherry::x_array_options<2>& how) {
    try {
      wherry::x_array<double, 2>(comm, plan, how);
      FAIL(title + ": no error");
    } catch (const wherry::error& problem) {
      CHECK_EQUAL(problem.kind(), error_kind::argument);
      CHECK(std::string(problem.what()).find("does not fit") != std::string::npos);
    }
  };
  no_array("an x-array", vast, {});
  no_array("ghost cells", one, {.ghost_width = largest - 500});
  no_array("components", vast, {.components = 2147483647});

  // Not in memory, but possible: the error has the figure.
  if (allocations_throw) try {
      wherry::field<double, 1>(comm, {huge / 16}, 0);
      FAIL("2^60 bytes were to be had");
    } catch (const wherry::error& problem) {
      CHECK_EQUAL(problem.kind(), error_kind::resource);
      CHECK(std::string(problem.what()).find("1152921504606846976") != std::string::npos);
    }
}

// More than there is memory for, even if no address space is short of it: an error on all ranks that names the figure,
// not a crash or a hang. `datatype` needs no memory of its own.
WHERRY_TEST(messages_that_no_memory_holds, ranks(2, 3).not_simulated("takes memory")) {
  std::byte place{};
  const auto bind = [&](const std::string& name, wherry::index_t bytes, bool keep_buffers) {
    wherry::carry_options how;
    how.transport = name;
    how.keep_buffers = keep_buffers;
    wherry::alltoall_exchange exchange(wherry::communicator(test.comm), how);
    if (test.rank == 0) exchange.send(1, &place, bytes);
    if (test.rank == 1) exchange.receive(0, &place, bytes);
    exchange.commit();
  };
  for (const auto& name : usable_transports(test.comm))
    for (const int power : {44, 47}) {
      if (name == "datatype") continue;
      test.note(name + ", 2^" + std::to_string(power));
      for (const bool keep_buffers : {true, false}) try {
          bind(name, wherry::index_t{1} << power, keep_buffers);
          FAIL(name + " has 2^" + std::to_string(power) + " bytes");
        } catch (const wherry::error& problem) {
          const std::string said = problem.what();
          CHECK_EQUAL(problem.kind(), wherry::error_kind::resource);
          if (fault(said.find("cannot be allocated") == std::string::npos && said.find(" left") == std::string::npos))
            FAIL(name + " says: " + said);
        }
    }
  ring(test.comm);
}
