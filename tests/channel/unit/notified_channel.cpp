// The protocol of `one_sided`, the one that its carrier uses, between two threads. What is put arrives at any time
// until the flush that waits for it.
#include "channel/notified_channel.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;
using wherry::notified_word;

namespace {

constexpr std::size_t bytes = 48;
using row = std::array<std::byte, bytes>;

struct shared_memory {
  row slots[2];                // the receiver's
  notified_word<> arrived{0};  // the receiver's
  notified_word<> credit{0};   // the sender's
};

/// Begun, but perhaps not carried out before it is flushed.
template <class Write> class remote_write {
 public:
  explicit remote_write(Write write) : write_(write) {}
  void begin(bool at_once) {
    pending_ = true;
    if (at_once) flush();
  }
  void flush() {
    if (std::exchange(pending_, false)) write_();
  }

 private:
  Write write_;
  bool pending_ = false;
};

void send_all(shared_memory& memory, std::uint64_t seed, std::uint64_t starts) {
  disturbance disturb(seed);
  wherry::notified_sender<> side(memory.credit);
  row wire{};
  std::uint64_t slot = 0;
  const std::uint32_t* number = nullptr;
  remote_write message([&] { memory.slots[slot] = wire; });
  remote_write arrival([&] { memory.arrived.store(*number, std::memory_order_release); });
  const auto flush = [&] {
    if (disturb.draw(4) == 0) return false;
    message.flush();
    arrival.flush();
    return true;
  };
  for (std::uint64_t start = 1; start <= starts; ++start) {
    fill(wire.data(), bytes, start);
    side.begin(start);
    while (side.now() != wherry::notified_sender<>::phase::done) {
      side.try_put([&](std::uint64_t to) {
        slot = to;
        message.begin(disturb.draw(2) == 0);
      });
      side.try_notify(flush, [&](const std::uint32_t& value) {
        number = &value;
        arrival.begin(disturb.draw(2) == 0);
      });
      side.try_end(flush);
      disturb();
    }
  }
}

std::size_t receive_all(shared_memory& memory, std::uint64_t seed, std::uint64_t starts) {
  disturbance disturb(seed);
  wherry::notified_receiver<> side(memory.arrived);
  std::size_t wrong = 0;
  const std::uint32_t* number = nullptr;
  remote_write crediting([&] { memory.credit.store(*number, std::memory_order_release); });
  for (std::uint64_t start = 1; start <= starts; ++start) {
    side.begin(start);
    while (side.now() != wherry::notified_receiver<>::phase::done) {
      side.try_receive(
          [&](std::uint64_t slot) {
            wrong += wrong_bytes(memory.slots[slot].data(), bytes, start);
            disturb();
          },
          [&](const std::uint32_t& value) {
            number = &value;
            crediting.begin(disturb.draw(2) == 0);
          },
          [&] {
            if (disturb.draw(4) == 0) return false;
            crediting.flush();
            return true;
          });
      disturb();
    }
  }
  return wrong;
}

}  // namespace

WHERRY_UNIT_TEST(two_threads_exchange_through_a_notified_channel) {
  constexpr std::uint64_t starts = 10'000;
  auto memory = std::make_unique<shared_memory>();
  std::size_t wrong = 0;
  std::thread receiver([&] { wrong = receive_all(*memory, test.seed + 1, starts); });
  send_all(*memory, test.seed, starts);
  receiver.join();
  CHECK_EQUAL(wrong, 0u);
}

// Its credit may be there before this side knows that it is, and two starts follow: who waits for others before it
// unpacks must not wait for what it has unpacked.
WHERRY_UNIT_TEST(what_is_unpacked_is_not_missing_when_its_sender_is_two_starts_on) {
  notified_word<> arrived{0};
  wherry::notified_receiver<> side(arrived);
  side.begin(1);
  CHECK(side.is_missing());
  arrived = 1;
  CHECK(!side.is_missing());
  side.try_receive([](std::uint64_t) {}, [](std::uint32_t) {}, [] { return false; });
  CHECK(side.now() == wherry::notified_receiver<>::phase::credited);
  arrived = 3;
  CHECK(!side.is_missing());
  side.try_receive([](std::uint64_t) {}, [](std::uint32_t) {}, [] { return true; });
  CHECK(side.now() == wherry::notified_receiver<>::phase::done);
}
