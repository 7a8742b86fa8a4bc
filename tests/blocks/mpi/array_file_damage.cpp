// Files are trusted by nobody: truncated, changed, foreign and hostile ones are errors on all ranks alike.
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

#include "wherry/wherry.hpp"

#include "core/xxhash3.hpp"
#include "support/array_file_folder.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

using bytes = std::vector<std::byte>;

// The format as its description says, written once more: a test's own idea of what is where.
constexpr std::size_t header_size = 192, entry_size = 48;
enum field : std::size_t {
  version = 8,
  byte_order = 16,
  dimensions = 24,
  components = 32,
  boxes = 40,
  element = 48,
  piece = 56,
  total = 72,
  type = 80,
  checksum = 184
};

std::uint64_t get(const bytes& from, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, from.data() + at, 8);
  return value;
}
void put(bytes& to, std::size_t at, std::uint64_t value) { std::memcpy(to.data() + at, &value, 8); }

std::uint64_t sum(const std::byte* from, std::size_t count, std::uint64_t seed = 0) {
  return wherry::xxhash3({from, count}, seed);
}
std::uint64_t sum_at(std::uint64_t seed, std::uint64_t place, const std::byte* from, std::size_t count) {
  return sum(from, count, seed ^ place);
}

/// As somebody would who knows the format and means harm: all checksums of header and table right.
void sign(bytes& file) {
  put(file, checksum, sum(file.data(), checksum));
  const auto entries = std::min<std::uint64_t>(get(file, boxes), (file.size() - header_size) / entry_size);
  for (std::size_t i = 0; i < entries; ++i) {
    auto* entry = file.data() + header_size + i * entry_size;
    put(file, header_size + (i + 1) * entry_size - 8, sum_at(get(file, checksum), i, entry, entry_size - 8));
  }
}

/// Three boxes of a plane on the ranks in turn, two components.
struct sample {
  explicit sample(const context& test) : place(test), comm(test.comm), u(comm, plan_for(comm.size()), options()) {
    for (const auto& [number, cells, values] : u.blocks())
      for (int c = 0; c < 2; ++c)
        for_each_point(cells, [&, &v = values](const auto& p) { v(p, c) = static_cast<double>(p[0] * 40 + p[1] + c); });
    wherry::write_array(place / "good", u, {.piece = 1024});
    good = place.read("good");
    MPI_Barrier(test.comm);
  }
  static wherry::floor_plan<2> plan_for(int ranks) {
    wherry::floor_plan<2> plan;
    for (int i = 0; i < 3; ++i) plan.add({{8 * i, 0}, {8 * i + 8, 16}}, i % ranks);
    return plan;
  }
  static wherry::x_array_options<2> options() { return {.ghost_width = 0, .components = 2}; }

  /// Reads a file; the words of the error, the same kind on all ranks, or nothing.
  std::string failure(const bytes& content) const {
    place.write("file", content);
    wherry::x_array<double, 2> v(comm, u.plan(), options());
    std::string words;
    try {
      wherry::read_array(place / "file", v);
    } catch (const wherry::error& found) {
      words = found.what();
      CHECK(found.kind() == wherry::error_kind::argument);
    }
    int failed = words.empty() ? 0 : 1, all = 0;
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, comm.users_handle());
    CHECK(all == 0 || all == comm.size());
    return words;
  }
  bool fails_with(const bytes& content, const char* words) const {
    const auto said = failure(content);
    return said.find(words) != std::string::npos || FAIL("the error says: " + (said.empty() ? "nothing" : said));
  }

  folder place;
  wherry::communicator comm;
  wherry::x_array<double, 2> u;
  bytes good;
};

}  // namespace

WHERRY_TEST(format_is_as_described, ranks(1, 2, 3, 4)) {
  const sample s(test);
  CHECK_EQUAL(s.failure(s.good), "");
  CHECK_EQUAL(get(s.good, checksum), sum(s.good.data(), checksum));
  CHECK_EQUAL(get(s.good, version), 2);
  CHECK_EQUAL(get(s.good, boxes), 3);
  CHECK_EQUAL(get(s.good, total), s.good.size());
  auto signed_again = s.good;
  sign(signed_again);
  CHECK(signed_again == s.good);
  // The first box of the data: pieces of 1024 bytes, a layer of 8 cells of 2 components being 128.
  const auto data = header_size + 3 * entry_size;
  CHECK_EQUAL(get(s.good, data + 1024), sum_at(get(s.good, checksum), data, s.good.data() + data, 1024));
}

