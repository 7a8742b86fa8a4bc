// Streams and collectives that were moved from; see moved_from.cpp.
#include <functional>
#include <string>
#include <utility>

#include "wherry/collective/typed_start.hpp"
#include "wherry/deep/deep.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

void refuses(const std::function<void()>& use) {
  try {
    use();
    FAIL("used after a move, without an error");
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::state);
  }
}

}  // namespace

WHERRY_TEST(moved_streams_and_collectives_answer_by_errors, ranks(2)) {
  const wherry::communicator comm(test.comm);
  double value = test.rank, got = 0;
  const int other = 1 - test.rank;
  auto out = wherry::deep::start_send(comm, value, other);
  auto in = wherry::deep::start_receive(comm, got, other);
  auto kept = std::move(in);
  refuses([&] { in.test(); });
  refuses([&] { in.wait(); });
  refuses([&] { in.explain(); });
  CHECK_EQUAL(in.source(), -1);
  kept.wait();
  out.wait();
  CHECK_EQUAL(got, other);

  auto sum = wherry::collective::start_allreduce(comm, value, std::plus<>());
  auto taken = std::move(sum);
  refuses([&] { sum.wait(); });
  CHECK_EQUAL(taken.wait(), 1.0);
  // None that has begun.
  wherry::collective::running_call none;
  auto also_none = std::move(none);
  CHECK(none.test() && also_none.test());
}
