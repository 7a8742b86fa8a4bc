// Halo exchanges whose fields become ready part by part, said by one thread or by several.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "wherry/plan/schedule_builder.hpp"
#include "wherry/transport/exchange.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::halo_part;

namespace {

/// Slabs of the core of one of a subdomain's fields, across a dimension; maybe not all of it.
void append_slabs(const std::vector<wherry::halo_field>& fields, int subdomain, random_numbers& random,
                  std::vector<halo_part>& parts) {
  const auto& field = random.one_of(fields);
  const auto across = static_cast<std::size_t>(random.between(0, field.dimensions - 1));
  const auto slabs = random.between(1, 4);
  for (int s = 0; s < slabs; ++s) {
    halo_part part;
    part.dimensions = field.dimensions;
    part.subdomain = subdomain;
    bool empty = false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(field.dimensions); ++d) {
      part.upper[d] = field.halo[d].core();
      if (d == across) {
        part.lower[d] = field.halo[d].core() * s / slabs;
        part.upper[d] = field.halo[d].core() * (s + 1) / slabs;
      }
      empty = empty || part.upper[d] <= part.lower[d];
    }
    if (!empty && !random.chance(10)) parts.push_back(part);
  }
}

/// The cells of all fields, as those that compute a part see them.
class computed {
 public:
  computed(const halo_case& what, checked_fields& fields, const std::vector<halo_part>& parts, int rank)
      : cells_(parts.size()) {
    const auto subdomains = what.owned_by(rank);
    std::size_t number = 0;
    fields.each([&](checked_field& f) {
      const auto subdomain = static_cast<int>(number++ / what.fields.size());
      const auto described = f.description();
      f.for_each_core_cell([&](const cell& place, long offset, const cell&) {
        for (std::size_t p = 0; p < parts.size(); ++p) {
          bool inside = parts[p].subdomain == subdomain;
          for (std::size_t d = 0; d < static_cast<std::size_t>(what.dimensions); ++d) {
            const long at = place[d] - described.halo[d].begin;
            inside = inside && parts[p].lower[d] <= at && at < parts[p].upper[d];
          }
          if (!inside) continue;
          for (long b = 0; b < described.element; ++b)
            cells_[p].push_back({f.at(offset + b), *f.expected_at(offset + b)});
          return;
        }
      });
    });
  }
  /// As if nothing were computed yet.
  void spoil() const {
    for (const auto& part : cells_)
      for (const auto& c : part) *c.at = ~c.value;
  }
  void compute(int part) const {
    for (const auto& c : cells_[static_cast<std::size_t>(part)]) *c.at = c.value;
  }

 private:
  struct one_byte {
    std::byte* at;
    std::byte value;
  };
  std::vector<std::vector<one_byte>> cells_;
};

std::vector<halo_part> random_parts(const checked_fields& fields, random_numbers& random) {
  std::vector<halo_part> parts;
  int subdomain = 0;
  for (const auto& here : fields.descriptions()) append_slabs(here, subdomain++, random, parts);
  return parts;
}

std::vector<int> in_any_order(std::size_t count, random_numbers& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  return order;
}

/// Some parts by this thread, which looks after the exchange now and then, or all by three others while it waits.
void compute_all(wherry::halo_exchange& exchange, const computed& work, std::size_t parts, random_numbers& random) {
  const auto order = in_any_order(parts, random);
  if (random.chance(50)) {
    for (const int part : order) {
      work.compute(part);
      exchange.ready(part);
      if (random.chance(20)) CHECK(!exchange.test() || part == order.back());
    }
    exchange.wait();
    return;
  }
  std::vector<std::jthread> team;
  for (std::size_t t = 0; t < 3; ++t)
    team.emplace_back([&, t] {
      for (std::size_t i = t; i < order.size(); i += 3) {
        work.compute(order[i]);
        exchange.ready(order[i]);
      }
    });
  exchange.wait();
}

void exchange_in_parts(const halo_case& given, MPI_Comm comm, random_case& now) {
  const wherry::communicator ours(comm);
  auto what = given;
  checked_fields fields(what, ours);
  random_numbers random(hash(now.random.next(), ours.rank()));  // parts are each rank's own
  what.options.parts = random_parts(fields, random);
  log(now.title + ", " + what.options.carry.transport + ", " + std::to_string(what.options.parts.size()) +
      " parts: " + what.text());
  auto exchange = bind(what, comm, fields);
  for (int round = 1; round <= 4; ++round) {
    fields.each([&](checked_field& f) { f.fill(round), f.expect_halo(round); });
    if (what.options.parts.empty() || round == 2) {
      exchange();
    } else {
      const computed work(what, fields, what.options.parts, ours.rank());
      work.spoil();
      if (round == 3)
        exchange.bound().start_in_parts(fields.table());
      else
        exchange.start_in_parts();
      compute_all(exchange, work, what.options.parts.size(), random);
    }
    fields.check(now.title + ", " + exchange.bound().transport() + ", round " + std::to_string(round));
  }
}