WHERRY_TEST(every_flipped_bit_is_found, ranks(1, 2, 3)) {
  const sample s(test);
  std::mt19937_64 random(test.seed);
  const auto flipped = [&](std::size_t at) {
    auto bad = s.good;
    bad[at] ^= static_cast<std::byte>(1u << random() % 8);
    return bad;
  };
  // Every byte on one rank; MPICH's collectives take milliseconds with more ranks than cores.
  const std::size_t step = test.size == 1 ? 1 : 9;
  for (std::size_t at = 0; at < header_size + 3 * entry_size; at += step)
    CHECK(s.failure(flipped(at)).find("/file'") != std::string::npos);
  for (int i = 0; i < 60 / test.size; ++i) CHECK(!s.failure(flipped(random() % s.good.size())).empty());
  CHECK(s.fails_with(flipped(s.good.size() - 500), "are damaged: the checksum is wrong"));
  CHECK(s.fails_with(flipped(header_size + 50), "entry 1 of its table of boxes is damaged"));
}

WHERRY_TEST(truncated_and_foreign_files, ranks(1, 2, 3)) {
  const sample s(test);
  std::mt19937_64 random(test.seed);
  const auto cut = [&](std::size_t size) { return bytes(s.good.begin(), s.good.begin() + static_cast<long>(size)); };
  const std::size_t step = test.size == 1 ? 1 : 13;
  for (std::size_t size = 0; size < header_size + 3 * entry_size; size += step) CHECK(!s.failure(cut(size)).empty());
  for (int i = 0; i < 30 / test.size; ++i) CHECK(!s.failure(cut(random() % s.good.size())).empty());
  CHECK(s.fails_with(cut(100), "it has 100 bytes, too few for an array file"));
  CHECK(s.fails_with(cut(s.good.size() - 1), "its header says"));
  auto longer = s.good;
  longer.push_back({});
  CHECK(s.fails_with(longer, "its header says"));
  for (int i = 0; i < 30 / test.size; ++i) {
    bytes garbage(random() % 5000);
    for (auto& b : garbage) b = static_cast<std::byte>(random());
    CHECK(!s.failure(garbage).empty());
  }
  CHECK(s.fails_with(bytes(5000), "it does not begin like an array file of Wherry"));
  // Half of one file and half of another: their checksums do not begin alike.
  auto later = s.good;
  wherry::write_array(s.place / "again", s.u, {.piece = 1024});
  const auto again = s.place.read("again");
  REQUIRE(again.size() == later.size());
  std::copy(again.begin() + header_size, again.end(), later.begin() + header_size);
  CHECK(s.fails_with(later, "entry 0 of its table"));
  std::copy(s.good.begin(), s.good.begin() + header_size + 3 * entry_size, later.begin());
  CHECK(s.fails_with(later, "are damaged"));
}

