// Floor plans and motion plans as JSON and as tables.
#include <cstdlib>

#include "wherry/motion/motion_plan.hpp"

#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry::floor_plan;
using wherry_test::random_numbers;

namespace {

// Reads JSON by its grammar (numbers, texts without escapes, true, false, lists, objects), and keeps the numbers.
class json_reader {
 public:
  explicit json_reader(std::string text) : text_(std::move(text)) {}

  // Whether the whole of it is one value.
  bool valid() { return value() && (skip_space(), at_ == text_.size()); }
  const std::vector<index_t>& numbers() const { return numbers_; }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(std::string_view word) {
    skip_space();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  bool name() {
    if (!take("\"")) return false;
    while (at_ < text_.size() && text_[at_] != '"')
      if (text_[at_++] == '\\') return false;
    return take("\"");
  }
  bool number() {
    skip_space();
    char* end = nullptr;
    const auto found = std::strtoll(text_.c_str() + at_, &end, 10);
    if (end == text_.c_str() + at_) return false;
    at_ = static_cast<std::size_t>(end - text_.c_str());
    numbers_.push_back(found);
    return true;
  }
  template <class Item> bool items(std::string_view close, Item item) {
    if (take(close)) return true;
    do
      if (!item()) return false;
    while (take(","));
    return take(close);
  }
  bool value() {
    if (take("{")) return items("}", [&] { return name() && take(":") && value(); });
    if (take("[")) return items("]", [&] { return value(); });
    return take("true") || take("false") || name() || number();
  }

  std::string text_;
  std::size_t at_ = 0;
  std::vector<index_t> numbers_;
};

template <int N> void append(std::vector<index_t>& numbers, const box<N>& b) {
  numbers.insert(numbers.end(), b.lower.begin(), b.lower.end());
  numbers.insert(numbers.end(), b.upper.begin(), b.upper.end());
}

template <int N> std::vector<index_t> numbers_of(const floor_plan<N>& plan) {
  std::vector<index_t> numbers{N, plan.size()};
  for (int place = 0; place < plan.known(); ++place) {
    const int number = plan.number_of(place);
    numbers.insert(numbers.end(), {number, plan.owner(number)});
    append(numbers, plan[number]);
  }
  return numbers;
}

floor_plan<2> two_boxes() { return {{{{0, 0}, {4, 2}}, {{4, 0}, {6, 2}}}, {0, 3}}; }

bool mentions(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

WHERRY_UNIT_TEST(floor_plans_as_json) {
  std::string flat = two_boxes().to_json();
  std::erase(flat, '\n');
  CHECK_EQUAL(flat, R"({"kind":"floor_plan","dimensions":2,"size":2,"complete":true,"boxes":[)"
                    R"({"number":0,"owner":0,"lower":[0,0],"upper":[4,2]},)"
                    R"({"number":1,"owner":3,"lower":[4,0],"upper":[6,2]}]})");
  for_all_dimensions(test, 10, []<int N>(random_numbers& random) {
    floor_plan<N> whole;
    for (int i = random.between(0, 6); i > 0; --i) whole.add(random_box<N>(random), random.between(0, 5));
    const floor_plan<N> part(9, {2, 7}, {random_box<N>(random), random_box<N>(random)}, {1, 0});
    for (const auto& plan : {whole, part}) {
      json_reader json(plan.to_json());
      CHECK(json.valid());
      CHECK_EQUAL(json.numbers(), numbers_of(plan));
      CHECK_EQUAL(mentions(plan.to_json(), "\"complete\":true"), plan.complete());
    }
  });
}

WHERRY_UNIT_TEST(motion_plans_as_json) {
  for_all_dimensions(test, 10, []<int N>(random_numbers& random) {
    floor_plan<N> from, to;
    for (int i = 0; i < 3; ++i) from.add(random_box<N>(random), i), to.add(random_box<N>(random), 2 - i);
    wherry::motion_plan<N> plan;
    auto numbers = numbers_of(from);
    numbers.insert(numbers.begin(), N);
    const auto second = numbers_of(to);
    numbers.insert(numbers.end(), second.begin(), second.end());
    for (int k = random.between(0, 4); k > 0; --k) {
      wherry::motion<N> e{random.between(0, 2), random.between(0, 2), random_box<N>(random), random_box<N>(random),
                          wherry::same_axes<N>()};
      random.shuffle(e.axes);
      plan.add(e);
      numbers.push_back(e.from);
      append(numbers, e.source);
      numbers.push_back(e.to);
      append(numbers, e.destination);
      numbers.insert(numbers.end(), e.axes.begin(), e.axes.end());
    }
    json_reader json(plan.to_json(from, to));
    CHECK(json.valid());
    CHECK_EQUAL(json.numbers(), numbers);
  });
}

WHERRY_UNIT_TEST(floor_plans_as_tables) {
  const auto text = two_boxes().explain();
  CHECK(mentions(text, "2 boxes, 12 cells in [0:6,0:2)"));
  CHECK(mentions(text, "8  [0:4,0:2)"));
  CHECK(mentions(text, "imbalance 2.667"));  // 8 over 12 / 4
  CHECK(mentions(text, "4 ranks, 2 of which own none"));
  CHECK(mentions(two_boxes().explain(1), "… and 1 more"));
  CHECK(!mentions(text, "more"));
  CHECK(mentions(floor_plan<2>(9, {4}, {{{0, 0}, {4, 2}}}, {1}).explain(), "9 boxes, 1 of them known here"));
  CHECK(mentions(floor_plan<3>().explain(), "0 boxes"));
}

WHERRY_UNIT_TEST(motion_plans_as_tables) {
  wherry::motion_plan<2> plan;
  plan.copy(0, 1, {{3, 0}, {4, 2}});
  plan.copy(1, {{4, 0}, {6, 1}}, 1, {{4, 1}, {6, 2}});
  plan.add({0, 1, {{0, 0}, {2, 1}}, {{0, 0}, {1, 2}}, {1, 0}});
  const auto text = plan.explain(two_boxes(), two_boxes());
  CHECK(mentions(text, "3 entries, 6 points, 2 of them between boxes of one rank"));
  CHECK(mentions(text, "rank 0 → rank 3: 2 entries, 4 points"));
  CHECK(mentions(text, "box 0 [0:2,0:1) → box 1 [0:1,0:2), along source axes 1 0"));
  const auto brief = plan.explain(two_boxes(), two_boxes(), 1);
  CHECK(mentions(brief, "… and 2 more") && mentions(brief, "rank 3 → rank 3: 1 entry, 2 points"));
  const floor_plan<2> part(2, {0}, {{{0, 0}, {4, 2}}}, {0});
  CHECK(mentions(plan.explain(part, part), "rank 0 → rank ?"));
}
