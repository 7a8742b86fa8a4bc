// Fields of an array of structures lie between each other, and are moved together: against one element after the other.
#include "plan/interleaved.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "wherry/plan/copy_engine.hpp"

#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::plans::block;

namespace {

using bytes = std::vector<std::byte>;

// A box of cells, each of so many slots; a field is a slot of all cells. Rows of cells may have gaps. Two boxes may
// stand abreast, cell by cell in turn: faces to both sides of an axis whose cells are neighbours.
struct structures {
  std::int64_t element = 8;
  int slots = 19;
  std::vector<std::int64_t> extents, strides;
  bytes memory;

  structures(random_numbers& random, std::int64_t of_element, const std::vector<std::int64_t>& cells, int abreast = 1)
      : element(of_element), slots(random.between(2, 40)), extents(cells) {
    std::int64_t next = element * slots * abreast + (random.chance(20) ? random.between(1, 9) : 0);
    const bool last_first = random.chance(20);
    strides.resize(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const auto d = last_first ? extents.size() - 1 - i : i;
      strides[d] = next;
      next = next * extents[d] + (random.chance(30) ? random.between(0, 40) : 0);
    }
    memory.resize(static_cast<std::size_t>(next + 2 * element));
    for (auto& b : memory) b = static_cast<std::byte>(random.next());
  }
  void* field(int slot) { return memory.data() + slot * element; }
  std::vector<std::int64_t> places(int slot) const {
    std::vector<std::int64_t> result{slot * element};
    for (std::size_t d = 0; d < extents.size(); ++d) {
      std::vector<std::int64_t> longer;
      for (std::int64_t i = 0; i < extents[d]; ++i)
        for (const auto at : result) longer.push_back(at + i * strides[d]);
      result = longer;
    }
    return result;
  }
};

// Mostly ascending, as a halo's are.
std::vector<int> some_slots(random_numbers& random, int slots, int most) {
  std::vector<int> all;
  for (int slot = 0; slot < slots; ++slot) all.push_back(slot);
  random.shuffle(all);
  all.resize(static_cast<std::size_t>(random.between(1, std::min(slots, most))));
  if (!random.chance(20)) std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::int64_t> some_extents(random_numbers& random) {
  std::vector<std::int64_t> extents;
  for (int d = random.between(1, 3); d > 0; --d) extents.push_back(random.between(1, 9));
  if (random.chance(10)) extents[0] = random.between(50, 700);
  return extents;
}

/// Two boxes, one behind the other or abreast: faces to both sides of a rank.
void message_of_slots(random_numbers& random, int number) {
  const bool abreast = random.chance(40);
  structures cells(random, random.one_of({1, 4, 8, 12, 16}), some_extents(random), abreast ? 2 : 1);
  const auto length = static_cast<std::int64_t>(cells.memory.size());
  const auto other_face = abreast ? cells.element * cells.slots : length;
  if (!abreast)
    for (std::int64_t i = 0; i < length; ++i) cells.memory.push_back(static_cast<std::byte>(random.next()));
  const auto kinds = some_slots(random, cells.slots, 40);
  const int which =
      random.between(0, 4);  // of the faces: the first, both by field, one by field in turn, any, the last
  std::vector<int> slots;
  std::vector<std::int64_t> faces;
  wherry::plans::schedule plan;
  std::vector<block> blocks;
  std::vector<void*> fields;
  for (const int slot : kinds) {
    for (const int face : {0, 1}) {
      const bool turn = static_cast<int>(fields.size()) % 2 == face;
      const bool wanted[] = {face == 0, true, turn, random.chance(60), face == 1};
      if (!wanted[which]) continue;
      slots.push_back(slot);
      faces.push_back(face * other_face);
      blocks.push_back(wherry::plans::strided_block(static_cast<std::int32_t>(fields.size()), cells.element,
                                                    faces.back(), cells.extents, cells.strides));
    }
    fields.push_back(cells.field(slot));
  }
  const auto message = plan.make_message(0, wherry::detail::store, blocks);
  wherry::detail::shape_kernels kernels(plan);
  const wherry::plans::functions none;
  wherry::detail::message_packing packing(message, plan, kernels, none);
  std::vector<std::uint8_t> choice;
  const bool chosen = random.chance(30);
  for (std::size_t i = 0; i < slots.size(); ++i) choice.push_back(!chosen || random.chance(70) ? 1 : 0);
  packing.choose(choice, 1);

  const auto element = static_cast<std::size_t>(cells.element);
  bytes wire(packing.bytes()), bulk, bounce(random.chance(50) ? 32 << 10 : 300);
  packing.pack(fields, wire.data());
  wherry::copies_for_reader to_wire;
  for (int i = random.between(1, 10); i > 0; --i) {  // through the caches and past them, to try, and as was found best
    bulk.assign(packing.bytes(), {});
    packing.pack_in_bulk(fields, bounce, bulk.data(), to_wire);
  }
  bytes incoming(wire.size());
  for (auto& b : incoming) b = static_cast<std::byte>(random.next());
  auto expected = cells.memory;
  std::int64_t at = 0;
  bool packed = true;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (choice[i] == 0) continue;
    at = wherry::plans::align_on_wire(at);
    for (const auto in_face : cells.places(slots[i])) {
      const auto place = in_face + faces[i];
      packed = packed && std::memcmp(wire.data() + at, cells.memory.data() + place, element) == 0;
      packed = packed && std::memcmp(bulk.data() + at, cells.memory.data() + place, element) == 0;
      std::memcpy(expected.data() + place, incoming.data() + at, element);
      at += cells.element;
    }
  }
  CHECK_EQUAL(packing.bytes(), at);
  if (fault(!packed)) FAIL("packed wrong bytes in case " + std::to_string(number));
  packing.unpack(fields, incoming.data());
  if (fault(expected != cells.memory)) FAIL("unpacked wrong bytes in case " + std::to_string(number));
}

/// Between two boxes abreast on each side, to the same place or the other one. A source without an address is left out.
void copies_of_slots(random_numbers& random, int number) {
  const auto element = random.one_of({1, 4, 8, 12, 16});
  const auto extents = some_extents(random);
  const int abreast = random.between(1, 2);
  structures from(random, element, extents, abreast), to(random, element, extents, abreast);
  const auto sources = some_slots(random, from.slots, std::min(to.slots, 40));
  auto targets = some_slots(random, to.slots, 40);
  const auto count = std::min(sources.size(), targets.size());
  const bool crosses = random.chance(50), lacks_some = random.chance(20);
  wherry::plans::schedule plan;
  auto& only = plan.stages.emplace_back();
  std::vector<void*> source_fields, target_fields;
  auto expected = to.memory;
  for (std::size_t i = 0; i < count; ++i) {
    const auto field = static_cast<std::int32_t>(i);
    const bool is_there = !lacks_some || random.chance(70);
    source_fields.push_back(is_there ? from.field(sources[i]) : nullptr);
    target_fields.push_back(to.field(targets[i]));
    const auto here = from.places(sources[i]), there = to.places(targets[i]);
    for (int face = 0; face < abreast; ++face) {
      if (abreast > 1 && random.chance(30)) continue;
      const auto read = face * element * from.slots,
                 written = (crosses ? abreast - 1 - face : face) * element * to.slots;
      plan.add_copy(only, {wherry::plans::strided_block(field, element, read, extents, from.strides),
                           wherry::plans::strided_block(field, element, written, extents, to.strides)});
      for (std::size_t e = 0; is_there && e < here.size(); ++e)
        std::memcpy(expected.data() + there[e] + written, from.memory.data() + here[e] + read,
                    static_cast<std::size_t>(element));
    }
  }
  wherry::detail::shape_kernels kernels(plan);
  const wherry::plans::functions none;
  wherry::detail::direct_copies(only.copies, plan, kernels, none).run(source_fields, target_fields);
  if (fault(expected != to.memory)) FAIL("copied wrong bytes in case " + std::to_string(number));
}

/// Within one array, from rows to rows that may overlap them: in the order of the copies.
void copies_within_rows(random_numbers& random, int number) {
  const auto element = random.one_of({1, 4, 8});
  structures cells(random, element, {random.between(1, 9), random.between(1, 4)}, 3);
  wherry::plans::schedule plan;
  auto& only = plan.stages.emplace_back();
  std::vector<void*> fields;
  auto expected = cells.memory;
  for (int i = 0; i < random.between(2, 12); ++i) {
    const int slot = random.between(0, cells.slots - 1);
    const auto read = random.between(0, 2) * element * cells.slots,
               written = random.between(0, 2) * element * cells.slots + random.between(0, 1);
    fields.push_back(cells.field(slot));
    if (written - read > -element && written - read < element) continue;  // a copy onto itself
    plan.add_copy(only, {wherry::plans::strided_block(static_cast<std::int32_t>(fields.size() - 1), element, read,
                                                      cells.extents, cells.strides),
                         wherry::plans::strided_block(static_cast<std::int32_t>(fields.size() - 1), element, written,
                                                      cells.extents, cells.strides)});
    for (const auto at : cells.places(slot))
      std::memcpy(expected.data() + at + written, expected.data() + at + read, static_cast<std::size_t>(element));
  }
  wherry::detail::shape_kernels kernels(plan);
  const wherry::plans::functions none;
  wherry::detail::direct_copies(only.copies, plan, kernels, none).run(fields, fields);
  if (fault(expected != cells.memory)) FAIL("copied wrong bytes in case " + std::to_string(number));
}

}  // namespace

