// The seam between deep copies and what carries them: windows cut anywhere, failures that stay.
#include "wherry/transport/byte_stream.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::byte_sink;
using wherry::byte_source;

namespace {

std::vector<std::byte> content(std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>(hash(i) & 0xff);
  return all;
}

// Windows of random lengths, some of them a single byte; each is wiped when it has been used up.
class cut_source final : public byte_source {
 public:
  cut_source(std::vector<std::byte> all, std::uint64_t seed, int longest)
      : all_(std::move(all)), random_(seed), longest_(longest) {}
  std::size_t windows = 0;
  bool closed = false, closed_after_failure = false, fails_at_end = false;

 private:
  void more() override {
    if (at_all_ == all_.size()) throw std::runtime_error("nothing is left");
    std::fill(window_.begin(), window_.end(), std::byte{0xEE});
    const auto part = std::min(all_.size() - at_all_, static_cast<std::size_t>(random_.between(1, longest_)));
    window_.assign(all_.begin() + static_cast<std::ptrdiff_t>(at_all_),
                   all_.begin() + static_cast<std::ptrdiff_t>(at_all_ + part));
    at_all_ += part;
    ++windows;
    at_ = window_.data();
    end_ = at_ + part;
  }
  std::size_t following() const override { return all_.size() - at_all_; }
  void close(bool failed) override {
    closed = true;
    closed_after_failure = failed;
    if (fails_at_end) throw std::runtime_error("the checksum is wrong");
  }

  std::vector<std::byte> all_, window_;
  std::size_t at_all_ = 0;
  random_numbers random_;
  int longest_;
};

// Offers windows of random lengths.
class cut_sink final : public byte_sink {
 public:
  cut_sink(std::uint64_t seed, int longest) : random_(seed), longest_(longest) {}
  std::vector<std::byte> all;
  std::string reason;
  void finish() override { take(); }
  void abandon(std::string_view why) noexcept override { reason = why; }

 private:
  void take() { all.insert(all.end(), window_.data(), at_ == nullptr ? window_.data() : at_); }
  void more(std::size_t bytes) override {
    take();
    window_.resize(std::max(bytes, static_cast<std::size_t>(random_.between(1, longest_))));
    at_ = window_.data();
    end_ = at_ + window_.size();
  }
  std::vector<std::byte> window_;
  random_numbers random_;
  int longest_;
};

}  // namespace

WHERRY_UNIT_TEST(writing_over_windows_cut_anywhere) {
  for (const int longest : {1, 2, 7, 100, 5000}) {
    const auto all = content(60000);
    random_numbers random(hash(test.seed, static_cast<std::uint64_t>(longest)));
    cut_sink sink(random.next(), longest);
    for (std::size_t at = 0; at < all.size();) {
      auto part = std::min(all.size() - at, static_cast<std::size_t>(random.between(0, 4096)));
      if (random.chance(50)) {
        std::memcpy(sink.reserve(4096), all.data() + at, part);
        sink.advance(part);
      } else {
        part = std::min(all.size() - at, 3 * part);
        sink.write(all.data() + at, part);
      }
      at += part;
    }
    sink.finish();
    CHECK(sink.all == all);
  }
}

// Every way of reading, mixed; what `remaining` says is exact all the time.
WHERRY_UNIT_TEST(reading_over_windows_cut_anywhere) {
  for (const int longest : {1, 2, 7, 100, 5000})
    for (int round = 0; round < 20; ++round) {
      const auto all = content(30000);
      random_numbers random(hash(test.seed, static_cast<std::uint64_t>(longest), static_cast<std::uint64_t>(round)));
      cut_source source(all, random.next(), longest);
      std::size_t at = 0;
      const auto matches = [&](const std::byte* data, std::size_t bytes) {
        return std::memcmp(data, all.data() + at, bytes) == 0;
      };
      while (at < all.size()) {
        CHECK_EQUAL(source.remaining(), all.size() - at);
        const std::size_t left = all.size() - at;
        const auto wanted = std::min(left, static_cast<std::size_t>(random.between(1, random.chance(50) ? 4096 : 20)));
        switch (random.between(0, 3)) {
          case 0: {  // looks at more than it takes
            const auto taken = static_cast<std::size_t>(random.between(0, static_cast<int>(wanted)));
            CHECK(matches(source.peek(wanted), wanted));
            source.skip(taken);
            at += taken;
            break;
          }
          case 1: {
            std::vector<std::byte> copy(std::min(left, wanted * 5));
            source.read(copy.data(), copy.size());
            CHECK(matches(copy.data(), copy.size()));
            at += copy.size();
            break;
          }
          case 2: {
            const auto piece = source.next_piece(wanted);
            CHECK(piece.bytes >= 1 && piece.bytes <= wanted);
            CHECK(matches(piece.data, piece.bytes));
            at += piece.bytes;
            break;
          }
          default: {
            const auto unit =
                static_cast<std::size_t>(random.between(1, static_cast<int>(std::min(wanted, std::size_t{64}))));
            const auto piece = source.next_piece(wanted, unit);
            CHECK(piece.bytes >= unit && piece.bytes <= wanted && piece.bytes % unit == 0);
            CHECK(matches(piece.data, piece.bytes));
            at += piece.bytes;
          }
        }
      }
      CHECK_EQUAL(source.remaining(), 0u);
      source.finish();
      CHECK(source.closed && !source.closed_after_failure);
    }
}

