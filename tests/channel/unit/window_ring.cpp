// The protocol of byte streams' rings, the one that deep copies use, between threads: one writer, several readers.
#include "channel/window_ring.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;

namespace {

constexpr std::size_t bytes = 64;
constexpr int most_readers = 3;
using window = std::array<std::byte, bytes>;

struct shared_memory {
  wherry::ring_writer_words<> writer;
  wherry::ring_reader_words<> readers[most_readers];
  window windows[wherry::window_ring_writer<>::windows];
  std::atomic<std::uint64_t> announced{0};  // what the first message of a stream tells: how many there have been
};

window& at(shared_memory& memory, std::uint64_t number) { return memory.windows[number % std::size(memory.windows)]; }

void write(shared_memory& memory, int readers, std::uint64_t windows, std::uint64_t seed) {
  disturbance disturb(seed);
  wherry::window_ring_writer<> side(memory.writer, memory.readers, readers);
  while (side.next() < windows) {
    const auto number = side.next();
    if (side.is_free(number)) {
      fill(at(memory, number).data(), bytes, number);
      side.publish();
    }
    disturb();
  }
  while (!side.drained()) disturb();
}

std::size_t read(shared_memory& memory, int slot, std::uint64_t windows, std::uint64_t seed) {
  disturbance disturb(seed);
  wherry::window_ring_reader<> side(memory.writer, memory.readers[slot]);
  std::size_t wrong = 0;
  while (side.position() < windows) {
    if (side.ready()) {
      wrong += wrong_bytes(at(memory, side.position()).data(), bytes, side.position());
      side.release();
    }
    disturb();
  }
  return wrong;
}

/// Streams of a few windows from one writer to one reader, which gives some of them up.
struct verdicts {
  std::uint64_t accepted = 0, given_up = 0, wrong_reasons = 0;
};

std::string reason_of(std::uint64_t stream) { return "stream " + std::to_string(stream); }
bool to_be_given_up(std::uint64_t stream) { return stream % 3 == 0; }

verdicts judge(shared_memory& memory, std::uint64_t streams, std::uint64_t length, std::uint64_t seed) {
  disturbance disturb(seed);
  wherry::window_ring_writer<> side(memory.writer, memory.readers, 1);
  verdicts seen;
  for (std::uint64_t s = 0; s < streams; ++s) {
    const auto stream = side.next();
    memory.announced.store(s + 1, std::memory_order_release);
    for (std::uint64_t i = 0; i < length;) {
      disturb();
      if (!side.is_free(side.next())) continue;
      side.publish();
      ++i;
    }
    while (!side.has_accepted(0, stream) && !side.has_given_up(0, stream)) disturb();
    const bool lost = side.has_given_up(0, stream);
    ++(lost ? seen.given_up : seen.accepted);
    if (lost && side.why(0).text != reason_of(stream)) ++seen.wrong_reasons;
    while (!side.drained()) disturb();
  }
  return seen;
}

void answer(shared_memory& memory, std::uint64_t streams, std::uint64_t length, std::uint64_t seed) {
  disturbance disturb(seed);
  for (std::uint64_t s = 0; s < streams; ++s) {
    const auto stream = s * length;
    while (memory.announced.load(std::memory_order_acquire) <= s) disturb();
    wherry::window_ring_reader<> side(memory.writer, memory.readers[0]);
    side.begin_at(stream);
    to_be_given_up(stream) ? side.give_up(stream, reason_of(stream)) : side.accept(stream);
    while (side.position() < stream + length) {
      if (side.ready()) side.release();
      disturb();
    }
  }
}

/// Broadcasts of which the writer gives up some where it has no room, and the readers leave some in the middle.
struct wavering {
  static constexpr std::uint64_t longest = 40;

