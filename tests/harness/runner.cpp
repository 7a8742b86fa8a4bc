// main(): runs the tests of this binary that list the current number of ranks.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "harness/before_tests.hpp"
#include "harness/internal.hpp"
#include "harness/patient.hpp"

namespace wherry_test {

namespace {

struct options {
  std::vector<std::string> only, without;
  bool list = false;
  bool any_size = false;
  bool seeded = false;
  std::uint64_t seed = 0;
  int share = 0, shares = 1;
};

struct totals {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

constexpr int verdict_skipped = -1;

// What one rank says of a test: its failures, or `verdict_skipped`, and whether it has made a check.
struct outcome {
  int failures = 0;
  int has_checked = 0;
};

std::vector<void (*)()>& first_of_all() {
  static std::vector<void (*)()> list;
  return list;
}

// "--only halo" takes names that contain it, "--only x.name$" names that end with it.
bool wanted(const test_case& test, const options& asked) {
  if (std::ranges::count(asked.without, test.name) > 0) return false;
  if (asked.only.empty()) return true;
  const std::string name = self().binary + "." + test.name;
  return std::ranges::any_of(asked.only, [&](const std::string& pattern) {
    if (!pattern.empty() && pattern.back() == '$') {
      return name.ends_with(pattern.substr(0, pattern.size() - 1));
    }
    return name.find(pattern) != std::string::npos;
  });
}

[[noreturn]] void usage(const std::string& problem) {
  std::cerr << problem << "\nusage: " << self().path
            << " [--only SUBSTRING]... [--without=TEST]... [--list] [--any-size] [--seed N|random] [--share I/N]\n";
  std::exit(2);
}

options read_arguments(int count, char** arguments) {
  options result;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) usage(argument + " wants a value");
      return arguments[++i];
    };
    if (argument == "--list") {
      result.list = true;
    } else if (argument == "--any-size") {
      result.any_size = true;
    } else if (argument == "--only") {
      result.only.push_back(value());
    } else if (argument.starts_with("--without=")) {
      result.without.push_back(argument.substr(10));
    } else if (argument == "--share") {
      const std::string text = value();
      char rest = 0;
      const int read = std::sscanf(text.c_str(), "%d/%d%c", &result.share, &result.shares, &rest);
      if (read != 2 || result.share < 0 || result.share >= result.shares) usage("--share wants I/N, 0 <= I < N");
    } else if (argument == "--seed") {
      const std::string text = value();
      result.seeded = true;
      if (text == "random") {
        result.seed = std::random_device{}();
      } else {
        try {
          result.seed = std::stoull(text);
        } catch (const std::exception&) {
          usage("--seed wants a number or 'random'");
        }
      }
    } else {
      usage("do not understand " + argument);
    }
  }
  if (const char* only = std::getenv("WHERRY_TEST_ONLY"); only && *only && result.only.empty()) {
    result.only.emplace_back(only);
  }
  return result;
}

// Does the test run at this number of ranks?
bool fits(const test_case& test, const options& asked) {
  if (test.unit()) return self().size == 1;
  return asked.any_size ? test.where.why_not_simulated.empty() : std::ranges::count(test.where.counts, self().size) > 0;
}

// Says what is left out on a simulator, and why.
void skip_one(const test_case& test, totals& sum) {
  ++sum.skipped;
  if (self().rank == 0) std::cout << "skipped " << test.name << ": " << test.where.why_not_simulated << std::endl;
}

void list_tests() {
  for (const test_case& test : all_tests()) {
    std::cout << self().binary << '.' << test.name << (test.unit() ? " unit" : " ranks");
    for (const int count : test.where.counts) std::cout << ' ' << count;
    std::cout << '\n';
  }
}

double time_limit() {
  const char* text = std::getenv("WHERRY_TEST_LIMIT");
  const double seconds = text ? std::strtod(text, nullptr) : 0;
  return seconds > 0 ? seconds : 60;
}

