// Ranks that mean different calls, or of which one has an error of its own, without WHERRY_CHECK: all of them are told,
// nobody gets another call's data, and nobody waits for ever. What may differ is no disagreement.
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/collective/typed.hpp"
#include "wherry/collective/typed_parts.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

/// Those whose records are ours, besides "shared" and "linear", of which they are made.
constexpr std::string_view more_of_ours[] = {"hierarchical", "binomial", "ring", "one_sided", "pgas"};

/// A communicator of its own, which may be given up.
class communicator_of_case {
 public:
  explicit communicator_of_case(const context& test) { MPI_Comm_dup(test.comm, &comm_); }
  communicator_of_case(const communicator_of_case&) = delete;
  communicator_of_case& operator=(const communicator_of_case&) = delete;
  ~communicator_of_case() { MPI_Comm_free(&comm_); }
  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

std::optional<wherry::error> error_in(const std::function<void()>& act) {
  try {
    act();
  } catch (const wherry::error& failure) {
    return failure;
  }
  return std::nullopt;
}

/// One rank's call is another one's, or not right: each rank gets an error then, or as soon as it hears of the others,
/// and no collective of ours goes on there.
/// @returns this rank's first error
wherry::error all_are_told(const context& test, const std::string& title, std::string_view name, MPI_Comm comm,
                           const std::function<void()>& act) {
  test.note(title);
  const with_setting no_longer("timeout", "5", "0");
  std::optional<wherry::error> first = error_in(act);
  for (int later = 0; later < 3 && !first; ++later)
    first = error_in([&] {
      int sum = 1;
      wherry::collective::run(call::allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm), name);
    });
  if (!first) {
    FAIL(title + ": no error");
    return {error_kind::state, "", "no error", test.rank};
  }
  if (first->kind() == error_kind::timeout) FAIL(title + ": " + first->what());
  if (first->rank() != test.rank || (first->kind() == error_kind::mismatch && first->peers().empty()))
    FAIL(title + ": names no ranks: " + first->what());
  int value = 1;
  const auto next = error_in(
      [&] { wherry::collective::run(call::allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm), name); });
  if (!next || next->kind() == error_kind::timeout)
    FAIL(title + ": it goes on: " + (next ? next->what() : "") + "\n    after: " + first->what());
  pass();
  MPI_Barrier(test.comm);
  return *first;
}

struct figures {
  int count = 10, root = 0;
  MPI_Datatype type = MPI_DOUBLE;
  MPI_Op op = MPI_SUM;
};

/// Room for all that the cases below send and receive.
struct memory {
  explicit memory(int size)
      : send(static_cast<std::size_t>(size) * 4096, 1.0),
        receive(send),
        places(static_cast<std::size_t>(size)),
        counts(places) {}
  std::vector<double> send, receive;
  std::vector<int> places, counts;
};

call made(kind what, const figures& f, memory& m, MPI_Comm comm) {
  auto *const s = m.send.data(), *const r = m.receive.data();
  for (std::size_t i = 0; i < m.counts.size(); ++i) {
    m.counts[i] = f.count;
    m.places[i] = static_cast<int>(i) * f.count;
  }
  int *const n = m.counts.data(), *const p = m.places.data();
  switch (what) {
    case kind::bcast:
      return call::bcast(r, f.count, f.type, f.root, comm);
    case kind::gather:
      return call::gather(s, f.count, f.type, r, f.count, f.type, f.root, comm);
    case kind::gatherv:
      return call::gatherv(s, f.count, f.type, r, n, p, f.type, f.root, comm);
    case kind::scatter:
      return call::scatter(s, f.count, f.type, r, f.count, f.type, f.root, comm);
    case kind::scatterv:
      return call::scatterv(s, n, p, f.type, r, f.count, f.type, f.root, comm);
    case kind::reduce:
      return call::reduce(s, r, f.count, f.type, f.op, f.root, comm);
    case kind::allgather:
      return call::allgather(s, f.count, f.type, r, f.count, f.type, comm);
    case kind::allgatherv:
      return call::allgatherv(s, f.count, f.type, r, n, p, f.type, comm);
    case kind::allreduce:
      return call::allreduce(s, r, f.count, f.type, f.op, comm);
    case kind::reduce_scatter:
      return call::reduce_scatter(s, r, n, f.type, f.op, comm);
    case kind::reduce_scatter_block:
      return call::reduce_scatter_block(s, r, f.count, f.type, f.op, comm);
    case kind::scan:
      return call::scan(s, r, f.count, f.type, f.op, comm);
    case kind::exscan:
      return call::exscan(s, r, f.count, f.type, f.op, comm);
    case kind::alltoall:
      return call::alltoall(s, f.count, f.type, r, f.count, f.type, comm);
    case kind::alltoallv:
      return call::alltoallv(s, n, p, f.type, r, n, p, f.type, comm);
    default:
      return call::barrier(comm);
  }
}

