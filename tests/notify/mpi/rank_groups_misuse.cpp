// Groups off the happy path: bad arguments, members that do not agree, groups that are gone, time that runs out.
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "wherry/notify/rank_group.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::rank_group;

namespace {

rank_group group_of(MPI_Comm comm, int size, const wherry::group_options& options = {}) {
  rank_group group(comm, options);
  for (int rank = 0; rank < size; ++rank) group.add(rank);
  return group;
}

void must_work(const context& test, rank_group& group) {
  const int mine = test.rank;
  int most = -1;
  CHECK(group.commit());
  CHECK(group.allreduce(std::span(&mine, 1), std::span(&most, 1), wherry::maximum{}));
  CHECK_EQUAL(most, group.ranks().back());
}

}  // namespace

WHERRY_TEST(null_arrays_of_groups_are_told, ranks(1, 2, 3)) {
  auto group = group_of(test.comm, test.size);
  CHECK(group.commit());
  std::vector<double> some(8);
  const std::span<double> null(static_cast<double*>(nullptr), some.size());
  all_throw(test, "in", error_kind::argument, "'in' is null",
            [&] { group.allreduce(std::span<const double>(null), some, std::plus<>{}); });
  all_throw(test, "out", error_kind::argument, "'out' is null",
            [&] { group.allreduce(std::span<const double>(some), null, std::plus<>{}); });
  CHECK(group.barrier());
}

WHERRY_TEST(arguments_of_groups_are_checked, ranks(1, 2, 3)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    all_throw(test, "no piece", error_kind::argument, "'sizes.piece' is 0",
              [&] { rank_group(comm, {.sizes = {.piece = 0}}); });
    for (const int wrong : {0, -1, 1025})
      all_throw(test, "among_all", error_kind::argument, "'sizes.among_all' is " + std::to_string(wrong),
                [&] { rank_group(comm, {.sizes = {.among_all = wrong}}); });
    auto group = group_of(comm, test.size);
    all_throw(test, "no such rank", error_kind::argument, "'rank' is " + std::to_string(test.size),
              [&] { group.add(test.size); });
    all_throw(test, "rank -1", error_kind::argument, "'rank' is -1", [&] { group.add(-1); });
    all_throw(test, "twice", error_kind::argument, "in the group already", [&] { group.add(test.size - 1); });
    all_throw(test, "not committed", error_kind::state, "before the group was committed", [&] { group.barrier(); });
    CHECK_EQUAL(group.size(), test.size);
    CHECK_EQUAL(group.index(), test.rank);
    CHECK(!group.committed());
    if (test.size > 1) {
      rank_group others(comm);
      others.add((test.rank + 1) % test.size);
      CHECK_EQUAL(others.index(), -1);
      all_throw(test, "no member", error_kind::argument, "not in", [&] { others.commit(0); });
    }
    must_work(test, group);
    all_throw(test, "too late", error_kind::state, "cannot be added", [&] { group.add(0); });
    const std::vector<double> in(4, 1);
    std::vector<double> out(3);
    const auto sum = std::plus<>{};
    all_throw(test, "other lengths", error_kind::argument, "'in' has 32 bytes, and 'out' has 24",
              [&] { group.allreduce(std::span<const double>(in), std::span(out), sum); });
    const std::vector<char> chars(12);
    std::vector<char> more(12);
    all_throw(test, "half an element", error_kind::argument, "12 bytes, not a number of elements of 8", [&] {
      group.allreduce(std::span<const char>(chars), std::span(more), wherry::reduction_of<double>(sum));
    });
    all_throw(test, "no operation", error_kind::argument, "not an operation", [&] {
      group.allreduce(std::span<const char>(chars), std::span(more), wherry::plans::typed_reduction{});
    });
    all_throw(test, "no meaning", error_kind::argument, "has no meaning for elements that are 8-byte floating-point",
              [&] { group.allreduce(std::span<const double>(in).first(3), std::span(out), std::bit_or<>{}); });
    struct large {
      char bytes[5000];
    };
    all_throw(test, "too large an element", error_kind::argument, "'sizes.piece' of 4096", [&] {
      const std::vector<large> one(1);
      std::vector<large> all(1);
      group.allreduce(std::span<const large>(one), std::span(all),
                      wherry::make_reduction<large>("first", [](const large& a, const large&) { return a; }));
    });
    must_work(test, group);
  }
}

