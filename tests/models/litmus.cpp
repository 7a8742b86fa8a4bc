// Whether the explorer knows C++'s memory model: the classic small programs, whose outcomes are known.
#include "harness/harness.hpp"
#include "modelled_words.hpp"

using namespace models;

namespace {

using atomic_word = modelled_words::atomic<word>;
using plain_word_of = modelled_words::plain<word>;
constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release, acq_rel = std::memory_order_acq_rel;

/// A thread of one step.
template <class Body> struct once {
  Body body;
  bool step() {
    body();
    return true;
  }
};
template <class Body> void run(explorer& e, std::string name, Body body) { e.run(std::move(name), once<Body>{body}); }

report pass_a_message(std::memory_order store, std::memory_order load) {
  explorer e;
  plain_word_of data(0);
  atomic_word flag(0);
  run(e, "writer", [&data, &flag, store] {
    data = 1;
    flag.store(1, store);
  });
  run(e, "reader", [&data, &flag, load] {
    if (flag.load(load) == 1) require(data == 1, "old data");
  });
  return e.explore();
}

}  // namespace

WHERRY_UNIT_TEST(models_a_message_needs_release_and_acquire) {
  CHECK_EQUAL(pass_a_message(release, acquire).fault, "");
  CHECK_EQUAL(pass_a_message(relaxed, acquire).fault,
              "a data race: a plain word is read while another thread writes it");
  CHECK_EQUAL(pass_a_message(release, relaxed).fault,
              "a data race: a plain word is read while another thread writes it");
}

// A plain write after a load that does not acquire may come before what others still read.
WHERRY_UNIT_TEST(models_a_write_after_a_read_needs_order_too) {
  for (const auto load : {acquire, relaxed}) {
    explorer e;
    plain_word_of data(0);
    atomic_word taken(0);
    run(e, "reader", [&] {
      require(data == 0, "overwritten");
      taken.store(1, release);
    });
    run(e, "writer", [&data, &taken, load] {
      if (taken.load(load) == 1) data = 1;
    });
    CHECK_EQUAL(e.explore().fault,
                load == acquire ? "" : "a data race: a plain word is written while another thread reads it");
  }
}

// Both may read the old values (x86 does that too); an interleaving alone could not.
WHERRY_UNIT_TEST(models_stores_are_seen_late) {
  explorer e;
  atomic_word x(0), y(0), seen(1);
  run(e, "first", [&] {
    x.store(1, release);
    seen.store(y.load(acquire), release);
  });
  run(e, "second", [&] {
    y.store(1, release);
    if (x.load(acquire) == 0) require(seen.load(acquire) != 0, "both have read the old values");
  });
  CHECK_EQUAL(e.explore().fault, "both have read the old values");
}

WHERRY_UNIT_TEST(models_one_word_never_goes_back) {
  explorer e;
  atomic_word x(0);
  run(e, "writer", [&] {
    x.store(1, relaxed);
    x.store(2, relaxed);
  });
  run(e, "reader", [&] {
    const auto first = x.load(relaxed);
    require(x.load(relaxed) >= first, "it went back");
  });
  CHECK_EQUAL(e.explore().fault, "");
}

// Two readers may see two writers' stores in different orders.
WHERRY_UNIT_TEST(models_independent_stores_have_no_common_order) {
  explorer e;
  atomic_word x(0), y(0), seen(0);
  run(e, "first writer", [&] { x.store(1, release); });
  run(e, "second writer", [&] { y.store(1, release); });
  run(e, "first reader", [&] {
    if (x.load(acquire) == 1 && y.load(acquire) == 0) seen.store(1, release);
  });
  run(e, "second reader", [&] {
    if (y.load(acquire) == 1 && x.load(acquire) == 0) require(seen.load(acquire) == 0, "different orders");
  });
  CHECK_EQUAL(e.explore().fault, "different orders");
}

WHERRY_UNIT_TEST(models_exchanges_are_atomic_and_pass_releases_on) {
  explorer e;
  atomic_word claim(0), winners(0);
  plain_word_of data(0), prize(0);
  const auto contend = [&] {
    word unclaimed = 1;
    if (claim.compare_exchange_strong(unclaimed, 2, acq_rel)) prize = data;  // two winners would race
  };
  run(e, "giver", [&] {
    data = 7;
    claim.store(1, release);
  });
  run(e, "first", contend);
  run(e, "second", contend);
  run(e, "onlooker", [&] {
    if (claim.load(acquire) == 2) require(data == 7, "the release has been lost");
  });
  CHECK_EQUAL(e.explore().fault, "");
}

WHERRY_UNIT_TEST(models_a_thread_that_waits_for_ever_is_found) {
  struct waiter {
    atomic_word* flag;
    bool step() { return flag->load(acquire) == 1; }
  };
  explorer e;
  atomic_word flag(0);
  e.call(flag, "flag");
  e.run("waiter", waiter{&flag});
  run(e, "other", [&] { flag.store(2, release); });
  const auto found = e.explore();
  CHECK_EQUAL(found.fault, "a thread waits for ever");
}
