// Smart pointers, and raw ones that observe what they own.
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "deep/unit/leaf.hpp"

using namespace deep_tests;

namespace {

struct knows_parent {
  int value = 0;
  std::vector<std::unique_ptr<knows_parent>> ignored;
  std::unique_ptr<knows_parent> left, right;
  knows_parent* parent = nullptr;
  template <class Message> void describe(Message& m) {
    m(ignored);
    m.shared(left);
    m.shared(right);
    m.observed(parent);
  }
};
struct shares_parent {
  std::vector<std::shared_ptr<shares_parent>> children;
  std::weak_ptr<shares_parent> weak_parent;
  shares_parent* parent = nullptr;
  std::string name;
  counted alive;
  template <class Message> void describe(Message& m) {
    m(children, weak_parent, name);
    m.observed(parent);
    m.skip(alive);
  }
};

// Owners in containers, whom others know.
struct band {
  std::vector<std::unique_ptr<std::string>> members;
  std::list<std::unique_ptr<std::string>> guests;
  std::vector<std::string*> on_stage;
  std::string* singer = nullptr;
  void describe(auto& m) {
    m.shared(members);
    m.shared(guests);
    m.sized(on_stage);
    for (auto*& each : on_stage) m.observed(each);
    m.observed(singer);
  }
};

// What it owns others may observe.
struct holder_of_leaf {
  std::shared_ptr<leaf> inside;
  void describe(auto& m) { m(inside); }
};
struct watches_inside {
  std::weak_ptr<holder_of_leaf> weak;
  leaf* seen = nullptr;
  void describe(auto& m) {
    m(weak);
    m.observed(seen);
  }
};
struct watches_only {
  leaf* seen = nullptr;
  leaf* shared = nullptr;
  void describe(auto& m) {
    m.observed(seen);
    m.shared(shared);
  }
};

// They can ask for their owner, and do not only by bytes consist of what they name.
struct self_aware : std::enable_shared_from_this<self_aware> {
  int number = 0;
  std::weak_ptr<self_aware> next;
  self_aware* before = nullptr;
  std::unique_ptr<std::string> name;
  void describe(auto& m) {
    m(number, next);
    m.observed(before);
    m.owned(name);
  }
};
struct aware_shape : std::enable_shared_from_this<aware_shape> {
  virtual ~aware_shape() = default;
  int sides = 0;
  void describe(auto& m) { m(sides); }
};
struct aware_square : aware_shape {
  double width = 0;
  void describe(auto& m) {
    m.template base<aware_shape>(*this);
    m(width);
  }
};
const wherry::deep::registered<aware_square, aware_shape> aware_square_is_known("aware square");

// Met through a base that knows nothing of owners.
struct plain_shape {
  virtual ~plain_shape() = default;
  void describe(auto&) {}
};
struct aware_circle : plain_shape, std::enable_shared_from_this<aware_circle> {
  void describe(auto&) {}
};
const wherry::deep::registered<aware_circle, plain_shape> aware_circle_is_known("aware circle");

struct in_one_arena {
  std::vector<std::unique_ptr<std::string>> owners;
  self_aware* alone = nullptr;
  void describe(auto& m) {
    m.shared(owners);
    m.owned(alone);
  }
};

struct watcher {
  std::weak_ptr<int> weak;
  int* seen = nullptr;
  std::weak_ptr<int> weak_again;
  std::shared_ptr<int> strong;
  void describe(auto& m) {
    m(weak);
    m.observed(seen);
    m(weak_again, strong);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_unique_owners_with_observers) {
  auto root = std::make_unique<knows_parent>();
  root->value = 1;
  root->left = std::make_unique<knows_parent>();
  root->left->parent = root.get();
  root->left->right = std::make_unique<knows_parent>();
  root->left->right->parent = root->left.get();
  root->left->right->value = 3;
  knows_parent copy;
  read_from(packed(*root), copy);
  REQUIRE(copy.left && copy.left->right);
  CHECK(copy.left->parent == &copy);
  CHECK(copy.left->right->parent == copy.left.get());
  CHECK_EQUAL(copy.left->right->value, 3);

  // Somebody points to what nobody owns.
  knows_parent stranger;
  root->parent = &stranger;
  knows_parent orphan;
  CHECK_THROWS_WITH(read_from(packed(*root), orphan), "owned by nothing");
  CHECK(orphan.left == nullptr && orphan.parent == nullptr);
}

WHERRY_UNIT_TEST(deep_shared_and_weak_owners) {
  {
    auto root = std::make_shared<shares_parent>();
    root->name = "root";
    for (int i = 0; i < 3; ++i) {
      auto child = std::make_shared<shares_parent>();
      child->name = std::to_string(i);
      child->parent = root.get();
      child->weak_parent = root;
      root->children.push_back(child);
    }
    root->children.push_back(root->children[0]);
    std::shared_ptr<shares_parent> copy;
    read_from(packed(root), copy);
    REQUIRE(copy != nullptr && copy->children.size() == 4);
    CHECK(copy->children[3] == copy->children[0]);
    CHECK_EQUAL(copy->children[0].use_count(), 2);
    CHECK(copy->children[1]->parent == copy.get());
    CHECK(copy->children[2]->weak_parent.lock() == copy);
    CHECK_EQUAL(copy.use_count(), 1);
    CHECK_EQUAL(copy->children[2]->name, "2");
    CHECK_EQUAL(counted::alive(), 8);
  }
  CHECK_EQUAL(counted::alive(), 0);
  CHECK(comes_back(std::vector<std::shared_ptr<int>>(3)));
  std::weak_ptr<int> nowhere;
  CHECK(copy_of(nowhere).expired());
}

// Who only observes, and only weakly: somebody outside owns it, and in the copy nobody would.
WHERRY_UNIT_TEST(deep_weakly_held_and_observed) {
  const auto outside = std::make_shared<int>(3);
  watcher x{outside, outside.get(), outside, nullptr}, y;
  CHECK_THROWS_WITH(read_from(packed(x), y), "only weak pointers point to");
  CHECK(y.seen == nullptr && y.weak.expired());
  watcher seen_first{{}, outside.get(), outside, nullptr};
  CHECK_THROWS_WITH(read_from(packed(seen_first), y), "only weak pointers point to");
  x.strong = outside;
  read_from(packed(x), y);
  CHECK(y.strong.get() == y.seen && y.weak.lock() == y.strong && *y.seen == 3);
}

WHERRY_UNIT_TEST(deep_owners_in_containers) {
  band x, y;
  for (const char* name : {"one", "two"}) {
    x.members.push_back(std::make_unique<std::string>(name));
    x.on_stage.push_back(x.members.back().get());
  }
  x.guests.push_back(std::make_unique<std::string>("guest"));
  x.singer = x.guests.back().get();
  x.on_stage.push_back(x.singer);
  read_from(packed(x), y);
  CHECK(y.on_stage[1] == y.members[1].get() && *y.on_stage[1] == "two");
  CHECK(y.singer == y.guests.front().get() && y.on_stage[2] == y.singer && *y.singer == "guest");
  wherry::deep::destroy(y);
  CHECK(y.members.empty() && y.singer == nullptr);
}

WHERRY_UNIT_TEST(deep_what_only_a_dying_object_owns) {
  {
    const auto outside = std::make_shared<holder_of_leaf>();
    outside->inside = std::make_shared<leaf>();
    watches_inside x{outside, outside->inside.get()}, y;
    CHECK_THROWS_WITH(read_from(packed(x), y), "only weak pointers point to");
    CHECK(y.seen == nullptr && y.weak.expired());
    watches_only only{outside->inside.get(), nullptr}, z;
    CHECK_THROWS_WITH(read_from(packed(only), z), "describe its owner by m.shared");
    CHECK(z.seen == nullptr);
  }
  CHECK_EQUAL(counted::alive(), 0);
}

// First observed, then shared: it lay outside of the arena by then.
WHERRY_UNIT_TEST(deep_observed_first_in_an_arena) {
  {
    const auto l = std::unique_ptr<leaf>(new_leaf(40));
    wherry::deep::arena memory;
    watches_only x{l.get(), l.get()}, y;
    read_from(packed(x), y, {.arena = &memory});
    CHECK(y.seen == y.shared && y.seen->name == l->name);
  }
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_objects_that_know_their_owner) {
  const int n = 10;
  std::vector<std::shared_ptr<self_aware>> x, y;
  for (int i = 0; i < n; ++i) x.push_back(std::make_shared<self_aware>());
  for (int i = 0; i < n; ++i) {
    auto& each = *x[static_cast<std::size_t>(i)];
    each.number = i;
    each.next = x[static_cast<std::size_t>((i + 1) % n)];
    each.before = x[static_cast<std::size_t>((i + n - 1) % n)].get();  // some of them before their owners are met
    each.name = std::make_unique<std::string>(std::to_string(i));
  }
  read_from(packed(x), y);
  for (int i = 0; i < n; ++i) {
    auto& each = *y[static_cast<std::size_t>(i)];
    CHECK(each.number == i && *each.name == std::to_string(i));
    CHECK(each.shared_from_this() == y[static_cast<std::size_t>(i)]);
    CHECK(each.next.lock() == y[static_cast<std::size_t>((i + 1) % n)]);
    CHECK(each.before->shared_from_this() == y[static_cast<std::size_t>((i + n - 1) % n)]);
  }
  std::vector<std::shared_ptr<aware_shape>> shapes{std::make_shared<aware_square>(), std::make_shared<aware_shape>()};
  const auto arrived = copy_of(shapes);
  for (const auto& each : arrived) CHECK(each->shared_from_this() == each);
  CHECK(dynamic_cast<aware_square*>(arrived[0].get()) != nullptr);
}

WHERRY_UNIT_TEST(deep_objects_that_know_another_owner) {
  std::vector<std::shared_ptr<plain_shape>> x{std::make_shared<aware_circle>()};
  const auto y = copy_of(x);
  const auto* circle = dynamic_cast<aware_circle*>(y[0].get());
  REQUIRE(circle != nullptr);
  CHECK(circle->shared_from_this() == y[0]);
  // A root that is owned already stays so.
  self_aware from;
  from.number = 5;
  const auto root = std::make_shared<self_aware>();
  read_from(packed(from), *root);
  CHECK(root->number == 5 && root->shared_from_this() == root);
}

WHERRY_UNIT_TEST(deep_owners_in_an_arena) {
  in_one_arena x, *y = nullptr, *from = &x;
  x.owners.push_back(std::make_unique<std::string>("text that is too long to lie in the string itself"));
  self_aware one;
  x.alone = &one;
  wherry::deep::arena memory;
  read_from(packed(from), y, {.arena = &memory});
  CHECK_EQUAL(*y->owners[0], *x.owners[0]);
}
