#include "floor_plan_file.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

#include "wherry/core/error.hpp"

#include "harness/arguments.hpp"
#include "harness/text.hpp"

namespace planning {
namespace {

constexpr std::size_t longest = std::size_t{1} << 30;

/// Walks along the text, and throws at the first place that is not as expected.
class reader {
 public:
  reader(std::string_view all, const std::string& path) : rest_(all), size_(all.size()), path_(path) {}

  [[noreturn]] void refuse(std::string_view expected) const {
    throw bench::usage_error(bench::text("'", path_, "', byte ", size_ - rest_.size(), ": expected ", expected,
                                         "; it should be what floor_plan::to_json() gives"));
  }
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\r' || rest_[0] == '\t'))
      rest_.remove_prefix(1);
  }
  bool next_is(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void take(std::string_view word) {
    if (!next_is(word)) refuse(bench::text('\'', word, '\''));
  }
  std::int64_t number() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    constexpr std::int64_t most = std::int64_t{1} << 40;  // so that sums and products of a few make sense
    if (status != std::errc{} || value > most || value < -most) refuse("a number up to 2^40");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  int small_number() {
    const auto value = number();
    if (value < 0 || value > (1 << 24)) refuse("a number from 0 to 2^24");
    return static_cast<int>(value);
  }
  std::vector<std::int64_t> list(std::size_t length) {
    std::vector<std::int64_t> all;
    take("[");
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) take(",");
      all.push_back(number());
    }
    take("]");
    return all;
  }
  bool at_end() {
    skip_space();
    return rest_.empty();
  }

 private:
  std::string_view rest_;
  std::size_t size_;
  const std::string& path_;
};

}  // namespace

std::vector<listed_box> read_floor_plan(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw bench::usage_error("cannot read '" + path + "'");
  std::string all;
  all.assign(std::istreambuf_iterator<char>(in), {});
  if (all.size() > longest) throw bench::usage_error("'" + path + "' is longer than a floor plan can be");
  reader from(all, path);
  from.take(R"({"kind":"floor_plan","dimensions":)");
  const int dimensions = from.small_number();
  if (dimensions < 1 || dimensions > 4) from.refuse("1 to 4 dimensions");
  from.take(R"(,"size":)");
  from.small_number();
  from.take(R"(,"complete":true,"boxes":[)");
  std::vector<listed_box> boxes;
  for (bool first = true; !from.next_is("]"); first = false) {
    if (!first) from.take(",");
    listed_box box;
    from.take(R"({"number":)");
    if (from.small_number() != static_cast<int>(boxes.size())) from.refuse("boxes in order");
    from.take(R"(,"owner":)");
    box.owner = from.small_number();
    from.take(R"(,"lower":)");
    box.lower = from.list(static_cast<std::size_t>(dimensions));
    from.take(R"(,"upper":)");
    box.upper = from.list(static_cast<std::size_t>(dimensions));
    from.take("}");
    boxes.push_back(std::move(box));
  }
  from.take("}");
  if (!from.at_end()) from.refuse("the end");
  if (boxes.empty()) from.refuse("boxes");
  return boxes;
}

}  // namespace planning
