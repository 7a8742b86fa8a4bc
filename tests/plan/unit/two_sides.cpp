// Faces to both sides of the contiguous axis are moved together: against one element after the other, by one thread and
// by teams.
#include "plan/two_sides.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::thread_team;
using wherry::plans::block;

namespace {

using bytes = std::vector<std::byte>;

bytes random_bytes(random_numbers& random, std::size_t count) {
  bytes all(count);
  for (auto& b : all) b = static_cast<std::byte>(random.next() >> 40);
  return all;
}

// Arrays of cells with a rim, and gaps between rows now and then. Two fields may be one array, or lie in it some bytes
// apart.
struct arrays {
  std::int64_t element = 0, width = 0, pitch = 0, plane = 0, n[3]{};
  std::vector<bytes> memory;
  struct place {
    std::size_t array;
    std::int64_t offset;
  };
  std::vector<place> field;

  arrays(random_numbers& random, bool large, bool may_be_one) {
    element = random.one_of({1, 4, 8, 12, 16});
    width = random.between(1, 4);
    n[0] = random.between(static_cast<int>(2 * width), 40);
    n[1] = random.between(1, 60);
    n[2] = random.between(1, 40);
    if (large) element = 16, width = 3, n[0] = 8, n[1] = random.between(20, 70), n[2] = random.between(50, 60);
    pitch = (n[0] + 2 * width) * element + (random.chance(30) ? random.between(1, 80) : 0);
    plane = pitch * n[1] + (random.chance(30) ? random.between(1, 200) : 0);
    const auto size = static_cast<std::size_t>(plane * n[2] + pitch);
    for (int f = random.between(1, 4); f > 0; --f) {
      if (memory.empty() || !may_be_one || random.chance(50)) memory.push_back(random_bytes(random, size));
      const auto apart = random.between(0, static_cast<int>(pitch / element)) * (random.chance(80) ? element : 1);
      field.push_back({memory.size() - 1, may_be_one && random.chance(70) ? apart : 0});
    }
  }
  std::byte* at(std::size_t f, std::int64_t offset) { return memory[field[f].array].data() + field[f].offset + offset; }
  std::vector<void*> fields() {
    std::vector<void*> all;
    for (std::size_t f = 0; f < field.size(); ++f) all.push_back(at(f, 0));
    return all;
  }
  /// All rows, from cell `x` on; upwards or downwards along an axis.
  block face(std::size_t f, std::int64_t x, bool downwards) const {
    const std::array<std::int64_t, 3> extents{width, n[1], n[2]};
    std::array<std::int64_t, 3> strides{element, pitch, plane};
    std::int64_t first = x * element;
    if (downwards) first += (n[1] - 1) * pitch, strides[1] = -pitch;
    return wherry::plans::strided_block(static_cast<std::int32_t>(f), element, first, extents, strides);
  }
  std::vector<std::int64_t> places(std::int64_t x, bool downwards) const {
    std::vector<std::int64_t> all;
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < width; ++i)
          all.push_back((x + i) * element + (downwards ? n[1] - 1 - j : j) * pitch + k * plane);
    return all;
  }
};

struct face {
  std::size_t field;
  std::int64_t x, from;  // from: of a copy to it
};

/// Both sides of all fields, by field, by side or in any order, now and then one that nothing goes with.
std::vector<face> faces_of(random_numbers& random, const arrays& a) {
  const std::int64_t low_halo = 0, low_core = a.width, high_core = a.n[0], high_halo = a.n[0] + a.width;
  std::vector<face> all;
  for (std::size_t f = 0; f < a.field.size(); ++f) {
    all.push_back({f, low_halo, high_core});
    all.push_back({f, high_halo, low_core});
  }
  if (random.chance(30)) std::ranges::stable_sort(all, {}, &face::x);
  if (random.chance(30)) random.shuffle(all);
  if (random.chance(20)) all.push_back({0, a.width, 0});
  return all;
}

/// @return how many rows may be moved together with the one to the other side
std::size_t messages_of_two_sides(random_numbers& random, const thread_team& team, int number) {
  arrays a(random, team.size() > 1, team.size() == 1);
  const auto faces = faces_of(random, a);
  const bool downwards = random.chance(20), combines = random.chance(15);
  const auto element = static_cast<std::size_t>(a.element);
  wherry::plans::schedule plan;
  wherry::plans::functions code;
  wherry::plans::typed_reduction differ;
  differ.name = "exclusive or";
  differ.element = element;
  differ.apply = [element](void* into, const void* from, std::size_t count) {
    for (std::size_t i = 0; i < count * element; ++i)
      static_cast<std::byte*>(into)[i] ^= static_cast<const std::byte*>(from)[i];
  };
  code.reductions.push_back(differ);
  std::vector<block> blocks;
  std::vector<std::uint8_t> choice;
  for (const auto& one : faces) {
    blocks.push_back(a.face(one.field, one.x, downwards));
    choice.push_back(random.chance(85) ? 1 : 0);
  }
  const auto message = plan.make_message(0, combines ? 0 : wherry::detail::store, blocks);
  wherry::detail::shape_kernels kernels(plan, team);
  wherry::detail::message_packing packing(message, plan, kernels, code);
  if (random.chance(30))
    packing.choose(choice, 1);
  else
    std::ranges::fill(choice, std::uint8_t{1});
  bytes wire(packing.bytes()), bulk(packing.bytes()), bounce(random.chance(50) ? 32 << 10 : random.between(100, 600));
  const auto incoming = random_bytes(random, packing.bytes());
  const auto fields = a.fields();
  packing.pack(fields, wire.data());
  wherry::copies_for_reader to_wire;
  to_wire.begin(bulk.data(), bulk.size());
  packing.pack_in_bulk(fields, bounce, bulk.data(), to_wire);
  to_wire.end();
  auto expected = a;
  std::int64_t at = 0;
  bool packed = true;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (choice[i] == 0) continue;
    at = wherry::plans::align_on_wire(at);
    for (const auto place : a.places(faces[i].x, downwards)) {
      packed = packed && std::memcmp(wire.data() + at, a.at(faces[i].field, place), element) == 0;
      packed = packed && std::memcmp(bulk.data() + at, a.at(faces[i].field, place), element) == 0;
      auto* const target = expected.at(faces[i].field, place);
      if (combines)
        differ.apply(target, incoming.data() + at, 1);
      else
        std::memcpy(target, incoming.data() + at, element);
      at += a.element;
    }
  }
  if (fault(!packed)) FAIL("packed wrong bytes in case " + std::to_string(number));
  packing.unpack(fields, incoming.data());
  if (fault(a.memory != expected.memory)) FAIL("unpacked wrong bytes in case " + std::to_string(number));
  return packing.two_sided();
}