WHERRY_UNIT_TEST(fields_of_structures_in_messages) {
  for (int i = 0; i < 3000; ++i) {
    random_numbers random(hash(test.seed, i));
    message_of_slots(random, i);
  }
}

WHERRY_UNIT_TEST(fields_of_structures_copied_directly) {
  for (int i = 0; i < 3000; ++i) {
    random_numbers random(hash(test.seed, i));
    copies_of_slots(random, i);
  }
}

// Targets that overlap are stored in their order, as everywhere: neighbours, and those that others stand between.
WHERRY_UNIT_TEST(fields_that_overlap_are_not_moved_together) {
  for (const auto& places : {std::vector{0, 12}, std::vector{0, 12, 8}, std::vector{0, 4, 8, 20}}) {
    bytes memory(80), wire(128);
    for (std::size_t i = 0; i < wire.size(); ++i) wire[i] = static_cast<std::byte>(i);
    wherry::plans::schedule plan;
    std::vector<block> blocks;
    std::vector<void*> fields;
    bytes expected(80);
    const std::int64_t extent = 3, stride = 16;
    for (std::size_t f = 0; f < places.size(); ++f) {
      blocks.push_back(wherry::plans::strided_block(static_cast<std::int32_t>(f), 8, 0, std::span(&extent, 1),
                                                    std::span(&stride, 1)));
      fields.push_back(memory.data() + places[f]);
      for (std::size_t i = 0; i < 3; ++i)
        std::memcpy(expected.data() + places[f] + 16 * i, wire.data() + 32 * f + 8 * i, 8);
    }
    const auto message = plan.make_message(0, wherry::detail::store, blocks);
    wherry::detail::shape_kernels kernels(plan);
    const wherry::plans::functions none;
    const wherry::detail::message_packing packing(message, plan, kernels, none);
    packing.unpack(fields, wire.data());
    if (fault(expected != memory)) FAIL("the later field does not win, of " + std::to_string(places.size()));
  }
}

