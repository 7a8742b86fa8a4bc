// Objects behind pointers to a base: they come back as what they are, shared as they were.
#include <memory>
#include <string>
#include <vector>

#include "deep/unit/support.hpp"

using namespace deep_tests;
using wherry::deep::destroy;

namespace {

struct shape {
  int id = 0;
  std::string name;
  virtual ~shape() = default;
  virtual double area() const = 0;
  template <class Message> void describe(Message& m) { m(id, name); }
};
struct labelled {
  std::string label = "none";
  virtual ~labelled() = default;
  template <class Message> void describe(Message& m) { m(label); }
};
struct square final : shape {
  double side = 0;
  counted alive;
  double area() const override { return side * side; }
  template <class Message> void describe(Message& m) {
    m.template base<shape>(*this);
    m(side);
    m.skip(alive);
  }
};
// Its second base does not begin where the object begins.
struct group final : shape, labelled {
  std::vector<shape*> members;
  std::unique_ptr<shape> own;
  labelled* itself = nullptr;
  counted alive;
  double area() const override {
    double sum = own ? own->area() : 0;
    for (const shape* s : members) sum += s->area();
    return sum;
  }
  template <class Message> void describe(Message& m) {
    m.template base<shape>(*this);
    m.template base<labelled>(*this);
    m(members, own);
    m.shared(itself);
    m.skip(alive);
  }
};
struct unregistered final : shape {
  double area() const override { return 0; }
  template <class Message> void describe(Message& m) { m.template base<shape>(*this); }
};

const wherry::deep::registered<square, shape> square_is_known("square");
const wherry::deep::registered<group, shape, labelled> group_is_known("group");

// A class with virtual functions that is met as itself needs no registration.
struct alone {
  int n = 0;
  std::string text;
  alone* next = nullptr;
  virtual ~alone() = default;
  virtual int twice() const { return 2 * n; }
  template <class Message> void describe(Message& m) {
    m(n, text);
    m.owned(next);
  }
};
struct holds_alone {
  int before = 1;
  alone inside;
  std::vector<alone> several;
  int after = 2;
  template <class Message> void describe(Message& m) { m(inside, several); }
};

square* new_square(double side) {
  auto* s = new square;
  s->side = side;
  s->name = "a square with a long enough name";
  return s;
}

}  // namespace

WHERRY_UNIT_TEST(deep_classes_behind_their_base) {
  auto* const g = new group;
  g->label = "group";
  auto* const two = new_square(2);
  g->members = {two, new_square(3), two, g};
  g->own = std::make_unique<square>();
  g->itself = g;
  g->members.pop_back();
  shape* root = g;
  shape* copy = nullptr;
  read_from(packed(root), copy);
  REQUIRE(copy != nullptr);
  auto* const there = dynamic_cast<group*>(copy);
  REQUIRE(there != nullptr && there->members.size() == 3);
  CHECK_EQUAL(there->area(), root->area());
  CHECK(there->members[2] == there->members[0]);
  CHECK_EQUAL(there->members[1]->name, two->name);
  CHECK_EQUAL(there->label, "group");
  CHECK(there->itself == there);
  destroy(copy);
  destroy(root);
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_classes_in_smart_pointers) {
  {
    std::vector<std::shared_ptr<shape>> shapes{std::make_shared<square>(), nullptr, std::make_shared<group>()};
    shapes.push_back(shapes[0]);
    dynamic_cast<square&>(*shapes[0]).side = 4;
    std::vector<std::shared_ptr<shape>> copy;
    read_from(packed(shapes), copy);
    REQUIRE(copy.size() == 4);
    CHECK(copy[3] == copy[0] && copy[1] == nullptr);
    CHECK_EQUAL(copy[0]->area(), 16);
    CHECK(dynamic_cast<group*>(copy[2].get()) != nullptr);
    std::unique_ptr<shape> one(new_square(5)), other;
    read_from(packed(one), other);
    CHECK_EQUAL(other->area(), 25);
  }
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_classes_in_an_arena) {
  {
    wherry::deep::arena arena;
    std::vector<shape*> shapes{new_square(1), new_square(2)};
    std::vector<shape*> copy;
    read_from(packed(shapes), copy, {.arena = &arena});
    CHECK_EQUAL(copy[1]->area(), 4);
    copy.clear();
    destroy(shapes);
    CHECK_EQUAL(counted::alive(), 2);
  }
  CHECK_EQUAL(counted::alive(), 0);
}

WHERRY_UNIT_TEST(deep_classes_nobody_registered) {
  std::unique_ptr<shape> stranger = std::make_unique<unregistered>();
  memory_sink sink;
  CHECK_THROWS_WITH(wherry::deep::pack(sink, stranger), "is not registered");
  std::unique_ptr<labelled> base_only;
  std::unique_ptr<shape> square_there = std::make_unique<square>();
  // A square is no labelled.
  CHECK_THROWS_WITH(read_from(packed(square_there), base_only), "not registered with the base");
  CHECK(base_only == nullptr);
  CHECK_THROWS_WITH((wherry::deep::registered<unregistered, shape>("square")), "collides");
  CHECK_EQUAL(counted::alive(), 1);
}

WHERRY_UNIT_TEST(deep_virtual_classes_met_as_themselves) {
  holds_alone x, y;
  x.inside.n = 21;
  x.inside.text = "inside, in a text of some length";
  x.inside.next = new alone;
  x.inside.next->n = 4;
  x.several.resize(3);
  x.several[2].text = "third";
  x.after = 9;
  read_from(packed(x), y);
  CHECK_EQUAL(y.inside.twice(), 42);
  CHECK_EQUAL(y.inside.text, x.inside.text);
  CHECK_EQUAL(y.inside.next->twice(), 8);
  CHECK_EQUAL(y.several[2].text, "third");
  CHECK_EQUAL(y.after, 9);
  destroy(x);
  destroy(y);
}