std::uint64_t seed_of(const std::string& name) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  return hash % 1000000007ULL;  // short enough to type
}

void open_log() {
  process& me = self();
  const char* asked = std::getenv("WHERRY_TEST_LOGS");
  const std::filesystem::path folder = asked ? asked : WHERRY_TEST_LOGS;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::string name = me.binary + "." + std::to_string(me.size) + "." + std::to_string(me.rank) + ".log";
  me.log = std::fopen((folder / name).c_str(), "w");
}

// Runs the body. True: an exception escaped.
bool run_body(const test_case& test, context& where, bool& skip) {
  try {
    test.body(where);
    return false;
  } catch (const skipped& reason) {
    skip = true;
    event("skipped: " + reason.reason);
    if (where.rank == 0) std::cout << "skipped " << test.name << ": " << reason.reason << std::endl;
    return false;
  } catch (const requirement_failed&) {
    return true;  // already recorded
  } catch (const std::exception& problem) {
    fail(test.file.c_str(), test.line, "an exception left the test " + test.name + ": " + problem.what());
  } catch (...) {
    fail(test.file.c_str(), test.line, "something that is no std::exception left the test " + test.name);
  }
  return true;
}

// All ranks' outcomes. A rank with an exception waits only a moment for the others: they may be
// waiting for it.
std::vector<outcome> agree(MPI_Comm world, outcome mine, [[maybe_unused]] bool escaped) {
  std::vector<outcome> all(static_cast<std::size_t>(self().size));
#if defined(SMPI_H)  // where nobody waits in vain; the other one sends everybody a message
  MPI_Allgather(&mine, 2, MPI_INT, all.data(), 2, MPI_INT, world);
#else
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&mine, 2, MPI_INT, all.data(), 2, MPI_INT, world, &request);
  patient_wait(request, [&](steady::duration waited) {
    if (!escaped || waited < std::chrono::seconds(3)) return;
    fail(self().current->file.c_str(), self().current->line,
         "the other ranks do not arrive after this rank's failure in " + self().current->name + "; ending the job");
    abort_job();
  });
#endif
  return all;
}

void report(const test_case& test, const std::vector<outcome>& all, double seconds, totals& sum) {
  process& me = self();
  std::string who;
  bool skipped = false, has_checked = false;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].failures > 0) who += (who.empty() ? "" : ", ") + std::to_string(rank);
    skipped = skipped || all[rank].failures == verdict_skipped;
    has_checked = has_checked || all[rank].has_checked != 0;
  }
  const bool checks_nothing = who.empty() && !skipped && !has_checked;
  const bool failed = !who.empty() || checks_nothing;
  ++(failed ? sum.failed : skipped ? sum.skipped : sum.passed);
  if (me.rank != 0 || !failed) return;
  std::cout << "FAILED " << me.binary << '.' << test.name << " with " << me.size << " ranks: "
            << (checks_nothing ? "no check was made on any rank; a test that cannot check anything here calls test.skip"
                               : "failed on ranks " + who)
            << " (" << seconds << " s)" << std::endl;
}

// "12 passed, 0 failed, 1 skipped; random cases: halos 57 of 300, indices 12 of 40"
void print_summary(const totals& sum) {
  std::string line = std::to_string(sum.passed) + " passed, " + std::to_string(sum.failed) + " failed";
  if (sum.skipped > 0) line += ", " + std::to_string(sum.skipped) + " skipped";
  std::string_view before = "; random cases: ";
  for (const auto& [name, cases] : self().cases) {
    line.append(before) += name + " " + std::to_string(cases.done) + " of " + std::to_string(cases.wanted);
    before = ", ";
  }
  std::cout << line << std::endl;
}

