// A rank that does not come ends the wait of the others by WHERRY_TIMEOUT. The exchange goes on: it can be waited for
// again, or it ends by itself.
#include <string>
#include <vector>

#include "wherry/sparse/sparse.hpp"

#include "harness/harness.hpp"
#include "support/absent_rank.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

// A first exchange sets the communicator up, which all ranks do together.
void set_up(const context& test) {
  static_cast<void>(wherry::send_to(test.comm, std::vector<int>{}, std::vector<int>{}));
}

void check_ring(const context& test, const wherry::arrivals<int>& arrived) {
  const int left = (test.rank + test.size - 1) % test.size;
  CHECK_EQUAL(arrived.all, std::vector<int>{left});
}

}  // namespace

WHERRY_TEST(a_wait_for_an_absent_rank_ends_and_goes_on, ranks(2, 3, 4).not_simulated(one_environment)) {
  set_up(test);
  absent_rank absent(test);
  const std::vector<int> right{(test.rank + 1) % test.size}, mine{test.rank};
  for (const auto& algorithm : wherry::sparse_algorithms())
    for (int late = 0; late < test.size; ++late) {
      std::vector<wherry::arriving<int>> flight;
      absent.during(late, [&] {
        const with_setting limit("timeout", "0.2", "0");
        flight.push_back(wherry::start_send_to(test.comm, right, mine, {.algorithm = algorithm}));
        ends_in_time(algorithm + " without rank " + std::to_string(late), late, [&] { flight[0].wait(); });
      });
      if (flight.empty()) flight.push_back(wherry::start_send_to(test.comm, right, mine, {.algorithm = algorithm}));
      check_ring(test, flight[0].wait());
    }
}

WHERRY_TEST(a_blocking_exchange_that_timed_out_ends_by_itself, ranks(2, 3, 4).not_simulated(one_environment)) {
  set_up(test);
  absent_rank absent(test);
  const std::vector<int> right{(test.rank + 1) % test.size}, mine{test.rank};
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    const int late = 1;
    absent.during(late, [&] {
      const with_setting limit("timeout", "0.2", "0");
      ends_in_time(algorithm, late,
                   [&] { static_cast<void>(wherry::send_to(test.comm, right, mine, {.algorithm = algorithm})); });
    });
    if (test.rank == late) check_ring(test, wherry::send_to(test.comm, right, mine, {.algorithm = algorithm}));
    check_ring(test, wherry::send_to(test.comm, right, mine, {.algorithm = algorithm}));
  }
}

// Set-up, too, ends in time.
WHERRY_TEST(the_first_exchange_ends_in_time, ranks(2, 3).not_simulated(one_environment)) {
  absent_rank absent(test);
  absent.during(test.size - 1, [&] {
    const with_setting limit("timeout", "0.2", "0");
    ends_in_time("the first exchange", test.size - 1,
                 [&] { static_cast<void>(wherry::send_to(test.comm, std::vector<int>{}, std::vector<int>{})); });
  });
}
