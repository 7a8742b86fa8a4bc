// Types that are not the same have not the same fingerprint.
#include <string>
#include <utility>
#include <vector>

#include "wherry/deep/fingerprint.hpp"
#include "wherry/deep/pack.hpp"

#include "harness/harness.hpp"

using wherry::deep::array;

namespace {

struct text_and_number {
  std::string text;
  int number = 0;
  void describe(auto& m) { m(text); }
};
struct number_and_text {
  int number = 0;
  std::string text;
  void describe(auto& m) { m(text); }
};

struct integer_first {
  int a;
  float b[2];
};
struct integer_last {
  float b[2];
  int a;
};
// Nobody can tell these apart.
struct width_and_height {
  int w, h;
};
struct height_and_width {
  int h, w;
};
struct with_versions {
  int h, w;
};

}  // namespace
template <> inline constexpr unsigned wherry::deep::version<with_versions> = 2;

WHERRY_UNIT_TEST(deep_type_fingerprints) {
  using wherry::deep::detail::type_fingerprint;
  CHECK(type_fingerprint<int>() == type_fingerprint<const int&>());
  CHECK(type_fingerprint<int>() != type_fingerprint<float>());
  CHECK(type_fingerprint<std::vector<int>>() != type_fingerprint<std::vector<short>>());
  CHECK(type_fingerprint<text_and_number>() != type_fingerprint<number_and_text>());
  CHECK(type_fingerprint<text_and_number*>() != type_fingerprint<text_and_number>());
  CHECK(type_fingerprint<integer_first>() != type_fingerprint<integer_last>());
  CHECK(type_fingerprint<std::vector<integer_first[2]>>() != type_fingerprint<std::vector<integer_last[2]>>());
  CHECK(type_fingerprint<std::pair<int, float>>() != type_fingerprint<std::pair<float, int>>());
  CHECK(type_fingerprint<width_and_height>() == type_fingerprint<height_and_width>());
  CHECK(type_fingerprint<with_versions>() != type_fingerprint<height_and_width>());
  CHECK(type_fingerprint<std::vector<with_versions>>() != type_fingerprint<std::vector<height_and_width>>());
  int* p = nullptr;
  int n = 0;
  const auto lvalue = array(p, n);
  const auto constant = array(p, 3);
  CHECK(type_fingerprint<decltype(lvalue)>() == type_fingerprint<decltype(constant)>());
}
