// The copy engine against moving one element after the other.
#include "wherry/plan/copy_engine.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

#include "compiled_message.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"
#include "support/random_blocks.hpp"

using namespace wherry_test;
using wherry::plans::block;

namespace {

arrangement random_arrangement(random_numbers& random, int unit) {
  arrangement a;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(random.between(1, 3)), 0);
  for (int i = random.between(0, 5); i > 0; --i) {
    const auto field = static_cast<std::int32_t>(random.between(0, static_cast<int>(sizes.size()) - 1));
    auto& size = sizes[static_cast<std::size_t>(field)];
    const int element = unit * (unit == 1 ? random_element(random) : random.between(1, 3));
    if (random.chance(25))
      a.blocks.push_back(random_indexed(random, field, element, random.between(0, 30), size, a.plan));
    else
      a.blocks.push_back(random_strided(random, field, element, random_extents(random, 600), size));
  }
  for (const auto size : sizes) a.fields.push_back(random_bytes(random, static_cast<std::size_t>(size + 8)));
  return a;
}

void same_bytes(random_numbers& random, int number) {
  auto a = random_arrangement(random, 1);
  const wherry::plans::functions none;
  const compiled_message message(a, wherry::detail::store, none);
  const auto& packing = message.packing;
  bytes wire(packing.bytes());
  packing.pack(table(a.fields), wire.data());
  auto arrived = a.fields;
  const auto incoming = random_bytes(random, wire.size());
  packing.unpack(table(arrived), incoming.data());

  std::int64_t end = 0;
  bool packed = true;
  auto expected = a.fields;
  for (const auto& b : a.blocks) {
    std::int64_t at = wherry::plans::align_on_wire(end);
    const auto element = b.what.element;
    const auto& field = a.fields[static_cast<std::size_t>(b.what.field)];
    auto& target = expected[static_cast<std::size_t>(b.what.field)];
    CHECK_EQUAL(b.what.bytes(), std::ssize(b.elements) * element);
    for (const auto offset : b.elements) {
      packed = packed && std::memcmp(wire.data() + at, field.data() + offset, static_cast<std::size_t>(element)) == 0;
      std::memcpy(target.data() + offset, incoming.data() + at, static_cast<std::size_t>(element));
      at += element;
    }
    end = at;
  }
  CHECK_EQUAL(packing.bytes(), end);
  if (fault(!packed)) FAIL("packed wrong bytes in case " + std::to_string(number));
  if (fault(expected != arrived)) FAIL("unpacked wrong bytes in case " + std::to_string(number));
}

}  // namespace

WHERRY_UNIT_TEST(pack_and_unpack) {
  for (int i = 0; i < 4000; ++i) {
    random_numbers random(hash(test.seed, i));
    same_bytes(random, i);
  }
}

WHERRY_UNIT_TEST(combine_on_arrival) {
  for (int i = 0; i < 1000; ++i) {
    random_numbers random(hash(test.seed, i));
    auto a = random_arrangement(random, sizeof(std::uint32_t));
    wherry::plans::functions code;
    code.reductions = {wherry::reduction_of<std::uint32_t>(wherry::minimum{}),
                       wherry::reduction_of<std::uint32_t>(std::plus<>{})};
    if (random.chance(30)) code.reductions[1].apply_rows = nullptr;  // a user's own may lack it
    const compiled_message message(a, 1, code);
    const auto& packing = message.packing;
    const auto incoming = random_bytes(random, packing.bytes());
    // Unaligned on purpose for the reference; the library's reduction sees what the layout gives it.
    auto expected = a.fields;
    bool aligned = true;
    std::int64_t end = 0;
    for (const auto& b : a.blocks) {
      std::int64_t at = wherry::plans::align_on_wire(end);
      for (const auto offset : b.elements) {
        aligned = aligned && offset % 4 == 0;
        for (std::int64_t part = 0; part < b.what.element; part += 4, at += 4) {
          std::uint32_t mine = 0, theirs = 0;
          auto* place = expected[static_cast<std::size_t>(b.what.field)].data() + offset + part;
          std::memcpy(&mine, place, 4);
          std::memcpy(&theirs, incoming.data() + at, 4);
          mine += theirs;
          std::memcpy(place, &mine, 4);
        }
      }
      end = at;
    }
    if (!aligned) continue;
    packing.unpack(table(a.fields), incoming.data());
    if (fault(expected != a.fields)) FAIL("combined wrongly in case " + std::to_string(i));
  }
}

namespace {

// The same number of elements, cut into other extents.
std::vector<std::int64_t> reshaped(random_numbers& random, std::vector<std::int64_t> extents) {
  while (extents.size() > 1 && random.chance(50)) {
    const auto at = static_cast<std::size_t>(random.between(0, static_cast<int>(extents.size()) - 2));
    extents[at] *= extents[at + 1];
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  if (random.chance(30))
    for (std::size_t d = 0; d < extents.size() && extents.size() < 6; ++d)
      if (extents[d] > 2 && extents[d] % 2 == 0) {
        extents[d] /= 2;
        extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(d), 2);
        break;
      }
  return extents;
}

}  // namespace

