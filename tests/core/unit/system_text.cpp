// What the system says of itself, and numbers in texts.
#include "core/system_text.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "core/number_alone.hpp"
#include "harness/harness.hpp"

using wherry::number_alone;
using wherry::system_text;

WHERRY_UNIT_TEST(system_text_is_read_to_its_end_or_as_far_as_asked) {
  const std::string path = std::filesystem::temp_directory_path() / ("wherry-system-text-" + std::to_string(getpid()));
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

WHERRY_UNIT_TEST(numbers_stand_alone) {
  CHECK(number_alone<int>("17") == 17);
  CHECK(number_alone<int>("-17") == -17);
  CHECK(number_alone<double>("0.5") == 0.5);
  for (const char* text : {"", " 1", "1 ", "1x", "x", "0x10", "+1", "1.5", "99999999999", "-"})
    CHECK(!number_alone<int>(text).has_value());
  CHECK(!number_alone<std::uint64_t>("-1").has_value());
  CHECK(number_alone<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(!number_alone<double>("nan").has_value());
  CHECK(!number_alone<double>("inf").has_value());
  CHECK(number_alone("3", 3, 5) == 3 && number_alone("5", 3, 5) == 5);
  CHECK(!number_alone("2", 3, 5).has_value() && !number_alone("6", 3, 5).has_value());
}
