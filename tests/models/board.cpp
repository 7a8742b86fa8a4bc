// The board on which a node's ranks show each other what they have: the library's own code in all interleavings, with
// all that weak ordering allows. What a record holds is written when the ring says that nobody needs it any more.
#include "channel/board.hpp"

#include <optional>

#include "channel/board_ring.hpp"
#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

constexpr std::size_t depth = 2;
using part = wherry::board_part<modelled_words::plain<word>, depth, modelled_words>;

struct plan {
  int members = 2;
  word turns = 4;
  bool all_show = true;  // else the first one alone, and the others read
  bool waits_for_room = true;
};

word value_of(word turn, int member) { return 10 * turn + static_cast<word>(member) + 1; }

/// A collective a turn: shows what it has, reads what the others show, and says that it needs no more of it.
struct member {
  const plan* what;
  part* parts;
  int me;
  word turn = 0;
  bool has_shown = false;
  int next = 0;  // to be read
  wherry::board_ring<depth> ring{0};

  bool step() {
    const wherry::showing now{turn, 0};
    if (turn == what->turns) return true;
    if (!has_shown) {
      if (shows(me) && !show(now)) return false;
      has_shown = true;
      return false;
    }
    if (next < what->members) {
      if (next != me && shows(next)) {
        if (!parts[next].record_of(now).shows(now.id())) return false;
        require(parts[next].record_of(now).shown == value_of(turn, next), "another turn's value");
      }
      ++next;
      return false;
    }
    parts[me].finish({turn, wherry::showing::last});
    ++turn;
    has_shown = false;
    next = 0;
    return false;
  }

 private:
  bool shows(int one) const { return what->all_show || one == 0; }
  bool show(const wherry::showing& now) {
    const auto place = now.place(depth);
    if (what->waits_for_room && !ring.is_free(place)) {
      auto least = ~word{0};
      for (int m = 0; m < what->members; ++m) least = std::min(least, parts[m].finished_up_to());
      ring.free_up_to(least);
      if (!ring.is_free(place)) return false;
    }
    ring.take(place, now.id(), 0);
    parts[me].record_of(now).shown = value_of(turn, me);
    parts[me].show(now);
    return true;
  }
};

enum class of { id, finished };
struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, std::optional<planted> damage = {}) {
  explorer e;
  part parts[3];
  for (int m = 0; m < what.members; ++m) {
    const auto whose = " of " + std::to_string(m);
    for (std::size_t r = 0; r < depth; ++r) e.call(parts[m].records[r].id, "record " + std::to_string(r) + whose);
    e.call(parts[m].finished, "finished" + whose);
    if (!damage) continue;
    if (damage->which == of::finished) e.plant(parts[m].finished, damage->what);
    for (std::size_t r = 0; r < depth && damage->which == of::id; ++r) e.plant(parts[m].records[r].id, damage->what);
  }
  for (int m = 0; m < what.members; ++m) e.run("member " + std::to_string(m), member{&what, parts, m});
  return e.explore();
}

void check_right(const plan& what) {
  const auto found = explore(what);
  if (wherry_test::fault(!found.fault.empty())) FAIL(found.fault + "\n" + found.way);
  CHECK(found.states > 20);
}

}  // namespace

WHERRY_UNIT_TEST(all_show_and_all_read) { check_right({}); }
WHERRY_UNIT_TEST(one_shows_and_runs_ahead_of_the_others) {
  check_right({.all_show = false});
  check_right({.members = 3, .turns = 3, .all_show = false});
}
WHERRY_UNIT_TEST(three_show_and_read) { check_right({.members = 3, .turns = 3}); }

WHERRY_UNIT_TEST(faults_of_the_board_are_found) {
  for (const bool all_show : {false, true}) {
    const plan what{.turns = 4, .all_show = all_show};
    CHECK(!explore(what, planted{of::id, explorer::damage::weak_store}).fault.empty());
    CHECK(!explore(what, planted{of::id, explorer::damage::weak_load}).fault.empty());
  }
  // Who only shows is held up by nothing else.
  const plan ahead{.turns = 4, .all_show = false};
  CHECK(!explore(ahead, planted{of::finished, explorer::damage::weak_store}).fault.empty());
  CHECK(!explore(ahead, planted{of::finished, explorer::damage::weak_load}).fault.empty());
  CHECK(!explore({.turns = 4, .all_show = false, .waits_for_room = false}).fault.empty());
}
