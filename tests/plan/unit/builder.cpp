// Shape tables and the builder: what goes in comes out, once a shape, in an order that both sides of a message share.
#include <algorithm>
#include <cstdint>
#include <span>

#include "wherry/core/error.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "harness/harness.hpp"
#include "plan/packets.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::plans::block;

namespace {

// Any shape, sensible or not: the table keeps them all as they are.
block random_block(random_numbers& random) {
  const auto number = [&]() -> std::int64_t {
    const auto small = random.between(-3, 40);
    if (random.chance(90)) return small;
    static const std::vector<std::int64_t> large{INT32_MAX,
                                                 INT32_MAX + std::int64_t{1},
                                                 INT32_MIN,
                                                 INT64_MAX,
                                                 INT64_MIN,
                                                 INT32_MIN - std::int64_t{1},
                                                 std::int64_t{1} << 32};
    return random.one_of(large);
  };
  block b;
  b.kind = static_cast<block::form>(random.between(0, 2));
  b.loops = static_cast<std::int8_t>(random.between(0, wherry::plans::max_block_rank));
  b.field = random.between(0, 3);
  b.offset = number();
  b.run = number();
  b.element = random.chance(50) ? 8 : number();
  if (random.chance(20)) b.wire_element = number();
  if (random.chance(20)) b.count = number();
  if (random.chance(20)) b.operation = static_cast<std::int16_t>(random.between(0, 300));
  for (int d = 0; d < b.loops; ++d) b.loop[static_cast<std::size_t>(d)] = {number(), number()};
  return b;
}

block row_of_cells(std::int32_t field, std::int64_t offset, std::int64_t cells) {
  const std::int64_t extents[] = {cells}, strides[] = {16};
  return wherry::plans::strided_block(field, 8, offset, extents, strides);
}

std::string error_of(wherry::plans::schedule_builder& plan) {
  try {
    plan.finish();
  } catch (const wherry::error& failure) {
    return failure.what();
  }
  return {};
}

}  // namespace

