// The protocol of `aggregated`, the one that its carrier uses, between threads: three fill a slot together, two empty
// it.
#include "channel/aggregated_channel.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;

namespace {

constexpr std::size_t bytes = 48;
constexpr std::uint32_t senders = 3, receivers = 2;
using row = std::array<std::byte, bytes>;

struct both_nodes {
  row gathered[2][senders], hosted[2][senders];
  wherry::turnstile<> filled[2], taken[2];
  wherry::notified_word<> arrived{0}, credit{0};
};

std::uint64_t content(std::uint32_t part, std::uint64_t start) { return senders * start + part; }

void send_all(both_nodes& memory, std::uint32_t me, std::uint64_t seed, std::uint64_t starts) {
  disturbance disturb(seed);
  wherry::aggregated_sender<> side(memory.credit, memory.filled, senders);
  for (std::uint64_t start = 1; start <= starts; ++start) {
    side.begin(start);
    while (side.now() != wherry::aggregated_sender<>::phase::done) {
      side.try_send(
          [&](std::uint64_t slot) {
            fill(memory.gathered[slot][me].data(), bytes, content(me, start));
            disturb();
          },
          [&](std::uint64_t slot, std::uint32_t word) {
            for (std::uint32_t part = 0; part < senders; ++part)
              memory.hosted[slot][part] = memory.gathered[slot][part];
            memory.arrived.store(word, std::memory_order_release);
          });
      disturb();
    }
  }
}

std::size_t receive_all(both_nodes& memory, std::uint64_t seed, std::uint64_t starts) {
  disturbance disturb(seed);
  wherry::aggregated_receiver<> side(memory.arrived, memory.taken, receivers);
  std::size_t wrong = 0;
  for (std::uint64_t start = 1; start <= starts; ++start) {
    side.begin(start);
    while (side.now() != wherry::aggregated_receiver<>::phase::done) {
      side.try_receive(
          [&](std::uint64_t slot) {
            for (std::uint32_t part = 0; part < senders; ++part)
              wrong += wrong_bytes(memory.hosted[slot][part].data(), bytes, content(part, start));
            disturb();
          },
          [&](std::uint32_t word) { memory.credit.store(word, std::memory_order_release); });
      disturb();
    }
  }
  return wrong;
}

}  // namespace

WHERRY_UNIT_TEST(threads_exchange_through_an_aggregated_channel) {
  constexpr std::uint64_t starts = 3'000;
  auto memory = std::make_unique<both_nodes>();
  std::array<std::size_t, receivers> wrong{};
  std::vector<std::thread> all;
  for (std::uint32_t me = 0; me < senders; ++me)
    all.emplace_back([&, me] { send_all(*memory, me, test.seed + me, starts); });
  for (std::uint32_t me = 0; me < receivers; ++me)
    all.emplace_back([&, me] { wrong[me] = receive_all(*memory, test.seed + senders + me, starts); });
  for (auto& thread : all) thread.join();
  for (const auto count : wrong) CHECK_EQUAL(count, 0u);
}
