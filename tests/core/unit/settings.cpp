// The table of settings: the environment (each case in a fresh process, since it is read once), and configure().
#include "wherry/core/settings.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "wherry/core/error.hpp"

#include "harness/harness.hpp"

namespace {

// What a new process says when it first asks for its settings with this in the environment; empty: no error.
std::string first_use_with(const char* variable, const char* value) {
  int channel[2];
  if (pipe(channel) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string said;
    setenv(variable, value, 1);
    try {
      (void)wherry::current_settings();
    } catch (const wherry::error& problem) {
      said = problem.what();
    }
    [[maybe_unused]] const auto written = write(channel[1], said.data(), said.size());
    _exit(0);
  }
  close(channel[1]);
  std::string said;
  char part[256];
  for (ssize_t n = 0; (n = read(channel[0], part, sizeof part)) > 0;) said.append(part, static_cast<std::size_t>(n));
  close(channel[0]);
  waitpid(child, nullptr, 0);
  return said;
}

std::string value_of(const std::string& variable) {
  for (const auto& row : wherry::report_settings())
    if (row.variable == variable) return row.value;
  return "no such setting";
}

}  // namespace

WHERRY_UNIT_TEST(bad_values_in_the_environment_are_errors) {
  const std::pair<const char*, const char*> bad[] = {{"WHERRY_NODE_SIZE", "-1"},
                                                     {"WHERRY_NODE_SIZE", "two"},
                                                     {"WHERRY_NODE_SIZE", "1.5"},
                                                     {"WHERRY_NODE_SIZE", "3000000000"},
                                                     {"WHERRY_NODE_SIZE", "1 "},
                                                     {"WHERRY_TIMEOUT", "-1"},
                                                     {"WHERRY_TIMEOUT", "nan"},
                                                     {"WHERRY_TIMEOUT", "inf"},
                                                     {"WHERRY_TIMEOUT", "1s"},
                                                     {"WHERRY_CHECK", "yes"},
                                                     {"WHERRY_CHECK", "2"},
                                                     {"WHERRY_STATS", "some"},
                                                     {"WHERRY_PROGRESS_THREAD", "01"},
                                                     {"WHERRY_ARENA_SIZE", "-5"},
                                                     {"WHERRY_ARENA_SIZE", "G"},
                                                     {"WHERRY_ARENA_SIZE", "1T"},
                                                     {"WHERRY_ARENA_SIZE", "99999999G"},
                                                     {"WHERRY_MESSAGE_LIMIT", "7"},
                                                     {"WHERRY_MESSAGE_LIMIT", "2G"},
                                                     {"WHERRY_MESSAGE_LIMIT", "0"},
                                                     {"WHERRY_ONE_COPY_ROW", "x"},
                                                     {"WHERRY_SPIN", "-1"},
                                                     {"WHERRY_SPIN", "0x10"},
                                                     {"WHERRY_SPIN", "99999999999999999999"},
                                                     {"WHERRY_PRELOAD", "bcast,broadcast"},
                                                     {"WHERRY_PRELOAD", "bcast,"},
                                                     {"WHERRY_PRELOAD_COMPARE", "some"},
                                                     {"WHERRY_PRELOAD_REPORT", "yes"}};
  for (const auto& [variable, value] : bad) {
    const auto said = first_use_with(variable, value);
    if (wherry_test::fault(said.find(variable) == std::string::npos ||
                           said.find("'" + std::string(value) + "'") == std::string::npos))
      FAIL(std::string(variable) + "=" + value + " says: '" + said + "'");
  }
}

WHERRY_UNIT_TEST(good_values_in_the_environment) {
  const std::pair<const char*, const char*> good[] = {
      {"WHERRY_NODE_SIZE", "2"},     {"WHERRY_TIMEOUT", "0.5"},      {"WHERRY_CHECK", "on"},
      {"WHERRY_STATS", "all"},       {"WHERRY_SPIN", "0"},           {"WHERRY_SPIN", "auto"},
      {"WHERRY_ARENA_SIZE", "64M"},  {"WHERRY_TRACE", "a.json"},     {"WHERRY_NODE_SIZE", ""},
      {"WHERRY_MESSAGE_LIMIT", "8"}, {"WHERRY_MESSAGE_LIMIT", "1G"}, {"WHERRY_ONE_COPY_ROW", "4K"}};
  for (const auto& [variable, value] : good) {
    const auto said = first_use_with(variable, value);
    if (wherry_test::fault(!said.empty())) FAIL(std::string(variable) + "=" + value + " is refused: " + said);
  }
}

WHERRY_UNIT_TEST(configure_by_name) {
  wherry::configure("node_size", "3");
  CHECK_EQUAL(wherry::current_settings().node_size, 3);
  CHECK_EQUAL(value_of("WHERRY_NODE_SIZE"), "3");
  wherry::configure("message_limit", "64K");
  CHECK_EQUAL(wherry::current_settings().message_limit, 65536);
  for (const auto& row : wherry::report_settings()) {
    CHECK(!row.meaning.empty());
    if (row.variable == "WHERRY_NODE_SIZE") CHECK_EQUAL(row.source, "program");
    if (row.variable == "WHERRY_SPIN") CHECK_EQUAL(row.source, "default");
  }
  CHECK_THROWS_WITH(wherry::configure("nod_size", "3"), "'nod_size'");
  CHECK_THROWS_WITH(wherry::configure("WHERRY_NODE_SIZE", "3"), "'WHERRY_NODE_SIZE'");
  CHECK_THROWS_WITH(wherry::configure("check", "perhaps"), "perhaps");
  CHECK_THROWS_WITH(wherry::configure("message_limit", "4"), "8 to 1G");
  CHECK_EQUAL(wherry::current_settings().message_limit, 65536);  // what was refused is not in force
}
