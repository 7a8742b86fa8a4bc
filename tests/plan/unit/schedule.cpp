// Blocks and schedules: normal form, sizes, and every error of validate and check_overlaps.
#include "wherry/plan/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using wherry::plans::block;

namespace {

block strided(std::vector<std::int64_t> extents, std::vector<std::int64_t> strides, std::int64_t element = 8) {
  return wherry::plans::strided_block(0, element, 0, extents, strides);
}

}  // namespace

WHERRY_UNIT_TEST(strided_blocks_are_normal) {
  const block whole = strided({10, 5, 3}, {8, 80, 400});
  CHECK(whole.contiguous());
  CHECK_EQUAL(whole.run, 1200);
  CHECK(strided({}, {}).contiguous());
  CHECK_EQUAL(strided({}, {}).bytes(), 8);
  CHECK(strided({1, 1, 1}, {99, 7, 5}).contiguous());  // unit extents have no stride

  const block rows = strided({10, 5, 3}, {8, 96, 480});  // gaps between rows, none between planes
  CHECK_EQUAL(rows.run, 80);
  CHECK_EQUAL(rows.loops, 1);
  CHECK(rows.loop[0] == (wherry::plans::block_loop{15, 96}));
  CHECK_EQUAL(rows.bytes(), 1200);
  CHECK_EQUAL(rows.highest(), 14 * 96 + 80);

  CHECK(strided({1, 4, 1, 5, 1}, {1, 8, 3, 40, 9}) == strided({4, 5}, {8, 40}));
  CHECK(strided({4, 5}, {8, 32}) == strided({20}, {8}));

  const block backwards = strided({4}, {-8});
  CHECK_EQUAL(backwards.loops, 1);
  CHECK_EQUAL(backwards.lowest(), -24);
  CHECK_EQUAL(backwards.highest(), 8);

  const block empty = strided({4, 0, 3}, {8, 99, 1});
  CHECK_EQUAL(empty.bytes(), 0);
  CHECK_EQUAL(empty.loops, 0);

  CHECK_THROWS_WITH(strided({-1}, {8}), "-1");
  CHECK_THROWS_WITH(strided({1, 2}, {8}), "as many as 'strides', which has 1");
  CHECK_THROWS_WITH(strided({1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}), "'extents' has 8 entries");
}

WHERRY_UNIT_TEST(runs_come_in_wire_order) {
  std::vector<std::int64_t> seen;
  wherry::plans::for_each_run(
      wherry::plans::strided_block(0, 2, 100, std::vector<std::int64_t>{2, 3}, std::vector<std::int64_t>{10, -4}),
      [&](std::int64_t at, std::int64_t bytes) {
        CHECK_EQUAL(bytes, 2);
        seen.push_back(at);
      });
  CHECK(seen == (std::vector<std::int64_t>{100, 110, 96, 106, 92, 102}));
}

WHERRY_UNIT_TEST(blocks_start_at_multiples_of_16_on_the_wire) {
  CHECK_EQUAL(wherry::plans::align_on_wire(0), 0);
  CHECK_EQUAL(wherry::plans::align_on_wire(1), 16);
  CHECK_EQUAL(wherry::plans::align_on_wire(16), 16);
  CHECK_EQUAL(wherry::plans::align_on_wire(17), 32);
  wherry::plans::schedule plan;
  const std::vector<block> blocks{strided({3}, {8}), strided({1}, {8}), strided({0}, {8}), strided({2}, {8})};
  CHECK_EQUAL(plan.bytes_of(plan.make_message(1, wherry::detail::store, blocks)), 48 + 16);
}

namespace {

// Rank 1 of 4: a plan without fault, to be spoilt.
wherry::plans::schedule good() {
  wherry::plans::schedule plan;
  plan.pattern = "test pattern";
  plan.fields = {{"u", 8, 0, 800}, {"v", 8, -80, 80}};
  plan.indices.add(std::vector<std::int64_t>{0, 8, 16, 72});
  plan.indices.add(std::vector<std::int64_t>{0, 8, 16, 796});
  plan.indices.add(std::vector<std::int64_t>{-1, 8, 16, 72});
  plan.indices.add(std::vector<std::int64_t>{16});
  plan.indices.add(std::vector<std::int64_t>{100});
  auto& stage = plan.stages.emplace_back();
  const auto message = [&](int peer, const block& b) {
    return plan.make_message(peer, wherry::detail::store, std::span(&b, 1));
  };
  stage.sends = {message(0, strided({10}, {8})), message(3, wherry::plans::indexed_block(0, 8, 0, 4))};
  stage.receives = {
      message(0, wherry::plans::strided_block(0, 8, 80, std::vector<std::int64_t>{10}, std::vector<std::int64_t>{16})),
      message(2, wherry::plans::strided_block(1, 8, -80, {}, {}))};
  plan.add_copy(stage, {strided({3}, {8}), wherry::plans::strided_block(0, 8, 400, std::vector<std::int64_t>{3},
                                                                        std::vector<std::int64_t>{8})});
  return plan;
}

// The rows of `good`, by what they are.
constexpr std::size_t first_send = 0, second_send = 1, first_receive = 2, second_receive = 3;

template <class Change> void change(wherry::plans::schedule& plan, wherry::plans::block_row& row, Change how) {
  auto b = plan.what(row);
  how(b);
  row = plan.row_of(b);
}

template <class Spoil> void refused(Spoil spoil, const char* words) {
  auto plan = good();
  spoil(plan, plan.stages[0]);
  CHECK_THROWS_WITH(plan.validate(1, 4), words);
  CHECK_THROWS_WITH(plan.validate(1, 4), "test pattern, rank 1");
}

}  // namespace

