// auto chooses by the table: a transport that is registered here is taken where it is expected to take least, and
// nowhere else; explain says of every row why it was taken or not.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "wherry/plan/schedule_builder.hpp"
#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Registered transports stay for good, so each has a switch.
bool large_messages = false, inside_nodes = false, whole_plans = false, on_device = false, frugal = false;

std::unique_ptr<wherry::transports::carrier> bind_as_two_sided(const wherry::transports::bind_request& request) {
  return wherry::transports::find_transport("two_sided").bind(request);
}

bool all_send_the_same(const wherry::plans::schedule& plan, const wherry::communicator&) {
  const auto& part = plan.stages.at(0);
  return std::all_of(part.sends.begin(), part.sends.end(), [&](const auto& m) { return plan.bytes_of(m) == 96; });
}

void register_all() {
  static const bool once = [] {
    wherry::transports::register_transport({.name = "test_large",
                                            .meaning = "best from 4 KiB",
                                            .estimate =
                                                [](const wherry::transports::message_load& m) {
                                                  return large_messages && m.bytes >= 4096 ? 0.001 : never;
                                                },
                                            .bind = bind_as_two_sided});
    wherry::transports::register_transport(
        {.name = "test_node",
         .meaning = "best inside a node",
         .node_only = true,
         .estimate = [](const wherry::transports::message_load&) { return inside_nodes ? 0.0005 : never; },
         .bind = bind_as_two_sided});
    wherry::transports::register_transport(
        {.name = "test_whole",
         .meaning = "best where all send 96 bytes",
         .suits = all_send_the_same,
         .estimate = [](const wherry::transports::message_load&) { return whole_plans ? 0.0001 : never; },
         .bind = bind_as_two_sided});
    wherry::transports::register_transport(
        {.name = "test_device",
         .meaning = "what is called device memory here",
         .device_memory = true,
         .estimate = [](const wherry::transports::message_load&) { return on_device ? 5000.0 : never; },
         .bind = bind_as_two_sided});
    wherry::transports::register_transport(
        {.name = "test_frugal",
         .meaning = "gives its buffers back",
         .gives_back_buffers = true,
         .estimate = [](const wherry::transports::message_load&) { return frugal ? 0.001 : never; },
         .bind = bind_as_two_sided});
    return true;
  }();
  (void)once;
}

class switched {
 public:
  explicit switched(bool& what) : what_(what) {
    register_all();
    what_ = true;
  }
  switched(const switched&) = delete;
  switched& operator=(const switched&) = delete;
  ~switched() { what_ = false; }

 private:
  bool& what_;
};

/// Each rank sends so many bytes to the next and to the one after that.
wherry::plans::schedule two_rings(int rank, int ranks, int bytes, bool adds = false,
                                  wherry::memory_space space = wherry::memory_space::host) {
  wherry::plans::schedule plan;
  plan.pattern = "two rings";
  plan.fields = {{"out", 1, 0, bytes, space}, {"in", 1, 0, 2 * bytes, space}};
  auto& part = plan.stages.emplace_back();
  const std::int64_t extents[] = {bytes}, strides[] = {1};
  for (int step = 1; step <= std::min(2, ranks - 1); ++step) {
    const auto from = wherry::plans::strided_block(0, 1, 0, extents, strides);
    const auto to = wherry::plans::strided_block(1, 1, std::int64_t{adds ? 0 : step - 1} * bytes, extents, strides);
    const int arrives = adds ? 0 : wherry::detail::store;
    part.sends.push_back(plan.make_message((rank + step) % ranks, wherry::detail::store, {&from, 1}));
    part.receives.push_back(plan.make_message((rank + ranks - step) % ranks, arrives, {&to, 1}));
  }
  const auto by_peer = [](const auto& a, const auto& b) { return a.peer < b.peer; };
  std::sort(part.sends.begin(), part.sends.end(), by_peer);
  std::sort(part.receives.begin(), part.receives.end(), by_peer);
  return plan;
}

struct outcome {
  std::string transport, explained;
};