WHERRY_UNIT_TEST(after_a_failure_there_are_only_zeros) {
  for (const int longest : {1, 7, 5000}) {
    cut_source source(content(100), 5, longest);
    std::vector<std::byte> some(60);
    source.read(some.data(), some.size());
    CHECK(source.failure() == nullptr);
    // Reaches over the end: what is not there cannot be given, and from then on nothing is.
    std::vector<std::byte> rest(1000, std::byte{1});
    source.read(rest.data(), rest.size());
    CHECK(source.failure() != nullptr);
    CHECK_EQUAL(source.remaining(), 0u);
    for (int i = 0; i < 100; ++i) {
      const auto* zeros = source.peek(4096);
      for (std::size_t k = 0; k < 4096; ++k) CHECK(zeros[k] == std::byte{0});
      source.skip(4096);
    }
    std::vector<std::byte> more(300000, std::byte{1});
    source.read(more.data(), more.size());
    CHECK(more == std::vector<std::byte>(300000));
    source.fail(std::make_exception_ptr(std::runtime_error("a later one")));
    CHECK_THROWS_WITH(source.finish(), "nothing is left");
    CHECK(source.closed_after_failure);
  }
}

// In the middle of a window, and with parts of two windows put together.
WHERRY_UNIT_TEST(a_failure_from_outside) {
  for (const std::size_t before : {0u, 3u, 50u}) {
    cut_source source(content(100), 6, 20);
    source.peek(60);
    source.skip(before);
    source.fail(std::make_exception_ptr(std::runtime_error("not what was meant")));
    CHECK_EQUAL(static_cast<int>(*source.peek(8)), 0);
    CHECK_EQUAL(source.remaining(), 0u);
    CHECK_THROWS_WITH(source.finish(), "not what was meant");
    CHECK(source.closed_after_failure);
  }
}

WHERRY_UNIT_TEST(a_stream_must_end_where_its_reader_ends) {
  cut_source longer(content(100), 7, 200);
  longer.peek(60);
  longer.skip(60);
  CHECK_THROWS_WITH(longer.finish(), "longer than the object that is read");
  CHECK(longer.closed && longer.closed_after_failure);
  cut_source wrong(content(10), 8, 3);
  std::vector<std::byte> ten(10);
  wrong.read(ten.data(), 10);
  wrong.fails_at_end = true;
  CHECK_THROWS_WITH(wrong.finish(), "the checksum is wrong");
}

WHERRY_UNIT_TEST(sinks_and_sources_in_memory) {
  const auto all = content(300000);
  wherry::memory_sink kept;
  wherry::counting_sink counted;
  for (byte_sink* sink : {static_cast<byte_sink*>(&kept), static_cast<byte_sink*>(&counted)}) {
    random_numbers random(test.seed);
    for (std::size_t at = 0; at < all.size();) {
      const auto part = std::min(all.size() - at, static_cast<std::size_t>(random.between(0, 100000)));
      if (part <= byte_sink::largest_reservation) {
        std::memcpy(sink->reserve(part), all.data() + at, part);
        sink->advance(part);
      } else {
        sink->write(all.data() + at, part);
      }
      at += part;
    }
    sink->finish();
  }
  CHECK(kept.bytes() == all);
  CHECK_EQUAL(counted.bytes(), all.size());

  wherry::memory_source source(kept.bytes().data(), kept.bytes().size());
  CHECK_EQUAL(source.remaining(), all.size());
  std::vector<std::byte> back(all.size());
  source.read(back.data(), back.size());
  source.finish();
  CHECK(back == all);

  wherry::memory_source shorter(all.data(), 10);
  shorter.read(back.data(), 11);
  CHECK_THROWS_WITH(shorter.finish(), "ends before");
  wherry::memory_sink empty;
  empty.finish();
  CHECK(empty.bytes().empty());
}