constexpr kind without_neighbors[] = {kind::bcast,     kind::gather,   kind::gatherv,        kind::scatter,
                                      kind::scatterv,  kind::reduce,   kind::allgather,      kind::allgatherv,
                                      kind::allreduce, kind::scan,     kind::reduce_scatter, kind::reduce_scatter_block,
                                      kind::exscan,    kind::alltoall, kind::alltoallv};

bool has_root(kind what) {
  return what == kind::bcast || what == kind::gather || what == kind::gatherv || what == kind::scatter ||
         what == kind::scatterv || what == kind::reduce;
}
bool reduces(kind what) {
  return what == kind::reduce || what == kind::allreduce || what == kind::scan || what == kind::exscan ||
         what == kind::reduce_scatter || what == kind::reduce_scatter_block;
}

/// The last rank's call differs from those of all others. @returns this rank's first error
std::optional<wherry::error> last_differs(const context& test, const char* differs, std::string_view name, kind what,
                                          const figures& usual, const figures& other, kind others = kind::barrier) {
  const communicator_of_case its_own(test);
  const MPI_Comm comm = its_own;
  memory m(test.size);
  const bool last = test.rank == test.size - 1;
  if (!wherry::collective::obstacle(made(what, usual, m, comm), name).empty()) return std::nullopt;
  if (others != kind::barrier && !wherry::collective::obstacle(made(others, other, m, comm), name).empty())
    return std::nullopt;
  wherry::collective::run(call::barrier(comm), name == "ring" || name == "binomial" ? "dissemination" : name);
  const auto mine =
      last && others != kind::barrier ? made(others, other, m, comm) : made(what, last ? other : usual, m, comm);
  const auto title = std::string(name) + ": " + std::string(name_of(what)) + ", " + differs;
  return all_are_told(test, title, "shared", comm, [&] { wherry::collective::run(mine, name); });
}

bool says(const wherry::error& failure, const std::string& words) {
  return std::string(failure.what()).find(words) != std::string::npos;
}

}  // namespace

WHERRY_TEST(other_lengths_are_told, ranks(2, 3, 4).not_simulated("each case takes a communicator")) {
  const auto differ = [&](std::string_view name, kind what, int usual, int other) {
    const auto told = last_differs(test, "lengths", name, what, {.count = usual}, {.count = other});
    // Both figures, where a rank finds it out by itself, and not only by what came before. Between the ranks of a node
    // `hierarchical` has those of more ranks together.
    if (!told || told->kind() != error_kind::mismatch || says(*told, "different collective calls") ||
        says(*told, "hash") || name == "hierarchical")
      return;
    if (!says(*told, std::to_string(8 * usual)) || !says(*told, std::to_string(8 * other)))
      FAIL(std::string("not both figures: ") + told->what());
  };
  // Each case takes a communicator, which is not cheap: each collective meets some, other ones for each number of
  // ranks.
  constexpr std::pair<int, int> longer_or_none[] = {{5, 10}, {2000, 40}, {0, 3}};
  auto turn = static_cast<std::size_t>(test.size);
  for (const auto what : without_neighbors) {
    differ(more_of_ours[turn % std::size(more_of_ours)], what, 10, 5);
    for (const std::string_view name : {"shared", "linear"}) {
      differ(name, what, 10, 5);
      const auto [usual, other] = longer_or_none[turn++ % std::size(longer_or_none)];
      differ(name, what, usual, other);
    }
  }
}

