// A description that throws while it reads, wherever it does: what it had named by then is freed, once.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "deep/unit/leaf.hpp"

using namespace deep_tests;

namespace {

struct throws_somewhere {
  int throws_after = 0;  // so many verbs; 0: never
  leaf* own = nullptr;
  leaf* several = nullptr;
  int n = 0;
  leaf* common = nullptr;
  std::vector<leaf*> links;
  std::unique_ptr<leaf> owner;
  leaf* seen = nullptr;
  std::shared_ptr<leaf> drawn, drawn_again;
  std::map<std::string, leaf> by_name;
  leaf inside;
  std::unique_ptr<leaf[]> array;
  std::vector<leaf*> named_one_by_one;
  leaf* now = nullptr;
  counted here;
  std::string text = "a text that is too long to lie in the string itself";

  static constexpr int verbs = 15;
  template <class Message> void describe(Message& m) {
    int so_far = 0;
    const auto then = [&] {
      if constexpr (Message::reads)
        if (++so_far == throws_after) throw 42;
    };
    m.owned(own), then();
    m.owned(several, n), then();
    m.shared(common), then();
    m(links), then();
    m.shared(owner), then();
    m.observed(seen), then();
    m(drawn), then();
    m(drawn_again), then();
    m(by_name), then();
    m(inside), then();
    m.owned(array, n), then();
    m.owned(named_one_by_one), then();
    m.owned_now(now), then();
    m.skip(here), then();
    m(text), then();
  }
};

void fill(std::vector<throws_somewhere>& all, leaf* common) {
  for (auto& x : all) {
    x.own = new_leaf(60);
    x.n = 2;
    x.several = new_leaves(2);
    x.common = common;
    x.links = {common, new_leaf(3), common};
    x.owner.reset(new_leaf(4));
    x.seen = x.owner.get();
    x.drawn = x.drawn_again = &x == &all[0] ? std::shared_ptr<leaf>(new_leaf(5)) : all[0].drawn;
    x.by_name["a name that is too long to lie in the string itself"];
    x.array.reset(new leaf[2]);
    x.named_one_by_one = {new_leaf(6), nullptr};
    x.now = new_leaf(7);
  }
}

void throw_everywhere(bool in_arena) {
  for (int after = 0; after <= throws_somewhere::verbs; ++after)
    for (const std::size_t which : {0, 1, 2}) {
      {
        std::vector<throws_somewhere> x(3), y;
        fill(x, new_leaf(1));
        x[which].throws_after = after;
        const auto bytes = packed(x);
        wherry::deep::destroy(x);
        wherry::deep::arena arena;
        int thrown = 0;
        try {
          read_from(bytes, y, {.arena = in_arena ? &arena : nullptr});
        } catch (int number) {
          thrown = number;
        }
        CHECK_EQUAL(thrown, after == 0 ? 0 : 42);
        if (!in_arena) wherry::deep::destroy(y);
      }
      CHECK_EQUAL(counted::alive(), 0);
    }
}

}  // namespace

WHERRY_UNIT_TEST(deep_what_a_description_that_throws_had_named) { throw_everywhere(false); }
WHERRY_UNIT_TEST(deep_what_a_description_that_throws_had_named_in_an_arena) { throw_everywhere(true); }