WHERRY_TEST(hostile_files, ranks(1, 2, 3)) {
  const sample s(test);
  const auto with = [&](std::size_t at, std::uint64_t value) {
    auto bad = s.good;
    put(bad, at, value);
    sign(bad);
    return bad;
  };
  const auto most = ~std::uint64_t{0};
  CHECK(s.fails_with(with(version, 7), "it has version 7 of the format, and this library reads version 2"));
  CHECK(s.fails_with(with(version, 1), "it has version 1 of the format, and this library reads version 2"));
  CHECK(s.fails_with(with(byte_order, 2), "big-endian byte order"));
  CHECK(s.fails_with(with(dimensions, 7), "the header says 7 dimensions, expected 1 to 6"));
  CHECK(s.fails_with(with(dimensions, 3), "dimensions, and the array has 2"));
  CHECK(s.fails_with(with(components, 0), "0 components"));
  CHECK(s.fails_with(with(components, 3), ", but it has"));
  CHECK(s.fails_with(with(components, std::uint64_t{1} << 31), "components, expected"));
  CHECK(s.fails_with(with(components, 0x7FFFFFFF), "components of 8 bytes each"));
  CHECK(s.fails_with(with(boxes, 0x7FFFFFFF), "bytes, too few for its table of 2147483647 boxes"));
  CHECK(s.fails_with(with(boxes, most), "boxes, expected"));
  CHECK(s.fails_with(with(boxes, 0), "its boxes end at byte"));
  CHECK(s.fails_with(with(element, 0), "0 bytes per element"));
  CHECK(s.fails_with(with(element, std::uint64_t{1} << 40), "bytes per element"));
  CHECK(s.fails_with(with(piece, 1), "1 bytes per piece, expected 1024"));
  CHECK(s.fails_with(with(total, most), "bytes in the file"));
  CHECK(s.fails_with(with(type, 0x34), "elements of type '4'"));

  const auto first_box = header_size;
  CHECK(s.fails_with(with(first_box, 3), "entry 0 of its table is of box 3 of 3"));
  CHECK(s.fails_with(with(first_box, get(s.good, first_box + entry_size)), "twice"));
  CHECK(s.fails_with(with(first_box + 24, std::uint64_t{1} << 40), "has more cells than fit in the file"));
  CHECK(s.fails_with(with(first_box + 24, std::uint64_t{1} << 62), "reaches to"));
  CHECK(s.fails_with(with(first_box + 8, std::uint64_t{1} << 63), "reaches to"));
  CHECK(s.fails_with(with(first_box + 24, 0), "its boxes end at byte"));
  auto huge = s.good;
  for (std::size_t d = 0; d < 2; ++d) put(huge, first_box + 24 + 8 * d, std::uint64_t{1} << 59);
  sign(huge);
  CHECK(s.fails_with(huge, "has more cells than fit in the file"));
  // Right in all, but for another array: cells that nobody wants are not read, cells that nobody has stay.
  CHECK_EQUAL(s.failure(with(first_box + 16, 0)), "");
}

WHERRY_TEST(a_table_of_holes_costs_no_memory, ranks(1, 2)) {
  const sample s(test);
  // 100 GB of a file that is not there: the first entry is enough to know.
  auto head = s.good;
  head.resize(header_size);
  const std::uint64_t count = 2'000'000'000;
  put(head, boxes, count);
  put(head, total, header_size + count * entry_size + 1000);
  put(head, checksum, sum(head.data(), checksum));
  s.place.write("file", head);
  if (test.rank == 0) std::filesystem::resize_file(s.place / "file", header_size + count * entry_size + 1000);
  MPI_Barrier(test.comm);
  CHECK_THROWS_WITH(wherry::read_floor_plan<2>(s.comm, s.place / "file"), "entry 0 of its table");
}

WHERRY_TEST(beyond_two_gigabytes, ranks(1, 2, 3)) {
  const sample s(test);
  // A column of 6 GB, almost all of it a hole; the piece that is wanted lies near its end.
  constexpr std::uint64_t rows = 6'000'000'000 / 128, row = 128, thickness = 8, pieces = (rows + 7) / thickness;
  bytes head(header_size + entry_size);
  std::copy(s.good.begin(), s.good.begin() + header_size, head.begin());
  const std::uint64_t size = head.size() + rows * row + pieces * 8;
  put(head, boxes, 1);
  put(head, total, size);
  const std::uint64_t entry[] = {0, 0, 0, 8, rows};
  for (std::size_t i = 0; i < 5; ++i) put(head, header_size + 8 * i, entry[i]);
  sign(head);
  const std::uint64_t wanted = pieces - 5;  // piece
  const auto begin = head.size() + wanted * (thickness * row + 8);
  bytes data(thickness * row + 8);
  for (std::size_t i = 0; i < thickness * row / 8; ++i) {
    const auto value = static_cast<double>(i);
    std::memcpy(data.data() + 8 * i, &value, 8);
  }
  put(data, thickness * row, sum_at(get(head, checksum), begin, data.data(), thickness * row));
  s.place.write("file", head);
  if (test.rank == 0) {
    std::filesystem::resize_file(s.place / "file", size);
    std::fstream file(s.place / "file", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(begin));
    file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  }
  MPI_Barrier(test.comm);
  CHECK_EQUAL(wherry::describe_array_file(s.comm, s.place / "file").bytes, size);
  const auto first_row = static_cast<index_t>(wanted * thickness);
  wherry::floor_plan<2> plan;
  plan.add({{2, first_row}, {5, first_row + 8}}, s.comm.size() - 1);
  wherry::x_array<double, 2> v(s.comm, plan, sample::options());
  CHECK_EQUAL(wherry::read_array(s.place / "file", v), 24);
  for (const auto& [number, cells, values] : v.blocks())
    for (int c = 0; c < 2; ++c)
      for_each_point(cells, [&, &w = values](const auto& p) {
        CHECK_EQUAL(w(p, c), static_cast<double>(p[0] + 8 * (p[1] - first_row) + 64 * c));
      });
}

