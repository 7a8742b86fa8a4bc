// Everything that all ranks must do together × a rank that does not come within WHERRY_TIMEOUT: an error that names it,
// on all ranks, the late one included; and once all come again everything works, as if nothing had been.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/patient.hpp"
#include "support/array_file_folder.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// What constructors need and what is not itself on trial.
struct surroundings {
  explicit surroundings(const context& where)
      : test(where),
        users(where.comm),
        comm(users),
        grid(users, {.periodic = {true}}),
        plan(wherry::decompose(line.cells, comm.size(), {.largest = {8}})),
        u(comm, plan, {.ghost_width = 1}),
        v(comm, {4}, 1),
        ghosts{{(comm.rank() + 1) % comm.size(), 0, 1}},
        lists(wherry::resolve_ghosts(comm, ghosts)),
        elements(2, comm.rank()),
        files(where) {}

  const context& test;
  MPI_Comm users;
  wherry::communicator comm;
  wherry::process_grid grid;
  wherry::domain<1> line = wherry::domain<1>::torus({{0}, {128}});
  wherry::floor_plan<1> plan;
  wherry::x_array<int, 1> u;
  wherry::field<int, 1> v;
  std::vector<wherry::ghost> ghosts;
  wherry::index_lists lists;
  std::vector<int> elements;
  folder files;
};

struct together {
  std::string name;
  std::function<void(surroundings&, const std::string& transport)> act;
  bool carries = false;  // a transport's binding may be on trial
};

std::vector<wherry::box<1>> own_boxes(const surroundings& s) {
  std::vector<wherry::box<1>> mine;
  for (const int number : s.plan.owned_by(s.comm.rank())) mine.push_back(s.plan[number]);
  return mine;
}

const std::vector<together>& all_together() {
  using wherry::index_t;
  static const std::vector<together> list{
      {"halo_exchange",
       [](surroundings& s, const std::string& transport) {
         wherry::halo_exchange exchange(s.grid, {.carry = {.transport = transport}}, s.v);
         exchange(s.v);
       },
       true},
      {"index_exchange",
       [](surroundings& s, const std::string& transport) {
         wherry::index_exchange exchange(s.comm, s.lists, {.carry = {.transport = transport}}, s.elements);
         exchange();
       },
       true},
      {"buffer_exchange",
       [](surroundings& s, const std::string& transport) {
         wherry::buffer_exchange exchange(s.grid, {.transport = transport});
         int out = 1, in = 0;
         exchange.send_to({1}, &out, sizeof out);
         exchange.receive_from({-1}, &in, sizeof in);
         exchange.commit();
         exchange();
       },
       true},
      {"alltoall_exchange",
       [](surroundings& s, const std::string& transport) {
         wherry::alltoall_exchange exchange(s.comm, {.transport = transport});
         int out = 1, in = 0;
         exchange.send((s.comm.rank() + 1) % s.comm.size(), &out, sizeof out);
         exchange.receive((s.comm.rank() + s.comm.size() - 1) % s.comm.size(), &in, sizeof in);
         exchange.commit();
         exchange();
       },
       true},
      {"mover",
       [](surroundings& s, const std::string& transport) {
         wherry::mover fill(wherry::halo_motion(s.plan, wherry::halo_widths<1>(1), s.line), s.u, s.u,
                            {.carry = {.transport = transport}});
         fill();
       },
       true},
      {"resolve_ghosts", [](surroundings& s, const std::string&) { wherry::resolve_ghosts(s.comm, s.ghosts); }},
      {"resolve_layers",
       [](surroundings& s, const std::string&) {
         wherry::resolve_layers(s.comm, std::vector<std::vector<wherry::ghost>>{s.ghosts});
       }},
      {"ghost_layers",
       [](surroundings& s, const std::string&) {
         wherry::ghost_layers(s.comm, std::vector<wherry::index_lists>{s.lists});
       }},
      {"distributed_floor_plan",
       [](surroundings& s, const std::string&) {
         distributed_floor_plan(s.comm, own_boxes(s), wherry::halo_widths<1>(1), s.line);
       }},
      {"index resolve",
       [](surroundings& s, const std::string&) {
         const std::vector<wherry::index_set> mine{wherry::index_set(std::vector<index_t>{s.comm.rank(), 9})};
         resolve(s.comm, distributed_floor_plan(s.comm, mine));
       }},
      {"bcast_exchange",
       [](surroundings& s, const std::string&) {
         wherry::bcast_exchange everywhere(s.grid, s.v);
         everywhere();
       }},
      {"gather_exchange",
       [](surroundings& s, const std::string&) {
         std::vector<int> global(static_cast<std::size_t>(4 * s.comm.size()));
         wherry::gather_exchange home(
             s.grid, s.v,
             wherry::view<int, 1>(global.data(), wherry::point<1>{std::ssize(global)}, wherry::point<1>{1}));
         home();
       }},
      {"array file",
       [](surroundings& s, const std::string&) {
         wherry::write_array(s.files / "u", s.u);
         wherry::read_array(s.files / "u", s.u);
       }},
      {"checkpoint",
       [](surroundings& s, const std::string&) {
         const std::vector<int> mine(3, s.comm.rank());
         wherry::deep::save_all(s.users, s.files / "x", mine);
         CHECK_EQUAL(wherry::deep::load_all<std::vector<int>>(s.users, s.files / "x").front().object, mine);
       }},
  };
  return list;
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void come_late(surroundings& s, const together& what, const std::string& transport, int late) {
  const auto title = what.name + " over " + transport + ", rank " + std::to_string(late) + " is late";
  s.test.note(title);
  wherry::configure("timeout", "0.2");
  const auto attempt = [&] {
    try {
      what.act(s, transport);
      FAIL(title + ": no error");
    } catch (const wherry::error& failure) {
      if (fault(failure.kind() != wherry::error_kind::timeout || !contains(failure.peers(), late)))
        FAIL(title + ": says " + failure.what());
    }
  };
  const double began = MPI_Wtime();
  if (s.test.rank != late) attempt();
  CHECK(MPI_Wtime() - began < 30);
  patient_barrier(s.test.comm);
  wherry::configure("timeout", "60");
  if (s.test.rank == late) attempt();
  patient_barrier(s.test.comm);
  what.act(s, transport);
}

}  // namespace

