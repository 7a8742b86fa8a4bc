// Staged writes between threads: one writes, one owns the memory they are for, one looks on its behalf.
#include "channel/staged_writes.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;

namespace {

constexpr std::size_t bytes = 40, places = 32;
constexpr std::uint64_t ring_size = 8;
using row = std::array<std::byte, bytes>;

struct shared_memory {
  wherry::staged_words<> words;
  row windows[ring_size];
  row there[places];  // write n goes to place n mod 32, once both have looked at write n - 32
  std::atomic<std::uint64_t> notified{0}, looked[2]{0, 0};
};

bool drains(shared_memory& memory, std::uint32_t me, disturbance& disturb) {
  return wherry::try_drain(memory.words, ring_size, me, [&](std::uint64_t number) {
    memory.there[number % places] = memory.windows[number % ring_size];
    disturb();
    return true;
  });
}

/// A full ring it empties by itself, and now and then one that is not full.
void write(shared_memory& memory, std::uint64_t writes, std::uint64_t seed) {
  disturbance disturb(seed);
  auto side = wherry::writer_of<wherry::machine_words, ring_size>(memory.words);
  while (side.next() < writes) {
    const auto number = side.next();
    disturb();
    if (number >= places && (memory.looked[0].load(std::memory_order_acquire) + places <= number ||
                             memory.looked[1].load(std::memory_order_acquire) + places <= number))
      continue;
    if (!side.is_free(number) || disturb.draw(16) == 0) {
      while (!drains(memory, 1, disturb)) disturb();
      continue;
    }
    fill(memory.windows[number % ring_size].data(), bytes, number);
    side.publish();
    memory.notified.store(number + 1, std::memory_order_release);
  }
}

std::size_t look(shared_memory& memory, std::uint32_t which, std::uint64_t writes, std::uint64_t seed) {
  disturbance disturb(seed);
  std::size_t wrong = 0;
  for (std::uint64_t looked = 0; looked < writes;) {
    disturb();
    const auto seen = memory.notified.load(std::memory_order_acquire);
    if (seen == looked) continue;
    while (!drains(memory, 2 + which, disturb)) disturb();
    for (; looked < seen; ++looked) wrong += wrong_bytes(memory.there[looked % places].data(), bytes, looked);
    memory.looked[which].store(looked, std::memory_order_release);
  }
  return wrong;
}

}  // namespace

WHERRY_UNIT_TEST(threads_bring_staged_writes) {
  constexpr std::uint64_t writes = 5'000;
  auto memory = std::make_unique<shared_memory>();
  std::array<std::size_t, 2> wrong{};
  std::vector<std::thread> all;
  all.emplace_back([&] { write(*memory, writes, test.seed); });
  for (std::uint32_t which = 0; which < 2; ++which)
    all.emplace_back([&, which] { wrong[which] = look(*memory, which, writes, test.seed + 1 + which); });
  for (auto& thread : all) thread.join();
  for (const auto count : wrong) CHECK_EQUAL(count, 0u);
}

// Who drains has died: another one goes on where it was, with what it may have brought in part.
WHERRY_UNIT_TEST(staged_writes_are_brought_instead_of_the_dead) {
  shared_memory memory;
  auto side = wherry::writer_of<wherry::machine_words, ring_size>(memory.words);
  for (std::uint64_t n = 0; n < 3; ++n) {
    fill(memory.windows[n].data(), bytes, n);
    side.publish();
  }
  const auto drains_instead_of = [&](std::uint32_t other, int most) {
    return wherry::try_drain(
        memory.words, ring_size, 2,
        [&](std::uint64_t number) {
          if (most-- == 0) return false;
          memory.there[number] = memory.windows[number];
          return true;
        },
        other);
  };
  CHECK(drains_instead_of(wherry::no_drainer, 1));  // what cannot be brought stays
  CHECK_EQUAL(memory.words.taken.taken.load(), 1u);
  memory.words.drainer.store(9);
  CHECK(!drains_instead_of(wherry::no_drainer, 8));
  CHECK(!drains_instead_of(7, 8));
  CHECK(drains_instead_of(9, 8));
  CHECK_EQUAL(memory.words.drainer.load(), wherry::no_drainer);
  for (std::uint64_t n = 0; n < 3; ++n) CHECK_EQUAL(wrong_bytes(memory.there[n].data(), bytes, n), 0u);
}
