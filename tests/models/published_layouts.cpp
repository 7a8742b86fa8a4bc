// The protocol of published layouts in all interleavings with all that weak ordering allows: two ranks that read each
// other's arrays in place, of which each has two that take turns, and ranks that leave with what nobody has read.
#include <cstdint>
#include <optional>

#include "channel/notified_channel.hpp"
#include "channel/read_claim.hpp"
#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using plain = modelled_words::plain<word>;
using notification = wherry::notified_word<modelled_words>;
using claim = wherry::read_claim<modelled_words>;
using sending_side = wherry::notified_sender<modelled_words>;
using receiving_side = wherry::notified_receiver<modelled_words>;

word value_of(word rank, word publication) { return 100 * rank + publication; }
constexpr auto at_once = [] { return true; };

/// What a rank has that the other reaches.
struct part {
  plain arrays[2];          // read by the other
  plain slots[2];           // written by the other: which of its arrays to read
  claim claims[2];          // beside the slots
  notification arrived{0};  // written by the other
  notification acknowledged{0};
};

enum class careless { nobody, does_not_claim, does_not_read, does_not_wait_for_readers, does_not_await };

struct plan {
  word publications = 3;
  word leaves_after = 0;  // publications that rank 1 has made, whose arrays are gone then; 0: it does not leave
  careless who = careless::nobody;
  bool one_array = false;  // and `await_readers` before it is computed again
};

/// Publishes an array, reads the other's, computes the other array of its own, and so on.
struct rank {
  const plan* what;
  word me;
  part *mine, *theirs;
  sending_side sender;
  receiving_side receiver;
  word publication = 0;
  enum { computes, publishes, reads, awaits, leaves, gone } doing = computes;

  bool step() {
    if (doing == computes) compute();
    if (doing == publishes) publish();
    if (doing == reads) read();
    if (doing == awaits && (what->who == careless::does_not_await || sender.has_read(publication))) doing = computes;
    if (doing == leaves) leave();
    return doing == gone;
  }

 private:
  word array() const { return what->one_array ? 0 : publication & 1; }
  bool goes_early() const { return me == 1 && what->leaves_after != 0; }

  void compute() {
    if (publication == what->publications) {
      doing = gone;
      return;
    }
    ++publication;
    mine->arrays[array()] = value_of(me, publication);
    sender.begin(publication);
    doing = publishes;
  }

  void publish() {
    sender.try_put([this](std::uint64_t slot) {
      theirs->slots[slot] = array();
      theirs->claims[slot].open();
    });
    sender.try_notify(at_once,
                      [this](std::uint32_t number) { theirs->arrived.store(number, std::memory_order_release); });
    sender.try_end(at_once);
    if (sender.now() != sending_side::phase::done) return;
    if (goes_early()) {
      doing = publication == what->leaves_after ? leaves : computes;
      return;
    }
    receiver.begin(publication);
    doing = what->who == careless::does_not_read ? computes : reads;
  }

  void read() {
    bool withdrawn = false;
    receiver.try_receive(
        [this, &withdrawn](std::uint64_t slot) {
          withdrawn = what->who != careless::does_not_claim && !mine->claims[slot].try_read();
          if (!withdrawn)
            require(theirs->arrays[mine->slots[slot]] == value_of(1 - me, publication),
                    "it reads what is not published");
        },
        [this](std::uint32_t number) { theirs->acknowledged.store(number, std::memory_order_release); }, at_once);
    if (withdrawn) doing = gone;
    if (receiver.now() == receiving_side::phase::done) doing = what->one_array ? awaits : computes;
  }

  /// As the destructor does: what is not withdrawn is being read, and is waited for.
  void leave() {
    const word last = what->leaves_after;
    for (word number = last < 2 ? 1 : last - 1; number <= last; ++number) {
      if (sender.has_read(number) || theirs->claims[number & 1].try_withdraw()) continue;
      if (what->who == careless::does_not_wait_for_readers) continue;
      return;  // and asks again
    }
    mine->arrays[0] = 0;
    mine->arrays[1] = 0;
    doing = gone;
  }
};

enum class of { arrived, acknowledged };

struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, std::optional<planted> damage = {}) {
  explorer e;
  part parts[2];
  e.call(parts[0].arrived, "arrived");
  e.call(parts[0].acknowledged, "acknowledged");
  if (damage) e.plant(damage->which == of::arrived ? parts[0].arrived : parts[0].acknowledged, damage->what);
  for (word me = 0; me < 2; ++me)
    e.run("rank " + std::to_string(me), rank{&what, me, &parts[me], &parts[1 - me],
                                             sending_side(parts[me].acknowledged), receiving_side(parts[me].arrived)});
  return e.explore();
}

}  // namespace

// Two arrays that take turns need no wait for readers: who publishes again has read before.
WHERRY_UNIT_TEST(models_published_layouts) {
  const auto found = explore({});
  wherry_test::log("published layouts: " + std::to_string(found.states) + " states");
  if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
}

WHERRY_UNIT_TEST(models_published_layouts_of_one_array) {
  const auto found = explore({.one_array = true});
  if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
}

WHERRY_UNIT_TEST(models_layouts_that_are_withdrawn) {
  for (const word after : {1, 2}) {
    const auto found = explore({.publications = after, .leaves_after = after});
    wherry_test::log("withdrawn layouts: " + std::to_string(found.states) + " states");
    if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
  }
}

// Each part is needed: the claim, the wait for who reads, that both read, and the order of either word.
WHERRY_UNIT_TEST(models_find_damage_to_published_layouts) {
  using enum explorer::damage;
  CHECK(!explore({.publications = 1, .leaves_after = 1, .who = careless::does_not_claim}).fault.empty());
  CHECK(!explore({.publications = 1, .leaves_after = 1, .who = careless::does_not_wait_for_readers}).fault.empty());
  CHECK(!explore({.who = careless::does_not_read}).fault.empty());
  CHECK(!explore({.who = careless::does_not_await, .one_array = true}).fault.empty());
  for (const auto which : {of::arrived, of::acknowledged})
    for (const auto what : {weak_store, weak_load})
      if (!CHECK(!explore({.one_array = true}, planted{which, what}).fault.empty()))
        FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
             std::to_string(static_cast<int>(which)));
}
