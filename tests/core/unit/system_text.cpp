// What the system says of itself, and numbers in texts.
#include "core/system_text.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "core/rank_lives.hpp"
#include "core/whole_number.hpp"
#include "harness/harness.hpp"

using wherry::system_text;
using wherry::whole_number;

WHERRY_UNIT_TEST(system_text_is_read_to_its_end_or_as_far_as_asked) {
  const std::string path = std::filesystem::temp_directory_path() / "wherry-system-text";
  for (const std::size_t length : {0, 1, 4095, 4096, 4097, 20000}) {
    const std::string all(length, 'x');
    std::ofstream(path) << all;
    CHECK(system_text(path) == all);
    CHECK(system_text(path, 4096) == all.substr(0, 4096));
    CHECK(system_text(path, 10) == all.substr(0, 10));
  }
  std::filesystem::remove(path);
  CHECK(system_text(path).empty());
  CHECK(system_text(std::filesystem::temp_directory_path()).empty());
  CHECK(!system_text("/proc/self/status").empty());
}

WHERRY_UNIT_TEST(system_tells_a_process_what_it_is) {
  const auto& self = wherry::process_identity::own();
  CHECK(self.number == getpid());
  CHECK(self.start != 0);
  CHECK(self.name_space != 0);
  wherry::watched_process watched(self);
  CHECK(!watched.has_ended());
  auto another = self;  // that had this number before
  ++another.start;
  CHECK(wherry::watched_process(another).has_ended());
}

WHERRY_UNIT_TEST(whole_numbers_are_numbers_and_nothing_else) {
  CHECK(whole_number<int>("17") == 17);
  CHECK(whole_number<int>("-17") == -17);
  CHECK(whole_number<double>("0.5") == 0.5);
  for (const char* text : {"", " 1", "1 ", "1x", "x", "0x10", "+1", "1.5", "99999999999", "-"})
    CHECK(!whole_number<int>(text).has_value());
  CHECK(!whole_number<std::uint64_t>("-1").has_value());
  CHECK(whole_number<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(!whole_number<double>("nan").has_value());
  CHECK(!whole_number<double>("inf").has_value());
  CHECK(whole_number("3", 3, 5) == 3 && whole_number("5", 3, 5) == 5);
  CHECK(!whole_number("2", 3, 5).has_value() && !whole_number("6", 3, 5).has_value());
}
