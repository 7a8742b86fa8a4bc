// Our test harness: tests that know on how many ranks they run.
//
//   WHERRY_TEST(halo_matches_oracle, ranks(1, 2, 4)) {   // runs under mpirun with 1, 2 and 4 ranks
//     CHECK_EQUAL(sum(test.comm), test.size);
//   }
//   WHERRY_UNIT_TEST(boxes_intersect) { CHECK(...); }     // one process, no MPI needed
//
// On a simulator (--any-size) a test runs at any number of ranks, unless it says
//   WHERRY_TEST(late_rank_is_named, ranks(2, 3).not_simulated("rank 1 sleeps")) { ... }
// or `.simulated_in(8)`: then eight processes share its cases.
//
// A failed check is recorded and the test goes on; all ranks agree on the verdict after each test. REQUIRE
// stops the test on this rank. Checks may stand in any function and thread that a test uses. A test fails if no rank
// has made a check in it; a test that has nothing to check here says so by `test.skip("why")`.
#pragma once

#include <mpi.h>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <ostream>
#include <ranges>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace wherry_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WHERRY_TEST_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WHERRY_TEST_SANITIZED
#endif
#endif

// With a sanitizer's allocator more memory than there is ends the program.
#if defined(WHERRY_TEST_SANITIZED)
inline constexpr bool allocations_throw = false;
#else
inline constexpr bool allocations_throw = true;
#endif

// What a test's body sees as `test`. In unit tests comm is MPI_COMM_NULL.
struct context {
  MPI_Comm comm = MPI_COMM_NULL;  // a duplicate of the world, for this test only
  int rank = 0;
  int size = 1;
  std::uint64_t seed = 0;     // the same on all ranks; from the test's name unless --seed says otherwise
  int share = 0, shares = 1;  // which of how many processes this is that divide the test's cases

  // Is this case, counted from 0, one of this process's share?
  bool has(int number) const { return number % shares == share; }

  void note(std::string_view event) const;  // kept in the log; the last one is shown when the test hangs or crashes
  // To be called on all ranks or none. What the test has checked before counts.
  [[noreturn]] void skip(std::string_view reason) const;
  // So many random cases of so many that were wanted have been run: shown in the line at the end.
  void count_cases(int done, int wanted) const;
};

struct skipped {
  std::string reason;
};
struct requirement_failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where a test runs. No counts: a unit test.
struct run_on {
  std::vector<int> counts;
  std::string why_not_simulated;  // empty: also at any other size, on a simulator

  run_on not_simulated(std::string why) && { return {std::move(counts), std::move(why)}; }
  // On a simulator so many processes share the cases, each those that `context::has`: cmake/WherrySimulatedTests.cmake
  // starts them.
  run_on simulated_in(int processes) && { return static_cast<void>(processes), std::move(*this); }
};

inline run_on ranks(std::same_as<int> auto... counts) { return {{counts...}, {}}; }

struct registration {
  registration(const char* name, const char* file, int line, run_on where, void (*body)(context&));
};

// Checks that this rank has made in the running test.
inline std::atomic<long> checks_made = 0;

// Records a check that holds. Always returns true.
inline bool pass() {
  checks_made.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// Of a condition that must not hold, so that it counts as a check: `if (fault(out != expected)) FAIL("step 3 is
// wrong")`.
inline bool fault(bool found) {
  if (!found) pass();
  return found;
}

// Records a failure of the running test on this rank and prints it at once. Always returns false.
bool fail(const char* file, int line, const std::string& text);

// One more line of the log file of this rank.
void log(std::string_view text);

// Values in messages: what can be streamed is, ranges go by element, anything else is named only.
template <class T> std::string show(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_same_v<T, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    out << '"' << std::string_view(value) << '"';
  } else if constexpr (std::is_same_v<T, std::byte> || std::is_same_v<T, unsigned char> ||
                       std::is_same_v<T, signed char>) {
    out << static_cast<int>(value);
  } else if constexpr (std::is_enum_v<T>) {
    out << static_cast<std::underlying_type_t<T>>(value);
  } else if constexpr (std::floating_point<T>) {
    out.precision(17);
    out << value;
  } else if constexpr (requires { out << value; }) {
    out << value;
  } else if constexpr (std::ranges::input_range<const T>) {
    out << '{';
    std::size_t shown = 0;
    for (const auto& element : value) {
      if (shown == 16) {
        out << ", ...";
        break;
      }
      out << (shown++ ? ", " : "") << show(element);
    }
    out << '}';
  } else {
    out << "(a value without <<)";
  }
  return std::move(out).str();
}

template <class T>
concept plain_integer =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <class A, class B> bool equal(const A& a, const B& b) {
  if constexpr (plain_integer<A> && plain_integer<B>) {
    return std::cmp_equal(a, b);
  } else if constexpr (std::is_convertible_v<const A&, std::string_view> &&
                       std::is_convertible_v<const B&, std::string_view>) {
    return std::string_view(a) == std::string_view(b);
  } else {
    return static_cast<bool>(a == b);
  }
}

template <class A, class B> bool check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (equal(a, b)) return pass();
  return fail(file, line, std::string(text) + "\n    left  " + show(a) + "\n    right " + show(b));
}

bool check_near(double a, double b, double tolerance, const char* text, const char* file, int line);
bool check_throws(const std::function<void()>& run, const char* words, const char* text, const char* file, int line);
[[noreturn]] void requirement(const char* text, const char* file, int line);

}  // namespace wherry_test

// A test and the rank counts it runs on. The body sees `test`.
#define WHERRY_TEST(name, ...) WHERRY_TEST_REGISTER(name, (__VA_ARGS__))
// A test in one process; `test` is there too.
#define WHERRY_UNIT_TEST(name) WHERRY_TEST_REGISTER(name, ::wherry_test::run_on{})

#define WHERRY_TEST_REGISTER(name, counts)                           \
  static void wherry_test_body_##name(::wherry_test::context& test); \
  static const ::wherry_test::registration wherry_test_entry_##name( \
      #name, __FILE__, __LINE__,                                     \
      []() -> ::wherry_test::run_on {                                \
        using ::wherry_test::ranks;                                  \
        return counts;                                               \
      }(),                                                           \
      &wherry_test_body_##name);                                     \
  static void wherry_test_body_##name([[maybe_unused]] ::wherry_test::context& test)

// Checks record and go on; each is true when it holds.
#define CHECK(...)                                        \
  (static_cast<bool>(__VA_ARGS__) ? ::wherry_test::pass() \
                                  : ::wherry_test::fail(__FILE__, __LINE__, "CHECK(" #__VA_ARGS__ ")"))
#define CHECK_EQUAL(a, b) ::wherry_test::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) ::wherry_test::check_near((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
#define CHECK_THROWS(...) \
  ::wherry_test::check_throws([&] { (void)(__VA_ARGS__); }, "", #__VA_ARGS__, __FILE__, __LINE__)
// The exception's what() must contain the words.
#define CHECK_THROWS_WITH(expression, words) \
  ::wherry_test::check_throws([&] { (void)(expression); }, (words), #expression, __FILE__, __LINE__)
// Ends the test on this rank when the condition does not hold.
#define REQUIRE(...)                                            \
  (static_cast<bool>(__VA_ARGS__) ? (void)::wherry_test::pass() \
                                  : ::wherry_test::requirement("REQUIRE(" #__VA_ARGS__ ")", __FILE__, __LINE__))
#define FAIL(text) ::wherry_test::fail(__FILE__, __LINE__, (text))