WHERRY_UNIT_TEST(every_shape_comes_back) {
  random_numbers random(hash(test.seed, 0));
  wherry::plans::schedule plan;
  std::vector<block> blocks;
  std::vector<wherry::plans::block_row> rows;
  for (int i = 0; i < 20000; ++i) {
    blocks.push_back(!blocks.empty() && random.chance(30) ? random.one_of(blocks) : random_block(random));
    rows.push_back(plan.row_of(blocks.back()));
    if (random.chance(1)) plan.shapes.settle();  // adding goes on all the same
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (fault(plan.what(rows[i]) != blocks[i])) FAIL("block " + std::to_string(i) + " comes back as another");
  CHECK(plan.shapes.size() < blocks.size());
  const auto shapes = plan.shapes.size();
  for (const auto& b : blocks) plan.row_of(b);
  CHECK_EQUAL(plan.shapes.size(), shapes);
}

WHERRY_UNIT_TEST(equal_shapes_are_kept_once) {
  wherry::plans::schedule plan;
  const auto first = plan.row_of(row_of_cells(0, 0, 10));
  const auto moved = plan.row_of(row_of_cells(3, 4096, 10));
  CHECK_EQUAL(first.shape, moved.shape);
  CHECK(plan.row_of(row_of_cells(0, 0, 11)).shape != first.shape);
  CHECK_EQUAL(plan.shapes.size(), 2);
  CHECK(plan.shapes.strided_words(first.shape) != nullptr);
  CHECK(plan.shapes.strided_words(plan.row_of(wherry::plans::indexed_block(0, 8, 0, 2)).shape) == nullptr);
  CHECK_EQUAL(sizeof(wherry::plans::block_row), 16);
}

// The order in which parts come is nobody's business: only their keys are.
WHERRY_UNIT_TEST(parts_in_any_order) {
  struct part {
    bool leaves;
    int peer;
    wherry::plans::wire_key key;
    block what;
  };
  for (int i = 0; i < 200; ++i) {
    random_numbers random(hash(test.seed, i));
    const int me = random.between(0, 4);
    std::vector<part> parts;
    for (std::uint64_t k = 0; k < 40; ++k) {
      const int peer = random.between(0, 4);
      if (peer == me) continue;
      parts.push_back({random.chance(50),
                       peer,
                       {k / 7, k},
                       row_of_cells(0, static_cast<std::int64_t>(k) * 64, 1 + static_cast<std::int64_t>(k % 3))});
    }
    const auto built = [&] {
      wherry::plans::schedule_builder plan("test", me);
      plan.add_field({"u", 8, 0, 0});
      for (const auto& p : parts) p.leaves ? plan.send(p.peer, p.what, p.key) : plan.receive(p.peer, p.what, p.key);
      plan.send((me + 1) % 5, row_of_cells(0, 0, 0));  // empty
      return plan.finish();
    };
    const auto in_order = built();
    auto in_packets = in_order;
    in_packets.stages = wherry::in_packets(in_order.stages.front(), in_order, 20);
    in_order.validate(me, 5);
    in_packets.validate(me, 5);
    random.shuffle(parts);
    const auto blocks_by_peer = [](const wherry::plans::schedule& plan, bool leaves) {
      std::vector<std::vector<block>> result(5);
      for (const auto& s : plan.stages)
        for (const auto& m : leaves ? s.sends : s.receives)
          for (const auto& b : plan.blocks_of(m)) result[static_cast<std::size_t>(m.peer)].push_back(b);
      return result;
    };
    for (const bool leaves : {true, false}) {
      CHECK(blocks_by_peer(built(), leaves) == blocks_by_peer(in_order, leaves));
      CHECK(blocks_by_peer(in_packets, leaves) == blocks_by_peer(in_order, leaves));
    }
    CHECK(built().stages == in_order.stages);
    for (const auto& s : in_packets.stages)
      for (const auto* list : {&s.sends, &s.receives})
        for (const auto& m : *list) {
          std::int64_t payload = 0;
          for (const auto& b : in_packets.blocks_of(m)) payload += b.wire_bytes();
          CHECK(m.count == 1 || payload <= 20);
        }
  }
}

WHERRY_UNIT_TEST(what_goes_to_oneself_is_copied) {
  wherry::plans::schedule_builder plan("test", 2, {0});
  const auto u = plan.add_field({"u", 8, 0, 1000}), v = plan.add_field({"v", 8, 0, 1000});
  plan.receive(2, row_of_cells(v, 0, 3));
  plan.receive(1, row_of_cells(v, 160, 2));
  plan.receive(2, row_of_cells(v, 320, 4));
  plan.send(2, row_of_cells(u, 16, 3));
  plan.send(2, row_of_cells(u, 64, 4));
  plan.next_stage();
  plan.copy(row_of_cells(u, 0, 5), row_of_cells(u, 80, 5));
  plan.copy(plan.row_of(row_of_cells(u, 0, 5)), plan.row_of(row_of_cells(u, 16, 5)), true);
  const auto made = plan.finish();
  made.validate(2, 3);
  CHECK_EQUAL(made.stages.size(), 2);
  const auto first = made.copies_of(made.stages[0]), second = made.copies_of(made.stages[1]);
  CHECK_EQUAL(first.size(), 2);
  CHECK(first[0] == (wherry::plans::local_copy{row_of_cells(u, 16, 3), row_of_cells(v, 0, 3), 0, false}));
  CHECK(first[1] == (wherry::plans::local_copy{row_of_cells(u, 64, 4), row_of_cells(v, 320, 4), 0, false}));
  CHECK_EQUAL(second.size(), 2);
  CHECK(!second[0].overlaps && second[1].overlaps);
  CHECK_EQUAL(made.stages[0].receives.size(), 1);
  CHECK_EQUAL(made.stages[0].receives[0].operation, 0);

  wherry::plans::schedule_builder lopsided("test", 2);
  lopsided.send(2, row_of_cells(0, 0, 3));
  CHECK(error_of(lopsided).find("sends itself 1 parts, but expects 0 parts from itself") != std::string::npos);
}

// Messages of one operation name it; those of several name the mixture, and their blocks what happens to each.
WHERRY_UNIT_TEST(several_operations) {
  const int mixture = 2;
  wherry::plans::schedule_builder plan("test", 1, {.mixture = mixture});
  plan.add_field({"u", 8, 0, 1000});
  const auto add = [&](int operation, int peer, std::uint64_t key) {
    plan.arrives_by(operation);
    plan.receive(peer, row_of_cells(0, 8 * static_cast<std::int64_t>(key), 1), {key, 0});
    plan.send(peer, row_of_cells(0, 0, 1), {key, 0});
  };
  add(wherry::detail::store, 0, 1);
  add(1, 0, 2);
  add(0, 1, 3);  // to itself
  add(0, 2, 4);
  plan.next_stage();
  add(0, 0, 5);
  const auto made = plan.finish();
  made.validate(1, 3);
  for (const auto* list : {&made.stages[0].sends, &made.stages[0].receives}) {
    CHECK_EQUAL(list->size(), 2u);
    CHECK_EQUAL((*list)[0].operation, mixture);
    CHECK_EQUAL((*list)[1].operation, 0);
    const auto blocks = made.blocks_of((*list)[0]);
    CHECK_EQUAL(blocks.size(), 2u);
    CHECK_EQUAL(blocks[0].operation, wherry::detail::store);
    CHECK_EQUAL(blocks[1].operation, 1);
  }
  CHECK_EQUAL(made.stages[0].copies.size(), 1u);
  CHECK_EQUAL(made.stages[0].copies[0].operation, 0);
  CHECK_EQUAL(made.stages[1].sends[0].operation, 0);
}

// Halo to core instead of core to halo.
WHERRY_UNIT_TEST(plans_turned_around) {
  wherry::plans::schedule_builder builder("test", 0);
  builder.add_field({"u", 8, 0, 1000});
  builder.send(1, row_of_cells(0, 0, 2));
  builder.receive(2, row_of_cells(0, 64, 3));
  builder.copy(row_of_cells(0, 128, 2), row_of_cells(0, 256, 2));
  const auto plan = builder.finish();
  auto back = plan;
  turn_around(back, 0);
  CHECK_EQUAL(back.stages[0].receives[0].peer, 1);
  CHECK_EQUAL(back.stages[0].sends[0].operation, 0);
  CHECK_EQUAL(back.copies_of(back.stages[0])[0].to.offset, 128);
  CHECK_EQUAL(back.copies_of(back.stages[0])[0].operation, 0);
  turn_around(back, wherry::detail::store);
  CHECK(back == plan);
}
