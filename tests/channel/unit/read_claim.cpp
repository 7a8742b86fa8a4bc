// Arrays that are read in place, and withdrawn by who must have them back, between two threads.
#include "channel/read_claim.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <thread>

#include "channel/notified_channel.hpp"
#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;

namespace {

constexpr std::size_t bytes = 48;
constexpr auto at_once = [] { return true; };

struct shared_memory {
  std::array<std::byte, bytes> array;  // of who publishes; read in place
  wherry::read_claim<> claims[2];
  wherry::notified_word<> arrived{0}, acknowledged{0};
};

struct outcome {
  std::uint64_t publications = 0, withdrawn = 0;
};

/// Publishes, and now and then takes the array back at once, which is its last publication.
outcome publish_all(shared_memory& memory, std::uint64_t seed, std::uint64_t publications) {
  disturbance disturb(seed);
  wherry::notified_sender<> side(memory.acknowledged);
  outcome result;
  for (std::uint64_t number = 1; number <= publications; ++number) {
    fill(memory.array.data(), bytes, number);
    side.begin(number);
    side.try_put([&](std::uint64_t slot) { memory.claims[slot].open(); });
    side.try_notify(at_once, [&](std::uint32_t word) { memory.arrived.store(word, std::memory_order_release); });
    side.try_end(at_once);
    result.publications = number;
    const bool goes = number == publications;
    for (auto i = disturb.draw(5); i > 0; --i) disturb();
    while (!side.has_read(number)) {
      if (goes && memory.claims[number & 1].try_withdraw()) {
        ++result.withdrawn;
        break;
      }
      disturb();
    }
  }
  fill(memory.array.data(), bytes, 0);  // it is no longer what was published
  return result;
}

struct readings {
  std::uint64_t read = 0, refused = 0;
  std::size_t wrong = 0;
};

readings read_all(shared_memory& memory, std::uint64_t seed, std::uint64_t publications) {
  disturbance disturb(seed);
  wherry::notified_receiver<> side(memory.arrived);
  readings result;
  for (std::uint64_t number = 1; number <= publications && result.refused == 0; ++number) {
    side.begin(number);
    while (side.now() != wherry::notified_receiver<>::phase::done) {
      side.try_receive(
          [&](std::uint64_t slot) {
            if (!memory.claims[slot].try_read()) {
              ++result.refused;
              return;
            }
            disturb();
            result.wrong += wrong_bytes(memory.array.data(), bytes, number);
            ++result.read;
          },
          [&](std::uint32_t word) { memory.acknowledged.store(word, std::memory_order_release); }, at_once);
      disturb();
    }
  }
  return result;
}

}  // namespace

WHERRY_UNIT_TEST(threads_read_in_place_what_is_not_withdrawn) {
  std::uint64_t withdrawn = 0;
  for (std::uint64_t round = 0; round < 300; ++round) {
    auto memory = std::make_unique<shared_memory>();
    const std::uint64_t publications = 1 + round % 5;
    readings read;
    std::thread reader([&] { read = read_all(*memory, test.seed + 2 * round, publications); });
    const auto published = publish_all(*memory, test.seed + 2 * round + 1, publications);
    reader.join();
    CHECK_EQUAL(read.wrong, 0u);
    CHECK_EQUAL(read.refused, published.withdrawn);
    CHECK_EQUAL(read.read + read.refused, published.publications);
    withdrawn += published.withdrawn;
  }
  wherry_test::log(std::to_string(withdrawn) + " of 300 last publications were withdrawn");
}
