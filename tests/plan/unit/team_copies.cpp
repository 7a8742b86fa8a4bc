// What a team packs, unpacks and copies is what one thread does, byte for byte: large blocks of all shapes, small ones
// and lists between them.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::thread_team;
using wherry::plans::block;

namespace {

constexpr std::int64_t field_bytes = 4 << 20;

/// Of 1 to 4 dimensions, up to some hundred kilobytes, in a half of the field.
block any_block(random_numbers& random, std::int32_t field, std::int64_t begin, std::int64_t end) {
  const auto element = static_cast<std::int64_t>(random.one_of({1, 4, 8, 24}));
  std::vector<std::int64_t> extents, strides;
  std::int64_t next = element;
  for (int d = random.between(1, 4); d > 0; --d) {
    const auto room = (end - begin) / next;
    if (room < 2) break;
    const std::int64_t extent =
        random.between(1, static_cast<int>(std::min<std::int64_t>(room - 1, d == 1 ? 3000 : 70)));
    extents.push_back(extent);
    strides.push_back(next);
    next = next * extent + (random.chance(50) ? 0 : random.between(1, 5) * element);
  }
  if (next > end - begin) return any_block(random, field, begin, end);
  if (random.chance(30)) std::reverse(extents.begin(), extents.end()), std::reverse(strides.begin(), strides.end());
  return wherry::plans::strided_block(field, element, begin, extents, strides);
}

std::vector<std::byte> content(random_numbers& random) {
  std::vector<std::byte> all(field_bytes);
  for (auto& b : all) b = static_cast<std::byte>(random.next() >> 40);
  return all;
}

}  // namespace

WHERRY_UNIT_TEST(a_team_packs_as_one_does) {
  random_numbers random(test.seed);
  const auto source = content(random), target = content(random);
  std::size_t large = 0;
  for (int round = 0; round < 12; ++round) {
    wherry::plans::schedule_builder builder("team", 0);
    for (const char* const name : {"a", "b"})
      builder.add_field({.name = name, .element = 1, .lowest = 0, .highest = field_bytes, .type = {}});
    std::vector<block> blocks;
    const int count = random.between(1, 5);
    for (int b = 0; b < count; ++b) {  // they do not overlap
      const auto begin = field_bytes / count * b, end = begin + field_bytes / count;
      blocks.push_back(any_block(random, 0, begin, random.chance(30) ? begin + 4000 : end));
      builder.send(1, blocks.back());
      builder.copy(blocks.back(), [&] {
        auto other = blocks.back();
        other.field = 1;
        return other;
      }());
    }
    const auto plan = builder.finish();
    wherry::plans::functions code;
    const auto moved_by = [&](const thread_team& team, int how) {
      wherry::detail::shape_kernels kernels(plan, team);
      const wherry::detail::message_packing packing(plan.stages[0].sends[0], plan, kernels, code);
      const wherry::detail::direct_copies copies(plan.stages[0].copies, plan, kernels, code);
      auto from = source, to = target;
      const int trials = 1 + round % 9;  // the last of them through the caches or past them
      std::vector<std::byte> wire(packing.bytes(), std::byte{7}), bounce(32 << 10);
      void* const fields[] = {from.data(), to.data()};
      void* const others[] = {to.data(), from.data()};
      large += packing.bytes() >= wherry::detail::shape_kernels::team_bytes ? 1 : 0;
      if (how == 0) packing.pack(fields, wire.data());
      wherry::copies_for_reader to_wire;
      for (int i = 0; how == 1 && i < trials; ++i) packing.pack_in_bulk(fields, bounce, wire.data(), to_wire);
      if (how == 2) {
        for (std::size_t i = 0; i < wire.size(); ++i) wire[i] = static_cast<std::byte>(hash(round, i));
        packing.unpack(others, wire.data());
      }
      if (how == 3) copies.run(fields, fields);
      std::int64_t at = 0;
      for (const auto& b : blocks) {  // what lies between blocks is nobody's
        at = wherry::plans::align_on_wire(at);
        const auto* const begin = wire.data() + at;
        to.insert(to.end(), begin, begin + b.bytes());
        at += b.bytes();
      }
      return to;
    };
    for (int how = 0; how < 4; ++how) {
      const auto alone = moved_by({}, how);
      for (const int size : {2, 3, 5}) CHECK(moved_by(thread_team::of_its_own(size), how) == alone);
    }
  }
  CHECK(large > 20);
}
