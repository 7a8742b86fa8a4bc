// Tests of the harness itself. Most fail on purpose: tests/harness/CMakeLists.txt says what each must print.
#include <chrono>
#include <stdexcept>
#include <thread>

#include "harness/harness.hpp"

WHERRY_UNIT_TEST(unit) { CHECK(test.comm == MPI_COMM_NULL); }

WHERRY_TEST(passes, ranks(1, 2)) {
  int sum = 0;
  const int mine = test.rank;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, test.comm);
  CHECK_EQUAL(sum, test.size * (test.size - 1) / 2);
  CHECK_EQUAL(std::string("a"), "a");
  CHECK_EQUAL(std::size_t{1}, 1);
  CHECK_NEAR(1.0, 1.0 + 1e-12, 1e-9);
  CHECK_THROWS_WITH(throw std::runtime_error("some words"), "words");
}

WHERRY_TEST(failing_check, ranks(1, 2)) {
  if (test.rank == test.size - 1) CHECK_EQUAL(1, 2);
}

WHERRY_TEST(exception_on_one_rank, ranks(2, 3)) {
  if (test.rank == 1) throw std::runtime_error("thrown on purpose");
  MPI_Barrier(test.comm);  // the others would wait here for ever
}

WHERRY_TEST(exception_everywhere, ranks(2)) { throw std::runtime_error("thrown everywhere"); }

WHERRY_TEST(after_the_exception, ranks(2)) { CHECK(MPI_Barrier(test.comm) == MPI_SUCCESS); }

WHERRY_TEST(hangs, ranks(2)) {
  test.note("waiting for a message that nobody sends");
  if (test.rank == 0) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 1, 0, test.comm, MPI_STATUS_IGNORE);
  }
  std::this_thread::sleep_for(std::chrono::seconds(60));
}

// Rank 1's are enough.
WHERRY_TEST(checks_on_one_rank, ranks(2)) {
  if (test.rank == 1) CHECK(true);
}

WHERRY_TEST(checks_nothing, ranks(1, 2)) {
  if (test.size > 1) return;
}

WHERRY_TEST(has_random_cases, ranks(2)) {
  test.count_cases(5, 20);
  test.count_cases(7, 20);
  CHECK(true);
}

WHERRY_TEST(skips, ranks(1)) { test.skip("not today"); }