// Between layouts, between shapes of equal size, between strided blocks and index lists.
WHERRY_UNIT_TEST(direct_copies_between_any_two_blocks) {
  for (int i = 0; i < 4000; ++i) {
    random_numbers random(hash(test.seed, i));
    wherry::plans::schedule plan;
    const int element = random_element(random);
    const auto extents = random_extents(random, random.chance(10) ? 1600 : 300);
    const auto cells = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    std::int64_t from_size = 0, to_size = 0;
    const auto from = random.chance(10) ? random_indexed(random, 1, element, cells, from_size, plan)
                                        : random_strided(random, 1, element, extents, from_size);
    const auto to = random.chance(10) ? random_indexed(random, 0, element, cells, to_size, plan)
                                      : random_strided(random, 0, element, reshaped(random, extents), to_size);
    const auto source = random_bytes(random, static_cast<std::size_t>(from_size + 8));
    auto target = random_bytes(random, static_cast<std::size_t>(to_size + 8)), expected = target;
    for (std::size_t e = 0; e < from.elements.size(); ++e)
      std::memcpy(expected.data() + to.elements[e], source.data() + from.elements[e],
                  static_cast<std::size_t>(element));
    const wherry::plans::functions none;
    auto readable = source;
    void* const sources[] = {nullptr, readable.data()};
    void* const targets[] = {target.data(), nullptr};
    run_copies(plan, {{from.what, to.what}}, none, sources, targets, random.chance(20));
    if (fault(expected != target)) FAIL("copied wrongly in case " + std::to_string(i));
    if (fault(readable != source)) FAIL("the source changed in case " + std::to_string(i));
  }
}

namespace {

template <class T> T element_at(const bytes& memory, std::int64_t at) {
  T result;
  std::memcpy(&result, memory.data() + at, sizeof(T));
  return result;
}

// Small whole numbers, so that floats hold them.
void fill_with_floats(random_numbers& random, bytes& memory) {
  for (std::size_t at = 0; at + sizeof(float) <= memory.size(); at += sizeof(float)) {
    const auto value = static_cast<float>(random.between(-1000, 1000));
    std::memcpy(memory.data() + at, &value, sizeof value);
  }
}
void fill_with_doubles(random_numbers& random, bytes& memory) {
  for (std::size_t at = 0; at + sizeof(double) <= memory.size(); at += sizeof(double)) {
    const double value = random.between(-1000, 1000);
    std::memcpy(memory.data() + at, &value, sizeof value);
  }
}

}  // namespace

// From floats to doubles, stored or added: packed and unpacked, in pieces, and straight. Elements may be several
// numbers.
WHERRY_UNIT_TEST(conversion_on_arrival) {
  wherry::plans::functions code;
  code.reductions = {
      wherry::convert<double, float>(),
      wherry::make_conversion<double, float>("add", [](double there, float here) { return there + here; })};
  for (int i = 0; i < 1500; ++i) {
    random_numbers random(hash(test.seed, i));
    wherry::plans::schedule plan;
    const auto extents = random_extents(random, 300);
    const auto cells = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    const int numbers = random.between(1, 3);
    std::int64_t from_size = 0, to_size = 0;
    const auto some = [&](std::int32_t field, std::int64_t element, std::int64_t& size, std::int64_t unit) {
      if (random.chance(10)) return random_indexed(random, field, element, cells, size, plan, unit);
      return random_strided(random, field, element, extents, size, unit);
    };
    const auto from = some(0, numbers * 4, from_size, 4);
    auto to = some(1, numbers * 8, to_size, 8);
    to.what.wire_element = numbers * 4;

    const int operation = random.between(0, 1);
    bytes source(static_cast<std::size_t>(from_size + 8)), target(static_cast<std::size_t>(to_size + 8));
    fill_with_floats(random, source);
    fill_with_doubles(random, target);
    auto expected = target;
    for (std::size_t e = 0; e < from.elements.size(); ++e)
      for (int n = 0; n < numbers; ++n) {
        const auto at = to.elements[e] + n * 8;
        const double arrived = element_at<float>(source, from.elements[e] + n * 4);
        const double sum = operation == 0 ? arrived : element_at<double>(expected, at) + arrived;
        std::memcpy(expected.data() + at, &sum, sizeof sum);
      }

    auto packed_target = target;
    void* const fields[] = {source.data(), packed_target.data()};
    const compiled_message sent(plan, {from.what}, wherry::detail::store, code, random.chance(50) ? 64 : 1 << 15);
    const compiled_message arriving(plan, {to.what}, operation, code);
    const auto &out = sent.packing, &in = arriving.packing;
    CHECK_EQUAL(out.bytes(), in.bytes());
    CHECK_EQUAL(in.bytes(), to.what.wire_bytes());
    bytes wire(out.bytes());
    out.pack(fields, wire.data());
    in.unpack(fields, wire.data());
    if (fault(packed_target != expected)) FAIL("converted wrongly in case " + std::to_string(i));

    void* const own[] = {source.data(), target.data()};
    run_copies(plan, {{from.what, to.what, operation}}, code, own, own);
    if (fault(target != expected)) FAIL("converted wrongly to oneself in case " + std::to_string(i));
  }
}

