// Minimum and maximum of numbers among which there are NaNs, infinities and zeros of both signs: the same bits on every
// rank and over every transport, whatever arrives first.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

constexpr int values = 24;  // that each rank has, and has for each rank

template <class T> std::vector<T> special_numbers() {
  using limits = std::numeric_limits<T>;
  return {limits::quiet_NaN(),
          -limits::quiet_NaN(),
          -limits::infinity(),
          limits::infinity(),
          T(0),
          -T(0),
          limits::denorm_min(),
          limits::lowest(),
          limits::max(),
          T(1),
          -T(1) / T(3),
          T(-2)};
}

// What rank `from` has for value `v` of rank `to`; from == -1: what stands there at first. Few have a NaN.
template <class T> T number(int from, int to, int v) {
  const auto all = special_numbers<T>();
  const auto random = hash(from + 1, to, v, 0, 0, 0, 0);
  if (random % 17 == 0) return all[random / 17 % 2];
  if (v % 4 == 0) return all[4 + random % 2];  // zeros only
  return all[2 + random % (all.size() - 2)];
}

// The plainest way: look at all of them.
template <class T> T extreme(bool smallest, const std::vector<T>& numbers) {
  for (const T x : numbers)
    if (std::isnan(x)) return std::numeric_limits<T>::quiet_NaN();
  T best = numbers.front();
  for (const T x : numbers) {
    const bool below = x < best || (x == best && std::signbit(x) && !std::signbit(best));
    const bool above = x > best || (x == best && !std::signbit(x) && std::signbit(best));
    if (smallest ? below : above) best = x;
  }
  return best;
}

template <class T> bool same_number(T a, T b) {
  if constexpr (sizeof(T) <= 8) return std::memcmp(&a, &b, sizeof a) == 0;
  return (std::isnan(a) && std::isnan(b) && std::signbit(a) == std::signbit(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));  // there are unused bytes in a long double
}

template <class T> T expected(bool smallest, const context& test, int v) {
  std::vector<T> numbers;
  for (int from = -1; from < test.size; ++from) numbers.push_back(number<T>(from, test.rank, v));
  return extreme(smallest, numbers);
}

wherry::reduction operation(bool smallest) {
  return smallest ? wherry::reduction(wherry::minimum{}) : wherry::maximum{};
}

// Every rank has ghosts of every rank's values.
template <class T> void by_index(const context& test, bool smallest, const std::string& transport) {
  const wherry::communicator comm(test.comm);
  std::vector<wherry::ghost> ghosts;
  std::vector<T> u;
  for (int to = -1; to < test.size; ++to)
    for (int v = 0; v < values; ++v) {
      if (to >= 0) ghosts.push_back({to, v, static_cast<wherry::index_t>(u.size())});
      u.push_back(to < 0 ? number<T>(-1, test.rank, v) : number<T>(test.rank, to, v));
    }
  const wherry::index_options how{.reverse = true, .update = operation(smallest), .carry = {.transport = transport}};
  wherry::index_exchange(comm, wherry::resolve_ghosts(comm, ghosts), how, u)();
  for (int v = 0; v < values; ++v) CHECK(same_number(u[static_cast<std::size_t>(v)], expected<T>(smallest, test, v)));
}

// The same as entries of a motion plan, which all end in the same cells.
template <class T> void by_mover(const context& test, bool smallest, const std::string& transport) {
  const wherry::communicator comm(test.comm);
  const int length = values * (test.size + 1);
  wherry::floor_plan<1> row;
  for (int r = 0; r < test.size; ++r) row.add({{length * r}, {length * (r + 1)}}, r);
  wherry::motion_plan<1> plan;
  for (int from = 0; from < test.size; ++from)
    for (int to = 0; to < test.size; ++to) {
      const int first = length * from + values * (to + 1);
      plan.copy(from, {{first}, {first + values}}, to, {{length * to}, {length * to + values}});
    }
  wherry::x_array<T, 1> u(comm, row);
  const auto& cells = u[test.rank];
  for (int to = -1; to < test.size; ++to)
    for (int v = 0; v < values; ++v)
      cells(length * test.rank + values * (to + 1) + v) =
          to < 0 ? number<T>(-1, test.rank, v) : number<T>(test.rank, to, v);
  wherry::mover(plan, u, u, {.update = operation(smallest), .carry = {.transport = transport}})();
  for (int v = 0; v < values; ++v) CHECK(same_number(cells(length * test.rank + v), expected<T>(smallest, test, v)));
}

template <class T> void compare_with_oracle(const context& test) {
  for (const bool smallest : {true, false})
    for (const auto& transport : usable_transports(test.comm)) {
      test.note(transport);
      by_index<T>(test, smallest, transport);
      by_mover<T>(test, smallest, transport);
    }
}

}  // namespace

WHERRY_TEST(extremes_of_any_numbers, ranks(1, 2, 3, 4, 8)) {
  compare_with_oracle<float>(test);
  compare_with_oracle<double>(test);
  compare_with_oracle<long double>(test);
}
