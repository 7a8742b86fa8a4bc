// WHERRY_STATS counts sparse exchanges, and a communicator answers questions about them.
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/sparse/sparse.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

WHERRY_TEST(exchanges_are_counted, ranks(1, 2, 3, 4)) {
  const with_setting statistics("stats", "all", "0");
  const int right = (test.rank + 1) % test.size;
  for (const auto& algorithm : wherry::sparse_algorithms()) {
    const wherry::communicator comm(test.comm);
    const auto before = wherry::stream_statistics(comm);
    const std::vector<int> to(100, right), values(100, test.rank);
    for (int i = 0; i < 3; ++i) static_cast<void>(wherry::send_to(comm, to, values, {.algorithm = algorithm}));
    const auto after = wherry::stream_statistics(comm);
    const auto bytes = test.size > 1 ? std::int64_t{3 * 100 * sizeof(int)} : 0;
    CHECK_EQUAL(after.exchanges - before.exchanges, 3u);
    CHECK_EQUAL(after.bytes_sent - before.bytes_sent, bytes);
    CHECK_EQUAL(after.bytes_received - before.bytes_received, bytes);
    CHECK(after.seconds_waiting >= before.seconds_waiting);
    CHECK(wherry::explain_streams(comm).find("send_to: ") != std::string::npos);
  }
}

// Without WHERRY_STATS and WHERRY_TRACE an exchange is not counted, because counting would cost a small one too much.
WHERRY_TEST(exchanges_are_not_counted_unless_somebody_asks, ranks(2)) {
  const auto before = wherry::stream_statistics(test.comm).exchanges;
  static_cast<void>(wherry::send_to(test.comm, std::vector<int>{0}, std::vector<int>{1}));
  CHECK_EQUAL(wherry::stream_statistics(test.comm).exchanges, before);
}
