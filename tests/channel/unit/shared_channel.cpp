// The protocol of `shared`, the one that its carrier uses, between two threads.
#include "channel/shared_channel.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include "channel/unit/protocol_thread.hpp"
#include "harness/harness.hpp"

using namespace protocol_test;
using wherry::shared_channel;

namespace {

constexpr std::size_t bytes = 48;
using row = std::array<std::byte, bytes>;

/// What lies in shared memory: the channel, its two buffers, each with a staged and a late part, and the field.
struct shared_memory {
  shared_channel<> channel;
  row staged[2], rows[2], field;
};

/// Drawn from the start's number, so that both sides know what to expect.
bool reads_in_place(std::uint64_t start) { return start % 5 != 0; }

class sending_side {
 public:
  sending_side(shared_memory& memory, std::uint64_t seed) : memory_(memory), side_(memory.channel), disturb_(seed) {}

  /// `start` and `wait` of one exchange; the field is the user's again afterwards, who writes it.
  void exchange(std::uint64_t start) {
    fill(memory_.field.data(), bytes, start);
    side_.begin(start);
    while (side_.now() == side::phase::deferred) {
      side_.try_send([&](std::uint32_t buffer) {
        fill(memory_.staged[buffer].data(), bytes, ~start);
        if (!reads_in_place(start)) pack(buffer);
        return reads_in_place(start);
      });
      disturb_();
    }
    settle();
    memory_.field.fill(std::byte{0xEE});
  }
  void settle() {
    const auto patience = disturb_.draw(6);  // none: at once
    for (std::uint64_t polls = 0; side_.now() != side::phase::done && !side_.is_taken(); ++polls) {
      if (polls >= patience) side_.pack_late([&](std::uint32_t buffer) { pack(buffer); });
      disturb_();
    }
  }

 private:
  using side = wherry::shared_sender<>;
  void pack(std::uint32_t buffer) {
    std::memcpy(memory_.rows[buffer].data(), memory_.field.data(), bytes);
    disturb_();
  }

  shared_memory& memory_;
  side side_;
  disturbance disturb_;
};

class receiving_side {
 public:
  receiving_side(shared_memory& memory, std::uint64_t seed) : memory_(memory), side_(memory.channel), disturb_(seed) {}

  std::size_t exchange(std::uint64_t start) {
    row staged{}, rows{};
    const auto copy = [&](row& to, const row& from) {
      std::memcpy(to.data(), from.data(), bytes);
      disturb_();
    };
    side_.begin(start);
    while (side_.now() != side::phase::done) {
      side_.try_receive([&](std::uint32_t buffer) { copy(staged, memory_.staged[buffer]); },
                        [&] { copy(rows, memory_.field); },
                        [&](std::uint32_t buffer) { copy(rows, memory_.rows[buffer]); });
      disturb_();
    }
    return wrong_bytes(staged.data(), bytes, ~start) + wrong_bytes(rows.data(), bytes, start);
  }

 private:
  using side = wherry::shared_receiver<>;
  shared_memory& memory_;
  side side_;
  disturbance disturb_;
};

/// Number of wrong bytes that the receiver has seen.
std::size_t run(std::uint64_t seed, std::uint64_t starts) {
  auto memory = std::make_unique<shared_memory>();
  std::size_t wrong = 0;
  std::thread receiver([&] {
    receiving_side side(*memory, seed + 1);
    for (std::uint64_t start = 1; start <= starts; ++start) wrong += side.exchange(start);
  });
  sending_side side(*memory, seed);
  for (std::uint64_t start = 1; start <= starts; ++start) side.exchange(start);
  receiver.join();
  return wrong;
}

}  // namespace

WHERRY_UNIT_TEST(two_threads_exchange_through_a_shared_channel) { CHECK_EQUAL(run(test.seed, 10'000), 0u); }

// Who waits for several senders before it unpacks must not wait for one that it has done with, and that is further on.
WHERRY_UNIT_TEST(what_is_taken_is_not_missing_when_its_sender_is_two_starts_on) {
  auto memory = std::make_unique<shared_memory>();
  wherry::shared_sender<> sender(memory->channel);
  wherry::shared_receiver<> receiver(memory->channel);
  const auto send = [&](std::uint64_t start) {
    sender.begin(start);
    sender.try_send([](std::uint32_t) { return false; });
  };
  receiver.begin(1);
  CHECK(receiver.is_missing());
  send(1);
  CHECK(!receiver.is_missing());
  receiver.try_receive([](std::uint32_t) {}, [] {}, [](std::uint32_t) {});
  send(2);
  send(3);
  CHECK(sender.now() == wherry::shared_sender<>::phase::done);
  CHECK(!receiver.is_missing());
}
