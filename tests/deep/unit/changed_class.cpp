// A class with a description has changed, though not its name nor its size: its files are not read as what they are
// not.
#include <sstream>
#include <string>

#include "deep/unit/changed/weather.hpp"
#include "harness/harness.hpp"

using namespace weather_tests;

WHERRY_UNIT_TEST(files_of_a_class_that_has_changed) {
  std::stringstream same;
  as_it_was.write(same);
  const std::string file = same.str();
  as_it_was.read(same);
  std::stringstream other_words(file);
  renamed_members.read(other_words);
  for (const moment* now : {&members_swapped, &names_swapped, &float_turned_int, &shared_now}) {
    std::stringstream before(file);
    CHECK_THROWS_WITH(now->read(before), "of another type");
    std::stringstream mine;
    now->write(mine);
    now->read(mine);
  }
}

namespace {

struct numbers {
  int first = 0;
  std::vector<int> list;
  void describe(auto& m) { m(list); }
};

}  // namespace

WHERRY_UNIT_TEST(the_fingerprint_of_a_class_is_the_same_each_time) {
  CHECK(wherry::deep::detail::type_fingerprint<numbers>() == wherry::deep::detail::type_fingerprint<numbers>());
  CHECK(wherry::deep::detail::type_fingerprint<numbers>() != wherry::deep::detail::type_fingerprint<numbers*>());
}