/// A line of cells on a ring of ranks, in four parts, the outer ones of which are sent.
struct ring {
  ring(MPI_Comm comm, const std::string& transport)
      : grid(comm, {.periodic = {true}}),
        cells(grid.comm(), {8}, 1),
        exchange(grid, {.parts = parts(), .carry = {.transport = transport}}, cells) {}
  static std::vector<halo_part> parts() {
    std::vector<halo_part> all;
    for (wherry::index_t p = 0; p < 4; ++p) all.emplace_back(wherry::box<1>{{2 * p}, {2 * p + 2}});
    return all;
  }
  wherry::process_grid grid;
  wherry::field<int, 1> cells;
  wherry::halo_exchange exchange;
};

}  // namespace

WHERRY_TEST(any_halo_in_any_parts, ranks(1, 2, 3, 4, 8).not_simulated("threads")) {
  const node_communicators nodes(test.comm);
  for_each_case(test, 300, [&](random_case& now) {
    auto what = random_halo_case(now.random, test.size, {.cells = 600});
    const auto comm = nodes.pick(now.random);
    what.options.carry.transport = now.random.one_of(usable_transports(comm));
    what.options.order = static_cast<wherry::halo_order>(now.random.between(0, 3));
    const bool any_order =
        what.on_grid && what.stencil.size() == static_cast<std::size_t>(std::pow(3, what.dimensions) - 1);
    if (!any_order) what.options.order = wherry::halo_order::automatic;
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    what.options.carry.progress_thread = level == MPI_THREAD_MULTIPLE && now.random.chance(20);
    const setting checked("check", now.random.chance(20) ? "1" : "0", "0");
    exchange_in_parts(what, comm, now);
  });
}

// A user's function that throws while another call says what is ready: whoever waits is told, and nobody hangs.
WHERRY_TEST(what_throws_when_a_part_is_ready_is_told_by_wait, ranks(2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  for (const std::string name : {"two_sided", "persistent"}) {
    test.note(name);
    wherry::plans::schedule_builder plan("parts", test.rank);
    for (const char* const field : {"out", "in"})
      plan.add_field({.name = field, .element = 1, .lowest = 0, .highest = 8, .type = {}});
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    plan.send(next, wherry::plans::called_block(0, 0, 8));
    plan.receive(before, wherry::plans::called_block(1, 0, 8));
    wherry::plans::functions code;
    bool throws = false;
    const auto gather = [&](const void*, std::int64_t, std::byte* wire) {
      if (throws) throw std::runtime_error("not today");
      std::fill_n(wire, 8, std::byte{5});
    };
    const auto scatter = [](void* to, std::int64_t, const std::byte* wire) {
      std::copy_n(wire, 8, static_cast<std::byte*>(to));
    };
    code.accessors = {{gather, scatter}, {gather, scatter}};
    wherry::exchange exchange(comm, plan.finish(), code, {.transport = name});
    exchange.divide(1, [](const wherry::plans::block_row& row, std::vector<int>& needed) {
      if (row.field == 0) needed.push_back(0);
    });
    std::byte out[8]{}, in[8]{};
    void* const fields[] = {out, in};
    exchange.start_in_parts(fields);
    exchange.ready(0);
    exchange.wait();
    CHECK(in[7] == std::byte{5});
    throws = true;
    exchange.start_in_parts();
    exchange.ready(0);
    try {
      exchange.wait();
      FAIL("nothing was thrown");
    } catch (const std::runtime_error& problem) {
      CHECK_EQUAL(std::string(problem.what()), "not today");
    }
    exchange.abandon();
  }
}

// What needs no part that is still missing has left: a neighbour that hears of nothing else gets it.
WHERRY_TEST(messages_leave_with_their_last_part, ranks(2, 3, 4).not_simulated("threads")) {
  for (const std::string name : {"two_sided", "persistent", "shared"}) {
    if (name == "shared" && !std::ranges::count(usable_transports(test.comm), name)) continue;
    test.note(name);
    ring mine(test.comm, name);
    for (int i = 0; i < 8; ++i) mine.cells(i) = 10 * test.rank + i;
    mine.exchange.start_in_parts();
    mine.exchange.ready(3);
    mine.exchange.ready(0);
    const int left = (test.rank + test.size - 1) % test.size, right = (test.rank + 1) % test.size;
    // The inner ones are not ready before all ranks have got what they wait for.
    for (;;) {
      CHECK(!mine.exchange.test());
      int here = mine.cells(-1) == 10 * left + 7 && mine.cells(8) == 10 * right ? 1 : 0, everywhere = 0;
      MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, test.comm);
      if (everywhere != 0) break;
    }
    mine.exchange.ready(1);
    CHECK(!mine.exchange.test());
    mine.exchange.ready(2);
    mine.exchange.wait();
    mine.exchange();  // without parts again
  }
}