/// Binds, exchanges twice, and looks at every byte.
outcome carry(MPI_Comm users, int bytes, const wherry::carry_options& how = {},
              wherry::memory_space space = wherry::memory_space::host) {
  const wherry::communicator comm(users);
  const int rank = comm.rank(), ranks = comm.size();
  wherry::exchange bound(comm, two_rings(rank, ranks, bytes, false, space), {}, how);
  std::vector<unsigned char> out(static_cast<std::size_t>(bytes)), in(2 * out.size());
  void* const fields[] = {out.data(), in.data()};
  const auto value = [](int who, int round, std::size_t i) {
    return static_cast<unsigned char>(static_cast<std::size_t>(who * 37 + round * 11) + i * 7);
  };
  long wrong = 0;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(rank, round, i);
    bound.start(fields);
    bound.wait();
    for (int step = 1; step <= std::min(2, ranks - 1); ++step)
      for (std::size_t i = 0; i < out.size(); ++i) {
        const auto at = static_cast<std::size_t>(step - 1) * out.size() + i;
        wrong += in[at] == value((rank + ranks - step) % ranks, round, i) ? 0 : 1;
      }
  }
  CHECK_EQUAL(wrong, 0);
  return {bound.transport(), bound.explain()};
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

}  // namespace

WHERRY_TEST(a_registered_transport_is_chosen_where_it_is_best, ranks(2, 3, 4)) {
  const switched on(large_messages);
  const nodes_of apart(test.comm, 1);
  CHECK_EQUAL(carry(apart, 5000).transport, "test_large");
  CHECK_EQUAL(carry(apart, 50).transport, "two_sided");
  CHECK_EQUAL(carry(apart, 5000, {.transport = "persistent"}).transport, "persistent");
  const wherry::communicator comm(test.comm);
  if (static_cast<int>(comm.node_ranks().size()) != test.size) test.skip("not all ranks are on one node");
  CHECK_EQUAL(carry(test.comm, 5000).transport, "test_large");
  CHECK_EQUAL(carry(test.comm, 50).transport, "shared");
}

WHERRY_TEST(near_and_far_ranks_have_each_their_best, ranks(3, 4, 8)) {
  const nodes_of pairs(test.comm, 2);
  CHECK_EQUAL(carry(pairs, 50).transport, "two_sided + shared");
  const switched inside(inside_nodes);
  CHECK_EQUAL(carry(pairs, 50).transport, "two_sided + test_node");
  const switched large(large_messages);
  CHECK_EQUAL(carry(pairs, 5000).transport, "test_large + test_node");
  // One that is best for both carries both.
  const switched most(frugal);
  large_messages = inside_nodes = false;
  CHECK_EQUAL(carry(pairs, 50).transport, "test_frugal");
}

