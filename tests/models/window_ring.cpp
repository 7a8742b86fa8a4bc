// The protocol of byte streams' rings in all interleavings with all that weak ordering allows.
#include "channel/window_ring.hpp"

#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

constexpr word ring_size = 2;  // the library's is longer, and no different
constexpr int most_readers = 2;

using plain = modelled_words::plain<word>;
using writing_side = wherry::window_ring_writer<modelled_words, ring_size>;
using reading_side = wherry::window_ring_reader<modelled_words>;

/// One word stands for each window. A stream is announced by a message, which orders as a release does.
struct shared_memory {
  wherry::ring_writer_words<modelled_words> words;
  wherry::ring_reader_words<modelled_words> readers[most_readers];
  plain windows[ring_size];
  plain last_word;  // beside the ring
  modelled_words::atomic<word> announced{0};
  plain gives_up;  // what the reader means to answer
};

word value_of(word window) { return 10 * window + 1; }

/// Writes windows on and on, as a broadcast does.
struct writer {
  shared_memory* memory;
  word count;
  writing_side side;

  bool step() {
    const auto number = side.next();
    if (number == count) return side.drained();
    if (!side.is_free(number)) return false;
    memory->windows[number % ring_size] = value_of(number);
    side.publish();
    return false;
  }
};

struct reader {
  shared_memory* memory;
  word count;
  reading_side side;

  bool step() {
    if (side.position() == count) return true;
    if (!side.ready()) return false;
    const auto number = side.position();
    require(memory->windows[number % ring_size] == value_of(number), "a window arrives wrong");
    side.release();
    return false;
  }
};

/// Streams of `length` windows to one reader, each announced and answered, as a send does.
struct asking {
  shared_memory* memory;
  word streams, length;
  writing_side side;
  word stream = 0, first = 0;
  bool open = false;

  bool step() {
    if (!open) {
      if (stream == streams) return true;
      open = true;
      first = side.next();
      memory->announced.store(++stream, std::memory_order_release);
    }
    const auto number = side.next();
    if (number < first + length) {
      if (!side.is_free(number)) return false;
      memory->windows[number % ring_size] = value_of(number);
      side.publish();
    } else if (side.has_given_up(0, first)) {
      require(std::string_view(side.why(0).text) == std::to_string(first), "it says another stream's reason");
      require(memory->gives_up == 1, "it has not given up");
      open = !side.drained();
    } else if (side.has_accepted(0, first)) {
      require(memory->gives_up == 0, "it has not accepted");
      open = !side.drained();
    }
    return false;
  }
};

/// Each stream has a reader of its own, which goes on where the one before has left off.
struct answering {
  shared_memory* memory;
  word streams, length;
  reading_side side;
  word stream = 0;
  bool open = false;

  bool step() {
    if (!open) {
      if (stream == streams) return true;
      if (memory->announced.load(std::memory_order_acquire) <= stream) return false;
      const auto first = length * stream++;
      open = true;
      side = reading_side(memory->words, memory->readers[0]);
      side.begin_at(first);
      const int gives_up = explorer::current().choose(2);
      memory->gives_up = static_cast<word>(gives_up);
      gives_up == 1 ? side.give_up(first, std::to_string(first)) : side.accept(first);
      return false;
    }
    if (!side.ready()) return false;
    require(memory->windows[side.position() % ring_size] == value_of(side.position()), "a window arrives wrong");
    side.release();
    open = side.position() < length * stream;
    return false;
  }
};

/// A window of a broadcast says what it is.
struct content {
  word number, stream;
  bool last;
  operator word() const { return 100 * number + 10 * stream + (last ? 1 : 0); }
  static content of(word value) { return {value / 100, value / 10 % 10, value % 10 == 1}; }
};

/// Broadcasts of `length` windows each. One of them it gives up, or none, for want of room.
struct wavering_writer {
  shared_memory* memory;
  word streams, length;
  bool may_give_up;
  writing_side side;
  word stream = 0, end = 0;

  bool step() {
    if (stream == streams) return true;
    const auto number = side.next();
    if (end == 0) {
      end = number + length;
      side.begin(stream);
    }
    if (side.is_free(number)) {
      memory->windows[number % ring_size] = content{number, stream, number + 1 == end};
      side.publish();
      if (number + 1 == end) side.end();
      if (number + 1 == end) begin_next();
    } else if (may_give_up && side.may_abandon() && explorer::current().choose(2) == 1) {
      may_give_up = false;
      memory->last_word = content{number, stream, true};
      side.abandon();
      begin_next();
    }
    return false;
  }
  void begin_next() {
    ++stream;
    end = 0;
  }
};

/// Reads them all, but leaves some of them in the middle, and comes back, or does not.
struct wavering_reader {
  shared_memory* memory;
  word streams;
  int leaves;
  reading_side side;
  word stream = 0;
  bool has_left = false;

