// The file of what moving data costs: what is written is read again, other machines' parts stay, and nothing in it is
// trusted.
#include "wherry/transport/calibration.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::transports::calibration;

namespace {

calibration some(random_numbers& random) {
  calibration figures;
  const auto any = [&] { return static_cast<double>(random.between(0, 1000)) / 8; };  // few digits: written in full
  for (auto* costs : {&figures.on_node, &figures.between_nodes})
    for (auto& cost : *costs) cost = {any(), any(), any()};
  figures.long_row = random.between(1, 9999);
  figures.row_beyond_cache = random.between(1, 9999);
  figures.cached_lines = random.between(1, 9999);
  return figures;
}

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

WHERRY_UNIT_TEST(what_is_written_is_read_again) {
  random_numbers random(test.seed);
  for (int round = 0; round < 200; ++round) {
    const auto one = some(random), other = some(random), newer = some(random);
    auto file = wherry::transports::with_calibration("# a word of mine\n", one, "one, MPI 1", "first");
    file = wherry::transports::with_calibration(file, other, "other, MPI 1", "second");
    file = wherry::transports::with_calibration(file, newer, "one, MPI 1", "again");
    CHECK(file.starts_with("# a word of mine\n"));
    bool found = false;
    CHECK(wherry::transports::read_calibration(file, "one, MPI 1", found) == newer);
    CHECK(found);
    CHECK(wherry::transports::read_calibration(file, "other, MPI 1", found) == other);
    CHECK(found);
    CHECK(wherry::transports::read_calibration(file, "one, MPI", found) == calibration{});
    CHECK(!found);
  }
}

WHERRY_UNIT_TEST(what_it_does_not_say_is_the_default) {
  bool found = false;
  const auto read = wherry::transports::read_calibration(
      "machine here\r\n  on_node shared 1 2 3 # mine\n\nlong_row 64\n", "here", found);
  auto expected = calibration{};
  expected.on_node[calibration::shared] = {1, 2, 3};
  expected.long_row = 64;
  CHECK(read == expected);
  CHECK(wherry::transports::with_calibration("", calibration{}, "here", "").find("on_node") == std::string::npos);
}

WHERRY_UNIT_TEST(nobody_trusts_it) {
  const auto refused = [](const std::string& line, const std::string& words) {
    bool found = false;
    try {
      wherry::transports::read_calibration("machine there\nlong_row 8\n" + line + '\n', "here", found);
      FAIL("no error for: " + line);
    } catch (const wherry::error& problem) {
      const std::string said = problem.what();
      CHECK(problem.kind() == wherry::error_kind::argument);
      if (fault(said.find("line 3") == said.npos || said.find(words) == said.npos)) FAIL("says: " + said);
    }
  };
  refused("on_node shared 1 2", "expected 'on_node TRANSPORT MESSAGE BYTE BLOCK'");
  refused("on_node pigeon 1 2 3", "transport 'pigeon' has no figures");
  for (const char* const figure : {"-1", "nan", "inf", "1e7", "0x10", "1,5", "", "999999999999999999999e999"})
    refused(std::string("between_nodes shared 1 2 ") + (*figure != '\0' ? figure : "?"),
            "is not a number of microseconds");
  refused("long_row 0", "expected 'long_row NUMBER'");
  refused("cached_lines 99999999999999999999", "expected 'cached_lines NUMBER'");
  refused("cached_lines 1 2", "expected 'cached_lines NUMBER'");
  refused(std::string(100000, 'x'), "is not the name of a calibrated figure");
  random_numbers random(test.seed);
  const auto good = wherry::transports::with_calibration("", some(random), "here", "");
  for (int round = 0; round < 2000; ++round) {  // any damage is an error, or leaves figures of some sense
    auto bad = good;
    for (int hit = random.between(1, 4); hit > 0; --hit)
      bad[static_cast<std::size_t>(random.between(0, static_cast<int>(bad.size()) - 1))] =
          static_cast<char>(random.between(0, 255));
    bool found = false;
    try {
      const auto read = wherry::transports::read_calibration(bad, "here", found);
      for (const auto* costs : {&read.on_node, &read.between_nodes})
        for (const auto& cost : *costs) CHECK(cost.message >= 0 && cost.byte >= 0 && cost.block >= 0);
      CHECK(read.long_row > 0 && read.row_beyond_cache > 0 && read.cached_lines > 0);
    } catch (const wherry::error& problem) {
      CHECK(problem.kind() == wherry::error_kind::argument);
    }
  }
}

WHERRY_UNIT_TEST(a_file_that_is_asked_for_must_be_good) {
  const auto refused = [](const std::string& path, const std::string& words) {
    wherry::configure("calibration", path);
    try {
      wherry::transports::current_calibration();
      FAIL("no error for: " + path);
    } catch (const wherry::error& problem) {
      const std::string said = problem.what();
      if (fault(said.find(path) == said.npos || said.find(words) == said.npos)) FAIL("says: " + said);
    }
    wherry::configure("calibration", "0");
  };
  refused("/nowhere/calibration.txt", "there is no such file");
  refused("/tmp", "");
  const std::string path = "calibration_of_a_test.txt";
  std::ofstream(path) << "machine x\nlong_row much\n";
  refused(path, "line 2");
  std::ofstream(path) << std::string(2 << 20, '\n');
  refused(path, "2097152 bytes");
  std::remove(path.c_str());
}

WHERRY_UNIT_TEST(what_is_kept_is_gone_by) {
  const std::string path = "folder_of_a_test/calibration.txt";
  random_numbers random(test.seed);
  const auto mine = some(random), others = some(random);
  std::remove(path.c_str());
  wherry::transports::keep_calibration(path, others, "first");
  wherry::transports::keep_calibration(path, mine, "second");
  CHECK(content_of(path).find("first") == std::string::npos);
  wherry::configure("calibration", path);
  auto read = wherry::transports::current_calibration();
  CHECK(read.source.find(path) != std::string::npos);
  read.source = mine.source;
  CHECK(read == mine);
  wherry::configure("calibration", "0");
  CHECK(wherry::transports::current_calibration() == calibration{});
  std::remove(path.c_str());
}

// Where this machine has figures of its kind, and the file has none of it, those are taken as if there were no file.
WHERRY_UNIT_TEST(a_file_of_another_machine_says_nothing_of_this_one) {
  const std::string path = "calibration_of_another.txt";
  random_numbers random(test.seed);
  std::ofstream(path) << wherry::transports::with_calibration("", some(random), "another machine, MPI 1", "first");
  setenv("XDG_CACHE_HOME", "/nowhere", 1);
  wherry::configure("calibration", "");
  auto without = wherry::transports::current_calibration();
  wherry::configure("calibration", path);
  const auto with = wherry::transports::current_calibration();
  CHECK(with.source.find(path) != std::string::npos);
  CHECK(with.source.starts_with(without.source));
  without.source = with.source;
  CHECK(with == without);
  wherry::configure("calibration", "0");
  std::remove(path.c_str());
}
