// Deep objects to paths and standard streams and back; what is there when something goes wrong.
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdint>
#include <fstream>
#include <sstream>

#include "deep/unit/file_bytes.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;
using deep::detail::read_file;
using deep::detail::write_file;

namespace {

constexpr std::uint64_t type = 0x1234;

/// A stream of bytes that can only be read forwards, as a pipe is.
class one_way : public std::streambuf {
 public:
  explicit one_way(std::string content) : content_(std::move(content)) {}

 private:
  int_type underflow() override {
    const auto part = std::min<std::size_t>(1000, content_.size() - at_);
    if (part == 0) return traits_type::eof();
    setg(content_.data() + at_, content_.data() + at_, content_.data() + at_ + part);
    at_ += part;
    return traits_type::to_int_type(*gptr());
  }
  std::string content_;
  std::size_t at_ = 0;
};

/// Takes so many bytes and no more.
class full_after : public std::streambuf {
 public:
  explicit full_after(std::streamsize room) : room_(room) {}

 private:
  std::streamsize xsputn(const char*, std::streamsize count) override {
    const auto taken = std::min(room_, count);
    room_ -= taken;
    return taken;
  }
  int_type overflow(int_type) override { return traits_type::eof(); }
  std::streamsize room_;
};

std::size_t size_of_chance(random_numbers& random) {
  const auto frame = random.one_of({4096, 8192, 262'144});
  const auto near = random.one_of({0, frame, 2 * frame, 3 * frame}) + random.between(-20, 20);
  return static_cast<std::size_t>(std::max(0, random.chance(60) ? near : random.between(0, 1'500'000)));
}

deep::file_options options_of_chance(random_numbers& random) {
  const bool buffered = random.chance(30);
  return {
      .buffered = buffered,
      .buffer_bytes = static_cast<std::size_t>(buffered ? 2'000'000 : random.one_of({0, 4096, 5000, 65536, 1 << 20})),
      .sync = false};
}

}  // namespace

WHERRY_UNIT_TEST(what_is_written_is_read) {
  random_numbers random(test.seed);
  const own_folder place;
  for (int round = 0; round < 120; ++round) {
    const auto what = random_bytes(random, size_of_chance(random));
    bytes found;
    write_file(place / "x", type, options_of_chance(random), packing(what, random.next()));
    CHECK(!place.has("x.part"));
    read_file(place / "x", type, options_of_chance(random), unpacking(found, what.size(), random.next()));
    CHECK(found == what);
    // The same file, as a stream.
    std::ifstream stream(place / "x", std::ios::binary);
    read_file(stream, type, options_of_chance(random), unpacking(found, what.size(), random.next()));
    CHECK(found == what);
    CHECK(stream.peek() == std::char_traits<char>::eof());
  }
}

WHERRY_UNIT_TEST(objects_follow_one_another_in_streams) {
  random_numbers random(test.seed);
  for (int round = 0; round < 25; ++round) {
    std::stringstream out;
    out << "before";
    std::vector<bytes> all;
    for (int k = random.between(1, 5); k > 0; --k) {
      all.push_back(random_bytes(random, size_of_chance(random)));
      write_file(out, type, options_of_chance(random), packing(all.back(), random.next()));
      out << "between";
    }
    one_way pipe(out.str());
    std::istream forwards(&pipe);
    for (std::istream* const in : {static_cast<std::istream*>(&out), &forwards}) {
      const auto expect = [in](std::string words) {
        const auto expected = words;
        in->read(words.data(), static_cast<std::streamsize>(words.size()));
        CHECK_EQUAL(words, expected);
      };
      expect("before");
      for (const auto& what : all) {
        bytes found;
        read_file(*in, type, options_of_chance(random), unpacking(found, what.size(), random.next()));
        CHECK(found == what);
        expect("between");
      }
      CHECK(in->peek() == std::char_traits<char>::eof());
      CHECK_THROWS_WITH(read_file(*in, type, {}, [](wherry::byte_source&) {}), "the stream is not good()");
    }
  }
}

// What one stream has, a path reads, if nothing else is in it.
WHERRY_UNIT_TEST(a_path_holds_one_object) {
  random_numbers random(test.seed);
  const own_folder place;
  for (const std::size_t size : {100, 600'000}) {
    const auto what = random_bytes(random, size);
    bytes found;
    {
      std::ofstream stream(place / "x", std::ios::binary);
      write_file(stream, type, {}, packing(what, 1));
    }
    read_file(place / "x", type, {}, unpacking(found, size, 2));
    CHECK(found == what);
    std::ofstream(place / "x", std::ios::binary | std::ios::app) << "more";
    CHECK_THROWS_WITH(read_file(place / "x", type, {}, unpacking(found, size, 2)),
                      "/x': something follows the object: 4 bytes");
    CHECK_THROWS_WITH(read_file(place / "x", type, {.buffered = true}, unpacking(found, size, 2)),
                      "/x': something follows the object: 4 bytes");
  }
}

WHERRY_UNIT_TEST(readers_that_ask_for_more_or_less) {
  random_numbers random(test.seed);
  const own_folder place;
  for (const std::size_t size : {0, 3000, 262'144, 700'000}) {
    const auto what = random_bytes(random, size);
    write_file(place / "x", type, {.sync = false}, packing(what, 1));
    for (const bool buffered : {false, true}) {
      bytes found;
      CHECK_THROWS_WITH(read_file(place / "x", type, {.buffered = buffered}, unpacking(found, size + 1, 2)), "/x': ");
      if (size > 0)
        CHECK_THROWS_WITH(read_file(place / "x", type, {.buffered = buffered}, unpacking(found, size - 1, 2)),
                          "longer than the object that is read");
    }
  }
}

WHERRY_UNIT_TEST(what_cannot_be_opened) {
  const own_folder place;
  const bytes what(10);
  bytes found;
  const auto read = [&](const std::string& path) { read_file(path, type, {}, unpacking(found, 10, 1)); };
  const auto write = [&](const std::string& path) { write_file(path, type, {}, packing(what, 1)); };
  mkfifo((place / "pipe").c_str(), 0600);
  CHECK_THROWS_WITH(read(place / "missing"), "/missing': cannot read it: No such file");
  CHECK_THROWS_WITH(read(place / ""), "it is not an ordinary file");
  CHECK_THROWS_WITH(read(place / "pipe"), "it is not an ordinary file");
  CHECK_THROWS_WITH(write(place / "no/folder"), "No such file or directory");
  CHECK_THROWS_WITH(write(place / ""), "Is a directory");
  CHECK_THROWS_WITH(write(place / "pipe"), "cannot write");
  CHECK_THROWS_WITH(write(""), "'path' is empty");
  CHECK_THROWS_WITH(write_file(place / "x", type, {.buffer_bytes = 100}, packing(what, 1)),
                    "/x': 'buffer_bytes' is 100, expected 4096 to 1048576");
  CHECK_THROWS_WITH(
      write_file(place / "x", type, {.buffered = true, .buffer_bytes = what.size() - 1}, packing(what, 1)),
      "needs more bytes than 'buffer_bytes'");
  CHECK(!place.has("x") && !place.has("x.part"));
  write_file(place / "fits", type, {.buffered = true, .buffer_bytes = what.size(), .sync = false}, packing(what, 1));
  std::ofstream closed;
  closed.setstate(std::ios::failbit);
  CHECK_THROWS_WITH(write_file(closed, type, {}, packing(what, 1)), "the stream is not good()");
}

WHERRY_UNIT_TEST(a_failed_write_leaves_the_last_file) {
  random_numbers random(test.seed);
  const own_folder place;
  const auto good = random_bytes(random, 500'000), large = random_bytes(random, 3'000'000);
  write_file(place / "x", type, {}, packing(good, 1));
  const auto before = place.read("x");
  // A packer that gives up.
  for (const bool buffered : {false, true}) {
    CHECK_THROWS_WITH(write_file(place / "x", type, {.buffered = buffered},
                                 [&](wherry::byte_sink& sink) {
                                   sink.write(large.data(), large.size());
                                   throw std::runtime_error("no more");
                                 }),
                      "no more");
    CHECK(place.read("x") == before);
    CHECK(!place.has("x.part"));
  }
  // A limit on the size of files behaves like a full disk, and sends no signal.
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{1'000'000, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK_THROWS_WITH(write_file(place / "x", type, {}, packing(large, 1)), "cannot write it: File too large");
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(place.read("x") == before);
  CHECK(!place.has("x.part"));
  // A rest of a writer that was killed does no harm.
  place.write("x.part", large);
  write_file(place / "x", type, {}, packing(good, 2));
  CHECK(place.read("x") == before);
}

WHERRY_UNIT_TEST(streams_that_fail) {
  random_numbers random(test.seed);
  const auto what = random_bytes(random, 900'000);
  for (const std::streamsize room : {0, 10, 300'000, 900'000}) {
    full_after buffer(room);
    std::ostream out(&buffer);
    CHECK_THROWS_WITH(write_file(out, type, {}, packing(what, 1)), "the stream failed when the object was written");
    std::ostream strict(&buffer);
    strict.exceptions(std::ios::badbit | std::ios::failbit);
    CHECK_THROWS_WITH(write_file(strict, type, {}, packing(what, 1)), "the stream failed when the object was written");
  }
  std::ostringstream out;
  write_file(out, type, {}, packing(what, 1));
  bytes found;
  for (const std::size_t size : {0, 1, 63, 64, 70, 300'000, 900'000}) {
    std::istringstream in(out.str().substr(0, size));
    in.exceptions(std::ios::badbit | std::ios::failbit | std::ios::eofbit);
    CHECK_THROWS_WITH(read_file(in, type, {}, unpacking(found, what.size(), 1)), "the stream: it ");
  }
}

// Who reads a stream that was given up finds the reason.
WHERRY_UNIT_TEST(a_stream_says_why_it_was_given_up) {
  std::ostringstream out;
  const bytes what(600'000);
  const auto give_up = [&](wherry::byte_sink& sink) {
    sink.write(what.data(), what.size());
    const wherry::error why(wherry::error_kind::argument, "deep copy", "a node is of no registered class");
    sink.abandon(why.what());
    throw why;
  };
  CHECK_THROWS_WITH(write_file(out, type, {}, give_up), "the stream: a node is of no registered class");
  bytes found;
  std::istringstream in(out.str());
  CHECK_THROWS_WITH(
      read_file(in, type, {}, unpacking(found, what.size(), 1)),
      "the stream: the program that wrote it gave up: wherry: deep copy: a node is of no registered class");
  // Nothing at all is in the stream where not even the first frame was full.
  std::ostringstream empty;
  CHECK_THROWS(write_file(empty, type, {}, [](wherry::byte_sink& sink) {
    sink.abandon("at once");
    throw std::runtime_error("at once");
  }));
  CHECK(empty.str().empty());
}