WHERRY_TEST(another_call_of_a_group_names_what_is_pending, ranks(2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    auto group = group_of(comm, test.size);
    group.commit();
    const std::vector<float> in(3, 1);
    std::vector<float> out(3);
    const auto reduce = [&](const wherry::reduction& how, double seconds) {
      return group.allreduce(std::span<const float>(in), std::span(out), how, seconds);
    };
    if (test.rank != 0) {  // rank 0 is late
      CHECK(!reduce(wherry::reduction_of<float>(std::plus<>{}), 0));
      const char* const pending = "allreduce of 3 elements of 4 bytes, 'add' of 4-byte floating-point";
      const auto refused = [&](const std::function<void()>& act) {
        try {
          act();
          FAIL("another call than the pending one");
        } catch (const wherry::error& problem) {
          CHECK(problem.kind() == error_kind::argument);
          CHECK(std::string(problem.what()).find(pending) != std::string::npos);
        }
      };
      refused([&] { group.barrier(0); });
      refused([&] { reduce(wherry::reduction_of<float>(wherry::maximum{}), 0); });
      refused([&] {
        group.allreduce(std::span<const float>(in).first(2), std::span(out).first(2),
                        wherry::reduction_of<float>(std::plus<>{}));
      });
    }
    MPI_Barrier(test.comm);
    CHECK(reduce(wherry::reduction_of<float>(std::plus<>{}), wherry::no_limit));
    CHECK_EQUAL(out[2], static_cast<float>(test.size));
    CHECK(group.barrier());
  }
}

// Again and again on the same communicators, which are never freed: letters of a commit that has failed may still come,
// and do not hurt groups that are committed afterwards.
WHERRY_TEST(members_that_disagree_on_a_group_are_told, ranks(2, 3, 4, 8).not_simulated("real time must pass")) {
  const bool odd = test.rank == test.size - 1;
  const auto told = [&](const char* title, MPI_Comm comm, auto make) {
    test.note(title);
    rank_group group = make();
    try {
      group.commit(60);
      FAIL(std::string(title) + ": no error");
    } catch (const wherry::error& problem) {
      if (fault(problem.kind() != error_kind::mismatch || problem.peers().size() != 2)) FAIL(problem.what());
      CHECK(std::string(problem.what()).find("disagree on") != std::string::npos);
      CHECK(problem.peers()[0] != problem.peers()[1]);
    }
    all_throw(test, "it is of no use", error_kind::state, "cannot be used", [&] { group.commit(0); });
    MPI_Request all_told = MPI_REQUEST_NULL;
    MPI_Ibarrier(test.comm, &all_told);
    for (int done = 0; done == 0; MPI_Test(&all_told, &done, MPI_STATUS_IGNORE)) {
      wherry::rank_group own(comm);  // who is late hears of it from those that are at anything here
      own.add(test.rank).commit();
    }
    auto all = group_of(comm, test.size);
    must_work(test, all);
    rank_group pair(comm);  // of the first and the last, who have not agreed
    pair.add(0).add(test.size - 1);
    if (pair.index() >= 0) must_work(test, pair);
  };
  for (const char* const node_size : {"0", "1", "2"}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    const setting cut("node_size", node_size, "0");
    for (int round = 0; round < 3; ++round) {
      told("another piece", comm, [&] { return group_of(comm, test.size, {.sizes = {.piece = odd ? 64u : 128u}}); });
      told("another limit", comm, [&] { return group_of(comm, test.size, {.sizes = {.among_all = odd ? 2 : 3}}); });
      if (test.size > 2)
        told("another list", comm, [&] {
          rank_group group(comm);
          for (int rank = 0; rank < test.size; ++rank)
            if (!odd || rank != 1) group.add(rank);
          return group;
        });
    }
  }
}

// The last two have failed before the first one begins, which hears of it from the second alone: that the third knows
// as well must be clear to it, or it would tell it again, in the middle of the next commit.
WHERRY_TEST(who_fails_late_tells_nobody_who_knows, ranks(3)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (int round = 0; round < 3; ++round) {
      auto differs = group_of(comm, test.size, {.sizes = {.piece = test.rank == 2 ? 64u : 128u}});
      const auto fail = [&] {
        all_throw(test, "another piece", error_kind::mismatch, "disagree on", [&] { differs.commit(60); });
      };
      if (test.rank != 0) fail();
      MPI_Barrier(test.comm);
      const auto look = [&] {
        rank_group own(comm);
        own.add(test.rank).commit();
      };
      if (test.rank == 0) {
        for (int times = 0; times < 100; ++times) look();  // what the others have written is there, long since
        fail();
      }
      MPI_Request first_is_told = MPI_REQUEST_NULL;
      MPI_Ibarrier(test.comm, &first_is_told);
      for (int done = 0; done == 0; MPI_Test(&first_is_told, &done, MPI_STATUS_IGNORE))
        if (test.rank == 1) look();
      auto all = group_of(comm, test.size);
      must_work(test, all);
    }
}

// Two of three have failed, and are at the next commit of the same list, when the third begins what has failed: it
// hears of that, and does not take their next commit for it.
WHERRY_TEST(who_comes_late_meets_no_later_commit, ranks(3)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (int round = 0; round < 3; ++round) {
      auto differs = group_of(comm, test.size, {.sizes = {.piece = test.rank == 1 ? 128u : 64u}});
      auto all = group_of(comm, test.size);
      const auto fail = [&] {
        all_throw(test, "another piece", error_kind::mismatch, "disagree on", [&] { differs.commit(60); });
      };
      if (test.rank != 2) {
        fail();
        CHECK(!all.commit(0));  // the third is not there
      }
      MPI_Barrier(test.comm);
      if (test.rank == 2) fail();
      must_work(test, all);
    }
}

