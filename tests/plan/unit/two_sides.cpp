// Faces to both sides of the contiguous axis are moved together: against one element after the other, by one thread and
// by teams.
#include <array>
#include <cstring>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "plan/interleaved.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::block;
using wherry::thread_team;

namespace {

using bytes = std::vector<std::byte>;

// Arrays of cells with a rim, and gaps between rows now and then; two names may mean one array.
struct arrays {
  std::int64_t element, width, pitch, plane;
  std::int64_t n[3];
  std::vector<bytes> memory;
  std::vector<int> array_of;  // each field's

  explicit arrays(random_numbers& random, bool may_be_one) {
    element = random.one_of({1, 4, 8, 12, 16});
    width = random.between(1, 4);
    n[0] = random.between(static_cast<int>(2 * width), 40);
    n[1] = random.between(1, 60);
    n[2] = random.between(1, 40);
    pitch = (n[0] + 2 * width) * element + (random.chance(30) ? random.between(1, 80) : 0);
    plane = pitch * n[1] + (random.chance(30) ? random.between(1, 200) : 0);
    for (int f = random.between(1, 4); f > 0; --f) {
      array_of.push_back(static_cast<int>(memory.size()));
      if (may_be_one && random.chance(20) && f > 1) continue;  // the next field's array, too
      memory.emplace_back(static_cast<std::size_t>(plane * n[2]));
      for (auto& b : memory.back()) b = static_cast<std::byte>(random.next() >> 40);
    }
  }
  std::vector<void*> fields() {
    std::vector<void*> all;
    for (const int array : array_of) all.push_back(memory[static_cast<std::size_t>(array)].data());
    return all;
  }
  /// All rows, from cell `x` on.
  block face(std::size_t field, std::int64_t x) const {
    const std::array<std::int64_t, 3> extents{width, n[1], n[2]}, strides{element, pitch, plane};
    return wherry::strided_block(static_cast<std::int32_t>(field), element, x * element, extents, strides);
  }
  std::vector<std::int64_t> places(std::int64_t x) const {
    std::vector<std::int64_t> all;
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < width; ++i) all.push_back((x + i) * element + j * pitch + k * plane);
    return all;
  }
  bytes& array(std::size_t field) { return memory[static_cast<std::size_t>(array_of[field])]; }
};

struct face {
  std::size_t field;
  std::int64_t x, from;  // from: of a copy to it
};

/// Both sides of all fields, by field, by side or in any order, now and then one that nothing goes with.
std::vector<face> faces_of(random_numbers& random, const arrays& a) {
  const std::int64_t low_halo = 0, low_core = a.width, high_core = a.n[0], high_halo = a.n[0] + a.width;
  std::vector<face> all;
  for (std::size_t f = 0; f < a.array_of.size(); ++f) {
    all.push_back({f, low_halo, high_core});
    all.push_back({f, high_halo, low_core});
  }
  if (random.chance(30)) std::ranges::stable_sort(all, {}, &face::x);
  if (random.chance(30)) random.shuffle(all);
  if (random.chance(20)) all.push_back({0, static_cast<std::int64_t>(a.width), 0});
  return all;
}

void messages_of_two_sides(random_numbers& random, const thread_team& team, int number) {
  arrays a(random, team.size() == 1);
  const auto faces = faces_of(random, a);
  wherry::schedule plan;
  std::vector<block> blocks;
  for (const auto& one : faces) blocks.push_back(a.face(one.field, one.x));
  const auto message = plan.make_message(0, wherry::detail::store, blocks);
  wherry::detail::shape_kernels kernels(plan, team);
  const wherry::functions none;
  const wherry::detail::message_packing packing(message, plan, kernels, none);
  bytes wire(packing.bytes()), bulk(packing.bytes()), incoming(packing.bytes()), bounce(random.chance(50) ? 32 << 10 : 300);
  for (auto& b : incoming) b = static_cast<std::byte>(random.next() >> 40);
  const auto fields = a.fields();
  packing.pack(fields, wire.data());
  wherry::copies_for_reader to_wire;
  packing.pack_in_bulk(fields, bounce, bulk.data(), to_wire);
  auto expected = a;
  const auto element = static_cast<std::size_t>(a.element);
  std::int64_t at = 0;
  bool packed = true;
  for (const auto& one : faces) {
    at = wherry::align_on_wire(at);
    for (const auto place : a.places(one.x)) {
      packed = packed && std::memcmp(wire.data() + at, a.array(one.field).data() + place, element) == 0;
      packed = packed && std::memcmp(bulk.data() + at, a.array(one.field).data() + place, element) == 0;
      std::memcpy(expected.array(one.field).data() + place, incoming.data() + at, element);
      at += a.element;
    }
  }
  if (!packed) FAIL("packed wrong bytes in case " + std::to_string(number));
  packing.unpack(fields, incoming.data());
  if (a.memory != expected.memory) FAIL("unpacked wrong bytes in case " + std::to_string(number));
}

