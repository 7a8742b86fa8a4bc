// Files are trusted by nobody: what was damaged is found out, and what was made to do harm does none.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>

#include "deep/unit/file_bytes.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;
namespace format = wherry_test::deep_format;

namespace {

std::size_t largest_allocation = 0;

}  // namespace

// The whole program's: an absurd size in a file must not become memory. Inlined into a container, one of the two looks
// to the compiler as if it did not belong to the other.
[[gnu::noinline]] void* operator new(std::size_t size) {
  largest_allocation = std::max(largest_allocation, size);
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

constexpr std::uint64_t type = 0xABCDEF;

struct sample {
  explicit sample(std::uint64_t seed, std::size_t size) {
    random_numbers random(seed);
    what = random_bytes(random, size);
    deep::detail::write_file(place / "good", type, {.buffer_bytes = 4096, .sync = false}, packing(what, seed));
    good = place.read("good");
  }

  /// The words of the error, or nothing. What is read without one is what was written.
  std::string failure(const bytes& content, bool as_stream, bool buffered, bool is_signed = false) const {
    bytes found;
    const auto read = unpacking(found, what.size(), content.size());
    std::istringstream stream(std::string(reinterpret_cast<const char*>(content.data()), content.size()));
    if (!as_stream) place.write("file", content);
    largest_allocation = 0;
    std::string words;
    try {
      if (as_stream)
        deep::detail::read_file(stream, type, {.buffered = buffered}, read);
      else
        deep::detail::read_file(place / "file", type, {.buffered = buffered}, read);
      CHECK(is_signed || found == what);
    } catch (const wherry::error& problem) {
      words = problem.what();
      CHECK(words.find(as_stream ? "the stream: " : "/file': ") != std::string::npos);
      CHECK_EQUAL(problem.where(), "deep::read");
    }
    CHECK(largest_allocation <= deep_largest + 4 * content.size());
    return words;
  }
  std::string failure(const bytes& content) const {
    const auto words = failure(content, false, false);
    CHECK_EQUAL(failure(content, false, true).empty(), words.empty());
    return words;
  }
  bool fails_with(const bytes& content, const char* words) const {
    const auto said = failure(content);
    return said.find(words) != std::string::npos || FAIL("the error says: " + (said.empty() ? "nothing" : said));
  }

  static constexpr std::size_t deep_largest = (std::size_t{1} << 20) + 100'000;
  own_folder place;
  bytes what, good;
};

bytes with(bytes file, std::size_t at, std::uint64_t value) {
  format::put(file, at, value);
  format::sign_header(file);
  return file;
}

/// One thing of chance that happens to a file.
void damage(bytes& file, random_numbers& random) {
  const auto place = [&] { return static_cast<std::size_t>(random.next() % file.size()); };
  const auto part = [&](std::size_t at) { return std::min<std::size_t>(file.size() - at, random.next() % 5000 + 1); };
  const auto offset = [](std::size_t at) { return static_cast<std::ptrdiff_t>(at); };
  const auto at = place(), count = part(at);
  switch (random.between(0, 7)) {
    case 0:
      file[at] ^= static_cast<std::byte>(1 << random.between(0, 7));
      break;
    case 1:
      file.resize(at);
      break;
    case 2:
      file.insert(file.end(), count, static_cast<std::byte>(random.between(0, 255)));
      break;
    case 3:
      std::fill_n(file.begin() + offset(at), count, std::byte{});
      break;
    case 4:
      file.erase(file.begin() + offset(at), file.begin() + offset(at + count));
      break;
    case 5: {
      const bytes copy(file.begin() + offset(at), file.begin() + offset(at + count));
      file.insert(file.begin() + offset(place()), copy.begin(), copy.end());
      break;
    }
    case 6: {  // a number, likely one that says how much there is
      const auto heads = format::heads_of(file);
      const auto number = random.chance(50) || heads.empty() ? 8 * (random.next() % 8) : random.one_of(heads);
      const std::uint64_t values[] = {0, 1, 4095, 1 << 20, 0x7FFFFFFF, 0xFFFFFFFF, ~std::uint64_t{0}, random.next()};
      if (number + 8 <= file.size()) format::put(file, number, values[random.next() % 8]);
      break;
    }
    default: {
      const auto to = place();
      std::memmove(file.data() + to, file.data() + at, std::min(count, file.size() - to));
    }
  }
}

}  // namespace