// Thousands of copies in one list, some of them by way of the buffer: in order, each with its own shape.
WHERRY_UNIT_TEST(many_copies_in_order) {
  random_numbers random(hash(test.seed, 1));
  constexpr int cells = 64;
  std::vector<std::int32_t> values(cells), expected(cells);
  std::iota(values.begin(), values.end(), 1);
  expected = values;
  wherry::plans::functions code;
  code.reductions = {wherry::reduction_of<std::int32_t>(std::plus<>{}),
                     wherry::reduction_of<std::int32_t>(wherry::maximum{})};
  std::vector<wherry::plans::local_copy> copies;
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t n = random.between(1, 8), step = random.between(1, 3), wide = random.between(1, 3);
    const auto from = random.between(0, 8), to = random.between(32, 40);  // the halves do not overlap
    const std::int64_t extent[] = {n}, from_stride[] = {4 * step}, to_stride[] = {4 * wide};
    const int operation = random.between(-1, 1);
    copies.push_back({wherry::plans::strided_block(0, 4, 4 * from, extent, from_stride),
                      wherry::plans::strided_block(0, 4, 4 * to, extent, to_stride), operation});
    if (random.chance(50)) std::swap(copies.back().from, copies.back().to);
    const auto start = [](const block& b) { return static_cast<std::size_t>(b.offset / 4); };
    const auto stride = [n](const block& b) {
      return static_cast<std::size_t>(n == 1 || b.contiguous() ? 1 : b.loop[0].stride / 4);
    };
    const auto& pair = copies.back();
    for (std::size_t e = 0; e < static_cast<std::size_t>(n); ++e) {
      const auto value = expected[start(pair.from) + e * stride(pair.from)];
      auto& place = expected[start(pair.to) + e * stride(pair.to)];
      place = operation == 1 ? std::max(place, value)
                             : static_cast<std::int32_t>(operation == 0 ? (place + value) % 1000 : value);
    }
  }
  code.reductions[0] =
      wherry::make_reduction<std::int32_t>("add", [](std::int32_t a, std::int32_t b) { return (a + b) % 1000; });
  void* const fields[] = {values.data()};
  run_copies({}, copies, code, fields, fields);
  CHECK(values == expected);
}

// Large transpositions, for the kernels that go in tiles.
WHERRY_UNIT_TEST(large_transpositions) {
  for (const int element : {1, 2, 4, 8, 12, 16, 24}) {
    const std::int64_t n = 67, m = 130;
    const std::int64_t extents[] = {n, m}, rows[] = {element, n * element}, columns[] = {m * element, element};
    random_numbers random(hash(test.seed, element));
    auto source = random_bytes(random, static_cast<std::size_t>(n * m * element));
    bytes target(source.size()), expected(source.size());
    const auto size = static_cast<std::size_t>(element);
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t i = 0; i < n; ++i)
        std::memcpy(expected.data() + (i * m + j) * element, source.data() + (j * n + i) * element, size);
    const wherry::plans::local_copy pair{wherry::plans::strided_block(0, element, 0, extents, rows),
                                         wherry::plans::strided_block(0, element, 0, extents, columns)};
    const wherry::plans::functions none;
    void* const from[] = {source.data()};
    void* const to[] = {target.data()};
    run_copies({}, {pair}, none, from, to);
    CHECK(expected == target);
    bytes wire(source.size());
    const compiled_message message({}, {pair.to}, wherry::detail::store, none);
    message.packing.pack(to, wire.data());  // in the order of the first dimension: back again
    CHECK(wire == source);
  }
}

// A user's own structure behind two functions (GCL, the layer L1).
WHERRY_UNIT_TEST(gather_and_scatter_functions) {
  wherry::plans::functions code;
  code.accessors.push_back({[](const void* structure, std::int64_t region, std::byte* wire) {
                              std::memcpy(wire, static_cast<const std::byte*>(structure) + region, 3);
                            },
                            [](void* structure, std::int64_t region, const std::byte* wire) {
                              std::memcpy(static_cast<std::byte*>(structure) + region, wire, 3);
                            }});
  const std::vector<block> blocks{wherry::plans::called_block(0, 4, 3), wherry::plans::called_block(0, 0, 3)};
  const compiled_message message({}, blocks, wherry::detail::store, code);
  const auto& packing = message.packing;
  CHECK_EQUAL(packing.bytes(), 19);
  std::string from = "abcdefg", to = ".......";
  bytes wire(packing.bytes());
  void* const source[] = {from.data()};
  void* const target[] = {to.data()};
  packing.pack(source, wire.data());
  packing.unpack(target, wire.data());
  CHECK_EQUAL(to, "abc.efg");
  const wherry::plans::functions none;
  CHECK_THROWS_WITH(compiled_message({}, blocks, wherry::detail::store, none), "no gather and scatter");
  CHECK_THROWS_WITH(compiled_message({}, blocks, 0, code), "cannot reduce");
}
