// The format of the files of deep objects, byte by byte.
#include <cstdint>
#include <cstring>
#include <sstream>

#include "deep/unit/file_bytes.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

WHERRY_UNIT_TEST(format_is_as_described) {
  namespace format = deep_format;
  random_numbers random(test.seed);
  for (const std::size_t size : {0, 1, 4096, 5000, 12288, 20000}) {
    const auto what = random_bytes(random, size);
    const own_folder place;
    deep::detail::write_file(place / "x", 4711, {.buffer_bytes = 4096, .sync = false}, packing(what, random.next()));
    const auto file = place.read("x");
    const auto frames = (size + 4095) / 4096;
    CHECK_EQUAL(file.size(), 64 + size + 16 * frames + 24);
    const unsigned char magic[] = {0x93, 'W', 'D', 'E', 'E', '\r', '\n', 0x1A};
    CHECK(std::memcmp(file.data(), magic, 8) == 0);
    CHECK_EQUAL(format::get(file, format::version), 4);
    CHECK_EQUAL(format::get(file, format::order), 1);
    CHECK_EQUAL(format::get(file, format::type), 4711);
    CHECK_EQUAL(format::get(file, format::payload), size);
    CHECK_EQUAL(format::get(file, format::frame), 4096);
    const auto heads = format::heads_of(file);
    CHECK_EQUAL(heads.size(), frames + 1);
    bytes put_together;
    for (std::size_t k = 0; k < frames; ++k) {
      const auto head = format::get(file, heads[k]);
      CHECK_EQUAL(head >> 32, 1);
      CHECK_EQUAL(head & 0xFFFFFFFF, std::min<std::size_t>(4096, size - 4096 * k));
      const auto* first = file.data() + heads[k] + format::head;
      put_together.insert(put_together.end(), first, first + (head & 0xFFFFFFFF));
    }
    CHECK(put_together == what);
    CHECK_EQUAL(format::get(file, heads.back()), std::uint64_t{2} << 32 | 8);
    CHECK_EQUAL(format::get(file, heads.back() + format::head), size);
    auto signed_again = file;
    format::sign(signed_again);
    CHECK(signed_again == file);
  }
}

// So that checkpoints of the same state can be compared.
WHERRY_UNIT_TEST(the_same_object_is_the_same_file) {
  random_numbers random(test.seed);
  const auto what = random_bytes(random, 700'000);
  const own_folder place;
  deep::detail::write_file(place / "one", 1, {.sync = false}, packing(what, 1));
  deep::detail::write_file(place / "two", 1, {.sync = true}, packing(what, 2));
  deep::detail::write_file(place / "three", 1, {.buffered = true}, packing(what, 3));
  CHECK(place.read("one") == place.read("two"));
  CHECK(place.read("one") == place.read("three"));
  std::ostringstream stream;
  deep::detail::write_file(stream, 1, {.buffered = true}, packing(what, 4));
  const auto file = place.read("one");
  CHECK(stream.str() == std::string(reinterpret_cast<const char*>(file.data()), file.size()));
}
