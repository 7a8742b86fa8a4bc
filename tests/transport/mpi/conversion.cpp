// What arrives as floats and is kept, or added, as doubles: over all transports, each byte against the plainest way.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

using wherry::plans::block;

constexpr std::int64_t columns = 6, rows = 5, listed = 4;  // most of them in one message
constexpr std::int64_t room = 2 * columns * rows;          // elements that a message has to itself, on either side

// One random case: what goes from each rank to each, itself too. Elements are up to three numbers.
struct conversion_case {
  conversion_case(random_numbers& random, int size) : ranks(size), numbers(random.between(1, 3)) {
    adds = random.chance(50);
    snapshot = random.chance(20);
    const int likely = size <= 16 ? 80 : 16 * 80 / size;  // hundreds of simulated ranks have a dozen peers each
    for (int pair = 0; pair < size * size; ++pair) {
      auto& e = extents.emplace_back();
      if (random.chance(likely)) e = {random.between(1, columns), random.between(1, rows), random.between(0, listed)};
      lists_leave.push_back(random.chance(50));
    }
  }

  struct sizes {
    std::int64_t columns = 0, rows = 0, listed = 0;
  };
  const sizes& between(int from, int to) const { return extents[static_cast<std::size_t>(from * ranks + to)]; }
  std::int64_t element(bool arrives) const { return numbers * (arrives ? 8 : 4); }

  // The places of what goes from one rank to another, in elements from the start of their room, in wire order. Where
  // it leaves row by row, where it arrives column by column, both with gaps; what is listed, backwards.
  std::vector<std::int64_t> places(int from, int to, bool arrives) const {
    const auto& n = between(from, to);
    std::vector<std::int64_t> result;
    for (std::int64_t y = 0; y < n.rows; ++y)
      for (std::int64_t x = 0; x < n.columns; ++x) result.push_back(arrives ? x * rows + y : y * columns + x);
    for (std::int64_t i = 0; i < n.listed; ++i) result.push_back(room - 1 - 2 * i);
    return result;
  }

  std::vector<block> blocks(int from, int to, bool arrives, wherry::plans::schedule& plan) const {
    const auto& n = between(from, to);
    const std::int64_t size = element(arrives), start = (arrives ? from : to) * room * size;
    const std::int64_t shape[] = {n.columns, n.rows}, along[] = {size, columns * size}, across[] = {rows * size, size};
    std::vector<block> result{wherry::plans::strided_block(arrives, size, start, shape, arrives ? across : along)};
    const std::int64_t list[] = {n.listed}, back[] = {-2 * size}, last = start + (room - 1) * size;
    if (arrives != lists_leave[static_cast<std::size_t>(from * ranks + to)]) {
      std::vector<std::int64_t> places;
      for (std::int64_t i = 0; i < n.listed; ++i) places.push_back(last - 2 * i * size);
      result.push_back(wherry::plans::indexed_block(arrives, size, plan.indices.add(places), n.listed));
    } else {
      result.push_back(wherry::plans::strided_block(arrives, size, last, list, back));
    }
    if (arrives)
      for (auto& b : result) b.wire_element = element(false);
    return result;
  }

  wherry::plans::schedule plan(int rank, wherry::memory_space space) const {
    wherry::plans::schedule result;
    result.pattern = "conversion";
    result.fields = {{"floats", 4, 0, ranks * room * element(false), space},
                     {"doubles", 8, 0, ranks * room * element(true), space}};
    auto& only = result.stages.emplace_back();
    for (int peer = 0; peer < ranks; ++peer) {
      const auto out = between(rank, peer).columns > 0 ? blocks(rank, peer, false, result) : std::vector<block>{};
      const auto in = between(peer, rank).columns > 0 ? blocks(peer, rank, true, result) : std::vector<block>{};
      if (peer == rank) {
        for (std::size_t b = 0; b < out.size(); ++b) result.add_copy(only, {out[b], in[b], 0});
        continue;
      }
      if (!out.empty()) only.sends.push_back(result.make_message(peer, wherry::detail::store, out));
      if (!in.empty()) only.receives.push_back(result.make_message(peer, 0, in));
    }
    return result;
  }

  wherry::plans::functions code() const {
    if (!adds) return {{wherry::convert<double, float>()}, {}};
    return {{wherry::make_conversion<double, float>("add", [](double there, float here) { return there + here; })}, {}};
  }

  int ranks;
  std::int64_t numbers;
  bool adds = false, snapshot = false;
  std::vector<sizes> extents;
  std::vector<char> lists_leave;
};