WHERRY_TEST(what_cannot_be_opened, ranks(1, 2, 3)) {
  const sample s(test);
  wherry::x_array<double, 2> v(s.comm, s.u.plan(), sample::options());
  CHECK_THROWS_WITH(wherry::read_array(s.place / "missing", v), "/missing': cannot read it: No such file");
  CHECK_THROWS_WITH(wherry::read_array(s.place / "", v), "it is not an ordinary file");
  if (test.rank == 0) mkfifo((s.place / "pipe").c_str(), 0600);
  MPI_Barrier(test.comm);
  CHECK_THROWS_WITH(wherry::read_array(s.place / "pipe", v), "it is not an ordinary file");
  CHECK_THROWS_WITH(wherry::write_array(s.place / "no/folder", s.u), "No such file or directory");
  CHECK_THROWS_WITH(wherry::write_array(s.place / "", s.u), "Is a directory");
  CHECK_THROWS_WITH(wherry::write_array(s.place / "pipe", s.u), "cannot write");
  CHECK_THROWS_WITH(wherry::write_array("", s.u), "'path' is empty");
  CHECK_THROWS_WITH(wherry::write_array(s.place / "u", s.u, {.piece = 10}), "'piece' is 10 bytes");
  CHECK_THROWS_WITH(wherry::write_array(s.place / "u", s.u, {.buffer_bytes = 0}), "'buffer_bytes' is 0, expected 1");
  CHECK_THROWS_WITH(wherry::write_array(s.place / "u", s.u, {.type = std::string(104, 'x')}),
                    "expected at most 103 bytes");
  if (test.size > 1) {
    CHECK_THROWS_WITH(wherry::write_array(s.place / std::string(1, static_cast<char>('a' + test.rank)), s.u),
                      "the ranks disagree on the path");
    CHECK_THROWS_WITH(wherry::write_array(s.place / "u", s.u, {.buffer_bytes = 100 + test.rank}),
                      "the ranks disagree on 'buffer_bytes'");
  }
  CHECK(!s.place.has("u"));
}

WHERRY_TEST(a_full_disk_leaves_the_last_file, ranks(1, 2, 3).not_simulated("its files have no contents")) {
  const sample s(test);
  // A limit on the size of files behaves like a full disk, and sends no signal: rank 0 alone meets it, all ranks hear
  // of it.
  wherry::x_array<double, 2> large(
      s.comm, sample::plan_for(1).transformed([](const wherry::box<2>& b) { return refine(b, 20); }),
      sample::options());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  wherry::array_writer writer(large);
  if (test.rank == 0) {
    const rlimit small{100'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  CHECK_THROWS(writer.start(s.place / "good"), writer.wait());
  if (test.rank == 0) setrlimit(RLIMIT_FSIZE, &before);
  MPI_Barrier(test.comm);
  CHECK(s.place.read("good") == s.good);
  CHECK(!s.place.has("good.part"));
  MPI_Barrier(test.comm);
  // The same writer, when there is room again.
  writer.start(s.place / "good");
  writer.wait();
  CHECK_EQUAL(wherry::read_array(s.place / "good", large), 3 * 8 * 16 * 400);
}
