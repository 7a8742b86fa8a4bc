// The protocol of `device_shared`, the one that its carrier uses, between two threads.
#include "channel/lent_channel.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <thread>

#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;
using wherry::lent_channel;

namespace {

constexpr std::size_t bytes = 48;

struct shared_memory {
  lent_channel<> channel;
  std::array<std::byte, bytes> buffers[2];
};

/// What the receiver has read, number by number, late and now and then two at once.
std::size_t receive(shared_memory& memory, std::uint64_t seed, std::uint64_t starts) {
  wherry::lent_receiver<> side(memory.channel);
  disturbance disturb(seed);
  std::size_t wrong = 0;
  for (std::uint64_t arrived = 0, read = 0; read < starts; disturb()) {
    if (arrived < starts && arrived - read < 2 && side.is_ready(arrived + 1)) ++arrived;
    if (read == arrived || (arrived < starts && disturb.draw(2) == 0)) continue;
    for (; read < arrived; ++read)
      wrong += wrong_bytes(memory.buffers[lent_channel<>::buffer_of(read + 1)].data(), bytes, read + 1);
    side.take(read);
  }
  side.end();
  return wrong;
}

}  // namespace

WHERRY_UNIT_TEST(two_threads_exchange_through_a_lent_channel) {
  constexpr std::uint64_t starts = 10'000;
  auto memory = std::make_unique<shared_memory>();
  std::size_t wrong = 0;
  std::thread receiver([&] { wrong = receive(*memory, test.seed + 1, starts); });
  wherry::lent_sender<> side(memory->channel);
  disturbance disturb(test.seed);
  for (std::uint64_t start = 1; start <= starts; ++start) {
    while (!side.has_room(start)) disturb();
    fill(memory->buffers[lent_channel<>::buffer_of(start)].data(), bytes, start);
    disturb();
    side.tell(start);
  }
  while (!side.has_ended()) disturb();
  for (auto& buffer : memory->buffers) buffer.fill(std::byte{0xEE});
  receiver.join();
  CHECK_EQUAL(wrong, 0u);
}
