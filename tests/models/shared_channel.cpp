// The protocol of `shared`, all of it: the library's own code in all interleavings with all that weak ordering allows.
#include "channel/shared_channel.hpp"

#include <cstdint>
#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using channel = wherry::shared_channel<modelled_words>;
using plain = modelled_words::plain<word>;

constexpr word freed = 1000;
word value_of(word start) { return 10 * start; }

/// One word stands for each part of a message.
struct shared_memory {
  channel words;
  plain staged[2], rows[2], field;
  plain address[2];  // of the field, by parity of the start
};

struct plan {
  word starts = 3;
  word in_place = ~word{0};  // a bit a start
  bool snapshot = false;     // the field is the user's again as soon as it has started
  bool lets_go = false;      // the sender, of its field: what has not been read is packed, whenever it can be sent
  word receives = ~word{0};  // starts that the receiver takes part in, at most
  bool retires = true;

  bool reads_in_place(word start) const { return !snapshot && ((in_place >> start) & 1) != 0; }
};

/// start, wait, start, wait, ...; then the memory is somebody else's.
struct sender {
  const plan* what;
  shared_memory* memory;
  wherry::shared_sender<modelled_words> side;
  word start = 0, snapshot = 0;
  bool has_field = true;

  bool step() {
    using phase = wherry::shared_sender<modelled_words>::phase;
    if (side.now() == phase::done && start == what->starts) return !what->retires || retire();
    if (side.now() == phase::done) begin();
    if (side.now() == phase::deferred) {
      if (what->lets_go && has_field && choose(2) == 1) free_field();
      send();
    } else if (!side.is_taken() && choose(2) == 1) {
      side.pack_late([this](std::uint32_t buffer) { memory->rows[buffer] = memory->field; });
    }
    if (side.now() == phase::done && has_field) free_field();
    return false;
  }

 private:
  static int choose(int alternatives) { return explorer::current().choose(alternatives); }
  void begin() {
    side.begin(++start);
    memory->field = snapshot = value_of(start);
    memory->address[start & 1] = start;
    has_field = true;
    if (what->snapshot) free_field();
  }
  void free_field() {
    memory->field = freed;
    has_field = false;
  }
  void send() {
    const bool in_place = has_field && what->reads_in_place(start);
    side.try_send([&](std::uint32_t buffer) {
      memory->staged[buffer] = snapshot;
      if (!in_place) memory->rows[buffer] = snapshot;
      return in_place;
    });
  }
  bool retire() {
    if (!memory->words.has_taken(side.last_sent())) return false;
    for (auto& notice : memory->words.notice) notice.buffer = notice.in_place = 7;
    for (auto* part : {memory->staged, memory->rows}) part[0] = part[1] = freed;
    return true;
  }
};

struct receiver {
  const plan* what;
  shared_memory* memory;
  wherry::shared_receiver<modelled_words> side;
  word start = 0;

  bool step() {
    using phase = wherry::shared_receiver<modelled_words>::phase;
    if (side.now() == phase::done) {
      if (start == what->starts || start == what->receives) return true;
      side.begin(++start);
    }
    const auto arrives = [this](const plain& from) { require(from == value_of(start), "it arrives wrong"); };
    side.try_receive([&](std::uint32_t buffer) { arrives(memory->staged[buffer]); },
                     [&] {
                       require(memory->address[start & 1] == start, "another start's address");
                       arrives(memory->field);
                     },
                     [&](std::uint32_t buffer) { arrives(memory->rows[buffer]); });
    return false;
  }
};

enum class of { ready, claim, late, taken };

struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  for (int i = 0; i < 2; ++i) {
    auto& notice = memory.words.notice[i];
    const auto number = "[" + std::to_string(i) + "]";
    e.call(notice.ready, "ready" + number);
    e.call(notice.claim, "claim" + number);
    e.call(notice.late, "late" + number);
    if (!damage) continue;
    if (damage->which == of::ready) e.plant(notice.ready, damage->what);
    if (damage->which == of::claim) e.plant(notice.claim, damage->what);
    if (damage->which == of::late) e.plant(notice.late, damage->what);
  }
  e.call(memory.words.taken, "taken");
  if (damage && damage->which == of::taken) e.plant(memory.words.taken, damage->what);
  e.run("sender", sender{&what, &memory, wherry::shared_sender<modelled_words>(memory.words)});
  e.run("receiver", receiver{&what, &memory, wherry::shared_receiver<modelled_words>(memory.words)});
  return e.explore();
}

void check_right(const char* name, const plan& what) {
  const auto found = explore(what);
  wherry_test::log(std::string(name) + ": " + std::to_string(found.states) + " states");
  if (!CHECK_EQUAL(found.fault, "")) FAIL(std::string(name) + found.way);
}

}  // namespace

