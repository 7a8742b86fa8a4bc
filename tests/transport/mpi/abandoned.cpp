// Exchanges given up in flight, by every transport: nothing of theirs touches memory that is gone (the address
// sanitizer watches), the other ranks get what they were promised, and the next exchange works.
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/transport/transport.hpp"

#include "harness/patient.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

using wherry::index_t;

// What is carried, and how.
struct carried {
  std::string transport;
  wherry::halo_order order;
  wherry::point<2> cells;  // a rank
  bool arena;              // in a field of ours, else in memory of the user's
};

// A periodic chain of all ranks, two-dimensional, with fields that live as long as this does.
class chain {
 public:
  chain(const context& test, const wherry::process_grid& grid, const carried& how)
      : test_(test),
        cells_(how.cells),
        owned_(how.arena ? 0 : static_cast<std::size_t>((cells_[0] + 2) * (cells_[1] + 2))) {
    if (how.arena) {
      field_.emplace(grid.comm(), cells_, 1);
      all_ =
          wherry::view<double, 2>(field_->data(), {cells_[0] + 2, cells_[1] + 2}, field_->strides(), field_->space());
    } else {
      all_ = wherry::view<double, 2>(owned_.data(), {cells_[0] + 2, cells_[1] + 2});
    }
    fill(0);
    wherry::halo_options options;
    options.order = how.order;
    options.carry.transport = how.transport;
    exchange_.emplace(grid, options, wherry::halo_inside(all_, 1));
  }

  wherry::halo_exchange& exchange() { return *exchange_; }

  void fill(int round) {
    for_each_point(all_.whole(), [&](const auto& p) { all_[p] = is_core(p) ? value(test_.rank, p, round) : -1; });
  }
  // Halo cells that are no longer as `fill` left them.
  long written_by_others(int round) const {
    long count = 0;
    for_each_point(all_.whole(),
                   [&](const auto& p) { count += all_[p] != (is_core(p) ? value(test_.rank, p, round) : -1) ? 1 : 0; });
    return count;
  }
  // Cells that are not what the neighbours had in this round.
  long wrong(int round) const {
    long count = 0;
    for_each_point(all_.whole(), [&](const auto& p) {
      auto there = p;
      int rank = test_.rank;
      for (std::size_t d = 0; d < 2; ++d) {
        const index_t step = p[d] == 0 ? -1 : p[d] == cells_[d] + 1 ? 1 : 0;
        there[d] -= step * cells_[d];
        if (d == 0) rank = static_cast<int>((rank + step + test_.size) % test_.size);
      }
      count += all_[p] != value(rank, there, round) ? 1 : 0;
    });
    return count;
  }

 private:
  bool is_core(const wherry::point<2>& p) const {
    return p[0] > 0 && p[0] <= cells_[0] && p[1] > 0 && p[1] <= cells_[1];
  }
  static double value(int rank, const wherry::point<2>& p, int round) {
    return 1e6 * round + 1e4 * rank + static_cast<double>(37 * p[0] + 101 * p[1]) / 128;
  }

  const context& test_;
  wherry::point<2> cells_;
  std::vector<double> owned_;
  std::optional<wherry::field<double, 2>> field_;
  wherry::view<double, 2> all_;
  std::optional<wherry::halo_exchange> exchange_;  // destroyed before the fields
};

struct thrown_by_user : std::runtime_error {
  using std::runtime_error::runtime_error;
};

wherry::process_grid grid_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return wherry::process_grid(comm, {.periodic = {true, true}, .extents = {size, 1}});
}

// Those that look whether a field is in memory that the node shares.
bool looks_at_memory(const std::string& transport) { return transport == "auto" || transport == "shared"; }

// Small and large messages, one stage and several, memory of both kinds where it makes a difference.
template <class Body> void for_each_kind(const context& test, Body body) {
  for (const auto& name : usable_transports(test.comm))
    for (const auto order : {wherry::halo_order::direct, wherry::halo_order::by_dimension})
      for (const index_t length : {3, 3000})  // of the faces that travel
        for (const bool arena : {false, true}) {
          if (arena && !looks_at_memory(name)) continue;
          test.note(name);
          body(carried{name, order, {3, length}, arena});
        }
}

enum class way { exception, timeout, abandon };

// Starts, and gives up.
void give_up(way how, std::unique_ptr<chain> mine, std::unique_ptr<chain>& kept) {
  if (how == way::exception) {
    try {
      const auto local = std::move(mine);
      local->exchange().start();
      throw thrown_by_user("between start and wait");
    } catch (const thrown_by_user&) {
    }
  } else if (how == way::timeout) {
    const setting timeout("timeout", "0.05", "0");
    mine->exchange().start();
    try {
      mine->exchange().wait();
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::timeout);
    }
    mine.reset();
  } else {
    mine->exchange().start();
    mine->exchange().abandon();
    CHECK_THROWS_WITH(mine->exchange().start(), "moved from or abandoned");
    CHECK_THROWS_WITH(mine->exchange().wait(), "moved from or abandoned");
    mine->fill(99);
    kept = std::move(mine);
  }
}