WHERRY_UNIT_TEST(fields_of_structures_copied_within_an_array) {
  for (int i = 0; i < 3000; ++i) {
    random_numbers random(hash(test.seed, i));
    copies_within_rows(random, i);
  }
}

// Between each other in the innermost loop, but one meets the other in the next: the later field wins there.
WHERRY_UNIT_TEST(fields_that_meet_in_an_outer_loop_are_stored_in_their_order) {
  const std::vector<std::int64_t> extents{2, 2}, strides{24, 40};
  bytes memory(128), wire(128);
  for (std::size_t i = 0; i < wire.size(); ++i) wire[i] = static_cast<std::byte>(i + 1);
  auto expected = memory;
  wherry::plans::schedule plan;
  std::vector<block> blocks;
  std::vector<void*> fields;
  std::size_t at = 0;
  for (const std::size_t place : {0, 16}) {
    blocks.push_back(wherry::plans::strided_block(static_cast<std::int32_t>(fields.size()), 8, 0, extents, strides));
    fields.push_back(memory.data() + place);
    for (const std::size_t cell : {0, 24, 40, 64})
      std::memcpy(expected.data() + place + cell, wire.data() + at, 8), at += 8;
  }
  const auto message = plan.make_message(0, wherry::detail::store, blocks);
  wherry::detail::shape_kernels kernels(plan);
  const wherry::plans::functions none;
  const wherry::detail::message_packing packing(message, plan, kernels, none);
  packing.unpack(fields, wire.data());
  CHECK(expected == memory);
}

