// Messages of hundreds of rows, and hundreds of copies alike, as small boxes have: against one element after the other.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

#include "compiled_message.hpp"
#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

constexpr int fields = 3;

/// Mostly strided ones, in a message of which all or some are chosen.
void message_of_many(random_numbers& random, int number) {
  arrangement a;
  std::array<std::int64_t, fields> sizes{};
  const bool some_indexed = random.chance(30);
  const int most_cells = random.one_of({1, 8, 30, 200});
  for (int i = random.between(1, 300); i > 0; --i) {
    const auto field = random.between(0, fields - 1);
    auto& size = sizes[static_cast<std::size_t>(field)];
    const int element = random_element(random);
    if (some_indexed && random.chance(3))
      a.blocks.push_back(random_indexed(random, field, element, random.between(0, 20), size, a.plan));
    else
      a.blocks.push_back(random_strided(random, field, element, random_extents(random, most_cells), size));
  }
  for (const auto size : sizes) a.fields.push_back(random_bytes(random, static_cast<std::size_t>(size + 8)));
  const wherry::plans::functions none;
  compiled_message message(a, wherry::detail::store, none);
  std::vector<std::uint8_t> choice(a.blocks.size(), 1);
  if (random.chance(50)) {
    const int wanted = random.one_of({50, 97, 100});
    for (auto& one : choice) one = random.chance(wanted) ? 1 : 0;
    message.packing.choose(choice, 1);
  }

  bytes wire(message.packing.bytes()), bulk, bounce(static_cast<std::size_t>(random.one_of({300, 4096, 32 << 10})));
  message.packing.pack(table(a.fields), wire.data());
  wherry::copies_for_reader to_wire;
  bulk.assign(wire.size(), {});
  to_wire.begin(bulk.data(), bulk.size());
  message.packing.pack_in_bulk(table(a.fields), bounce, bulk.data(), to_wire);
  to_wire.end();
  auto arrived = a.fields, expected = a.fields;
  const auto incoming = random_bytes(random, wire.size());
  message.packing.unpack(table(arrived), incoming.data());

  std::int64_t at = 0;
  bool packed = true;
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    if (choice[i] == 0) continue;
    const auto& b = a.blocks[i];
    const auto element = static_cast<std::size_t>(b.what.element), field = static_cast<std::size_t>(b.what.field);
    at = wherry::plans::align_on_wire(at);
    for (const auto offset : b.elements) {
      packed = packed && std::memcmp(wire.data() + at, a.fields[field].data() + offset, element) == 0;
      packed = packed && std::memcmp(bulk.data() + at, a.fields[field].data() + offset, element) == 0;
      std::memcpy(expected[field].data() + offset, incoming.data() + at, element);
      at += b.what.element;
    }
  }
  CHECK_EQUAL(message.packing.bytes(), at);
  if (fault(!packed)) FAIL("packed wrong bytes in case " + std::to_string(number));
  if (fault(expected != arrived)) FAIL("unpacked wrong bytes in case " + std::to_string(number));
}

/// Stretches between two fields each, among them copies that are combined or go by way of a buffer. What is copied may
/// have been copied before. A field may be missing.
void copies_in_stretches(random_numbers& random, int number) {
  constexpr int cells = 400;
  wherry::plans::functions code;
  code.reductions = {wherry::reduction_of<std::int32_t>(wherry::maximum{})};
  std::vector<std::vector<std::int32_t>> values(fields, std::vector<std::int32_t>(cells));
  for (auto& field : values)
    for (auto& value : field) value = random.between(0, 1000000);
  auto expected = values;
  const int missing = random.chance(30) ? random.between(0, fields - 1) : -1;
  std::vector<wherry::plans::local_copy> copies;
  for (int stretches = random.between(1, 12); stretches > 0; --stretches) {
    const int from_field = random.between(0, fields - 1), to_field = random.between(0, fields - 1);
    const int operation = random.chance(25) ? 0 : wherry::detail::store;
    for (int i = random.between(1, 40); i > 0; --i) {
      const std::int64_t n = random.between(1, 6), m = random.between(1, 4);
      const std::int64_t step = random.between(1, 3), wide = random.between(1, 3), far = random.between(18, 20);
      const std::int64_t low = random.between(0, 100), high = random.between(200, 300);  // these halves do not overlap
      const bool upwards = random.chance(50);
      const auto from = upwards ? low : high, to = upwards ? high : low;
      const std::int64_t extents[] = {n, m}, from_strides[] = {4 * step, 4 * far}, to_strides[] = {4 * wide, 4 * far},
                         all[] = {n * m}, dense[] = {4 * wide};
      const bool other_shape = random.chance(10) && wide == 1;  // the same number of elements in a row
      const auto source = wherry::plans::strided_block(from_field, 4, 4 * from, extents, from_strides);
      const auto target = other_shape ? wherry::plans::strided_block(to_field, 4, 4 * to, all, dense)
                                      : wherry::plans::strided_block(to_field, 4, 4 * to, extents, to_strides);
      copies.push_back({source, target, operation});
      if (from_field == missing) continue;
      for (std::int64_t k = 0; k < m; ++k)
        for (std::int64_t e = 0; e < n; ++e) {
          const auto value =
              expected[static_cast<std::size_t>(from_field)][static_cast<std::size_t>(from + e * step + k * far)];
          auto& place = expected[static_cast<std::size_t>(to_field)]
                                [static_cast<std::size_t>(to + (other_shape ? k * n + e : e * wide + k * far))];
          place = operation == 0 ? std::max(place, value) : value;
        }
    }
  }
  std::vector<void*> from, to;
  for (int f = 0; f < fields; ++f) {
    to.push_back(values[static_cast<std::size_t>(f)].data());
    from.push_back(f == missing ? nullptr : to.back());
  }
  run_copies({}, copies, code, from, to, random.chance(20));
  if (fault(values != expected)) FAIL("copied wrongly in case " + std::to_string(number));
}

}  // namespace

WHERRY_UNIT_TEST(messages_of_many_rows) {
  for (int i = 0; i < 400; ++i) {
    random_numbers random(hash(test.seed, i));
    message_of_many(random, i);
  }
}

WHERRY_UNIT_TEST(copies_in_stretches_that_are_alike) {
  for (int i = 0; i < 1500; ++i) {
    random_numbers random(hash(test.seed, i));
    copies_in_stretches(random, i);
  }
}