// MPI cannot be made to forget what it sends straight from a field, unless it is so little that it has a copy.
bool must_wait_for_peers(const carried& how) { return how.transport == "datatype" && how.cells[1] > 100; }

void some_give_up(const context& test, const carried& how, way to_give_up, bool all) {
  const auto grid = grid_of(test.comm);
  auto mine = std::make_unique<chain>(test, grid, how);
  std::unique_ptr<chain> kept;
  mine->fill(7);
  const bool gives_up = all || test.rank == 0;
  if (gives_up) give_up(to_give_up, std::move(mine), kept);
  if (!all && !must_wait_for_peers(how)) patient_barrier(test.comm);
  if (!gives_up) {
    mine->exchange()();
    CHECK_EQUAL(mine->wrong(7), 0L);
  }
  chain next(test, grid, how);
  for (int round = 1; round <= 3; ++round) {
    next.fill(round);
    next.exchange()();
    CHECK_EQUAL(next.wrong(round), 0L);
  }
  if (kept) CHECK_EQUAL(kept->written_by_others(99), 0L);
}

void one_then_all_give_up(const context& test, const carried& how, way to_give_up) {
  some_give_up(test, how, to_give_up, false);
  some_give_up(test, how, to_give_up, true);
}

}  // namespace

WHERRY_TEST(exception_in_flight, ranks(1, 2, 3, 4).not_simulated("takes minutes")) {
  for_each_kind(test, [&](const carried& how) { one_then_all_give_up(test, how, way::exception); });
}

WHERRY_TEST(timeout_then_late_arrival, ranks(1, 2, 3, 4).not_simulated("takes minutes")) {
  for_each_kind(test, [&](const carried& how) { some_give_up(test, how, way::timeout, false); });
}

WHERRY_TEST(abandoned_on_purpose, ranks(1, 2, 3, 4).not_simulated("takes minutes")) {
  for_each_kind(test, [&](const carried& how) { one_then_all_give_up(test, how, way::abandon); });
}

WHERRY_TEST(abandoned_with_checks_and_thread, ranks(1, 2, 3).not_simulated("takes minutes")) {
  for (const char* name : {"check", "progress_thread"}) {
    const setting on(name, "1", "0");
    for (const char* transport : {"auto", "two_sided"})
      for (const auto order : {wherry::halo_order::direct, wherry::halo_order::by_dimension})
        one_then_all_give_up(test, {transport, order, {40, 40}, true}, way::exception);
  }
}

// Remote messages beside those of the node.
WHERRY_TEST(abandoned_between_nodes, ranks(2, 4).not_simulated("takes minutes")) {
  const setting node_size("node_size", "2", "0");
  MPI_Comm nodes = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &nodes);
  context here = test;
  here.comm = nodes;
  for (const auto order : {wherry::halo_order::direct, wherry::halo_order::by_dimension})
    for (const auto how : {way::exception, way::abandon})
      one_then_all_give_up(here, {"auto", order, {40, 40}, true}, how);
  MPI_Comm_free(&nodes);
}

WHERRY_TEST(destroyed_unfinished, ranks(1, 2, 3, 4)) {
  const auto grid = grid_of(test.comm);
  wherry::field<double, 1> u(grid.comm(), {5}, 1);
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    const wherry::process_grid line(test.comm, {.periodic = {true}});
    for (int i = 0; i < 5; ++i) u(i) = 10 * test.rank + i;
    {
      wherry::halo_options how;
      how.carry.transport = name;
      wherry::halo_exchange exchange(line, how, u);
      exchange.start();
    }  // waits
    CHECK_EQUAL(u(-1), 10.0 * ((test.rank + test.size - 1) % test.size) + 4);
    CHECK_EQUAL(u(5), 10.0 * ((test.rank + 1) % test.size));
    u(-1) = u(5) = -1;
  }
}

WHERRY_TEST(moved_in_flight, ranks(1, 2, 3, 4)) {
  const wherry::process_grid line(test.comm, {.periodic = {true}});
  wherry::field<int, 1> u(line.comm(), {1}, 1), v(line.comm(), {1}, 1);
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    wherry::halo_options how;
    how.carry.transport = name;
    wherry::halo_exchange first(line, how, u);
    u(0) = v(0) = test.rank;
    u(-1) = v(-1) = -1;
    first.start();
    wherry::halo_exchange second(std::move(first));
    CHECK_THROWS_WITH(first.start(), "moved from");
    CHECK_THROWS_WITH(first.test(), "moved from");
    CHECK_THROWS_WITH(first.wait(), "moved from");
    CHECK_THROWS_WITH(first.start(u), "moved from");
    CHECK_THROWS_WITH((void)first.explain(), "moved from");
    second.wait();
    CHECK_EQUAL(u(-1), (test.rank + test.size - 1) % test.size);
    // What is replaced is waited for.
    wherry::halo_exchange third(line, how, v);
    third.start();
    third = std::move(second);
    CHECK_EQUAL(v(-1), (test.rank + test.size - 1) % test.size);
    third();
  }
}