namespace {

/// Rows as `kernels::mark_followed` asks for them.
struct listed_rows {
  struct row {
    int shape, field;
    bool moved = true;
  };
  std::vector<row> rows;
  std::array<std::int32_t, 5> words{1, 8, 8, 4, 64};  // 8 bytes four times, 64 apart

  std::size_t size() const { return rows.size(); }
  bool is_moved(std::size_t i) const { return rows[i].moved; }
  bool is_like(std::size_t i, std::size_t other) const {
    return rows[i].shape == rows[other].shape && rows[i].field != rows[other].field;
  }
  const std::int32_t* from_words(std::size_t) const { return words.data(); }
  const std::int32_t* to_words(std::size_t) const { return nullptr; }

  std::vector<std::size_t> marked() const {
    wherry::detail::row_marks marks;
    wherry::kernels::mark_followed(*this, 100, marks);
    std::vector<std::size_t> result;
    for (auto i = marks.next(0, 100 + size()); i < 100 + size(); i = marks.next(i + 1, 100 + size()))
      result.push_back(i - 100);
    return result;
  }
};
using places = std::vector<std::size_t>;

}  // namespace

// What is not marked is never searched: an exchange of small boxes took four times as long when each row was.
WHERRY_UNIT_TEST(only_rows_that_others_may_lie_between_are_searched) {
  CHECK(listed_rows{{{0, 0}, {0, 0}, {0, 0}}}.marked() == places{});                    // of one field
  CHECK(listed_rows{{{0, 0}, {1, 1}, {2, 2}, {3, 0}}}.marked() == places{});            // of other shapes
  CHECK((listed_rows{{{0, 0}, {0, 1}}, {0, 32, 8, 1, 0}}.marked()) == places{});        // in one piece
  CHECK((listed_rows{{{0, 0}, {0, 1}, {0, 2}}}.marked()) == (places{0, 1}));            // of structures
  CHECK((listed_rows{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}}.marked()) == (places{0, 1}));    // of two faces in turn
  CHECK((listed_rows{{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}}}.marked()) == places{});  // too far behind
  CHECK((listed_rows{{{0, 0}, {1, 0, false}, {2, 0, false}, {3, 0}, {0, 1}}}.marked()) == places{0});
}

WHERRY_UNIT_TEST(marks_of_rows) {
  random_numbers random(test.seed);
  for (int i = 0; i < 200; ++i) {
    const auto rows = static_cast<std::size_t>(random.between(1, 300));
    std::vector<bool> expected(rows);
    wherry::detail::row_marks marks;
    for (std::size_t row = 0; row < rows; ++row)
      if (random.chance(5)) marks.add(row), expected[row] = true;
    for (std::size_t row = 0; row < rows; ++row) {
      CHECK_EQUAL(marks.has(row), expected[row]);
      const auto end = row + static_cast<std::size_t>(random.between(0, static_cast<int>(rows - row)));
      auto next = row;
      while (next < end && !expected[next]) ++next;
      CHECK_EQUAL(marks.next(row, end), next);
    }
  }
}