WHERRY_UNIT_TEST(models_shared_channel) {
  check_right("rows read in place", {.starts = 4});
  check_right("rows packed", {.starts = 4, .in_place = 0});
  check_right("now so, now so", {.starts = 4, .in_place = 0b01010});
  check_right("snapshots", {.starts = 4, .snapshot = true});
}

// An abandoned exchange goes on to its end: for the protocol only a sender's fields are gone.
WHERRY_UNIT_TEST(models_shared_channel_that_is_abandoned) {
  check_right("rows read in place", {.starts = 4, .lets_go = true});
  check_right("now so, now so", {.starts = 4, .in_place = 0b01110, .lets_go = true});
}

// Two messages wait for a receiver that does not look, but not a third: the third start has nowhere to put it.
WHERRY_UNIT_TEST(models_a_sender_runs_two_starts_ahead) {
  check_right("two ahead", {.starts = 3, .receives = 1, .retires = false});
  CHECK_EQUAL(explore({.starts = 4, .receives = 1, .retires = false}).fault, "a thread waits for ever");
}

namespace {

/// A rank that sends to another, and receives from it, start after start: what comes tells it what has been taken.
struct two_ways {
  word starts, heard;  // of a start, what of it the other side is believed to have taken: `heard` starts less
  shared_memory *mine, *theirs;
  wherry::shared_sender<modelled_words> out;
  wherry::shared_receiver<modelled_words> in;
  word start = 0;

  bool step() {
    using sending = wherry::shared_sender<modelled_words>::phase;
    using receiving = wherry::shared_receiver<modelled_words>::phase;
    if (out.now() == sending::done && in.now() == receiving::done) {
      if (start == starts) return true;
      if (start >= heard) out.has_heard_taken(start - heard);
      out.begin(++start);
      in.begin(start);
    }
    if (out.now() == sending::deferred)
      out.try_send([&](std::uint32_t buffer) {
        mine->rows[buffer] = mine->staged[buffer] = value_of(start);
        return false;
      });
    const auto arrives = [this](const plain& from) { require(from == value_of(start), "it arrives wrong"); };
    in.try_receive([&](std::uint32_t buffer) { arrives(theirs->staged[buffer]); }, [] {},
                   [&](std::uint32_t buffer) { arrives(theirs->rows[buffer]); });
    return false;
  }
};

report explore_two_ways(word heard, std::optional<explorer::damage> of_ready = {}) {
  explorer e;
  shared_memory memory[2];
  for (int side = 0; side < 2; ++side) {
    auto& words = memory[side].words;
    for (int i = 0; i < 2; ++i) {
      e.call(words.notice[i].ready, "ready" + std::to_string(side) + "[" + std::to_string(i) + "]");
      if (of_ready) e.plant(words.notice[i].ready, *of_ready);
    }
    e.call(words.taken, "taken" + std::to_string(side));
  }
  for (int side = 0; side < 2; ++side)
    e.run(side == 0 ? "one" : "other", two_ways{4, heard, &memory[side], &memory[1 - side],
                                                wherry::shared_sender<modelled_words>(memory[side].words),
                                                wherry::shared_receiver<modelled_words>(memory[1 - side].words)});
  return e.explore();
}

}  // namespace

// Who has received a start's message knows that its sender has taken what it was sent in the start before.
WHERRY_UNIT_TEST(models_what_comes_back_tells_what_was_taken) {
  const auto found = explore_two_ways(1);
  wherry_test::log("two ways: " + std::to_string(found.states) + " states");
  if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
  using enum explorer::damage;
  CHECK(!explore_two_ways(0).fault.empty());  // one start too many
  CHECK(!explore_two_ways(1, weak_store).fault.empty());
  CHECK(!explore_two_ways(1, weak_load).fault.empty());
}

// Each order that the protocol asks for is needed, and so are the claim and the count of what has been taken.
WHERRY_UNIT_TEST(models_find_damage_to_a_shared_channel) {
  using enum explorer::damage;
  const planted all[] = {{of::ready, weak_store}, {of::ready, weak_load}, {of::claim, blind_exchange},
                         {of::late, weak_store},  {of::late, weak_load},  {of::taken, weak_store},
                         {of::taken, weak_load},  {of::taken, one_more}};
  for (const auto& damage : all) {
    const auto found = explore({.starts = 4}, damage);
    if (!CHECK(!found.fault.empty()))
      FAIL("not found: damage " + std::to_string(static_cast<int>(damage.what)) + " to word " +
           std::to_string(static_cast<int>(damage.which)));
  }
}
