// What users call segments, groups, layouts and messages is in their errors and in what they say of themselves.
#include <functional>
#include <string>
#include <vector>

#include "wherry/channel/segment_space.hpp"
#include "wherry/halo/buffer_exchange.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/notify/passive_messages.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/notify/rank_group.hpp"
#include "wherry/notify/segment.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

/// How an error begins.
std::string by(const std::string& called) { return "wherry: " + called + ", rank "; }

bool begins_with(const std::string& all, const std::string& first) { return all.compare(0, first.size(), first) == 0; }

/// What waits, and one that nobody tells of anything.
template <class Segment> void errors_of(const context& test, Segment& s, const std::string& called) {
  std::vector<std::byte> data(200);
  const int last = test.size - 1;
  all_throw(test, "no rank", error_kind::argument, by(called), [&] { s.write(test.size, 0, data); });
  all_throw(test, "too long", error_kind::argument, by(called), [&] { s.write(last, 0, data); });
  all_throw(test, "value 0", error_kind::argument, by(called), [&] { s.notify(last, 0, 0); });
  all_throw(test, "no notification", error_kind::argument, by(called), [&] { s.notify(last, 99); });
  all_throw(test, "none of its own", error_kind::argument, by(called), [&] { s.reset(99); });
  all_throw(test, "half a word", error_kind::argument, by(called), [&] { s.bytes().fetch_add(last, 4, 1); });
  const setting brief("timeout", "0.05", "0");
  all_throw(test, "in vain", error_kind::timeout, by(called), [&] { s.wait(1); });
  all_throw(test, "pieces in vain", error_kind::timeout, by(called),
            [&] { s.copy_out(0, std::span(data).first(10), 2); });
  all_throw(test, "the words alone", error_kind::timeout, by(called), [&] { s.notifications_of(test.rank).wait(1); });
}

}  // namespace

WHERRY_TEST(names_of_segments, ranks(1, 2, 3)) {
  const node_communicators nodes(test.comm);
  std::vector<std::byte> memory(100);
  for (const MPI_Comm comm : nodes.list()) {
    // Ranks may call it differently.
    const auto mine = "left " + std::to_string(test.rank);
    wherry::segment<std::byte> left(comm, 100, {.notifications = 8, .name = mine});
    wherry::segment<std::byte> right(comm, std::span(memory), {.notifications = 8, .name = "right"});
    wherry::segment<std::byte> other(comm, 100, {.notifications = 8});
    CHECK(begins_with(left.explain(), "segment '" + mine + "' of 100 bytes"));
    CHECK(begins_with(right.explain(), "segment 'right' of 100 bytes"));
    CHECK(begins_with(other.explain(), "segment of 100 bytes"));
    errors_of(test, left, "segment '" + mine + "'");
    errors_of(test, right, "segment 'right'");
    errors_of(test, other, "segment");
    auto moved = std::move(left);
    errors_of(test, moved, "segment '" + mine + "'");
    MPI_Barrier(comm);
  }
}

WHERRY_TEST(names_of_segments_that_cannot_be, ranks(1, 2, 3)) {
  const std::string mine = "odd " + std::to_string(test.rank);
  const bool last = test.rank == test.size - 1;
  const auto by_mine = by("segment '" + mine + "'");
  all_throw(test, "too large", error_kind::resource, by_mine,
            [&] { wherry::segment<double>(test.comm, last ? std::size_t{1} << 60 : 5, {.name = mine}); });
  all_throw(test, "no memory", error_kind::argument, by_mine, [&] {
    wherry::segment<int>(test.comm, std::span<int>(static_cast<int*>(nullptr), last ? 5u : 0u), {.name = mine});
  });
  if (test.size == 1) return;
  all_throw(test, "notifications", error_kind::mismatch, by_mine,
            [&] { wherry::segment<int>(test.comm, 3, {.notifications = last ? 7 : 8, .name = mine}); });
}

