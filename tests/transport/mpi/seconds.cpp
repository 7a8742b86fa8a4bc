// Limits of time that are no ordinary numbers: NaN is an error before anything is done, less than 0 only looks, and
// infinity is no limit but WHERRY_TIMEOUT's.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/motion/decompose.hpp"
#include "wherry/notify/health.hpp"
#include "wherry/notify/notify.hpp"
#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(), endless = wherry::no_limit;

struct timed {
  std::string name;
  std::function<bool(double seconds)> call;  // false: not in that time
  bool waits = true;                         // for something that never comes
};

struct things {
  wherry::communicator comm;
  int rank, size;
  wherry::segment<double> segment;
  wherry::passive_messages messages;
  wherry::rank_group group, to_be_committed;
  wherry::x_array<double, 1> cells;
  wherry::published_layouts layouts;
  std::vector<double> data = std::vector<double>(2);
  std::vector<std::byte> bytes = std::vector<std::byte>(8);

  explicit things(const context& test)
      : comm(test.comm),
        rank(test.rank),
        size(test.size),
        segment(comm, 10),
        messages(comm),
        group(comm),
        to_be_committed(comm),
        cells(comm, wherry::decompose(wherry::box<1>{{0}, {8 * test.size}}, test.size), {.ghost_width = 1}),
        layouts(comm, wherry::ghost_filler(cells, wherry::domain<1>::torus({{0}, {8 * test.size}})).schedule()) {
    for (int r = 0; r < test.size; ++r) {
      group.add(r);
      to_be_committed.add(r);
    }
    group.commit();
  }

  std::vector<timed> calls() {
    const auto nothing = false;
    const auto memory = cells.memory();
    return {
        {"wait", [this](double s) { return segment.wait(0, s).has_value(); }},
        {"wait_some", [this](double s) { return segment.wait_some(0, 2, s).has_value(); }},
        {"wait of the words", [this](double s) { return segment.notifications_of(rank).wait(0, s).has_value(); }},
        {"copy_out", [this](double s) { return segment.copy_out(0, data, 1, s); }},
        {"receive", [this](double s) { return messages.receive(bytes, s).has_value(); }},
        {"read", [this, memory](double s) { return layouts.read(memory, s); }, size > 1},
        {"notify", [this](double s) { return segment.notify(rank, 3, 1, s); }, nothing},
        {"notify of a list",
         [this](double s) {
           const wherry::channels::segment_notice list[] = {{rank, 3, 1}};
           return segment.notify(list, s) == 1;
         },
         nothing},
        {"write_notify", [this](double s) { return segment.write_notify(rank, 0, data, 3, 1, s); }, nothing},
        {"read_notify", [this](double s) { return segment.read_notify(rank, 0, data, 3, 1, s); }, nothing},
        {"write_in_pieces", [this](double s) { return segment.write_in_pieces(rank, 0, data, 4, s); }, nothing},
        {"fetch_add", [this](double s) { return segment.fetch_add(rank, 0, 0, s).has_value(); }, nothing},
        {"compare_swap", [this](double s) { return segment.compare_swap(rank, 0, 7, 7, s).has_value(); }, nothing},
        {"flush", [this](double s) { return segment.flush(s); }, nothing},
        {"send", [this](double s) { return messages.send(rank, bytes, s); }, nothing},
        {"await_readers", [this](double s) { return layouts.await_readers(s); }, nothing},
        {"ping", [this](double s) { return wherry::ping(comm, rank, s); }, nothing},
    };
  }
};

}  // namespace

WHERRY_TEST(seconds_that_are_no_number_are_refused, ranks(1, 2, 3)) {
  things all(test);
  for (const auto& one : all.calls())
    all_throw(test, one.name, error_kind::argument, "'seconds' is NaN", [&] { one.call(not_a_number); });
  CHECK_EQUAL(all.segment.value(3), 0u);  // nothing was done
  CHECK_EQUAL(all.segment.value(4), 0u);
  all_throw(test, "barrier", error_kind::argument, "'seconds' is NaN", [&] { all.group.barrier(not_a_number); });
  all_throw(test, "allreduce", error_kind::argument, "'seconds' is NaN",
            [&] { all.group.allreduce(std::span<const double>(all.data), all.data, std::plus<>{}, not_a_number); });
  all_throw(test, "commit", error_kind::argument, "'seconds' is NaN",
            [&] { all.to_be_committed.commit(not_a_number); });
  CHECK(all.group.barrier());  // neither call had begun
  CHECK(all.to_be_committed.commit());
  CHECK_THROWS_WITH(wherry::segment_queue().wait(not_a_number), "'seconds' is NaN");
  if (test.size > 1) {
    const int other = (test.rank + 1) % test.size;
    all_throw(test, "end_rank", error_kind::argument, "'seconds' is NaN",
              [&] { wherry::end_rank(all.comm, other, not_a_number); });
    CHECK(wherry::health(all.comm, other) == wherry::rank_health::healthy);
  }
}

WHERRY_TEST(less_than_no_time_only_looks, ranks(1, 2)) {
  things all(test);
  for (const double seconds : {-1.0, -endless, -0.0})
    for (const auto& one : all.calls())
      if (one.waits) {
        test.note(one.name);
        CHECK(!one.call(seconds));
      }
  MPI_Barrier(test.comm);  // nobody goes while others look
}

WHERRY_TEST(endless_waits_end_by_the_timeout, ranks(1, 2)) {
  things all(test);
  const setting brief("timeout", "0.05", "0");
  for (const auto& one : all.calls())
    if (one.waits) all_throw(test, one.name, error_kind::timeout, "WHERRY_TIMEOUT", [&] { one.call(endless); });
  MPI_Barrier(test.comm);
}

WHERRY_TEST(settings_take_ordinary_seconds, ranks(1)) {
  for (const char* const wrong : {"nan", "inf", "-1", "-inf", "1e10", "1e999", ""})
    CHECK_THROWS_WITH(wherry::configure("timeout", wrong), "WHERRY_TIMEOUT");
}
