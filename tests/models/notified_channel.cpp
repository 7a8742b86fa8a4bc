// The protocol of `one_sided` in all interleavings with all that weak ordering allows, over a network that carries
// messages and words whenever it likes until a flush has waited for it.
#include "channel/notified_channel.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using plain = modelled_words::plain<word>;
using atomic = wherry::notified_word<modelled_words>;
using counter = modelled_words::atomic<word>;
using sending_side = wherry::notified_sender<modelled_words>;
using receiving_side = wherry::notified_receiver<modelled_words>;

word value_of(word start) { return 10 * start; }

/// Writes that one side has asked for and the network carries out, one at a time.
struct remote_writes {
  plain source, place;  // what MPI reads until the flush
  counter asked{0}, done{0};

  void begin(word number, word value, word where) {
    source = value;
    place = where;
    asked.store(number, std::memory_order_release);
  }
  bool flushed(word number) const { return done.load(std::memory_order_acquire) == number; }
};

struct shared_memory {
  plain slots[2];     // the receiver's
  atomic arrived{0};  // the receiver's
  atomic credit{0};   // the sender's
  remote_writes message, arrival, crediting;
};

enum class careless { nobody, before_the_word, after_the_word, after_the_credit };

struct plan {
  word starts = 4;
  word receives = ~word{0};  // starts that the receiver takes part in, at most
  careless who = careless::nobody;
};

struct sender {
  const plan* what;
  shared_memory* memory;
  sending_side side;
  word start = 0;

  bool step() {
    using phase = sending_side::phase;
    if (side.now() == phase::done) {
      if (start == what->starts) return true;
      side.begin(++start);
    }
    side.try_put([this](std::uint64_t slot) { memory->message.begin(start, value_of(start), slot); });
    side.try_notify([this] { return what->who == careless::before_the_word || memory->message.flushed(start); },
                    [this](std::uint64_t number) { memory->arrival.begin(number, number, 0); });
    side.try_end([this] { return what->who == careless::after_the_word || memory->arrival.flushed(start); });
    return false;
  }
};

struct receiver {
  const plan* what;
  shared_memory* memory;
  receiving_side side;
  word start = 0;

  bool step() {
    if (side.now() == receiving_side::phase::done) {
      if (start == what->starts || start == what->receives) return true;
      side.begin(++start);
    }
    side.try_receive(
        [this](std::uint64_t slot) { require(memory->slots[slot] == value_of(start), "it arrives wrong"); },
        [this](std::uint64_t number) { memory->crediting.begin(number, number, 0); },
        [this] { return what->who == careless::after_the_credit || memory->crediting.flushed(start); });
    return false;
  }
};

/// Messages and words travel on their own: nothing but a flush orders them.
struct messages_under_way {
  const plan* what;
  shared_memory* memory;
  word carried = 0;

  bool step() {
    auto& put = memory->message;
    if (carried == what->starts) return true;
    if (put.asked.load(std::memory_order_acquire) == carried) return false;
    memory->slots[put.place] = put.source;
    put.done.store(++carried, std::memory_order_release);
    return false;
  }
};

struct words_under_way {
  const plan* what;
  shared_memory* memory;
  word arrivals = 0, credits = 0;

  bool step() {
    const auto last_credit = std::min(what->starts, what->receives);
    if (arrivals == what->starts && credits == last_credit) return true;
    if (credits == last_credit || (arrivals < what->starts && explorer::current().choose(2) == 0))
      carry(memory->arrival, memory->arrived, arrivals);
    else
      carry(memory->crediting, memory->credit, credits);
    return false;
  }

 private:
  static void carry(remote_writes& put, atomic& to, word& carried) {
    if (put.asked.load(std::memory_order_acquire) == carried) return;
    to.store(static_cast<std::uint32_t>(put.source), std::memory_order_release);
    put.done.store(++carried, std::memory_order_release);
  }
};

enum class of { arrived, credit };

struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  e.call(memory.arrived, "arrived");
  e.call(memory.credit, "credit");
  if (damage) e.plant(damage->which == of::arrived ? memory.arrived : memory.credit, damage->what);
  e.run("sender", sender{&what, &memory, sending_side(memory.credit)});
  e.run("receiver", receiver{&what, &memory, receiving_side(memory.arrived)});
  e.run("messages", messages_under_way{&what, &memory});
  e.run("words", words_under_way{&what, &memory});
  return e.explore();
}

}  // namespace

WHERRY_UNIT_TEST(models_notified_channel) {
  const auto found = explore({});
  wherry_test::log("notified channel: " + std::to_string(found.states) + " states");
  if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
}

// Two messages wait for a receiver that does not look, but not a third: it has no credit.
WHERRY_UNIT_TEST(models_a_notifier_runs_two_starts_ahead) {
  CHECK_EQUAL(explore({.starts = 2, .receives = 0}).fault, "");
  CHECK_EQUAL(explore({.starts = 3, .receives = 1}).fault, "");
  CHECK_EQUAL(explore({.starts = 3, .receives = 0}).fault, "a thread waits for ever");
}

// Each flush is needed, each order, and the count of the credit.
WHERRY_UNIT_TEST(models_find_damage_to_a_notified_channel) {
  using enum explorer::damage;
  for (const auto who : {careless::before_the_word, careless::after_the_word, careless::after_the_credit})
    if (!CHECK(!explore({.who = who}).fault.empty()))
      FAIL("not found: a flush left out, " + std::to_string(static_cast<int>(who)));
  for (const auto which : {of::arrived, of::credit})
    for (const auto what : {weak_store, weak_load, one_more})
      if (!CHECK(!explore({}, planted{which, what}).fault.empty()))
        FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
             std::to_string(static_cast<int>(which)));
}