WHERRY_TEST(late_ranks_are_named, ranks(2, 3).not_simulated("one rank sleeps")) {
  const setting restore("timeout", "60", "0");
  surroundings s(test);
  // The first and the last rank by turns: at 2 ranks the one where at 3 it is the other.
  bool first = test.size == 2;
  for (const auto& what : all_together()) come_late(s, what, "auto", (first = !first) ? 0 : test.size - 1);
}

WHERRY_TEST(late_ranks_are_named_by_all_transports, ranks(2, 3).not_simulated("one rank sleeps")) {
  const setting restore("timeout", "60", "0");
  surroundings s(test);
  for (const auto& name : usable_transports(test.comm)) come_late(s, all_together().front(), name, test.size - 1);
}

// The first communicator of a user's: nothing can be said to anybody yet, but what was begun is gone on with.
WHERRY_TEST(a_communicator_waits_no_longer_than_it_may, ranks(1, 2, 3, 4).not_simulated("one rank sleeps")) {
  const setting restore("timeout", "0.2", "0");
  const int late = test.size - 1;
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &other);
  if (test.rank != late) {
    try {
      wherry::communicator comm(other);
      FAIL("a communicator without rank " + std::to_string(late));
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::timeout);
    }
  }
  patient_barrier(test.comm);
  wherry::configure("timeout", "60");
  {
    const wherry::communicator comm(other), again(other);
    CHECK(comm == again);
    wherry::process_grid grid(other, {.periodic = {true}});
    wherry::field<int, 1> v(comm, {4}, 1);
    wherry::halo_exchange exchange(grid, {}, v);
    exchange(v);
  }
  MPI_Comm_free(&other);
}

// The first broadcast of a communicator sets up what all the later ones use; of those the root's is local.
WHERRY_TEST(the_first_deep_broadcast_waits_no_longer_than_it_may, ranks(2, 3).not_simulated("one rank sleeps")) {
  const setting restore("timeout", "0.2", "0");
  const int late = test.size - 1;
  const auto broadcast = [&] {
    std::vector<int> all(3, test.rank);
    wherry::deep::bcast(test.comm, all, 0);
    CHECK_EQUAL(all, std::vector<int>(3, 0));
  };
  const wherry::communicator made(test.comm);
  const auto named = "not arrived: rank " + std::to_string(late);
  if (test.rank != late) CHECK_THROWS_WITH(broadcast(), named.c_str());
  patient_barrier(test.comm);
  if (test.rank == late) CHECK_THROWS_WITH(broadcast(), "rank 0 has given up: ");
  wherry::configure("timeout", "60");
  broadcast();
}

// One rank is at another place of its program: both places are named.
WHERRY_TEST(different_patterns_are_told_apart, ranks(2, 3, 4)) {
  const setting timeout("timeout", "20", "0");
  surroundings s(test);
  for (const int odd : {0, test.size - 1}) {
    for (std::size_t other = 1; other < all_together().size(); ++other) {
      const auto& what = all_together()[test.rank == odd ? other : 0];
      test.note("halo_exchange and " + all_together()[other].name);
      try {
        what.act(s, "auto");
        FAIL("halo_exchange and " + all_together()[other].name + ": no error");
      } catch (const wherry::error& failure) {
        const std::string said = failure.what();
        if (fault(failure.kind() != wherry::error_kind::mismatch || said.find("is in '") == std::string::npos))
          FAIL("halo_exchange and " + all_together()[other].name + ": says " + said);
      }
      patient_barrier(test.comm);
    }
    for (const auto& what : all_together()) what.act(s, "auto");
  }
}

// A rank that binds twice, or not at all: the others' next step, or the time, tells.
WHERRY_TEST(a_bind_too_many_is_an_error, ranks(2, 3).not_simulated("one rank sleeps")) {
  const setting restore("timeout", "0.3", "0");
  surroundings s(test);
  const int odd = test.size - 1;
  const auto& bind = all_together()[0];
  bind.act(s, "auto");
  if (test.rank == odd) {
    try {
      bind.act(s, "auto");
      FAIL("a bind that the others know nothing of");
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::timeout);
      CHECK(contains(failure.peers(), 0));
    }
  }
  patient_barrier(test.comm);
  wherry::configure("timeout", "20");
  if (test.rank != odd) CHECK_THROWS_WITH(bind.act(s, "auto"), "rank");
  bind.act(s, "auto");
}
