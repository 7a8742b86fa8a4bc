// The protocol of `aggregated` in all interleavings with all that weak ordering allows: ranks of one node that fill a
// slot together, and ranks of another that empty it together.
#include "channel/aggregated_channel.hpp"

#include <cstdint>
#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using plain = modelled_words::plain<word>;
using notification = wherry::notified_word<modelled_words>;
using turnstile = wherry::turnstile<modelled_words>;
using sending_side = wherry::aggregated_sender<modelled_words>;
using receiving_side = wherry::aggregated_receiver<modelled_words>;

constexpr word most = 2;  // ranks of a side
word value_of(word part, word start) { return 100 * (part + 1) + start; }

struct both_nodes {
  plain gathered[2][most], hosted[2][most];  // slot, part
  turnstile filled[2], taken[2];
  notification arrived{0}, credit{0};
};

struct plan {
  word senders = 2, receivers = 1;
  word starts = 3;
  word receives = ~word{0};  // starts that the receivers take part in, at most
  bool first_sends = false;  // damage: whoever fills first sends
};

struct sender {
  const plan* what;
  both_nodes* memory;
  word me;
  sending_side side;
  word start = 0;

  bool step() {
    if (side.now() == sending_side::phase::done) {
      if (start == what->starts) return true;
      side.begin(++start);
    }
    side.try_send([this](std::uint64_t slot) { memory->gathered[slot][me] = value_of(me, start); },
                  [this](std::uint64_t slot, std::uint32_t told) {
                    for (word part = 0; part < what->senders; ++part)
                      memory->hosted[slot][part] = word{memory->gathered[slot][part]};
                    memory->arrived.store(told, std::memory_order_release);
                  });
    return false;
  }
};

struct receiver {
  const plan* what;
  both_nodes* memory;
  receiving_side side;
  word start = 0;

  bool step() {
    if (side.now() == receiving_side::phase::done) {
      if (start == what->starts || start == what->receives) return true;
      side.begin(++start);
    }
    side.try_receive(
        [this](std::uint64_t slot) {
          for (word part = 0; part < what->senders; ++part)
            require(memory->hosted[slot][part] == value_of(part, start), "it arrives wrong");
        },
        [this](std::uint32_t told) { memory->credit.store(told, std::memory_order_release); });
    return false;
  }
};

enum class of { arrived, credit };

struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, std::optional<planted> damage = {}) {
  explorer e;
  both_nodes memory;
  e.call(memory.arrived, "arrived");
  e.call(memory.credit, "credit");
  if (damage) e.plant(damage->which == of::arrived ? memory.arrived : memory.credit, damage->what);
  const auto senders = static_cast<std::uint32_t>(what.first_sends ? 1 : what.senders);
  for (word me = 0; me < what.senders; ++me)
    e.run("sender " + std::to_string(me),
          sender{&what, &memory, me, sending_side(memory.credit, memory.filled, senders)});
  const auto receivers = static_cast<std::uint32_t>(what.receivers);
  for (word me = 0; me < what.receivers; ++me)
    e.run("receiver " + std::to_string(me),
          receiver{&what, &memory, receiving_side(memory.arrived, memory.taken, receivers)});
  return e.explore();
}

}  // namespace

WHERRY_UNIT_TEST(models_aggregated_channel) {
  for (const auto& what : {plan{.senders = 1, .receivers = 1, .starts = 4}, plan{.senders = 2, .receivers = 1},
                           plan{.senders = 1, .receivers = 2}, plan{.senders = 2, .receivers = 2, .starts = 1}}) {
    const auto found = explore(what);
    wherry_test::log("aggregated channel: " + std::to_string(found.states) + " states");
    if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
  }
}

WHERRY_UNIT_TEST(models_senders_together_run_two_starts_ahead) {
  CHECK_EQUAL(explore({.starts = 2, .receives = 0}).fault, "");
  CHECK_EQUAL(explore({.starts = 3, .receives = 0}).fault, "a thread waits for ever");
}

WHERRY_UNIT_TEST(models_find_damage_to_an_aggregated_channel) {
  using enum explorer::damage;
  CHECK(!explore({.first_sends = true}).fault.empty());
  for (const auto which : {of::arrived, of::credit})
    for (const auto what : {weak_store, weak_load, one_more})
      if (!CHECK(!explore({}, planted{which, what}).fault.empty()))
        FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
             std::to_string(static_cast<int>(which)));
}