WHERRY_TEST(other_roots_operations_and_types_are_told, ranks(2, 3, 4).not_simulated("each case takes a communicator")) {
  for (const std::string_view name : {"shared", "linear", "pgas"})
    for (const auto what : without_neighbors) {
      if (has_root(what)) last_differs(test, "roots", name, what, {.root = 0}, {.root = 1});
      if (!reduces(what)) continue;
      last_differs(test, "operations", name, what, {.op = MPI_SUM}, {.op = MPI_MAX});
      last_differs(test, "types", name, what, {.type = MPI_DOUBLE}, {.type = MPI_INT64_T});
    }
}

WHERRY_TEST(other_collectives_are_told, ranks(2, 3, 4).not_simulated("each case takes a communicator")) {
  for (const auto name : {"shared", "hierarchical", "linear", "pgas"})
    for (const auto& [what, other] :
         {std::pair(kind::bcast, kind::allreduce), std::pair(kind::allgather, kind::alltoall),
          std::pair(kind::allreduce, kind::scan), std::pair(kind::alltoall, kind::alltoallv),
          std::pair(kind::gather, kind::scatter)})
      last_differs(test, "collectives", name, what, {}, {}, other);
}

// Datatypes and counts of as many bytes, buffers in place, and what only the root says.
WHERRY_TEST(what_may_differ_is_no_disagreement, ranks(2, 3, 4)) {
  MPI_Datatype five = MPI_DATATYPE_NULL, apart = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(5, MPI_INT, &five);
  MPI_Type_commit(&five);
  MPI_Type_vector(5, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  const bool odd = test.rank % 2 == 1;
  const auto size = static_cast<std::size_t>(test.size);
  std::vector<int> in(20 * size, 3), out(20 * size, 0), counts(size, 5), places(size, 0);
  for (std::size_t i = 0; i < size; ++i) places[i] = 5 * static_cast<int>(i);
  for (const std::string_view name : {"shared", "linear", "nonblocking", "pgas"}) {
    if (wherry::detail::ranks_share_a_process && name == "nonblocking") continue;
    const auto good = [&](const call& what) { wherry::collective::run(what, name); };
    good(odd ? call::bcast(in.data(), 1, five, 0, test.comm) : call::bcast(in.data(), 5, MPI_INT, 0, test.comm));
    good(odd ? call::bcast(in.data(), 1, apart, 0, test.comm) : call::bcast(in.data(), 20, MPI_BYTE, 0, test.comm));
    good(odd ? call::gather(in.data(), 1, five, nullptr, -7, MPI_DATATYPE_NULL, 0, test.comm)
             : call::gather(in.data(), 5, MPI_INT, out.data(), 20, MPI_BYTE, 0, test.comm));
    good(test.rank == 0
             ? call::gatherv(MPI_IN_PLACE, 0, MPI_INT, out.data(), counts.data(), places.data(), MPI_INT, 0, test.comm)
             : call::gatherv(in.data(), 1, five, nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, 0, test.comm));
    good(test.rank == 0 ? call::scatter(in.data(), 1, five, MPI_IN_PLACE, 0, MPI_INT, 0, test.comm)
                        : call::scatter(nullptr, -1, MPI_DATATYPE_NULL, out.data(), 5, MPI_INT, 0, test.comm));
    good(odd ? call::allgather(in.data(), 1, five, out.data(), 1, five, test.comm)
             : call::allgather(MPI_IN_PLACE, 77, MPI_DATATYPE_NULL, out.data(), 5, MPI_INT, test.comm));
    good(odd ? call::alltoall(in.data(), 1, five, out.data(), 5, MPI_INT, test.comm)
             : call::alltoall(MPI_IN_PLACE, 0, MPI_INT, out.data(), 20, MPI_BYTE, test.comm));
    good(call::allreduce(odd ? MPI_IN_PLACE : in.data(), out.data(), 5, odd ? MPI_INT : MPI_INT32_T, MPI_SUM,
                         test.comm));
    int sum = 1;
    good(call::allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, test.comm));
    CHECK_EQUAL(sum, test.size);
  }
  MPI_Type_free(&five);
  MPI_Type_free(&apart);
}

