// Classes whose operator& is not for us: smart handles, proxies and expressions overload it.
#include <array>
#include <cstddef>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "deep/unit/support.hpp"

using namespace deep_tests;

namespace {

/// All of it is deleted, so that whatever uses it does not compile.
struct unaddressable {
  void operator&() const = delete;
};

struct flat_handle {
  void operator&() const = delete;
  int value = 0;
  auto operator<=>(const flat_handle& other) const { return value <=> other.value; }
  bool operator==(const flat_handle& other) const { return value == other.value; }
};

struct handle : unaddressable {
  int value = 0;
  std::string name;
  template <class Message> void describe(Message& m) { m(name); }
  bool operator==(const handle& other) const { return value == other.value && name == other.name; }
  bool operator<(const handle& other) const { return value < other.value; }
};
struct aggregate {
  void operator&() const = delete;
  handle part;
  std::vector<flat_handle> list;
  bool operator==(const aggregate&) const = default;
};

struct shape : unaddressable {
  virtual ~shape() = default;
  int number = 0;
  template <class Message> void describe(Message& m) { m(number); }
};
struct circle : shape {
  handle centre;
  template <class Message> void describe(Message& m) { m.template base<shape>(*this), m(centre); }
};
const wherry::deep::registered<circle, shape> circle_is_known("unaddressable circle");

struct known_to_itself : unaddressable, std::enable_shared_from_this<known_to_itself> {
  int number = 0;
  template <class Message> void describe(Message& m) { m(number); }
};

handle handle_of(int value) {
  handle x;
  x.value = value;
  x.name = std::string(30, 'h');
  return x;
}
flat_handle flat_of(int value) {
  flat_handle x;
  x.value = value;
  return x;
}

/// Each verb once.
struct all_verbs : unaddressable {
  handle plain;
  handle *one = nullptr, *several = nullptr, *shared = nullptr, *again = nullptr, *now = nullptr, *shared_now = nullptr;
  handle* inside = nullptr;
  flat_handle* flat = nullptr;
  std::unique_ptr<handle> owner;
  std::unique_ptr<handle[]> owners;
  std::vector<handle*> pointers;
  std::vector<handle> sized;
  handle stays;
  int n = 0;
  template <class Message> void describe(Message& m) {
    m(plain);
    m.owned(one);
    m.owned(several, n);
    m.shared(shared);
    m.observed(again);
    m.owned_now(now);
    m.shared_now(shared_now);
    m.points_into(inside, several, n);
    m.owned(flat, n);
    m.shared(owner);
    m.owned(owners, n);
    m.owned(pointers);
    m.sized(sized);
    for (auto& each : sized) m(each);
    m.skip(stays);
  }
};

}  // namespace

WHERRY_UNIT_TEST(deep_no_operator_of_the_users_gives_an_address) {
  const handle h = handle_of(7);
  const flat_handle f = flat_of(8);
  CHECK(comes_back(h));
  CHECK(comes_back(f));
  aggregate whole;
  whole.part = h;
  whole.list = {f, f};
  CHECK(comes_back(whole));
  CHECK(comes_back(std::vector{h, h}));
  CHECK(comes_back(std::vector{f, f}));
  CHECK(comes_back(std::vector{whole, whole}));
  CHECK(comes_back(std::deque{h, h}));
  CHECK(comes_back(std::list{h, h}));
  CHECK(comes_back(std::list{f, f}));
  CHECK(comes_back(std::forward_list{h, h}));
  CHECK(comes_back(std::array{h, h}));
  CHECK(comes_back(std::set{h}));
  CHECK(comes_back(std::set{f}));
  CHECK(comes_back(std::map<int, handle>{{1, h}}));
  CHECK(comes_back(std::map<handle, flat_handle>{{h, f}}));
  CHECK(comes_back(std::optional{h}));
  CHECK(comes_back(std::variant<int, handle, flat_handle>(h)));
  CHECK(comes_back(std::tuple{1, h}));
  CHECK(comes_back(std::pair{f, h}));
}

WHERRY_UNIT_TEST(deep_pointers_to_classes_with_an_operator_of_their_own) {
  auto owner = std::make_unique<handle>(handle_of(3));
  CHECK(*copy_of(owner) == *owner);
  std::vector<std::shared_ptr<handle>> twice(2, std::make_shared<handle>(handle_of(4)));
  const auto copies = copy_of(twice);
  CHECK(*copies[0] == *twice[0] && copies[0] == copies[1]);
  std::unique_ptr<shape> any = std::make_unique<circle>();
  any->number = 5;
  const auto copy = copy_of(any);
  CHECK(dynamic_cast<circle&>(*copy).number == 5);
  auto knows = std::make_shared<known_to_itself>();
  knows->number = 6;
  CHECK(copy_of(knows)->number == 6);
}

WHERRY_UNIT_TEST(deep_all_verbs_on_classes_with_an_operator_of_their_own) {
  all_verbs x, y;
  x.n = 2;
  x.plain = handle_of(1);
  x.one = new handle(handle_of(2));
  x.several = new handle[2]{handle_of(3), handle_of(4)};
  x.shared = x.again = new handle(handle_of(5));
  x.now = new handle(handle_of(6));
  x.shared_now = new handle(handle_of(7));
  x.inside = x.several + 1;
  x.flat = new flat_handle[2]{flat_of(8), flat_of(9)};
  x.owner = std::make_unique<handle>(handle_of(10));
  x.owners = std::make_unique<handle[]>(2);
  x.owners[1] = handle_of(11);
  x.pointers = {new handle(handle_of(12))};
  x.sized = {handle_of(13), handle_of(14)};
  read_from(packed(x), y);
  CHECK(y.plain == x.plain && *y.one == *x.one && y.several[1] == x.several[1]);
  CHECK(y.again == y.shared && *y.shared == *x.shared && *y.now == *x.now && *y.shared_now == *x.shared_now);
  CHECK(y.inside == y.several + 1 && y.flat[1] == x.flat[1] && *y.owner == *x.owner && y.owners[1] == x.owners[1]);
  CHECK(*y.pointers[0] == *x.pointers[0] && y.sized == x.sized);
  wherry::deep::destroy(x);
  wherry::deep::destroy(y);
}