WHERRY_TEST(misused_parts_are_named, ranks(1, 2, 3)) {
  ring mine(test.comm, "auto");
  const auto refused = [&](error_kind kind, const char* words, const std::function<void()>& act) {
    all_throw(test, words, kind, words, act);
  };
  refused(error_kind::state, "'ready' was called for part 1, but the exchange was not started in parts",
          [&] { mine.exchange.ready(1); });
  mine.exchange.start();
  refused(error_kind::state, "was not started in parts", [&] { mine.exchange.ready(1); });
  refused(error_kind::state, "'start' was called again before 'wait'", [&] { mine.exchange.start_in_parts(); });
  refused(error_kind::state, "'divide' was called between 'start' and 'wait'",
          [&] { mine.exchange.bound().divide(1, [](const auto&, auto&) {}); });
  mine.exchange.wait();
  mine.exchange.start_in_parts();
  refused(error_kind::argument, "'part' is 4; there are 4 parts", [&] { mine.exchange.ready(4); });
  refused(error_kind::argument, "'part' is -1; there are 4 parts", [&] { mine.exchange.ready(-1); });
  mine.exchange.ready(2);
  refused(error_kind::state, "'ready' was called twice for part 2", [&] { mine.exchange.ready(2); });
  for (const int part : {0, 1, 3}) mine.exchange.ready(part);
  mine.exchange.wait();

  wherry::field<int, 1> cells(mine.grid.comm(), {8}, 1);
  const auto bind = [&](const wherry::halo_options& how) { wherry::halo_exchange(mine.grid, how, cells); };
  wherry::halo_exchange whole(mine.grid, cells);
  refused(error_kind::state, "'divide' was not called", [&] { whole.start_in_parts(); });
  refused(error_kind::argument, "part 1 has no cells",
          [&] { bind({.parts = {wherry::box<1>{{0}, {2}}, wherry::box<1>{{4}, {4}}}}); });
  refused(error_kind::argument, "part 0 reaches beyond all fields",
          [&] { bind({.parts = {wherry::box<1>{{0}, {10}}}}); });
  refused(error_kind::argument, "part 0 reaches beyond all fields",
          [&] { bind({.parts = {wherry::box<2>{{0, 0}, {1, 1}}}}); });
  refused(error_kind::argument, "part 0 is of subdomain 1, expected fewer than 1",
          [&] { bind({.parts = {halo_part(wherry::box<1>{{0}, {8}}, 1)}}); });
  refused(error_kind::argument, "'snapshot' cannot be used with 'parts'",
          [&] { bind({.parts = {wherry::box<1>{{0}, {8}}}, .carry = {.snapshot = true}}); });
  refused(error_kind::argument, "'part' is 3; there are 2 parts",
          [&] { whole.bound().divide(2, [](const auto&, auto& needed) { needed.push_back(3); }); });
}

// Who forgets a part is told which; and who gives the exchange up does not keep the others waiting.
WHERRY_TEST(forgotten_parts_are_named, ranks(1, 2, 3, 4).not_simulated("real time must pass")) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (const auto& name : usable_transports(comm)) {
      test.note(name);
      ring mine(comm, name);
      const setting limit("timeout", "0.2", "0");
      mine.exchange.start_in_parts();
      mine.exchange.ready(3);
      mine.exchange.ready(1);
      all_throw(test, name, error_kind::timeout, "waits for parts of this rank that are not ready: 0, 2",
                [&] { mine.exchange.wait(); });
      mine.exchange.ready(0);
      mine.exchange.ready(2);
      const setting no_limit("timeout", "60", "0");
      MPI_Barrier(test.comm);
      mine.exchange.wait();
      mine.exchange.start_in_parts();
      if (test.rank != 0) {
        for (int part = 0; part < 4; ++part) mine.exchange.ready(part);
        mine.exchange.wait();
      } else {
        mine.exchange.ready(3);
        mine.exchange.abandon();
      }
      ring(comm, name).exchange();  // whoever waits for anything carries on what was given up
    }
}
