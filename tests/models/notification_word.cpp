// The notifications of segments in all interleavings with all that weak ordering allows: data before its notification,
// several that want the same one, one that overwrites another, pieces that are counted, and the way back.
#include "wherry/channel/notification_word.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;
namespace notification = wherry::detail::notification_word;

namespace {

using plain = modelled_words::plain<word>;
using notified = modelled_words::atomic<std::uint32_t>;

constexpr std::uint32_t rounds = 3;
/// `wait`: looks, again and again, and then takes; 0: not yet.
std::uint32_t try_take(notified& word) { return notification::look(word) != 0 ? notification::take(word) : 0; }

word value_of(std::uint32_t number) { return 10 * number + 1; }

/// A rank's segment: data, and the notifications `come`; `read` is the writer's own, by which it hears that it may
/// write again.
struct segment {
  plain data[2];
  notified come{0}, read{0};
};

enum class careless { nobody, tells_first, does_not_wait, clears_apart, answers_early };

/// `write_notify`, and waits for the answer.
struct writer {
  segment* there;
  careless who;
  std::uint32_t number = 0;
  bool waits = false;

  bool step() {
    if (waits && who != careless::does_not_wait && try_take(there->read) == 0) return false;
    waits = false;
    if (number == rounds) return true;
    ++number;
    if (who == careless::tells_first) notification::tell(there->come, number);
    there->data[0] = value_of(number);
    if (who != careless::tells_first) notification::tell(there->come, number);
    waits = true;
    return false;
  }
};

/// `wait`, reads in place, and says so.
struct reader {
  segment* mine;
  careless who;
  std::uint32_t number = 0;

  bool step() {
    if (number == rounds) return true;
    const auto value = try_take(mine->come);
    if (value == 0) return false;
    if (who == careless::answers_early) notification::tell(mine->read, value);
    require(mine->data[0] == value_of(value), "it reads what it was not told of");
    number = value;
    if (who != careless::answers_early) notification::tell(mine->read, value);
    return false;
  }
};

enum class of { come, read };
struct planted {
  of which;
  explorer::damage what;
};

report in_turn(careless who, std::optional<planted> damage = {}) {
  explorer e;
  segment memory;
  e.call(memory.come, "come");
  e.call(memory.read, "read");
  if (damage) e.plant(damage->which == of::come ? memory.come : memory.read, damage->what);
  e.run("writer", writer{&memory, who});
  e.run("reader", reader{&memory, who});
  return e.explore();
}

/// Writes twice under the same id, in two places, and waits for nobody.
struct twice {
  segment* there;
  std::uint32_t number = 0;

  bool step() {
    if (number == 2) return true;
    there->data[number] = value_of(number + 1);
    notification::tell(there->come, ++number);
    return false;
  }
};

/// One of those that want the same notification: a thread, or another rank of the node. What it has got, it alone may
/// touch. All end when somebody has got the last one.
struct taker {
  segment* mine;
  notified* last_is_taken;
  careless who;

  std::uint32_t take() const {
    if (who != careless::clears_apart) return try_take(mine->come);
    const auto value = notification::look(mine->come);
    if (value != 0) notification::take(mine->come);  // and whatever has come since
    return value;
  }

  bool step() {
    if (notification::look(*last_is_taken) != 0) return true;
    const auto value = take();
    for (std::uint32_t number = 1; number <= value; ++number)
      require(mine->data[number - 1] == value_of(number), "what came with an earlier one is missing");
    if (value != 2) return false;
    mine->data[1] = 0;
    notification::tell(*last_is_taken, 1);
    return true;
  }
};

report several(int takers, careless who) {
  explorer e;
  segment memory;
  notified last_is_taken{0};
  e.call(memory.come, "come");
  e.run("writer", twice{&memory});
  for (int one = 0; one < takers; ++one) e.run("taker " + std::to_string(one), taker{&memory, &last_is_taken, who});
  return e.explore();
}

constexpr std::uint32_t pieces = 2;

/// `write_in_pieces`, twice.
struct writer_in_pieces {
  segment* there;
  std::uint32_t message = 0, piece = 0;

  bool step() {
    if (message == 2) return true;
    if (piece == 0 && message != 0 && try_take(there->read) == 0) return false;
    there->data[piece] = value_of(message * pieces + piece);
    notification::tell(there->come, ++piece);
    if (piece == pieces) piece = 0, ++message;
    return false;
  }
};

/// `copy_out`: copies what has come, and takes the notification when that is all.
struct copier {
  segment* mine;
  std::uint32_t message = 0, copied = 0;

  bool step() {
    if (message == 2) return true;
    const auto there = notification::look(mine->come);
    require(there <= pieces, "more pieces than there are");
    for (; copied < there; ++copied)
      require(mine->data[copied] == value_of(message * pieces + copied), "a piece is not what it was told to be");
    if (copied != pieces) return false;
    notification::take(mine->come);
    notification::tell(mine->read, 1);
    copied = 0;
    ++message;
    return false;
  }
};

}  // namespace

WHERRY_UNIT_TEST(models_notifications_come_after_their_data) {
  const auto found = in_turn(careless::nobody);
  wherry_test::log("notifications: " + std::to_string(found.states) + " states");
  if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
}

WHERRY_UNIT_TEST(models_of_several_one_takes_a_notification) {
  for (const int takers : {1, 2}) {
    const auto found = several(takers, careless::nobody);
    wherry_test::log("takers: " + std::to_string(found.states) + " states");
    if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
  }
}

WHERRY_UNIT_TEST(models_pieces_are_copied_out_as_they_come) {
  explorer e;
  segment memory;
  e.run("writer", writer_in_pieces{&memory});
  e.run("copier", copier{&memory});
  const auto found = e.explore();
  if (!CHECK_EQUAL(found.fault, "")) FAIL(found.way);
}

WHERRY_UNIT_TEST(models_find_who_is_careless_with_notifications) {
  for (const auto who : {careless::tells_first, careless::does_not_wait, careless::answers_early})
    if (!CHECK(!in_turn(who).fault.empty())) FAIL("not found: " + std::to_string(static_cast<int>(who)));
  CHECK_EQUAL(several(1, careless::clears_apart).fault, "a thread waits for ever");
}

WHERRY_UNIT_TEST(models_find_damage_to_notifications) {
  using enum explorer::damage;
  for (const auto which : {of::come, of::read})
    for (const auto what : {weak_store, weak_load})
      if (!CHECK(!in_turn(careless::nobody, planted{which, what}).fault.empty()))
        FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
             std::to_string(static_cast<int>(which)));
}