// The rank that has the error throws at once; those that wait for it, or call something afterwards, are told whose it
// is.
WHERRY_TEST(an_error_of_one_rank_is_told_to_all, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  for (const std::string_view name : {"shared", "hierarchical", "linear", "pgas", "nonblocking"}) {
    for (const auto what : {kind::allreduce, kind::gatherv, kind::bcast, kind::alltoall}) {
      const communicator_of_case its_own(test);
      const MPI_Comm comm = its_own;
      memory m(test.size);
      wherry::collective::run(call::barrier(comm), name);
      auto mine = made(what, {}, m, comm);
      if (test.rank == 0 && what == kind::gatherv) m.counts.back() = -1;
      if (test.rank == 0 && what != kind::gatherv) mine.receive_count = mine.send_count = -3;
      const auto told = all_are_told(test, std::string(name) + ": " + std::string(name_of(what)), "shared", comm, [&] {
        const with_setting in_time("timeout", "20", "0");
        if (test.rank == 0 || name != "nonblocking") wherry::collective::run(mine, name);
      });
      if (test.rank != 0 && told.kind() == error_kind::argument)
        CHECK(says(told, "rank 0 reports") && says(told, what == kind::gatherv ? "]' is -1" : "count' is -3"));
    }
  }
}

WHERRY_TEST(who_waits_for_a_rank_with_an_error_is_told, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  for (const std::string_view name : {"shared", "linear", "pgas"}) {
    const communicator_of_case its_own(test);
    const MPI_Comm comm = its_own;
    wherry::collective::run(call::barrier(comm), name == "linear" ? "dissemination" : name);
    double value = 1;
    const auto told = error_in([&] {
      const with_setting in_time("timeout", "20", "0");
      wherry::collective::run(
          call::allreduce(MPI_IN_PLACE, &value, test.rank == test.size - 1 ? -1 : 1, MPI_DOUBLE, MPI_SUM, comm), name);
    });
    REQUIRE(told.has_value());
    CHECK_EQUAL(told->kind(), error_kind::argument);
    CHECK(says(*told, "'count' is -1"));
    if (test.rank != test.size - 1) CHECK_EQUAL(told->peers(), std::vector<int>{test.size - 1});
    MPI_Barrier(test.comm);
  }
}

// Errors of different collectives.
WHERRY_TEST(different_errors_give_the_communicator_up, ranks(2, 3).not_simulated("each case takes a communicator")) {
  const communicator_of_case its_own(test);
  const MPI_Comm comm = its_own;
  wherry::collective::run(call::barrier(comm), "shared");
  all_are_told(test, "different errors", "shared", comm, [&] {
    int value = 1;
    const auto wrong = test.rank == 0 ? call::bcast(&value, -1, MPI_INT, 0, comm)
                                      : call::allreduce(MPI_IN_PLACE, &value, -1, MPI_INT, MPI_SUM, comm);
    const auto own = error_in([&] { wherry::collective::run(wrong, "shared"); });
    CHECK(own && own->kind() == error_kind::argument);
  });
}

// The case of issue 45: the error is rank 0's alone, and its next collective is no list of counts.
WHERRY_TEST(counts_that_are_wrong_on_one_rank_make_no_vector, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  const communicator_of_case its_own(test);
  const MPI_Comm comm = its_own;
  wherry::collective::barrier(comm);
  const auto told = all_are_told(test, "alltoallv", "shared", comm, [&] {
    const std::vector<double> mine(2 * static_cast<std::size_t>(test.size), 1.0);
    const std::vector<int> counts(static_cast<std::size_t>(test.size), test.rank == 0 ? 1 : 2);
    const auto all = wherry::collective::alltoallv(comm, mine, counts);
    CHECK_EQUAL(all.all.size(), mine.size());
  });
  CHECK(says(told, "the counts of rank 0 do not add up to the number of elements given"));
}