/// What was measured, in a file of this test's own.
class measured_as {
 public:
  measured_as(const context& test, const wherry::transports::calibration& figures)
      : test_(test), path_("calibration_of_" + std::to_string(test.size) + "_ranks.txt") {
    if (test.rank == 0) wherry::transports::keep_calibration(path_, figures, "by a test");
    MPI_Barrier(test.comm);
    set_.emplace("calibration", path_, "0");
  }
  measured_as(const measured_as&) = delete;
  measured_as& operator=(const measured_as&) = delete;
  ~measured_as() {
    MPI_Barrier(test_.comm);
    if (test_.rank == 0) std::remove(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  const context& test_;
  std::string path_;
  std::optional<setting> set_;
};

WHERRY_TEST(what_was_measured_here_decides, ranks(2, 3).not_simulated("a file")) {
  wherry::transports::calibration figures;
  figures.between_nodes[wherry::transports::calibration::datatype] = {0.01, 1e-6, 0.001};
  const nodes_of apart(test.comm, 1);
  {
    const measured_as file(test, figures);
    const auto carried = carry(apart, 50);
    CHECK_EQUAL(carried.transport, "datatype");
    CHECK(mentions(carried.explained, "(by measured here, '" + file.path()));
  }
  CHECK_EQUAL(carry(apart, 50).transport, "two_sided");
  const setting missing("calibration", "/nowhere/calibration.txt", "0");
  all_throw(test, "no such file", wherry::error_kind::argument, "/nowhere/calibration.txt", [&] { carry(apart, 50); });
}

// One put of a node instead of one of each of its ranks: for small messages, where the node has enough of them.
WHERRY_TEST(small_messages_of_full_nodes_travel_together, ranks(4, 8, 16).not_simulated("a file")) {
  wherry::transports::calibration figures;
  for (auto& cost : figures.between_nodes) cost.message = 9;
  figures.between_nodes[wherry::transports::calibration::one_sided].message = 2;
  const measured_as file(test, figures);
  const nodes_of halves(test.comm, test.size / 2), apart(test.comm, 1);
  const auto far = [](const outcome& carried) { return carried.transport.substr(0, carried.transport.find(" + ")); };
  CHECK_EQUAL(far(carry(halves, 50)), test.size >= 8 ? "aggregated" : "one_sided");
  CHECK_EQUAL(far(carry(halves, 50'000)), "one_sided");
  CHECK_EQUAL(far(carry(apart, 50)), "one_sided");
}

// Figures of a node with slow memory (16 cores of a Xeon, by wherry_calibrate): what goes through it twice takes twice
// as long there, too.
WHERRY_TEST(on_nodes_with_slow_memory_nothing_goes_by_way_of_others, ranks(2, 4, 8).not_simulated("a file")) {
  const wherry::communicator comm(test.comm);
  if (static_cast<int>(comm.node_ranks().size()) != test.size) test.skip("not all ranks are on one node");
  wherry::transports::calibration figures;
  figures.on_node = {{{1.18, 5.9e-4, 0},
                      {0.58, 4.2e-4, 0.01},
                      {1.06, 5.1e-4, 3e-5},
                      {1.21, 5.5e-4, 0.09},
                      {1.91, 6.0e-4, 0},
                      {0.68, 6.0e-4, 0.01}}};
  const measured_as file(test, figures);
  for (const int bytes : {50, 5'000, 500'000}) CHECK_EQUAL(carry(test.comm, bytes).transport, "shared");
  wherry::plans::schedule_builder many_blocks("many blocks", test.rank);
  for (const char* const name : {"out", "in"})
    many_blocks.add_field({.name = name, .element = 1, .lowest = 0, .highest = 2000, .type = {}});
  const std::array<std::int64_t, 1> extents{8}, strides{1};
  for (std::int64_t at = 0; at < 2000; at += 20) {
    many_blocks.send((test.rank + 1) % test.size, wherry::plans::strided_block(0, 1, at, extents, strides));
    many_blocks.receive((test.rank + test.size - 1) % test.size,
                        wherry::plans::strided_block(1, 1, at, extents, strides));
  }
  CHECK_EQUAL(wherry::exchange(comm, many_blocks.finish(), {}).transport(), "shared");
}

// By name, too, what the table says is refused before anything is bound.
WHERRY_TEST(node_only_transports_are_refused_elsewhere, ranks(2, 3)) {
  register_all();
  const nodes_of apart(test.comm, 1);
  for (const char* name : {"shared", "test_node"})
    all_throw(test, name, wherry::error_kind::argument, "is on another node, which transport '" + std::string(name),
              [&] { carry(apart, 50, {.transport = name}); });
}

WHERRY_TEST(a_row_for_whole_plans_takes_all_or_nothing, ranks(3, 4)) {
  const switched on(whole_plans);
  const nodes_of pairs(test.comm, 2);
  CHECK_EQUAL(carry(pairs, 96).transport, "test_whole");
  CHECK_EQUAL(carry(pairs, 97).transport, "two_sided + shared");
}

WHERRY_TEST(sums_from_near_and_far_are_taken_in_one_order, ranks(3, 4)) {
  const nodes_of pairs(test.comm, 2);
  const wherry::communicator comm(pairs);
  wherry::plans::functions code;
  code.reductions.push_back(wherry::reduction_of<unsigned char>(std::plus<>{}));
  const auto bind = [&] {
    return wherry::exchange(comm, two_rings(comm.rank(), comm.size(), 8, true), code).transport();
  };
  CHECK_EQUAL(bind(), "two_sided");
  const switched on(frugal);
  CHECK_EQUAL(bind(), "test_frugal");
}

WHERRY_TEST(device_memory_goes_by_who_reaches_it, ranks(2, 3)) {
  const auto device = wherry::memory_space::device;
  {
    const switched on(on_device);
    CHECK_EQUAL(carry(test.comm, 50, {}, device).transport, "test_device");
  }
  all_throw(test, "auto", wherry::error_kind::argument, "two_sided does not reach device memory",
            [&] { carry(test.comm, 50, {}, device); });
  all_throw(test, "two_sided", wherry::error_kind::argument, "which transport 'two_sided' does not reach",
            [&] { carry(test.comm, 50, {.transport = "two_sided"}, device); });
}

WHERRY_TEST(buffers_are_given_back_by_who_can, ranks(2, 3)) {
  wherry::carry_options how;
  how.keep_buffers = false;
  CHECK_EQUAL(carry(test.comm, 50, how).transport, "two_sided");
  const switched on(frugal);
  CHECK_EQUAL(carry(test.comm, 50, how).transport, "test_frugal");
}

WHERRY_TEST(explain_says_why_each_was_chosen_or_not, ranks(3, 4)) {
  register_all();
  const nodes_of pairs(test.comm, 2);
  const auto said = carry(pairs, 50).explained;
  for (const auto* row : wherry::transports::all_transports()) {
    test.note(row->name);
    CHECK(mentions(said, "  " + row->name + ": "));
  }
  CHECK(mentions(said, "transport two_sided (other nodes)"));
  CHECK(mentions(said, "transport shared (same node)"));
  CHECK(mentions(said, "(chosen: other nodes)"));
  CHECK(mentions(said, "reference: taken only by name"));
  CHECK(mentions(said, "test_whole: made for other plans"));
  CHECK(mentions(said, "other nodes out of reach"));
  const auto named = carry(pairs, 50, {.transport = "two_sided"}).explained;
  CHECK(mentions(named, "transport two_sided (asked for)"));
  CHECK(!mentions(named, "auto chose"));
}

// Whoever chooses must have the same to choose among. The others have it at the end, for the tests that follow.
WHERRY_TEST(ranks_must_register_alike, ranks(2, 3)) {
  static int times = 0;
  const wherry::transports::transport late{
      .name = "test_late " + std::to_string(++times), .meaning = "late", .bind = bind_as_two_sided};
  if (test.rank == 0) wherry::transports::register_transport(late);
  all_throw(test, "auto", wherry::error_kind::mismatch, "the transports that are registered",
            [&] { carry(test.comm, 50); });
  CHECK_EQUAL(carry(test.comm, 50, {.transport = "two_sided"}).transport, "two_sided");
  if (test.rank != 0) wherry::transports::register_transport(late);
  carry(test.comm, 50);
}

// What is tested is not for the table to say: a row that were gone, or said that it reaches nobody, would be tested no
// more.
WHERRY_TEST(transports_that_reach_all_are_those_of_the_list, ranks(1, 2, 3, 4, 8).not_simulated("it has fewer")) {
  if (wherry::current_settings().transport != "auto" || std::getenv("WHERRY_HOSTS") != nullptr)
    test.skip("WHERRY_TRANSPORT or WHERRY_HOSTS is set");
  const auto among = [](MPI_Comm comm) {
    auto names = usable_transports(comm);
    std::erase_if(names, [](const std::string& name) { return name.starts_with("test_") || name == "counted"; });
    std::sort(names.begin(), names.end());
    return names;
  };
  std::vector<std::string> all{"aggregated", "auto",      "datatype", "mpi_pack",       "neighborhood", "one_sided",
                               "persistent", "reference", "shared",   "total_exchange", "two_sided"};
  CHECK_EQUAL(among(test.comm), all);
  const nodes_of apart(test.comm, 1);
  if (test.size > 1) std::erase(all, "shared");
  CHECK_EQUAL(among(apart), all);
  const wherry::process_grid grid(static_cast<MPI_Comm>(apart), {.periodic = {true}});
  for (const auto& name : all) {
    wherry::field<int, 1> u(grid.comm(), {4}, 1);
    wherry::halo_exchange exchange(grid, {.carry = {.transport = name}}, u);
    if (name != "auto" && test.size > 1) CHECK_EQUAL(exchange.transport(), name);
  }
}