WHERRY_TEST(names_in_spaces, ranks(1, 2, 3)) {
  const wherry::channels::segment_space space(test.comm, {.name = "parts"});
  wherry::byte_segment one(space, {.notifications = 8, .name = "one"}), plain(space, {.notifications = 8});
  one.offer(100);
  plain.offer(100);
  CHECK(begins_with(one.explain(), "segment 'one' of 100 bytes"));
  all_throw(test, "again", error_kind::state, by("segment 'one'"), [&] { one.offer(100); });
  all_throw(test, "again", error_kind::state, by("segment"), [&] { plain.offer(100); });
  all_throw(test, "no notification", error_kind::argument, by("segment 'one'"), [&] { one.reset(99); });
  one.withdraw();
  all_throw(test, "no part", error_kind::argument, by("segment 'one'"), [&] { one.reset(0); });
  all_throw(test, "notifications", error_kind::argument, by("segment 'two'"),
            [&] { wherry::byte_segment(space, {.notifications = -1, .name = "two"}); });
  MPI_Barrier(test.comm);
}

// Twice the same memory: MPI must be asked to attach it, which it is where not all share memory.
WHERRY_TEST(the_name_of_a_space, ranks(2, 3)) {
  const nodes_of apart(test.comm, 1);
  const wherry::communicator comm(apart);
  const wherry::channels::segment_space space(comm, {.name = "parts"});
  wherry::byte_segment one(space, {.notifications = 8}), two(space, {.notifications = 8});
  std::vector<std::byte> memory(200);
  one.offer(std::span(memory).subspan(0, 150));
  bool is_taken = true;
  try {
    two.offer(std::span(memory).subspan(50, 150));
  } catch (const wherry::error& problem) {
    is_taken = false;
    CHECK_EQUAL(problem.where(), "segment_space 'parts'");
  }
  MPI_Barrier(apart);
  if (is_taken) test.skip("this MPI takes memory that overlaps");
}

WHERRY_TEST(names_of_groups, ranks(1, 2, 3)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    const auto mine = "all " + std::to_string(test.rank);
    const auto by_mine = by("rank_group '" + mine + "'");
    wherry::rank_group group(comm, {.name = mine}), plain(comm);
    for (int rank = 0; rank < test.size; ++rank) group.add(rank);
    all_throw(test, "no rank", error_kind::argument, by_mine, [&] { group.add(test.size); });
    all_throw(test, "not committed", error_kind::state, by_mine, [&] { group.barrier(); });
    all_throw(test, "not committed", error_kind::state, by("rank_group"), [&] { plain.barrier(); });
    all_throw(test, "piece", error_kind::argument, by("rank_group 'bad'"),
              [&] { wherry::rank_group(comm, {.name = "bad", .sizes = {.piece = 0}}); });
    CHECK(group.commit());
    CHECK(begins_with(group.explain(), "group '" + mine + "' of " + std::to_string(test.size) + " ranks"));
    CHECK(begins_with(plain.explain(), "group of 0 ranks"));
    CHECK(group.barrier());
    if (test.size == 1) continue;
    {
      const setting brief("timeout", "0.05", "0");
      if (test.rank == 0) {
        try {
          group.barrier();
          FAIL("rank 1 is not there");
        } catch (const wherry::error& problem) {
          CHECK_EQUAL(problem.where(), "rank_group '" + mine + "'");
          CHECK(problem.kind() == error_kind::timeout);
        }
      }
      MPI_Barrier(comm);
    }
    CHECK(group.barrier());
  }
}

WHERRY_TEST(names_of_groups_that_disagree, ranks(2, 3)) {
  const wherry::communicator comm(test.comm);
  const auto mine = "pair " + std::to_string(test.rank);
  wherry::rank_group group(comm,
                           {.name = mine, .sizes = {.piece = test.rank == 0 ? std::size_t{64} : std::size_t{128}}});
  for (int rank = 0; rank < test.size; ++rank) group.add(rank);
  all_throw(test, "pieces", error_kind::mismatch, by("rank_group '" + mine + "'"), [&] { group.commit(); });
  wherry::rank_group next(comm, {.name = mine});
  for (int rank = 0; rank < test.size; ++rank) next.add(rank);
  CHECK(next.commit());
  if (test.rank == 0) {
    CHECK(!next.barrier(0));  // the others wait below
    CHECK_THROWS_WITH(next.allreduce_bytes({}, {}, wherry::reduction_of<double>(std::plus<>{})),
                      by("rank_group '" + mine + "'").c_str());
  }
  MPI_Barrier(test.comm);
  CHECK(next.barrier());
}