void run_one(const test_case& test, const options& asked, MPI_Comm world, watchdog& guard, totals& sum) {
  process& me = self();
  {
    const std::lock_guard hold(me.lock);
    me.current = &test;
    me.failures = 0;
    checks_made = 0;
    me.last_event.clear();
    me.seed = asked.seeded ? asked.seed : seed_of(test.name);
    me.share = asked.share;
    me.shares = asked.shares;
  }
  log("begin " + test.name + ", seed " + std::to_string(me.seed));
  const auto began = steady::now();
  guard.begin(time_limit());
  context where{MPI_COMM_NULL, me.rank, me.size, me.seed, asked.share, asked.shares};
  if (!test.unit()) MPI_Comm_dup(world, &where.comm);
  bool skip = false;
  const bool escaped = run_body(test, where, skip);
  outcome mine;
  {
    const std::lock_guard hold(me.lock);
    if (escaped && me.failures == 0) me.failures = 1;
    mine = {me.failures > 0 ? me.failures : skip ? verdict_skipped : 0, checks_made > 0 ? 1 : 0};
  }
  std::vector<outcome> all{mine};
  if (me.mpi && me.size > 1) {
    if (me.last_event.empty()) event("finished the test's body, waiting for the other ranks");
    all = agree(world, mine, escaped);
  }
  // After an exception messages may be under way in the communicator: leave it alone.
  const bool clean = std::ranges::all_of(all, [](const outcome& one) { return one.failures <= 0; });
  if (where.comm != MPI_COMM_NULL && clean) MPI_Comm_free(&where.comm);
  guard.end();
  const double seconds = std::chrono::duration<double>(steady::now() - began).count();
  log("end " + test.name + (mine.failures > 0 ? " (failed here) after " : " after ") + std::to_string(seconds) + " s");
  report(test, all, seconds, sum);
  const std::lock_guard hold(me.lock);
  me.current = nullptr;
}

int run_tests(const options& asked) {
  process& me = self();
  MPI_Comm world = MPI_COMM_NULL;
  if (me.mpi) {
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(world, &me.rank);
    MPI_Comm_size(world, &me.size);
  }
  open_log();
  install_crash_handlers();
  totals sum;
  {
    watchdog guard;
    for (const test_case& test : all_tests()) {
      if (!wanted(test, asked)) continue;
      if (fits(test, asked))
        run_one(test, asked, world, guard, sum);
      else if (asked.any_size && !test.unit())
        skip_one(test, sum);
    }
  }
  if (me.mpi) MPI_Comm_free(&world);
  if (me.rank == 0) print_summary(sum);
  if (me.log) std::fclose(me.log);
  me.log = nullptr;
  return sum.failed ? 1 : 0;
}

}  // namespace

before_tests::before_tests(void (*run)()) { first_of_all().push_back(run); }

int run_main(int count, char** arguments) {
  process& me = self();
  me.path = arguments[0];
  me.binary = std::filesystem::path(arguments[0]).filename().string();
  // An entry gpi2.x, which runs the binary x in another way.
  if (const char* way = std::getenv("WHERRY_TEST_WAY")) {
    me.binary = way + ("." + me.binary);
    if (std::string_view(way) == "device") setenv("WHERRY_DEVICE", "fake", 0);
  }
  options asked = read_arguments(count, arguments);
  if (asked.list) {
    list_tests();
    return 0;
  }
  const bool any = std::ranges::any_of(all_tests(), [&](const test_case& test) { return wanted(test, asked); });
  me.mpi = any && std::ranges::any_of(all_tests(), [](const test_case& test) { return !test.unit(); });
  if (me.mpi) {
    int provided = 0;
    // Between hosts Open MPI 4 has no windows where several threads may call it.
    const char* const way = std::getenv("WHERRY_TEST_WAY");
    const bool on_hosts = way != nullptr && std::string_view(way) == "hosts";
    MPI_Init_thread(&count, &arguments, on_hosts ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE, &provided);
    MPI_Bcast(&asked.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);  // a random one
    for (auto* const run : first_of_all()) run();
  }
  const int status = run_tests(asked);
  if (me.mpi) MPI_Finalize();
  return status;
}

}  // namespace wherry_test

int main(int count, char** arguments) { return wherry_test::run_main(count, arguments); }
