// Checkpoints are trusted by nobody: what is wrong with one is an error on all ranks alike, and nothing is left of it.
#include <cstdint>
#include <cstring>

#include "core/xxhash3.hpp"
#include "deep/mpi/checkpoint_tree.hpp"
#include "support/array_file_folder.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

using bytes = std::vector<std::byte>;

// The format as its description says, written once more.
enum field : std::size_t { version = 8, order = 16, type = 24, objects = 32, total = 40, flags = 48, checksum = 56 };
constexpr std::size_t header_size = 64;

std::uint64_t get(const bytes& from, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, from.data() + at, 8);
  return value;
}

/// As somebody would who knows the format and means harm: the checksums of header and table right.
void sign(bytes& file) {
  const auto put = [&file](std::size_t at, std::uint64_t value) { std::memcpy(file.data() + at, &value, 8); };
  put(checksum, wherry::xxhash3(std::span(file).first(checksum)));
  const auto entries = get(file, objects);
  if (entries > (file.size() - header_size) / 8 - 1) return;
  const auto table = std::span<const std::byte>(file).subspan(header_size, 8 * entries);
  put(header_size + 8 * entries, wherry::xxhash3(table, get(file, checksum) ^ entries));
}

bytes with(bytes file, std::size_t at, std::uint64_t value) {
  std::memcpy(file.data() + at, &value, 8);
  sign(file);
  return file;
}

struct sample {
  explicit sample(const context& test) : place(test), comm(test.comm), size(test.size) {
    const planted mine(static_cast<std::uint64_t>(test.rank), 1);
    deep::save_all(comm, place / "good", mine.it, {.buffer_bytes = 4096});
    good = place.read("good");
    MPI_Barrier(comm);
  }

  /// The words of the error, or nothing; the same on all ranks.
  std::string failure(const bytes& content) const {
    place.write("file", content);
    std::string words;
    try {
      for (auto& [rank, found] : deep::load_all<forest>(comm, place / "file")) {
        found.itself = nullptr;
        deep::destroy(found);
      }
    } catch (const wherry::error& problem) {
      words = problem.what();
      CHECK_EQUAL(problem.where(), "deep::load_all");
      CHECK(words.find("/file'") != std::string::npos);
    }
    int failed = words.empty() ? 0 : 1, all = 0;
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, comm);
    CHECK(all == 0 || all == size);
    return words;
  }
  bool fails_with(const bytes& content, const char* words) const {
    const auto said = failure(content);
    return said.find(words) != std::string::npos || FAIL("the error says: " + (said.empty() ? "nothing" : said));
  }

  folder place;
  MPI_Comm comm;
  int size;
  bytes good;
};

}  // namespace

WHERRY_TEST(checkpoints_are_as_described, ranks(1, 2, 3, 4)) {
  const sample s(test);
  CHECK_EQUAL(s.failure(s.good), "");
  CHECK_EQUAL(get(s.good, version), 4);
  CHECK_EQUAL(get(s.good, objects), test.size);
  CHECK_EQUAL(get(s.good, total), s.good.size());
  auto signed_again = s.good;
  sign(signed_again);
  CHECK(signed_again == s.good);
}

WHERRY_TEST(errors_of_checkpoints_say_what_is_wrong, ranks(1, 2, 3)) {
  const sample s(test);
  CHECK(s.fails_with({}, "it has 0 bytes, too few for a checkpoint"));
  CHECK(s.fails_with(bytes(1000, std::byte{7}), "it does not begin like a checkpoint of Wherry"));
  CHECK(s.fails_with(with(s.good, version, 1), "it has version 1 of the format, and this library reads version 4"));
  CHECK(s.fails_with(with(s.good, order, 2), "big-endian"));
  CHECK(s.fails_with(with(s.good, type, 2), "it holds objects of another type (fingerprint 2, expected "));
  CHECK(s.fails_with(with(s.good, flags, 2), "its header has the flags 2, which this library does not know"));
  CHECK(s.fails_with(with(s.good, total, 1ull << 62), "its header says 4611686018427387904"));
  CHECK(s.fails_with(with(s.good, objects, 1ull << 30), "too few for its table of 1073741824 objects"));
  CHECK(s.fails_with(with(s.good, objects, ~0ull), "too few for its table of"));
  CHECK(s.fails_with(with(s.good, header_size, ~0ull), "object 0 of its table has 18446744073709551615 bytes"));
  CHECK(s.fails_with(with(s.good, header_size, 0), test.size == 1 ? "something follows the objects" : "/file'"));
  auto header = s.good;
  header[type] ^= std::byte{1};
  CHECK(s.fails_with(header, "its header is damaged: the checksum is wrong"));
  auto table = s.good;
  table[header_size] ^= std::byte{1};
  CHECK(s.fails_with(table, "its table of objects is damaged: the checksum is wrong"));
  auto last = s.good;
  last.back() ^= std::byte{1};
  const auto name = "object " + std::to_string(test.size - 1) + ": its trailer is damaged";
  CHECK(s.fails_with(last, name.c_str()));
  CHECK_THROWS_WITH(deep::load_all<std::vector<int>>(s.comm, s.place / "good"), "another type");
  CHECK_THROWS_WITH(deep::read<forest>(s.place / "good"), "it does not begin like a deep object of Wherry");
}

WHERRY_TEST(damaged_checkpoints, ranks(1, 2, 3)) {
  const sample s(test);
  random_numbers random(test.seed);
  for (int round = 0; round < 150; ++round) {
    auto file = s.good;
    const auto at = static_cast<std::size_t>(random.next() % file.size());
    switch (random.between(0, 3)) {
      case 0:
        file.resize(at);
        break;
      case 1:
        file[at] ^= static_cast<std::byte>(random.between(1, 255));
        break;
      case 2:
        file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), std::byte{1});
        break;
      default:
        file.erase(file.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (file.size() > header_size + 16 && random.chance(30)) {
      std::memcpy(file.data() + total, std::array{file.size()}.data(), 8);
      sign(file);
    }
    CHECK(!s.failure(file).empty() || file == s.good);
  }
}