  bool step() {
    if (stream == streams) return true;
    if (!side.catch_up()) return false;
    if (side.was_passed(stream)) {
      require(has_left, "windows are gone that were to be read");
      return begin_next();
    }
    if (!side.ready()) return leaves > 0 && explorer::current().choose(2) == 1 && leave();
    const auto window =
        content::of(side.is_beside() ? memory->last_word : memory->windows[side.position() % ring_size]);
    require(window.number == side.position(), "a window arrives wrong");
    require(window.stream == stream, "another stream comes");
    side.release();
    return window.last && begin_next();
  }
  bool begin_next() {
    has_left = false;
    return ++stream == streams;
  }
  bool leave() {
    --leaves;
    has_left = true;
    const bool for_good = explorer::current().choose(2) == 1;
    side.leave(for_good ? streams - 1 : stream);
    return for_good;
  }
};

enum class of { written, taken, accepted, given_up, left, passed, abandoned };

struct planted {
  of which;
  explorer::damage what;
};

void prepare(explorer& e, shared_memory& memory, const std::optional<planted>& damage) {
  e.call(memory.words.written, "written");
  e.call(memory.announced, "announced");
  e.call(memory.words.abandoned, "abandoned");
  if (damage && damage->which == of::abandoned) e.plant(memory.words.abandoned, damage->what);
  if (damage && damage->which == of::written) e.plant(memory.words.written, damage->what);
  for (int r = 0; r < most_readers; ++r) {
    auto& words = memory.readers[r];
    const auto number = "[" + std::to_string(r) + "]";
    e.call(words.taken, "taken" + number);
    e.call(words.accepted, "accepted" + number);
    e.call(words.given_up, "given_up" + number);
    e.call(words.left, "left" + number);
    e.call(words.passed, "passed" + number);
    if (damage && damage->which == of::left) e.plant(words.left, damage->what);
    if (damage && damage->which == of::passed) e.plant(words.passed, damage->what);
    if (damage && damage->which == of::taken) e.plant(words.taken, damage->what);
    if (damage && damage->which == of::given_up) e.plant(words.given_up, damage->what);
    if (damage && damage->which == of::accepted) e.plant(words.accepted, damage->what);
  }
}

report explore_windows(int readers, word windows, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  prepare(e, memory, damage);
  e.run("writer", writer{&memory, windows, writing_side(memory.words, memory.readers, readers)});
  for (int r = 0; r < readers; ++r)
    e.run("reader " + std::to_string(r), reader{&memory, windows, reading_side(memory.words, memory.readers[r])});
  return e.explore();
}

report explore_streams(word streams, word length, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  prepare(e, memory, damage);
  e.run("writer", asking{&memory, streams, length, writing_side(memory.words, memory.readers, 1)});
  e.run("reader", answering{&memory, streams, length, reading_side(memory.words, memory.readers[0])});
  return e.explore();
}

report explore_giving_up(int readers, bool writer_too, word streams, word length, std::optional<planted> damage = {}) {
  explorer e;
  shared_memory memory;
  prepare(e, memory, damage);
  e.run("writer",
        wavering_writer{&memory, streams, length, writer_too, writing_side(memory.words, memory.readers, readers)});
  for (int r = 0; r < readers; ++r)
    e.run("reader " + std::to_string(r),
          wavering_reader{&memory, streams, r == 0 ? 1 : 0, reading_side(memory.words, memory.readers[r])});
  return e.explore();
}

void check_right(const report& found, const char* name) {
  wherry_test::log(std::string(name) + ": " + std::to_string(found.states) + " states");
  if (!CHECK_EQUAL(found.fault, "")) FAIL(std::string(name) + found.way);
}

}  // namespace

WHERRY_UNIT_TEST(models_window_ring) {
  check_right(explore_windows(1, 5), "one reader");
  check_right(explore_windows(2, 3), "two readers");
  check_right(explore_streams(3, 1), "short streams");
  check_right(explore_streams(2, 3), "streams longer than the ring");
}

WHERRY_UNIT_TEST(models_window_ring_given_up) {
  check_right(explore_giving_up(1, false, 2, 3), "a reader leaves");
  check_right(explore_giving_up(1, true, 2, 3), "both give up");
  check_right(explore_giving_up(2, false, 1, 3), "one of two readers leaves");
}

WHERRY_UNIT_TEST(models_find_damage_to_giving_up_a_window_ring) {
  using enum explorer::damage;
  const auto check_found = [](of which, explorer::damage what) {
    if (!CHECK(!explore_giving_up(1, true, 2, 3, planted{which, what}).fault.empty()))
      FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
           std::to_string(static_cast<int>(which)));
  };
  for (const auto what : {weak_store, weak_load, one_more}) check_found(of::abandoned, what);
  for (const auto what : {weak_store, weak_load, blind_exchange}) check_found(of::left, what);
  check_found(of::passed, one_more);
}

WHERRY_UNIT_TEST(models_find_damage_to_a_window_ring) {
  using enum explorer::damage;
  for (const auto what : {weak_store, weak_load, one_more})
    for (const auto which : {of::written, of::taken})
      if (!CHECK(!explore_windows(1, 5, planted{which, what}).fault.empty()))
        FAIL("not found: damage " + std::to_string(static_cast<int>(what)) + " to word " +
             std::to_string(static_cast<int>(which)));
  for (const auto what : {weak_store, weak_load, one_more})
    for (const auto which : {of::given_up, of::accepted})
      CHECK(!explore_streams(2, 1, planted{which, what}).fault.empty());
}