float value(int rank, std::size_t place, int round) {
  return static_cast<float>((static_cast<int>(place) * 7 + rank * 131 + round * 17) % 1009) / 4;
}

void run(const conversion_case& what, const std::string& transport, MPI_Comm handle, const std::string& title) {
  const wherry::communicator comm(handle);
  const int me = comm.rank();
  const auto length = what.ranks * room * what.numbers;
  wherry::field<float, 1> floats(comm, wherry::point<1>{length}, 0);
  wherry::field<double, 1> doubles(comm, wherry::point<1>{length}, 0);
  wherry::exchange exchange(comm, what.plan(me, floats.space()), what.code(), {transport, what.snapshot});
  void* const table[] = {floats.data(), doubles.data()};

  std::vector<double> expected(static_cast<std::size_t>(length));
  for (std::size_t i = 0; i < expected.size(); ++i) doubles.data()[i] = expected[i] = -1.0 - static_cast<double>(i);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < expected.size(); ++i) floats.data()[i] = value(me, i, round);
    exchange.start(table);
    exchange.wait();
    for (int peer = 0; peer < what.ranks; ++peer) {
      const auto from = what.places(peer, me, false), to = what.places(peer, me, true);
      if (what.between(peer, me).columns == 0) continue;
      for (std::size_t e = 0; e < to.size(); ++e)
        for (std::int64_t n = 0; n < what.numbers; ++n) {
          const auto there = static_cast<std::size_t>((peer * room + to[e]) * what.numbers + n);
          const auto here = static_cast<std::size_t>((me * room + from[e]) * what.numbers + n);
          expected[there] = (what.adds ? expected[there] : 0) + static_cast<double>(value(peer, here, round));
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (doubles.data()[i] != expected[i]) {
        FAIL(title + ", " + transport + ", round " + std::to_string(round) + ": double " + std::to_string(i) + " is " +
             std::to_string(doubles.data()[i]) + " instead of " + std::to_string(expected[i]));
        return;
      }
  }
  const auto& plan = exchange.schedule();
  CHECK_EQUAL(exchange.statistics().bytes_received, 3 * plan.bytes_received());
  if (!plan.stages[0].receives.empty())
    CHECK(exchange.explain().find(what.adds ? "'add' on" : "'convert' on") != std::string::npos);
}

}  // namespace

WHERRY_TEST(floats_become_doubles, ranks(1, 2, 3, 4)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 200, [&](random_case& now) {
    const MPI_Comm comm = comms.pick(now.random);
    const conversion_case what(now.random, test.size);
    std::optional<setting> check, limit, row;
    if (now.random.chance(30)) check.emplace("check", "1", "0");
    if (now.random.chance(20)) limit.emplace("message_limit", std::to_string(8 * now.random.between(1, 8)), "1G");
    if (now.random.chance(50)) row.emplace("one_copy_row", "1", "0");
    for (const auto& name : usable_transports(comm)) run(what, name, comm, now.title);
  });
}

// Errors come on all ranks alike, before anything is sent.
WHERRY_TEST(conversions_that_do_not_fit, ranks(2, 3)) {
  random_numbers random(hash(test.seed, 0));
  conversion_case what(random, test.size);
  what.extents.assign(what.extents.size(), {2, 2, 1});
  what.numbers = 1;
  const wherry::communicator comm(test.comm);
  const auto refused = [&](const wherry::plans::functions& code, auto spoil, const char* words) {
    auto plan = what.plan(comm.rank(), wherry::memory_space::host);
    spoil(plan, plan.stages[0]);
    CHECK_THROWS_WITH(wherry::exchange(comm, plan, code, {"two_sided", false}), words);
  };
  using wherry::plans::schedule;
  using wherry::plans::stage;
  const auto nothing = [](schedule&, stage&) {};
  refused({{wherry::reduction_of<double>(std::plus<>{})}, {}}, nothing,
          "makes elements of 8 bytes from elements of 8, but a message from rank");
  refused({}, nothing, "names reduction 0 of 0");
  refused(
      what.code(), [](schedule&, stage& s) { s.receives[0].operation = wherry::detail::store; }, "names no operation");
  refused(what.code(), [](schedule&, stage& s) { s.copies[0].operation = 3; }, "a copy names reduction 3 of 1");
  refused(
      what.code(),
      [](schedule& p, stage& s) {
        auto blocks = p.blocks_of(s.receives[0]);
        for (auto& b : blocks) b.wire_element = 0;  // as many doubles
        s.receives[0] = p.make_message(s.receives[0].peer, 0, blocks);
      },
      "makes elements of 8 bytes from elements of 4");
}