WHERRY_UNIT_TEST(whatever_is_cut_off_is_missed) {
  const sample s(test.seed, 13'000);
  CHECK_EQUAL(s.failure(s.good), "");
  for (std::size_t size = 0; size < s.good.size(); size += size < 200 || size + 60 > s.good.size() ? 1 : 97) {
    const bytes shorter(s.good.begin(), s.good.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(!s.failure(shorter).empty());
    CHECK(!s.failure(shorter, true, size % 2 == 0).empty());
  }
  CHECK(s.fails_with({}, "/file': it ends at byte 0"));
}

WHERRY_UNIT_TEST(every_bit_counts) {
  const sample s(test.seed, 9'000);
  for (std::size_t at = 0; at < s.good.size(); ++at) {
    auto changed = s.good;
    changed[at] ^= static_cast<std::byte>(1 << at % 8);
    CHECK(!s.failure(changed, at % 16 != 0, at % 2 == 0).empty());
  }
}

WHERRY_UNIT_TEST(errors_say_what_is_wrong) {
  const sample s(test.seed, 13'000);
  CHECK(s.fails_with(bytes(1000, std::byte{'x'}), "it does not begin like a deep object of Wherry"));
  CHECK(s.fails_with(with(s.good, format::version, 1),
                     "it has version 1 of the format, and this library reads version 4"));
  CHECK(s.fails_with(with(s.good, format::version, 0), "it has version 0 of the format"));
  CHECK(s.fails_with(with(s.good, format::order, 2), "it was written on a machine of big-endian byte order"));
  CHECK(s.fails_with(with(s.good, format::type, 1), "another type (fingerprint 1, expected abcdef)"));
  CHECK(s.fails_with(with(s.good, format::flags, 1), "its header has the flags 1, which this library does not know"));
  CHECK(s.fails_with(with(s.good, format::frame, 1 << 30), "its header says 1073741824 bytes a frame"));
  CHECK(s.fails_with(with(s.good, format::payload, 1ull << 62), "it is cut off: its header says 4611686018427387904"));
  CHECK(s.fails_with(with(s.good, format::payload, ~0ull - 1), "it is cut off"));
  CHECK(s.fails_with(with(s.good, format::payload, 12'000), "something follows the object"));
  CHECK_EQUAL(s.failure(with(s.good, format::payload, ~0ull)), "");  // as a stream has it: nobody knew
  auto header = s.good;
  header[format::type] ^= std::byte{1};
  CHECK(s.fails_with(header, "its header is damaged: the checksum is wrong"));
  auto frame = s.good;
  frame[format::heads_of(frame)[1] + 100] ^= std::byte{1};
  CHECK(s.fails_with(frame, "the 4096 bytes of the object from 4096 on are damaged: the checksum is wrong"));
  auto trailer = s.good;
  trailer.back() ^= std::byte{1};
  CHECK(s.fails_with(trailer, "its trailer is damaged: the checksum is wrong"));
  trailer.back() ^= std::byte{1};
  format::put(trailer, trailer.size() - 8, 1);
  format::sign(trailer);
  CHECK(s.fails_with(trailer, "its trailer says 1 bytes of the object, 13000 were there"));
}

// A frame of another file, or of another place of this one, has a right checksum of its own.
WHERRY_UNIT_TEST(frames_belong_where_they_are) {
  const sample s(test.seed, 13'000), other(test.seed + 1, 13'000);
  const auto heads = format::heads_of(s.good);
  const auto frame = static_cast<std::ptrdiff_t>(heads[1] - heads[0]);
  auto swapped = s.good;
  std::swap_ranges(swapped.begin() + static_cast<std::ptrdiff_t>(heads[0]),
                   swapped.begin() + static_cast<std::ptrdiff_t>(heads[1]),
                   swapped.begin() + static_cast<std::ptrdiff_t>(heads[1]));
  CHECK(s.fails_with(swapped, "from 0 on are damaged"));
  auto foreign = s.good;
  std::copy_n(other.good.begin() + static_cast<std::ptrdiff_t>(heads[1]), frame,
              foreign.begin() + static_cast<std::ptrdiff_t>(heads[1]));
  CHECK(s.fails_with(foreign, "from 4096 on are damaged"));
  auto missing = s.good;
  missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(heads[1]),
                missing.begin() + static_cast<std::ptrdiff_t>(heads[2]));
  format::put(missing, format::payload, 13'000 - 4096);
  format::sign_header(missing);
  CHECK(!s.failure(missing).empty());
}

WHERRY_UNIT_TEST(thousands_of_damaged_files) {
  random_numbers random(test.seed);
  int found_out = 0, harmless = 0;
  for (const int size : {0, 10, 4096, 30'000}) {
    const sample s(random.next(), static_cast<std::size_t>(size));
    for (int round = 0; round < 1500; ++round) {
      auto file = s.good;
      for (int k = random.between(1, 3); k > 0 && !file.empty(); --k) damage(file, random);
      const auto words = s.failure(file, random.chance(80), random.chance(30));
      if (!words.empty()) ++found_out;
      if (words.empty()) ++harmless;
      // What was appended is another object's in a stream.
      CHECK(!words.empty() || std::equal(s.good.begin(), s.good.end(), file.begin(), file.end()) ||
            (file.size() > s.good.size() && std::equal(s.good.begin(), s.good.end(), file.begin())));
    }
  }
  test.note(wherry::detail::text(found_out, " found out, ", harmless, " harmless"));
  CHECK(found_out > 5000);
}

// With right checksums everything may arrive; nothing may break.
WHERRY_UNIT_TEST(thousands_of_hostile_files) {
  random_numbers random(test.seed);
  int taken = 0;
  for (const int size : {10, 4096, 30'000}) {
    const sample s(random.next(), static_cast<std::size_t>(size));
    for (int round = 0; round < 1500; ++round) {
      auto file = s.good;
      for (int k = random.between(1, 3); k > 0 && !file.empty(); --k) damage(file, random);
      format::sign(file);
      if (s.failure(file, random.chance(80), random.chance(30), true).empty()) ++taken;
    }
  }
  CHECK(taken > 100);  // or the loop tests nothing but checksums
}