void copies_of_two_sides(random_numbers& random, const thread_team& team, int number) {
  arrays a(random, team.size() == 1);
  const auto faces = faces_of(random, a);
  wherry::schedule plan;
  auto& only = plan.stages.emplace_back();
  auto expected = a;
  for (const auto& one : faces) {
    if (team.size() > 1 && one.x == a.width) continue;  // reads what another one writes: not for a team
    plan.add_copy(only, {a.face(one.field, one.from), a.face(one.field, one.x)});
    const auto read = a.places(one.from), written = a.places(one.x);
    for (std::size_t i = 0; i < read.size(); ++i)
      std::memcpy(expected.array(one.field).data() + written[i], expected.array(one.field).data() + read[i],
                  static_cast<std::size_t>(a.element));
  }
  wherry::detail::shape_kernels kernels(plan, team);
  const wherry::functions none;
  const auto fields = a.fields();
  wherry::detail::direct_copies(only.copies, plan, kernels, none).run(fields, fields);
  if (a.memory != expected.memory) FAIL("copied wrong bytes in case " + std::to_string(number));
}

template <class Case> void many(const context& test, Case run) {
  for (const int threads : {1, 2, 3}) {
    const auto team = threads == 1 ? thread_team() : thread_team::of_its_own(threads);
    for (int i = 0; i < 600; ++i) {
      random_numbers random(hash(test.seed, 1000 * threads + i));
      run(random, team, i);
    }
  }
}

/// Rows of a message as `kernels::find_two_sides` asks for them: of one shape in one field, or alone.
struct listed_faces {
  std::array<std::int32_t, 7> words;
  std::vector<std::int64_t> offsets;

  std::size_t size() const { return offsets.size(); }
  static bool is_moved(std::size_t) { return true; }
  static bool is_of_one_field(std::size_t, std::size_t) { return true; }
  static std::size_t dense_bytes(std::size_t) { return 100; }
  static const std::int32_t* from_words(std::size_t) { return nullptr; }
  const std::int32_t* to_words(std::size_t) const { return words.data(); }
  static std::int64_t from_offset(std::size_t) { return 0; }
  std::int64_t to_offset(std::size_t i) const { return offsets[i]; }

  std::size_t pairs() const {
    wherry::detail::row_pairs found;
    wherry::kernels::find_two_sides(*this, 7, found);
    return found.all().size();
  }
};

}  // namespace

WHERRY_UNIT_TEST(both_sides_in_messages) { many(test, messages_of_two_sides); }
WHERRY_UNIT_TEST(both_sides_copied_within_an_array) { many(test, copies_of_two_sides); }

WHERRY_UNIT_TEST(only_faces_that_share_lines_are_two_sides) {
  const std::array<std::int32_t, 7> rows{2, 24, 8, 64, 560, 64, 39200};  // three doubles in rows of 70
  CHECK_EQUAL((listed_faces{rows, {536, 0}}).pairs(), 1);                 // their halos
  CHECK_EQUAL((listed_faces{rows, {0, 536}}).pairs(), 1);
  CHECK_EQUAL((listed_faces{rows, {0, 536, 39200 * 64, 39200 * 64 + 536}}).pairs(), 2);
  CHECK_EQUAL((listed_faces{rows, {0, 256}}).pairs(), 0);                                   // far apart
  CHECK_EQUAL((listed_faces{rows, {0, 16}}).pairs(), 0);                                    // which overlap
  CHECK_EQUAL((listed_faces{rows, {0, 560 - 16}}).pairs(), 0);                              // with the next row's
  CHECK_EQUAL((listed_faces{{2, 24, 8, 8, 560, 8, 39200}, {0, 536}}).pairs(), 0);           // few
  CHECK_EQUAL((listed_faces{{2, 512, 8, 64, 560 * 8, 64, 39200 * 8}, {0, 3968}}).pairs(), 0);  // long runs
}
