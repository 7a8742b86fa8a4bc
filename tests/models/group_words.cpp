// The board of a group of ranks that share memory, the library's own words in all interleavings, with all that weak
// ordering allows: everybody reads everybody, or what all have goes up a tree and down again; who has read for the last
// time lets go, and the owner gives its memory back.
#include "channel/group_words.hpp"

#include <algorithm>
#include <optional>

#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using part = wherry::group_words<modelled_words, modelled_words::plain<word>>;

constexpr word calls = 3;
constexpr word none = ~word{0};

word value_of(word number, int member) { return 10 * number + static_cast<word>(member) + 1; }

enum class careless { nobody, has_one_line, gives_back_at_once, looks_before_it_asks };

struct plan {
  int members = 2;
  bool tree = false;      // the first is the root, the others are below it
  word leaves_at = none;  // the last call of one, which nobody keeps then: of a tree the root, else the last member
  careless who = careless::nobody;
};

struct member {
  const plan* what;
  part* parts;
  int me;
  word number = 1;
  int next = 0;  // to be read
  enum { shows, gathers, comes_down, lets_go, gives_back, over } doing = shows;

  bool step() {
    if (doing == shows) return show();
    if (doing == gathers) return gather();
    if (doing == comes_down) return come_down();
    if (doing == lets_go) return let_go();
    if (doing == gives_back) return give_back();
    return true;
  }

 private:
  word place() const { return what->who == careless::has_one_line ? 2 * number : number; }
  bool is_root() const { return what->tree && me == 0; }
  bool reads(int one) const { return one != me && (!what->tree || is_root()); }
  bool leaves() const { return what->leaves_at != none; }
  int leaver() const { return what->tree ? 0 : what->members - 1; }
  int readers() const { return what->tree ? (is_root() ? what->members : 2) : what->members; }

  bool show() {
    if (number > calls || (leaves() && me == leaver() && number > what->leaves_at)) {
      doing = lets_go;
      return false;
    }
    parts[me].up_of(place()).bytes = value_of(number, me);
    if (!is_root()) parts[me].up_of(place()).show(number, 100 + number);
    next = 0;
    doing = gathers;
    return false;
  }

  bool gather() {
    if (next == what->members) {
      doing = comes_down;
      return false;
    }
    if (reads(next) && !look(parts[next].up_of(place()), parts[next], value_of(number, next))) return false;
    ++next;
    return false;
  }

  /// Of the root, for all. False: not there yet.
  bool come_down() {
    if (is_root()) {
      parts[0].down_of(place()).bytes = value_of(number, 7);
      parts[0].down_of(place()).show(number, 100 + number);
    } else if (what->tree && !look(parts[0].down_of(place()), parts[0], value_of(number, 7))) {
      return false;
    }
    ++number;
    doing = shows;
    return false;
  }

  /// False: it is not there; or never will be, and this member is through.
  bool look(part::line& line, const part& whose, word expected) {
    if (line.shows(number)) {
      require(line.bytes == expected && line.call == 100 + number, "another call's value");
      return true;
    }
    if (!leaves()) return false;
    if (what->who == careless::looks_before_it_asks ? whose.owner_left.load(std::memory_order_acquire) != 0
                                                    : whose.will_never_show(line, number)) {
      require(number > what->leaves_at, "a call that was made is taken for one that never comes");
      doing = lets_go;
    }
    return false;
  }

  bool let_go() {
    parts[me].leave();
    for (int m = 0; m < what->members; ++m)
      if (!what->tree || is_root() || m == 0 || m == me) parts[m].let_go();
    doing = gives_back;
    return false;
  }

  /// The memory is another's then: what is written there now races with whoever still reads.
  bool give_back() {
    if (what->who != careless::gives_back_at_once && !parts[me].is_let_go(static_cast<word>(readers()))) return false;
    for (auto* lines : {parts[me].up, parts[me].down})
      for (int i = 0; i < 2; ++i) lines[i].bytes = 0;
    doing = over;
    return false;
  }
};

enum class of { number, departed, left };
struct planted {
  of which;
  explorer::damage what;
};

report explore(const plan& what, std::optional<planted> damage = {}) {
  explorer e;
  part parts[3];
  for (int m = 0; m < what.members; ++m) {
    const auto whose = " of " + std::to_string(m);
    const auto name = [&](auto& one, const std::string& as, of which) {
      e.call(one, as + whose);
      if (damage && damage->which == which) e.plant(one, damage->what);
    };
    for (std::size_t i = 0; i < 2; ++i) {
      name(parts[m].up[i].number, "up " + std::to_string(i), of::number);
      name(parts[m].down[i].number, "down " + std::to_string(i), of::number);
    }
    name(parts[m].departed, "departed", of::departed);
    name(parts[m].owner_left, "left", of::left);
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

WHERRY_UNIT_TEST(group_boards_that_all_read) {
  check_right({});
  check_right({.members = 3});
}
WHERRY_UNIT_TEST(group_boards_of_a_tree) {
  check_right({.tree = true});
  check_right({.members = 3, .tree = true});
}
WHERRY_UNIT_TEST(group_boards_whose_owner_leaves) {
  for (const bool tree : {false, true})
    for (const word at : {0, 1, 2}) check_right({.tree = tree, .leaves_at = at});
}

WHERRY_UNIT_TEST(faults_of_group_boards_are_found) {
  using enum explorer::damage;
  CHECK(!explore({.who = careless::has_one_line}).fault.empty());  // in a tree one would do
  for (const bool tree : {false, true}) {
    CHECK(!explore({.tree = tree, .who = careless::gives_back_at_once}).fault.empty());
    CHECK(!explore({.tree = tree, .leaves_at = 1, .who = careless::looks_before_it_asks}).fault.empty());
    for (const auto what : {weak_store, weak_load}) {
      CHECK(!explore({.tree = tree}, planted{of::number, what}).fault.empty());
      CHECK(!explore({.tree = tree}, planted{of::departed, what}).fault.empty());
      CHECK(!explore({.tree = tree, .leaves_at = 1}, planted{of::left, what}).fault.empty());
    }
  }
}
