// Bytes that are packed and unpacked in portions of chance, and the format of their files, written once more as its
// description says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/deep/detail/file_streams.hpp"

#include "core/xxhash3.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

namespace wherry_test {

using bytes = std::vector<std::byte>;

inline bytes random_bytes(random_numbers& random, std::size_t count) {
  bytes result(count);
  for (std::size_t i = 0; i < count; i += 8) {
    const auto word = random.next();
    std::memcpy(result.data() + i, &word, std::min<std::size_t>(8, count - i));
  }
  return result;
}

/// Packs `what` by reserving and by writing.
inline wherry::deep::detail::fill packing(const bytes& what, std::uint64_t seed) {
  return [&what, seed](wherry::byte_sink& sink) {
    random_numbers random(seed);
    for (std::size_t at = 0; at < what.size();) {
      const bool reserve = random.chance(60);
      const auto most =
          static_cast<std::size_t>(random.between(1, reserve ? 4096 : random.one_of({64, 9000, 400'000})));
      const auto part = std::min(most, what.size() - at);
      if (reserve) {
        std::memcpy(sink.reserve(most), what.data() + at, part);
        sink.advance(part);
      } else {
        sink.write(what.data() + at, part);
      }
      at += part;
    }
    sink.finish();
  };
}

/// Unpacks `count` bytes by peeking, by reading and by pieces; what is there may be less than `remaining` says, never
/// more.
inline wherry::deep::detail::drain unpacking(bytes& into, std::size_t count, std::uint64_t seed) {
  return [&into, count, seed](wherry::byte_source& source) {
    random_numbers random(seed);
    into.assign(count, std::byte{});
    for (std::size_t at = 0; at < count;) {
      if (!source.failure()) CHECK(source.remaining() >= count - at || source.remaining() < count);
      const auto way = random.between(0, 2);
      const auto most = static_cast<std::size_t>(random.between(1, way == 0 ? 4096 : 300'000));
      auto part = std::min(most, count - at);
      if (way == 0) {
        std::memcpy(into.data() + at, source.peek(part), part);
        source.skip(part);
      } else if (way == 1) {
        source.read(into.data() + at, part);
      } else {
        const auto piece = source.next_piece(part);
        std::memcpy(into.data() + at, piece.data, part = piece.bytes);
      }
      at += part;
    }
    source.finish();
  };
}

/// A folder of its own, which goes with it.
class own_folder {
 public:
  own_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "wherry-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  own_folder(const own_folder&) = delete;
  own_folder& operator=(const own_folder&) = delete;
  ~own_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  bool has(const std::string& name) const { return std::filesystem::exists(*this / name); }
  bytes read(const std::string& name) const {
    std::ifstream file(*this / name, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    const auto* first = reinterpret_cast<const std::byte*>(content.data());
    return {first, first + content.size()};
  }
  void write(const std::string& name, const bytes& content) const {
    std::filesystem::remove(*this /
                            name);  // some file systems wait for the disk when a file is emptied and filled again
    std::ofstream(*this / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  }

 private:
  std::string path_;
};

// The format.
namespace deep_format {

inline constexpr std::size_t header = 64, head = 16;
enum field : std::size_t { version = 8, order = 16, type = 24, payload = 32, frame = 40, flags = 48, checksum = 56 };

inline std::uint64_t get(const bytes& from, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, from.data() + at, 8);
  return value;
}
inline void put(bytes& to, std::size_t at, std::uint64_t value) { std::memcpy(to.data() + at, &value, 8); }

inline void sign_header(bytes& file) { put(file, checksum, wherry::xxhash3(std::span(file).first(checksum))); }

/// Where the frames' heads are, the trailer's last; as far as they can be followed.
inline std::vector<std::size_t> heads_of(const bytes& file) {
  std::vector<std::size_t> heads;
  for (std::size_t at = header; at + head <= file.size(); at += head + (get(file, at) & 0xFFFFFFFF))
    heads.push_back(at);
  return heads;
}

/// As somebody would who knows the format and means harm: all checksums right, as far as the frames can be followed.
inline void sign(bytes& file) {
  if (file.size() < header) return;
  sign_header(file);
  std::uint64_t chain = get(file, type);
  for (const auto at : heads_of(file)) {
    const auto length = get(file, at) & 0xFFFFFFFF;
    if (length > file.size() - at - head) return;
    chain = wherry::xxhash3(std::span(file).subspan(at + head, length), chain ^ get(file, at));
    put(file, at + 8, chain);
  }
}

}  // namespace deep_format

}  // namespace wherry_test