WHERRY_UNIT_TEST(validate_finds_every_fault) {
  good().validate(1, 4);
  using wherry::plans::schedule;
  using wherry::plans::stage;
  refused([](schedule&, stage& s) { s.sends[1].peer = 4; }, "rank 4 of a communicator of 4");
  refused([](schedule&, stage& s) { s.sends[0].peer = -1; }, "rank -1");
  refused([](schedule&, stage& s) { s.receives[0].peer = 1; }, "to the rank itself");
  refused([](schedule&, stage& s) { s.sends[0].peer = 3; }, "ascending order");
  refused([](schedule&, stage& s) { std::swap(s.receives[0], s.receives[1]); }, "ascending order");
  refused([](schedule& p, stage&) { change(p, p.rows[first_send], [](block& b) { b.field = 2; }); }, "field 2 of 2");
  refused([](schedule& p, stage&) { change(p, p.rows[first_send], [](block& b) { b.field = -1; }); }, "field -1");
  refused([](schedule& p, stage&) { change(p, p.rows[first_send], [](block& b) { b.offset = 728; }); },
          "bytes 728 to 808 of field 0 'u'");
  refused([](schedule& p, stage&) { change(p, p.rows[first_send], [](block& b) { b.offset = -8; }); },
          "bytes -8 to 72");
  refused([](schedule& p, stage&) { change(p, p.rows[second_receive], [](block& b) { b.offset = -88; }); }, "'v'");
  refused([](schedule& p, stage&) { change(p, p.rows[first_send], [](block& b) { b.run = -8; }); }, "negative size");
  refused([](schedule& p, stage&) { change(p, p.rows[second_send], [](block& b) { b.count = -1; }); }, "negative size");
  refused([](schedule& p, stage&) { change(p, p.rows[second_send], [](block& b) { b.skipped = 1; }); },
          "4 indices from 1 on, of 4");
  refused([](schedule& p, stage&) { change(p, p.rows[second_send], [](block& b) { b.list = 5; }); }, "list 5 of 5");
  refused([](schedule& p, stage&) { change(p, p.rows[second_send], [](block& b) { b.list = 1; }); }, "byte 796");
  refused([](schedule& p, stage&) { change(p, p.rows[second_send], [](block& b) { b.list = 2; }); }, "byte -1");
  refused([](schedule& p, stage&) { p.rows[second_send].offset = 724; }, "byte 796");
  refused([](schedule& p, stage&) { change(p, p.rows[second_send], [](block& b) { b.unit = 16; }); }, "byte 1152");
  refused([](schedule& p, stage&) { change(p, p.copies[0].to, [](block& b) { b.run = 16; }); },
          "reads 24 bytes but writes 16");
  refused([](schedule& p, stage&) { change(p, p.copies[0].from, [](block& b) { b.offset = 1000; }); },
          "a copy touches bytes 1000");
  // A field of unknown size is not checked; an empty block is nowhere.
  auto plan = good();
  plan.fields[0].highest = plan.fields[0].lowest;
  plan.rows[first_send].offset = 100000;
  plan.validate(1, 4);
  plan = good();
  plan.rows[first_send] =
      plan.row_of(wherry::plans::strided_block(0, 8, 5000, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{8}));
  plan.validate(1, 4);
}

// Copies whose maker has looked at them are looked at where errors are searched for.
WHERRY_UNIT_TEST(inspected_copies_are_taken_on_trust) {
  auto plan = good();
  plan.stages[0].copies[0].inspected = true;
  plan.copies[0].from.offset = 1000;
  plan.validate(1, 4);
  {
    const wherry_test::setting check("check", "1", "0");
    CHECK_THROWS_WITH(plan.validate(1, 4), "a copy touches bytes 1000");
  }
  // Those that are added to them were not.
  plan.copies[0].from.offset = 0;
  plan.add_copy(plan.stages[0], {strided({3}, {8}), wherry::plans::strided_block(0, 8, 800, {}, {})});
  CHECK_THROWS_WITH(plan.validate(1, 4), "a copy touches bytes 800");
}

