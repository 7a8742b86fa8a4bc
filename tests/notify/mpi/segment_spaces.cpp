// Segments in a space: each rank makes its own part, and others meet it by its ticket.
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "wherry/channel/segment_space.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
using wherry::byte_segment;
using wherry::channels::segment_space;
using wherry::channels::segment_ticket;

namespace {

std::vector<segment_ticket> tickets_of_all(const segment_ticket& mine, int size) {
  std::vector<segment_ticket> all(static_cast<std::size_t>(size));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

void meet_all(byte_segment& segment, const std::vector<segment_ticket>& tickets, int rank) {
  for (int other = 0; other < static_cast<int>(tickets.size()); ++other)
    if (other != rank) segment.meet(other, tickets[static_cast<std::size_t>(other)]);
}

/// Each rank writes its number to all, notifies, and reads back what it has written.
void everybody_writes(context& test, byte_segment& segment) {
  std::vector<std::byte> sent(100);
  for (int round = 1; round <= 3; ++round) {
    std::memset(sent.data(), test.rank + round, sent.size());
    for (int to = 0; to < test.size; ++to)
      segment.write_notify(to, static_cast<std::size_t>(test.rank) * 100, sent, test.rank,
                           static_cast<std::uint32_t>(round));
    for (int from = 0; from < test.size; ++from) {
      CHECK_EQUAL(segment.wait(from).value(), static_cast<std::uint32_t>(round));
      for (std::size_t i = 0; i < 100; ++i)
        CHECK_EQUAL(static_cast<int>(segment.memory()[static_cast<std::size_t>(from) * 100 + i]), from + round);
    }
    std::vector<std::byte> read(100);
    segment.read((test.rank + 1) % test.size, static_cast<std::size_t>(test.rank) * 100, read);
    segment.flush();
    CHECK(read == sent);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace

WHERRY_TEST(parts_of_ours_and_the_users_are_met_again_and_again, ranks(1, 2, 3, 4, 8)) {
  const segment_space space(MPI_COMM_WORLD);
  byte_segment segment(space, {.notifications = 16});
  const auto bytes = static_cast<std::size_t>(test.size) * 100;
  CHECK(!segment.has_part());
  for (int round = 0; round < 40; ++round) {  // more than Open MPI attaches at once, were none detached
    std::vector<std::byte> users(bytes);
    const bool is_users = round % 2 != 0 && round < 6;
    const auto mine =
        is_users ? segment.offer(std::span(users)) : segment.offer(bytes + static_cast<std::size_t>(round));
    CHECK(segment.has_part());
    meet_all(segment, tickets_of_all(mine, test.size), test.rank);
    CHECK_EQUAL(segment.bytes_of((test.rank + 1) % test.size),
                is_users ? bytes : bytes + static_cast<std::size_t>(round));
    if (round < 6) everybody_writes(test, segment);
    MPI_Barrier(MPI_COMM_WORLD);
    segment.withdraw();
    CHECK(!segment.has_part());
  }
}

WHERRY_TEST(who_has_no_part_writes_to_those_who_have, ranks(2, 3, 4)) {
  const segment_space space(MPI_COMM_WORLD);
  byte_segment segment(space, {.notifications = 8});
  segment_ticket mine{};
  if (test.rank == 0) mine = segment.offer(64);
  const auto tickets = tickets_of_all(mine, test.size);
  if (test.rank == 1) {
    const std::vector<std::byte> sent(64, std::byte{7});
    segment.meet(0, tickets[0]);
    segment.write_notify(0, 0, sent, 3, 9);
  }
  if (test.rank == 0) {
    CHECK_EQUAL(segment.wait(3).value(), 9u);
    CHECK(segment.memory()[63] == std::byte{7});
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

WHERRY_TEST(a_second_part_and_what_is_not_met_are_errors, ranks(1, 2, 3)) {
  const segment_space space(MPI_COMM_WORLD);
  byte_segment segment(space);
  segment.offer(64);
  all_throw(test, "a second part", wherry::error_kind::state, "already has a part", [&] { segment.offer(64); });
  const std::byte one[1]{};
  if (test.size > 1)
    all_throw(test, "not met", wherry::error_kind::argument, "beyond the 0 bytes",
              [&] { segment.write((test.rank + 1) % test.size, 0, one); });
}

// What would be a rank's own is refused as long as it has no part; others' parts are written to all the same.
WHERRY_TEST(a_rank_without_a_part_has_no_notifications, ranks(1, 2, 3)) {
  const segment_space space(MPI_COMM_WORLD);
  byte_segment segment(space, {.notifications = 16});
  const auto refused = [&](const char* title) {
    std::vector<std::byte> none;
    all_throw(test, title, wherry::error_kind::argument, "there are 0", [&] { segment.wait_some(0, 1, 0.0); });
    all_throw(test, title, wherry::error_kind::argument, "there are 0", [&] { segment.value(0); });
    all_throw(test, title, wherry::error_kind::argument, "there are 0", [&] { segment.reset(0); });
    all_throw(test, title, wherry::error_kind::argument, "there are 0", [&] { segment.wait(0, 0.0); });
    all_throw(test, title, wherry::error_kind::argument, "there are 0", [&] { segment.copy_out(0, none, 0, 0.0); });
  };
  refused("no part yet");
  const auto mine = segment.offer(100);
  const auto all = tickets_of_all(mine, test.size);
  meet_all(segment, all, test.rank);
  segment.notify(test.rank, 0);
  CHECK_EQUAL(segment.wait(0).value(), 1u);
  all_throw(test, "beyond", wherry::error_kind::argument, "notifications 16 to 16, but there are 16",
            [&] { segment.notify(test.rank, 16); });
  MPI_Barrier(MPI_COMM_WORLD);
  segment.withdraw();
  refused("withdrawn");
  std::vector<std::byte> none;
  all_throw(test, "a notification of its own", wherry::error_kind::argument, "there are 0",
            [&] { segment.read_notify((test.rank + 1) % test.size, 0, none, 0); });
  MPI_Barrier(MPI_COMM_WORLD);
}
