// Registration, checks and the record of what this process is doing.
#include "harness/harness.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "harness/internal.hpp"

namespace wherry_test {

process& self() {
  static process only;
  return only;
}

std::vector<test_case>& all_tests() {
  static std::vector<test_case> tests;
  return tests;
}

registration::registration(const char* name, const char* file, int line, run_on where, void (*body)(context&)) {
  all_tests().push_back({name, file, line, std::move(where), body});
}

std::string where_am_i() { return "[rank " + std::to_string(self().rank) + " of " + std::to_string(self().size) + "]"; }

std::string how_to_repeat() {
  std::string command;
  if (std::getenv("WHERRY_TEST_WAY") != nullptr)
    for (const char* name : {"WHERRY_TEST_WAY", "WHERRY_TRANSPORT", "WHERRY_NODE_SIZE", "WHERRY_DEVICE"})
      if (const char* value = std::getenv(name)) command += std::string(name) + "=" + value + " ";
  if (const char* launched = std::getenv("WHERRY_LAUNCHED_BY")) command += std::string(launched) + " ";
  command += self().path;
  if (self().current) command += " --only " + self().binary + "." + self().current->name + "$";
  command += " --seed " + std::to_string(self().seed);
  if (self().shares > 1) command += " --share " + std::to_string(self().share) + "/" + std::to_string(self().shares);
  return command;
}

namespace {

void write_log(std::string_view text) {
  if (!self().log) return;
  const double seconds = std::chrono::duration<double>(steady::now() - self().started).count();
  std::fprintf(self().log, "%10.4f  %.*s\n", seconds, static_cast<int>(text.size()), text.data());
  std::fflush(self().log);
}

// One write, so that the ranks' lines do not mix.
void print(const std::string& text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void log(std::string_view text) {
  const std::lock_guard guard(self().lock);
  write_log(text);
}

void event(std::string_view text) {
  const std::lock_guard guard(self().lock);
  self().last_event = text;
  self().last_event_time = steady::now();
  write_log(text);
}

void context::note(std::string_view text) const { event(text); }

void context::count_cases(int done, int wanted) const {
  process& me = self();
  const std::lock_guard guard(me.lock);
  auto& cases = me.cases[me.current->name];
  cases.done += done;
  cases.wanted += wanted;
  write_log(std::to_string(done) + " of " + std::to_string(wanted) + " random cases");
}

void context::skip(std::string_view reason) const { throw skipped{std::string(reason)}; }

bool fail(const char* file, int line, const std::string& text) {
  constexpr int shown_at_most = 20;
  process& me = self();
  const std::lock_guard guard(me.lock);
  ++me.failures;
  pass();  // it was made
  std::string message = where_am_i() + " " + file + ":" + std::to_string(line) + ": " + text + "\n";
  write_log("FAILED " + message);
  if (me.failures == 1) {
    message += "    in " + (me.current ? me.current->name : std::string("no test")) + ", seed " +
               std::to_string(me.seed) + "; repeat with\n    " + how_to_repeat() + "\n";
  }
  if (me.failures == shown_at_most) message += "    (further failures of this test go to the log only)\n";
  if (me.failures <= shown_at_most) print(message);
  return false;
}

bool check_near(double a, double b, double tolerance, const char* text, const char* file, int line) {
  if (std::abs(a - b) <= tolerance || a == b) return pass();
  return fail(file, line,
              std::string(text) + "\n    left  " + show(a) + "\n    right " + show(b) + "\n    apart " +
                  show(std::abs(a - b)) + ", allowed " + show(tolerance));
}

bool check_throws(const std::function<void()>& run, const char* words, const char* text, const char* file, int line) {
  try {
    run();
  } catch (const std::exception& problem) {
    const std::string_view said = problem.what();
    if (said.find(words) != std::string_view::npos) return pass();
    return fail(
        file, line,
        std::string(text) + "\n    threw another text: " + std::string(said) + "\n    expected in it: " + words);
  } catch (const skipped&) {
    throw;
  } catch (...) {
    return fail(file, line, std::string(text) + "\n    threw something that is not a std::exception");
  }
  return fail(file, line, std::string(text) + "\n    did not throw; expected: " + words);
}

void requirement(const char* text, const char* file, int line) {
  fail(file, line, text);
  throw requirement_failed(text);
}

}  // namespace wherry_test
