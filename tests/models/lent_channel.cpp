// The protocol of `device_shared`: the library's own code in all interleavings with all that weak ordering allows.
#include "channel/lent_channel.hpp"

#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using channel = wherry::lent_channel<modelled_words>;
using plain = modelled_words::plain<word>;

constexpr word freed = 1000;
word value_of(word start) { return 10 * start; }

/// One word stands for a message in either buffer.
struct shared_memory {
  channel words;
  plain bytes[2];
};

struct sender {
  word starts;
  shared_memory* memory;
  wherry::lent_sender<modelled_words> side;
  word start = 0;

  bool step() {
    if (start == starts) return retire();
    if (!side.has_room(start + 1)) return false;
    ++start;
    memory->bytes[channel::buffer_of(start)] = value_of(start);
    side.tell(start);
    return false;
  }

 private:
  bool retire() {
    if (!side.has_ended()) return false;
    for (auto& buffer : memory->bytes) buffer = freed;
    return true;
  }
};

/// Its device reads when it likes: in a step of its own, or together with what came before.
struct receiver {
  word starts;
  shared_memory* memory;
  wherry::lent_receiver<modelled_words> side;
  word start = 0, read = 0;
  bool has_ended = false;

  bool step() {
    if (start < starts && start - read < 2 && side.is_ready(start + 1)) ++start;
    if (read < start && (start == starts || explorer::current().choose(2) == 1)) {
      for (; read < start; ++read)
        require(memory->bytes[channel::buffer_of(read + 1)] == value_of(read + 1), "it arrives wrong");
      side.take(read);
    }
    if (read < starts) return false;
    if (!has_ended) side.end();
    return has_ended = true;
  }
};

enum class of { ready, taken, ended };

struct planted {
  of which;
  explorer::damage what;
};

report explore(word starts, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  e.call(memory.words.ready, "ready");
  e.call(memory.words.taken, "taken");
  e.call(memory.words.ended, "ended");
  if (damage && damage->which == of::ready) e.plant(memory.words.ready, damage->what);
  if (damage && damage->which == of::taken) e.plant(memory.words.taken, damage->what);
  if (damage && damage->which == of::ended) e.plant(memory.words.ended, damage->what);
  e.run("sender", sender{starts, &memory, wherry::lent_sender<modelled_words>(memory.words)});
  e.run("receiver", receiver{starts, &memory, wherry::lent_receiver<modelled_words>(memory.words)});
  return e.explore();
}

}  // namespace

WHERRY_UNIT_TEST(models_lent_channel) {
  for (const word starts : {1, 2, 3, 5}) {
    const auto found = explore(starts);
    wherry_test::log(std::to_string(starts) + " starts: " + std::to_string(found.states) + " states");
    if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
  }
}

// Each order that the protocol asks for is needed, and so is the count of what has been taken.
WHERRY_UNIT_TEST(models_find_damage_to_a_lent_channel) {
  using enum explorer::damage;
  const planted all[] = {{of::ready, weak_store}, {of::ready, weak_load}, {of::taken, weak_store},
                         {of::taken, weak_load},  {of::taken, one_more},  {of::ended, weak_store},
                         {of::ended, weak_load}};
  for (const auto& damage : all) {
    const auto found = explore(5, damage);
    if (!CHECK(!found.fault.empty()))
      FAIL("not found: damage " + std::to_string(static_cast<int>(damage.what)) + " to word " +
           std::to_string(static_cast<int>(damage.which)));
  }
}