// All ranks have refused the same collective, perhaps for different arguments of it, so that they still agree on the
// next call, whoever carries it.
WHERRY_TEST(errors_of_all_ranks_leave_the_communicator_usable,
            ranks(1, 2, 3, 4).not_simulated("each case takes a communicator")) {
  for (const std::string_view name : {"shared", "linear", "nonblocking", "mpi"}) {
    const communicator_of_case its_own(test);
    const MPI_Comm comm = its_own;
    memory m(test.size);
    wherry::collective::run(call::barrier(comm), name == "linear" ? "dissemination" : name);
    const auto goes_on = [&](const std::string& after, const std::function<void()>& fails) {
      test.note(std::string(name) + " after " + after);
      const with_setting in_time("timeout", "20", "0");
      for (int times = 0; times < 2; ++times) {
        const auto own = error_in(fails);
        CHECK(own && own->kind() == error_kind::argument);
      }
      for (int round = 1; round <= 3; ++round) {
        double sum = round * (test.rank + 1);
        wherry::collective::run(call::allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm), name);
        CHECK_EQUAL(sum, round * test.size * (test.size + 1) / 2.0);
      }
    };
    goes_on("bcast", [&] {
      wherry::collective::run(call::bcast(m.receive.data(), test.rank == 0 ? -1 : -2, MPI_DOUBLE, 0, comm), name);
    });
    goes_on("scatter", [&] { wherry::collective::run(made(kind::scatter, {.count = -1}, m, comm), name); });
    goes_on("scatterv", [&] { wherry::collective::run(made(kind::scatterv, {.count = -1}, m, comm), name); });
    goes_on("gather", [&] { wherry::collective::run(made(kind::gather, {.type = MPI_DATATYPE_NULL}, m, comm), name); });
    goes_on("typed alltoallv", [&] {
      const std::vector<int> counts(static_cast<std::size_t>(test.size), 1 + test.rank);
      static_cast<void>(wherry::collective::alltoallv(comm, std::vector<int>(), counts));
    });
    MPI_Barrier(test.comm);
  }
}

// The case of issue 45 where MPI carries the calls: it would take the next call of the rank with the error for the one
// that this rank has refused.
WHERRY_TEST(an_error_of_one_rank_does_not_shift_calls_of_mpi, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  for (const std::string_view name : {"mpi", "nonblocking"}) {
    test.note(std::string(name));
    const with_setting in_time("timeout", "20", "0");  // calls of MPI's end in time if this is set from the beginning
    const communicator_of_case its_own(test);
    const MPI_Comm comm = its_own;
    wherry::collective::run(call::barrier(comm), name);
    auto* const values = new double[5]{};  // never freed, because MPI may write there as long as a call is not complete
    for (int i = 0; i < 5; ++i) {
      values[i] = 1 + test.rank;
      const int count = i == 0 && test.rank == 0 ? -1 : 1;
      const auto told = error_in([&] {
        wherry::collective::run(call::allreduce(MPI_IN_PLACE, values + i, count, MPI_DOUBLE, MPI_SUM, comm), name);
      });
      REQUIRE(told.has_value());
      CHECK(told->kind() != error_kind::timeout);
      if (i == 0) CHECK_EQUAL(told->kind(), error_kind::argument);
      if (i == 0 && !says(*told, "'count' is -1")) FAIL(std::string("does not say why: ") + told->what());
    }
    MPI_Barrier(test.comm);
  }
}

// The other ranks have not refused the call, and nothing shows that they ever will.
WHERRY_TEST(ranks_that_have_not_refused_a_call_are_named, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  const communicator_of_case its_own(test);
  const MPI_Comm comm = its_own;
  wherry::collective::run(call::barrier(comm), "mpi");
  if (test.rank == 0) {
    const with_setting soon("timeout", "0.3", "0");
    double value = 1;
    const auto by_mpi = [&](int count) {
      return error_in([&] {
        wherry::collective::run(call::allreduce(MPI_IN_PLACE, &value, count, MPI_DOUBLE, MPI_SUM, comm), "mpi");
      });
    };
    CHECK_EQUAL(by_mpi(-1)->kind(), error_kind::argument);
    const auto told = by_mpi(1);
    REQUIRE(told.has_value());
    CHECK_EQUAL(told->kind(), error_kind::mismatch);
    CHECK_EQUAL(static_cast<int>(told->peers().size()), test.size - 1);
    CHECK(says(*told, "'count' is -1") && says(*told, "had not refused it"));
    const auto later = by_mpi(1);
    CHECK(later && later->kind() == error_kind::state);
  }
  MPI_Barrier(test.comm);
}