WHERRY_UNIT_TEST(overlapping_arrivals) {
  good().check_overlaps(1);
  auto plan = good();
  plan.copies[0].to.offset = 80 + 16 * 3 - 16;  // its second element is an arrival's third
  CHECK_THROWS_WITH(plan.check_overlaps(1), "two arrivals write byte");
  plan.stages[0].copies[0].operation = 0;  // combining is not storing
  plan.check_overlaps(1);
  plan = good();
  plan.stages.push_back(plan.stages[0]);  // another stage may write again
  plan.check_overlaps(1);
  plan = good();
  plan.rows[second_receive] = plan.row_of(wherry::plans::indexed_block(0, 8, 3, 1));  // byte 16: free
  plan.check_overlaps(1);
  plan.rows[second_receive] = plan.row_of(wherry::plans::indexed_block(0, 8, 4, 1));  // inside the first arrival
  CHECK_THROWS_WITH(plan.check_overlaps(1), "of field 0");
}

// Rank 1 of 4: what arrives in 'u' are floats that become doubles.
WHERRY_UNIT_TEST(conversions) {
  const auto converting = [] {
    auto plan = good();
    auto& arriving = plan.stages[0].receives[0];
    arriving.operation = 0;
    change(plan, plan.rows[first_receive], [](block& b) { b.wire_element = 4; });
    plan.stages[0].copies[0].operation = 0;
    plan.copies[0].from =
        plan.row_of(wherry::plans::strided_block(0, 4, 8, std::vector<std::int64_t>{3}, std::vector<std::int64_t>{4}));
    change(plan, plan.copies[0].to, [](block& b) { b.wire_element = 4; });
    return plan;
  };
  const auto plan = converting();
  plan.validate(1, 4);
  const auto& arriving = plan.stages[0].receives[0];
  CHECK_EQUAL(plan.blocks_of(arriving)[0].bytes(), 80);
  CHECK_EQUAL(plan.blocks_of(arriving)[0].wire_bytes(), 40);
  CHECK_EQUAL(plan.bytes_of(arriving), 40);
  CHECK_EQUAL(plan.bytes_received(), 40 + 8);
  CHECK_EQUAL(plan.bytes_copied(), 12);
  CHECK(plan.explain().find("elements of 4 B become 8 B") != std::string::npos);
  CHECK(plan.to_json().find("\"wire_element\":4") != std::string::npos);

  const auto refused_here = [&](auto spoil, const char* words) {
    auto spoilt = converting();
    spoil(spoilt, spoilt.stages[0]);
    CHECK_THROWS_WITH(spoilt.validate(1, 4), words);
  };
  using wherry::plans::schedule;
  using wherry::plans::stage;
  refused_here([](schedule&, stage& s) { s.receives[0].operation = wherry::detail::store; }, "names no operation");
  refused_here([](schedule&, stage& s) { s.copies[0].operation = wherry::detail::store; }, "names no operation");
  refused_here([](schedule& p, stage&) { change(p, p.rows[first_send], [](block& b) { b.wire_element = 4; }); },
               "converts where it leaves");
  refused_here([](schedule& p, stage&) { change(p, p.copies[0].from, [](block& b) { b.wire_element = 8; }); },
               "converts where it leaves");
  refused_here([](schedule& p, stage&) { change(p, p.rows[first_receive], [](block& b) { b.element = 3; }); },
               "into 3 in rows of 8");
  refused_here([](schedule& p, stage&) { change(p, p.rows[first_receive], [](block& b) { b.wire_element = -4; }); },
               "elements of -4");
  refused_here([](schedule& p, stage&) { change(p, p.copies[0].to, [](block& b) { b.wire_element = 2; }); },
               "reads 12 bytes but writes 6");
  auto same = converting();
  change(same, same.rows[first_receive],
         [](block& b) { b.wire_element = 8; });  // of one size, as from integers to doubles
  same.validate(1, 4);
  CHECK_EQUAL(same.bytes_of(same.stages[0].receives[0]), 80);

  // Where a conversion stores, two at one place are an error; where it adds, they are not.
  wherry::plans::functions code;
  code.reductions = {wherry::convert<double, float>()};
  plan.check_overlaps(1, code);
  auto twice = converting();
  twice.copies[0].to.offset = 80 + 16;
  twice.check_overlaps(1);
  CHECK_THROWS_WITH(twice.check_overlaps(1, code), "two arrivals write byte 96");
  code.reductions[0].stores = false;
  twice.check_overlaps(1, code);
}

WHERRY_UNIT_TEST(figures_and_texts) {
  const auto plan = good();
  CHECK_EQUAL(plan.bytes_sent(), 80 + 32);
  CHECK_EQUAL(plan.bytes_received(), 80 + 8);
  CHECK_EQUAL(plan.bytes_copied(), 24);
  CHECK(plan == good());
  const auto said = plan.explain();
  CHECK(said.find("test pattern: 2 fields, 1 stage, sends 112 B") != std::string::npos);
  CHECK(said.find("stride 16") != std::string::npos);
  const auto json = plan.to_json();
  CHECK(json.find("\"pattern\":\"test pattern\"") != std::string::npos);
  CHECK_EQUAL(std::count(json.begin(), json.end(), '{'), std::count(json.begin(), json.end(), '}'));
}