  struct windows {
    struct {
      std::uint64_t stream, number;
      bool last;
    } places[wherry::window_ring_writer<>::windows + 1];
  };
  wherry::ring_writer_words<> writer;
  wherry::ring_reader_words<> readers[most_readers];
  windows memory;
};

std::uint64_t waver_and_write(wavering& all, int readers, std::uint64_t streams, std::uint64_t seed) {
  disturbance disturb(seed);
  wherry::window_ring_writer<> side(all.writer, all.readers, readers);
  std::uint64_t given_up = 0;
  for (std::uint64_t stream = 0; stream < streams; ++stream) {
    side.begin(stream);
    const auto end = side.next() + 1 + disturb.draw(wavering::longest);
    for (bool open = true; open; disturb()) {
      const auto number = side.next();
      if (side.is_free(number)) {
        open = number + 1 < end;
        all.memory.places[number % side.windows] = {stream, number, !open};
        side.publish();
        if (!open) side.end();
      } else if (disturb.draw(200) == 0 && side.may_abandon()) {
        all.memory.places[side.windows] = {stream, number, true};
        side.abandon();
        open = false;
        ++given_up;
      }
    }
  }
  return given_up;
}

struct seen_windows {
  std::uint64_t wrong = 0, passed = 0;
};

seen_windows waver_and_read(wavering& all, int slot, std::uint64_t streams, std::uint64_t seed) {
  disturbance disturb(seed);
  wherry::window_ring_reader<> side(all.writer, all.readers[slot]);
  seen_windows seen;
  for (std::uint64_t stream = 0; stream < streams; ++stream)
    for (bool open = true, has_left = false; open; disturb()) {
      if (!side.catch_up()) continue;
      if (side.was_passed(stream)) {
        seen.wrong += has_left ? 0 : 1;
        ++seen.passed;
        open = false;
      } else if (side.ready()) {
        const auto beside = wherry::window_ring_writer<>::windows;
        const auto found = all.memory.places[side.is_beside() ? beside : side.position() % beside];
        seen.wrong += found.stream == stream && found.number == side.position() ? 0 : 1;
        side.release();
        open = !found.last;
      }
      if (open && disturb.draw(50) == 0) {
        side.leave(stream);
        has_left = true;
        std::this_thread::sleep_for(std::chrono::microseconds(disturb.draw(200)));
      }
    }
  return seen;
}

}  // namespace

WHERRY_UNIT_TEST(threads_give_up_what_goes_through_a_ring) {
  const std::uint64_t streams = 400;
  for (const int readers : {1, most_readers}) {
    auto all = std::make_unique<wavering>();
    seen_windows seen[most_readers];
    std::vector<std::thread> threads;
    for (int slot = 0; slot < readers; ++slot)
      threads.emplace_back([&, slot] {
        seen[slot] = waver_and_read(*all, slot, streams, test.seed + 1 + static_cast<std::uint64_t>(slot));
      });
    const auto given_up = waver_and_write(*all, readers, streams, test.seed);
    for (auto& thread : threads) thread.join();
    std::uint64_t passed = 0;
    for (int slot = 0; slot < readers; ++slot) {
      CHECK_EQUAL(seen[slot].wrong, 0u);
      passed += seen[slot].passed;
    }
    if (readers == 1) CHECK(given_up > 0 && passed > 0);
    wherry_test::log(std::to_string(given_up) + " given up, " + std::to_string(passed) + " passed");
  }
}

WHERRY_UNIT_TEST(threads_read_what_one_writes_into_a_ring) {
  for (const int readers : {1, 2, most_readers}) {
    const std::uint64_t windows = 5'000;
    auto memory = std::make_unique<shared_memory>();
    std::size_t wrong[most_readers]{};
    std::vector<std::thread> threads;
    for (int slot = 0; slot < readers; ++slot)
      threads.emplace_back(
          [&, slot] { wrong[slot] = read(*memory, slot, windows, test.seed + 1 + static_cast<std::uint64_t>(slot)); });
    write(*memory, readers, windows, test.seed);
    for (auto& thread : threads) thread.join();
    for (int slot = 0; slot < readers; ++slot) CHECK_EQUAL(wrong[slot], 0u);
  }
}

WHERRY_UNIT_TEST(a_reader_of_a_ring_says_why_it_gives_up) {
  const std::uint64_t streams = 1500, length = 5;
  auto memory = std::make_unique<shared_memory>();
  std::thread reader([&] { answer(*memory, streams, length, test.seed + 1); });
  const auto seen = judge(*memory, streams, length, test.seed);
  reader.join();
  CHECK_EQUAL(seen.given_up, streams / 3);
  CHECK_EQUAL(seen.accepted, streams - streams / 3);
  CHECK_EQUAL(seen.wrong_reasons, 0u);
}
