// The protocol of staged writes in all interleavings with all that weak ordering allows: one rank writes, another whose
// memory it is looks at the notifications, a third looks at them on its behalf, a fourth hears of a flush.
#include "channel/staged_writes.hpp"

#include <cstdint>
#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using plain = modelled_words::plain<word>;
using staged = wherry::staged_words<modelled_words>;

constexpr word ring_size = 2;  // the library's is longer, and no different
constexpr word most = 3;
using writing_side = wherry::window_ring_writer<modelled_words, ring_size>;

struct shared_memory {
  staged words;
  plain windows[ring_size];
  plain there[most];  // where each write belongs
  modelled_words::atomic<word> notified{0}, told{0};
};

word value_of(word write) { return 10 * write + 1; }

enum class careless { nobody, tells_before_it_brings, brings_without_asking, notifies_first };

struct plan {
  word writes = 2;
  bool flushes = false;  // and tells of it
  careless who = careless::nobody;
};

bool drains(shared_memory& memory, std::uint32_t me, careless who = careless::nobody) {
  const auto bring = [&](word number) {
    memory.there[number] = word{memory.windows[number % ring_size]};
    return true;
  };
  if (who == careless::brings_without_asking)
    for (wherry::window_ring_reader<modelled_words> reader(memory.words.written, memory.words.taken); reader.ready();
         reader.release())
      bring(reader.position());
  return wherry::try_drain(memory.words, ring_size, me, bring);
}

/// Where there is no room it brings by itself what is there, as a flush does.
struct writer {
  const plan* what;
  shared_memory* memory;
  writing_side side;
  bool has_flushed = false;

  bool step() {
    const auto number = side.next();
    if (number < what->writes) {
      if (!side.is_free(number)) {
        drains(*memory, 1);
        return false;
      }
      if (what->who == careless::notifies_first) memory->notified.store(number + 1, std::memory_order_release);
      memory->windows[number % ring_size] = value_of(number);
      side.publish();
      memory->notified.store(number + 1, std::memory_order_release);
      return false;
    }
    if (!what->flushes || has_flushed) return true;
    if (what->who != careless::tells_before_it_brings && !drains(*memory, 1, what->who)) return false;
    memory->told.store(1, std::memory_order_release);
    has_flushed = true;
    return false;
  }
};

/// Looks at the notifications: the rank that they are for, or another one of its node.
struct looker {
  const plan* what;
  shared_memory* memory;
  std::uint32_t me;
  word seen = 0, checked = 0;

  bool step() {
    if (seen == checked) {
      if (checked == what->writes) return true;
      seen = memory->notified.load(std::memory_order_acquire);
      return false;
    }
    if (!drains(*memory, me, what->who)) return false;
    for (; checked < seen; ++checked) require(memory->there[checked] == value_of(checked), "it arrives wrong");
    return false;
  }
};

/// Makes no call that brings anything.
struct hearer {
  const plan* what;
  shared_memory* memory;

  bool step() {
    if (memory->told.load(std::memory_order_acquire) == 0) return false;
    for (word i = 0; i < what->writes; ++i) require(memory->there[i] == value_of(i), "a flush has not brought it");
    return true;
  }
};

enum class of { written, taken, drainer, notified, told };

struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, int lookers, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  const auto each = [&](auto&& call) {
    call(of::written, memory.words.written.written, "written");
    call(of::taken, memory.words.taken.taken, "taken");
    call(of::drainer, memory.words.drainer, "drainer");
    call(of::notified, memory.notified, "notified");
    call(of::told, memory.told, "told");
  };
  each([&](of which, const auto& w, const char* name) {
    e.call(w, name);
    if (damage && damage->which == which) e.plant(w, damage->what);
  });
  e.run("writer", writer{&what, &memory, wherry::writer_of<modelled_words, ring_size>(memory.words)});
  for (int i = 0; i < lookers; ++i)
    e.run("looker " + std::to_string(i), looker{&what, &memory, static_cast<std::uint32_t>(2 + i)});
  if (what.flushes) e.run("hearer", hearer{&what, &memory});
  return e.explore();
}

}  // namespace

WHERRY_UNIT_TEST(models_staged_writes) {
  const struct {
    plan what;
    int lookers;
  } cases[] = {{{.writes = 3}, 1},
               {{.writes = 2}, 2},
               {{.writes = 3, .flushes = true}, 0},
               {{.writes = 1, .flushes = true}, 1},
               {{.writes = 2, .flushes = true}, 1}};
  for (const auto& one : cases) {
    const auto found = explore(one.what, one.lookers);
    wherry_test::log("staged writes: " + std::to_string(found.states) + " states");
    if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
  }
}

WHERRY_UNIT_TEST(models_find_damage_to_staged_writes) {
  using enum explorer::damage;
  CHECK(!explore({.writes = 1, .flushes = true, .who = careless::tells_before_it_brings}, 1).fault.empty());
  CHECK(!explore({.writes = 1, .who = careless::brings_without_asking}, 2).fault.empty());
  CHECK(!explore({.writes = 1, .who = careless::notifies_first}, 1).fault.empty());
  const struct {
    of which;
    std::vector<explorer::damage> what;
  } all[] = {{of::written, {weak_store, weak_load, one_more}},
             {of::taken, {weak_store, weak_load, one_more}},
             {of::drainer, {weak_store, weak_load, blind_exchange}},
             {of::notified, {weak_store, weak_load, one_more}},
             {of::told, {weak_store, weak_load}}};
  for (const auto& [which, damages] : all)
    for (const auto what : damages) {
      const bool found = !explore({.writes = 3}, 1, planted{which, what}).fault.empty() ||
                         !explore({.writes = 1}, 2, planted{which, what}).fault.empty() ||
                         !explore({.writes = 1, .flushes = true}, 1, planted{which, what}).fault.empty();
      if (!CHECK(found))
        FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
             std::to_string(static_cast<int>(which)));
    }
}