/// From one array to the same, or to another one whose rows lie otherwise.
std::size_t copies_of_two_sides(random_numbers& random, const thread_team& team, int number) {
  const bool alone = team.size() == 1;
  arrays a(random, !alone, alone);
  auto b = a;
  const bool to_another = random.chance(30);
  if (to_another) {
    b.pitch += random.between(0, 3) * b.element;
    b.plane = b.pitch * b.n[1] + random.between(0, 9);
    for (auto& m : b.memory) m = random_bytes(random, static_cast<std::size_t>(b.plane * b.n[2] + b.pitch));
  }
  auto& to = to_another ? b : a;
  auto expected = to;
  auto& source = to_another ? a : expected;
  wherry::plans::schedule plan;
  auto& only = plan.stages.emplace_back();
  const auto element = static_cast<std::size_t>(a.element);
  const std::size_t other = alone && random.chance(40) ? random.next() % a.field.size() : 0;  // that is read
  const auto lacking = random.chance(10) ? a.field.size() - 1 : a.field.size();
  for (const auto& one : faces_of(random, a)) {
    if (!alone && one.x == a.width) continue;  // reads what another one writes: not for a team
    const auto from = (one.field + other) % a.field.size();
    const auto read = a.places(one.from, false), written = to.places(one.x, false);
    if (!to_another && a.field[from].array == a.field[one.field].array) {  // a copy does not meet itself
      std::vector<std::int64_t> bytes_read, bytes_written;
      for (std::size_t i = 0; i < read.size(); ++i)
        for (std::int64_t e = 0; e < a.element; ++e) {
          bytes_read.push_back(a.field[from].offset + read[i] + e);
          bytes_written.push_back(a.field[one.field].offset + written[i] + e);
        }
      std::ranges::sort(bytes_read);
      std::ranges::sort(bytes_written);
      std::vector<std::int64_t> both;
      std::ranges::set_intersection(bytes_read, bytes_written, std::back_inserter(both));
      if (!both.empty()) continue;
    }
    plan.add_copy(only, {a.face(from, one.from, false), to.face(one.field, one.x, false)});
    for (std::size_t i = 0; from != lacking && i < read.size(); ++i)
      std::memcpy(expected.at(one.field, written[i]), source.at(from, read[i]), element);
  }
  wherry::detail::shape_kernels kernels(plan, team);
  const wherry::plans::functions none;
  auto sources = a.fields();
  if (lacking < sources.size()) sources[lacking] = nullptr;
  const wherry::detail::direct_copies copies(only.copies, plan, kernels, none);
  copies.run(sources, to.fields());
  if (fault(to.memory != expected.memory)) FAIL("copied wrong bytes in case " + std::to_string(number));
  return copies.two_sided();
}

template <class Case> void many(const context& test, Case run) {
  for (const int threads : {1, 2, 3, 16}) {
    const auto team = threads == 1 ? thread_team() : thread_team::of_its_own(threads);
    const int cases = threads == 1 ? 200 : 30;
    std::size_t together = 0;
    for (int i = 0; i < cases; ++i) {
      random_numbers random(hash(test.seed, 1000 * threads + i));
      together += run(random, team, i) > 0 ? 1 : 0;
    }
    CHECK(together > static_cast<std::size_t>(cases) / 5);
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
WHERRY_UNIT_TEST(both_sides_copied) { many(test, copies_of_two_sides); }

WHERRY_UNIT_TEST(only_faces_that_share_lines_are_two_sides) {
  const std::array<std::int32_t, 7> rows{2, 24, 8, 64, 560, 64, 39200};  // three doubles in rows of 70
  CHECK_EQUAL((listed_faces{rows, {536, 0}}).pairs(), 1);                // their halos
  CHECK_EQUAL((listed_faces{rows, {0, 536}}).pairs(), 1);
  CHECK_EQUAL((listed_faces{rows, {0, 536, 39200 * 64, 39200 * 64 + 536}}).pairs(), 2);
  CHECK_EQUAL((listed_faces{rows, {0, 256}}).pairs(), 0);                                      // far apart
  CHECK_EQUAL((listed_faces{rows, {0, 16}}).pairs(), 0);                                       // which overlap
  CHECK_EQUAL((listed_faces{rows, {0, 560 - 16}}).pairs(), 0);                                 // with the next row's
  CHECK_EQUAL((listed_faces{{2, 24, 8, 8, 560, 8, 39200}, {0, 536}}).pairs(), 0);              // few
  CHECK_EQUAL((listed_faces{{2, 512, 8, 64, 560 * 8, 64, 39200 * 8}, {0, 3968}}).pairs(), 0);  // long runs
}