WHERRY_TEST(members_that_make_different_calls_are_told, ranks(2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    auto group = group_of(comm, test.size, {.sizes = {.piece = 64}});
    group.commit();
    const bool odd = test.rank == test.size - 1;
    const std::vector<int> in(200, 1);
    std::vector<int> out(200);
    const auto told = [&](const char* title, const std::function<void()>& act) {
      test.note(title);
      try {
        act();
        FAIL(std::string(title) + ": no error");
      } catch (const wherry::error& problem) {
        if (fault(problem.kind() != error_kind::mismatch)) FAIL(problem.what());
        CHECK(std::string(problem.what()).find("make different calls") != std::string::npos);
        CHECK_EQUAL(problem.peers().size(), 2u);
        CHECK_EQUAL(std::max(problem.peers()[0], problem.peers()[1]), test.size - 1);
      }
      must_work(test, group);
    };
    told("a barrier", [&] {
      if (odd)
        group.barrier();
      else
        group.allreduce(std::span<const int>(in), std::span(out), std::plus<>{});
    });
    told("another count", [&] {
      const std::size_t count = odd ? 7 : 200;
      group.allreduce(std::span<const int>(in).first(count), std::span(out).first(count), std::plus<>{});
    });
    told("another operation", [&] {
      group.allreduce(std::span<const int>(in), std::span(out),
                      odd ? wherry::reduction(std::plus<>{}) : wherry::minimum{});
    });
    const std::vector<unsigned> unsigned_in(200, 1);
    std::vector<unsigned> unsigned_out(200);
    told("another type", [&] {
      if (odd)
        group.allreduce(std::span<const int>(in), std::span(out), std::plus<>{});
      else
        group.allreduce(std::span<const unsigned>(unsigned_in), std::span(unsigned_out), std::plus<>{});
    });
  }
}

WHERRY_TEST(who_waits_for_a_destroyed_group_is_told, ranks(2, 3, 4).not_simulated("real time must pass")) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    {
      auto group = std::make_unique<rank_group>(group_of(comm, test.size));
      group->commit();
      MPI_Barrier(test.comm);
      if (test.rank == 1) group.reset();
      if (test.rank == 0 && wherry::communicator(comm).node_index(1) >= 0) {
        try {
          group->barrier(20);
          FAIL("rank 1 does not come");
        } catch (const wherry::error& problem) {
          CHECK(problem.kind() == error_kind::state);
          CHECK(std::string(problem.what()).find("rank 1 destroyed the group") != std::string::npos);
        }
      } else if (test.rank == 0) {
        CHECK(!group->barrier(0.01));
      }
      MPI_Barrier(test.comm);
    }
    {
      auto group = group_of(comm, 2);
      if (test.rank == 1) CHECK(!group.commit(0));  // and gives it up
      if (test.rank == 1) group = rank_group(comm);
      MPI_Barrier(test.comm);
      if (test.rank == 0) CHECK(!group.commit(0.01));  // as if rank 1 had never begun
      MPI_Barrier(test.comm);
      if (test.rank == 1) group = group_of(comm, 2);
      if (test.rank < 2) must_work(test, group);
      MPI_Barrier(test.comm);
    }
  }
}

WHERRY_TEST(timeouts_of_groups_name_who_is_missing, ranks(2, 3, 4).not_simulated("real time must pass")) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    auto group = group_of(comm, test.size);
    const auto named = [&](const char* what, const std::function<void()>& act) {
      if (test.rank == 0) {
        const setting brief("timeout", "0.05", "0");
        try {
          act();
          FAIL("rank 1 is late");
        } catch (const wherry::error& problem) {
          CHECK(problem.kind() == error_kind::timeout);
          CHECK(std::string(problem.what()).find(what) != std::string::npos);
          CHECK(!problem.peers().empty());
        }
      }
      MPI_Barrier(test.comm);
      act();
      MPI_Barrier(test.comm);
    };
    named("commit", [&] { group.commit(); });
    named("barrier", [&] { group.barrier(); });
  }
}

WHERRY_TEST(what_a_users_operation_throws_comes_out, ranks(1, 2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    auto group = group_of(comm, test.size);
    group.commit();
    const int mine = 1;
    int all = 0;
    const auto bad = wherry::make_reduction<int>("bad", [](int, int) -> int { throw std::runtime_error("no"); });
    int thrown = 0;
    try {
      group.allreduce(std::span(&mine, 1), std::span(&all, 1), bad);
    } catch (const std::runtime_error&) {  // wherry::error too
      thrown = 1;
    }
    CHECK_EQUAL(thrown, test.size > 1 ? 1 : 0);
    must_work(test, group);
  }
}
