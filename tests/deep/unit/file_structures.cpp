// Structures to files by every way that a user has, and files longer than an int can say.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "wherry/deep/file.hpp"

#include "deep/mpi/checkpoint_tree.hpp"
#include "deep/unit/file_bytes.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

/// Remembers what is written except for pages of zeros, so that little memory holds long files.
class sparse_buffer : public std::streambuf {
 public:
  std::uint64_t size() const { return end_; }

 private:
  static constexpr std::uint64_t page = 1 << 16;

  std::streamsize xsputn(const char* from, std::streamsize count) override {
    return over(count, [&](std::uint64_t place, std::uint64_t part) {
      const bool zeros = *from == 0 && std::memcmp(from, from + 1, part - 1) == 0;
      if (!zeros || pages_.contains(place / page)) std::memcpy(page_at(place) + place % page, from, part);
      from += part;
      end_ = std::max(end_, place + part);
    });
  }
  std::streamsize xsgetn(char* to, std::streamsize count) override {
    count = std::min(count, static_cast<std::streamsize>(end_ - at_));
    return over(count, [&](std::uint64_t place, std::uint64_t part) {
      const auto found = pages_.find(place / page);
      if (found == pages_.end())
        std::memset(to, 0, part);
      else
        std::memcpy(to, found->second.data() + place % page, part);
      to += part;
    });
  }
  pos_type seekoff(off_type by, std::ios_base::seekdir from, std::ios_base::openmode) override {
    const auto base = from == std::ios_base::beg ? 0 : from == std::ios_base::cur ? at_ : end_;
    at_ = base + static_cast<std::uint64_t>(by);
    return static_cast<pos_type>(static_cast<off_type>(at_));
  }
  pos_type seekpos(pos_type to, std::ios_base::openmode mode) override {
    return seekoff(off_type(to), std::ios_base::beg, mode);
  }

  template <class Visit> std::streamsize over(std::streamsize count, Visit&& visit) {
    for (auto left = static_cast<std::uint64_t>(count); left > 0;) {
      const auto part = std::min(left, page - at_ % page);
      visit(at_, part);
      at_ += part;
      left -= part;
    }
    return count;
  }
  char* page_at(std::uint64_t place) {
    auto& found = pages_[place / page];
    if (found.empty()) found.resize(page);
    return found.data();
  }

  std::map<std::uint64_t, std::vector<char>> pages_;
  std::uint64_t at_ = 0, end_ = 0;
};

}  // namespace

WHERRY_UNIT_TEST(structures_by_path_and_by_value) {
  const own_folder place;
  const planted mine(3, 4);
  for (const bool buffered : {false, true}) {
    deep::write(place / "forest", mine.it, {.buffered = buffered, .sync = buffered});
    forest found;
    found.names = {"what was there before goes away"};
    deep::read(place / "forest", found, {.buffered = buffered});
    CHECK(is_forest_of(found, 3, 4));
    found.itself = nullptr;
    deep::destroy(found);
    deep::arena arena;
    const auto by_value = deep::read<forest>(place / "forest", {.arena = &arena});
    CHECK(same(by_value.root, mine.it.root));
  }
  CHECK_THROWS_WITH(deep::read<std::vector<int>>(place / "forest"), "/forest': it holds an object of another type");
}

WHERRY_UNIT_TEST(pointers_arrays_and_containers) {
  const own_folder place;
  knot* tree = grow(7, 5);
  deep::write(place / "tree", tree);
  auto* const found = deep::read<knot*>(place / "tree");
  CHECK(same(found, tree));
  knot* occupied = tree;
  CHECK_THROWS_WITH(deep::read(place / "tree", occupied), "null");
  for (auto* each : {found, tree}) deep::destroy(each);

  std::vector<double> values{1, 2, 3};
  double* data = values.data();
  double* to = nullptr;
  int count = 0;
  deep::write(place / "array", deep::array(data, 3));
  deep::read(place / "array", deep::array(to, count));
  CHECK_EQUAL(count, 3);
  CHECK(std::equal(values.begin(), values.end(), to));
  delete[] to;
  to = nullptr;
  CHECK_THROWS_WITH(deep::read(place / "array", deep::array(to, 4)), "/array': ");
  CHECK(to == nullptr);

  std::stringstream stream;
  const std::map<std::string, std::vector<std::string>> words{{"a", {"b", "c"}}, {"d", {}}};
  deep::write(stream, words);
  deep::write(stream, values);
  CHECK(deep::read<std::map<std::string, std::vector<std::string>>>(stream) == words);
  CHECK(deep::read<std::vector<double>>(stream) == values);
}

// A damaged file leaves nothing of what was built before the damage was met: the sanitizers see to that.
WHERRY_UNIT_TEST(damage_in_the_middle_of_a_structure) {
  const own_folder place;
  const planted mine(1, 2, 12);
  deep::write(place / "good", mine.it, {.buffer_bytes = 4096});
  const auto good = place.read("good");
  random_numbers random(test.seed);
  for (int round = 0; round < 60; ++round) {
    auto file = good;
    file[64 + random.next() % (file.size() - 64)] ^= std::byte{4};
    place.write("bad", file);
    forest found;
    CHECK_THROWS_WITH(deep::read(place / "bad", found), "/bad': ");
    CHECK(found.root == nullptr && found.itself == nullptr);
  }
}

WHERRY_UNIT_TEST(files_beyond_two_gigabytes) {
  constexpr std::uint64_t total = (std::uint64_t{2} << 30) + 12'345;
  const bytes some(1 << 20);
  sparse_buffer buffer;
  std::iostream file(&buffer);
  deep::detail::write_file(file, 1, {.buffer_bytes = 1 << 20}, [&](wherry::byte_sink& sink) {
    for (std::uint64_t left = total - 8; left > 0; left -= std::min<std::uint64_t>(left, some.size()))
      sink.write(some.data(), std::min<std::uint64_t>(left, some.size()));
    sink.write(&total, 8);
    sink.finish();
  });
  CHECK(buffer.size() > total);
  file.seekg(0);
  std::uint64_t last = 0;
  deep::detail::read_file(file, 1, {}, [&](wherry::byte_source& source) {
    CHECK(source.remaining() >= total);
    for (std::uint64_t left = total - 8; left > 0;) left -= source.next_piece(left).bytes;
    source.read(&last, 8);
    source.finish();
  });
  CHECK_EQUAL(last, total);
}