WHERRY_TEST(names_of_layouts, ranks(1, 2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    const wherry::process_grid grid(comm, {.periodic = {true}});
    wherry::field<double, 1> f(grid.comm(), {10}, 2);
    const wherry::halo_exchange halo(grid, f);
    const auto mine = "pressure " + std::to_string(test.rank);
    const auto by_mine = by("published_layouts '" + mine + "'");
    wherry::published_layouts named(grid.comm(), halo.schedule(), {.name = mine}), plain(grid.comm(), halo.schedule());
    CHECK(begins_with(named.explain(), "'" + mine + "':\n"));
    CHECK(!begins_with(plain.explain(), "'"));
    void* const none[] = {nullptr};
    void* const now[] = {f.data()};
    all_throw(test, "no address", error_kind::argument, by_mine, [&] { named.publish(none); });
    all_throw(test, "no fields", error_kind::argument, by_mine, [&] { named.read({}); });
    all_throw(test, "no fields", error_kind::argument, by("published_layouts"), [&] { plain.read({}); });
    if (test.size > 1) {
      const setting brief("timeout", "0.05", "0");
      all_throw(test, "in vain", error_kind::timeout, by_mine, [&] { named.read(now); });
      MPI_Barrier(comm);
    }
    named.publish(now);
    named.read(now);
    named.await_readers();
    const wherry::process_grid two(comm, wherry::process_grid_options{.periodic = {true, true}});
    wherry::field<double, 2> g(two.comm(), {30, 30}, 2);
    const wherry::halo_exchange staged(two, {.order = wherry::halo_order::by_dimension}, g);
    if (test.size == 4)  // 2 by 2: else all messages are along one dimension
      all_throw(test, "stages", error_kind::argument, by_mine,
                [&] { wherry::published_layouts(two.comm(), staged.schedule(), {.name = mine}); });
  }
}

// Ranks that see a message differently are told by the name of the exchange, too.
WHERRY_TEST(names_of_exchanges_that_cannot_be, ranks(2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const auto mine = "buffers " + std::to_string(test.rank);
  wherry::buffer_exchange buffers(grid, {.name = mine});
  std::vector<std::byte> out(16), in(16);
  for (const int side : {-1, 1}) {
    buffers.send_to({side}, out.data(), test.rank == 0 ? 10 : 8);
    buffers.receive_from({side}, in.data(), 8);
  }
  all_throw(test, "lengths", error_kind::mismatch, by("buffer exchange '" + mine + "'"), [&] { buffers.commit(); });
  all_throw(test, "no setup", error_kind::state, by("buffer exchange '" + mine + "'"), [&] { buffers.start(); });
}

WHERRY_TEST(names_of_passive_messages, ranks(1, 2, 3)) {
  const auto mine = "jobs " + std::to_string(test.rank);
  wherry::passive_messages jobs(test.comm, {.largest = 100, .name = mine}), plain(test.comm, {.largest = 100});
  const std::vector<std::byte> data(200);
  std::vector<std::byte> into(10);
  all_throw(test, "too long", error_kind::argument, by("passive_messages '" + mine + "'"),
            [&] { jobs.send(test.rank, data); });
  all_throw(test, "too long", error_kind::argument, by("passive_messages"), [&] { plain.send(test.rank, data); });
  all_throw(test, "none under way", error_kind::argument, by("passive_messages '" + mine + "'"),
            [&] { wherry::passive_messages(test.comm, {.under_way = 0, .name = mine}); });
  const setting brief("timeout", "0.05", "0");
  all_throw(test, "in vain", error_kind::timeout, by("passive_messages '" + mine + "'"), [&] { jobs.receive(into); });
}
