// How many cache lines of shared memory a message inside a node costs: counted, with words that note who touches them.
#include <atomic>
#include <cstdint>
#include <set>

#include "channel/shared_channel.hpp"
#include "harness/harness.hpp"

namespace {

std::set<std::uintptr_t> touched;
void note(const void* word) { touched.insert(reinterpret_cast<std::uintptr_t>(word) / 64); }

struct counted_words {
  template <class T> class atomic {
   public:
    atomic(T initial) : word_(initial) {}
    T load(std::memory_order order) const { return note(this), word_.load(order); }
    void store(T value, std::memory_order order) { note(this), word_.store(value, order); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order) {
      return note(this), word_.compare_exchange_strong(expected, desired, order);
    }

   private:
    std::atomic<T> word_;
  };
  template <class T> class plain {
   public:
    plain(T initial) : value_(initial) {}
    plain& operator=(T value) { return note(this), value_ = value, *this; }
    operator T() const { return note(this), value_; }

   private:
    T value_;
  };
};

template <class Do> std::size_t lines(Do&& what) {
  touched.clear();
  what();
  return touched.size();
}

struct two_sides {
  wherry::shared_channel<counted_words> channel;
  wherry::shared_sender<counted_words> sender{channel};
  wherry::shared_receiver<counted_words> receiver{channel};

  std::size_t send(std::uint64_t start, bool in_place) {
    sender.begin(start);
    return lines([&] { sender.try_send([&](std::uint32_t) { return in_place; }); });
  }
  std::size_t receive(std::uint64_t start) {
    receiver.begin(start);
    const auto nothing = [](auto...) {};
    return lines([&] { receiver.try_receive(nothing, nothing, nothing); });
  }
};

}  // namespace

// The line that says what is there, and to the receiver the one that says that it is taken.
WHERRY_UNIT_TEST(a_packed_message_costs_one_line_there_and_one_back) {
  two_sides sides;
  for (std::uint64_t start = 1; start <= 20; ++start) {
    if (start > 2) sides.sender.has_heard_taken(start - 2);  // by what came from there
    CHECK_EQUAL(sides.send(start, false), 1u);
    CHECK_EQUAL(sides.receive(start), 2u);
  }
}

// Of one that comes only from there, the sender looks at every second start how far it has been taken.
WHERRY_UNIT_TEST(who_hears_nothing_from_there_looks_at_one_line_more) {
  two_sides sides;
  std::size_t more = 0;
  for (std::uint64_t start = 1; start <= 20; ++start) {
    more += sides.send(start, false) - 1;
    CHECK_EQUAL(sides.receive(start), 2u);
  }
  CHECK_EQUAL(more, 9u);
}

// And the claim, so that the sender may have its rows back before they are read.
WHERRY_UNIT_TEST(a_message_read_in_place_costs_a_line_more) {
  two_sides sides;
  for (std::uint64_t start = 1; start <= 20; ++start) {
    if (start > 2) sides.sender.has_heard_taken(start - 2);
    CHECK_EQUAL(sides.send(start, true), 2u);
    CHECK_EQUAL(sides.receive(start), 3u);
    CHECK_EQUAL(lines([&] { CHECK(sides.sender.is_taken()); }), 1u);
  }
}
