// What a collective that was begun says of itself, while it goes on and afterwards; why calls fell through to MPI; and
// what of all that a trace shows.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/collective/usage.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "core/trace.hpp"
#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::collective::call;
using wherry::collective::kind;
using wherry::collective::persistent;
using wherry::collective::running_call;
using wherry::collective::start;

namespace {

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

struct moved {
  std::int64_t sent, received, copied;
};

/// Calls with numbers of 8 bytes, and what this rank gives, gets and keeps in each.
class calls {
 public:
  explicit calls(const context& test) : rank_(test.rank), size_(test.size), root_(1 % test.size), comm_(test.comm) {
    for (int r = 0; r < size_; ++r) {
      counts_.push_back(r + 1);
      places_.push_back(total_);
      total_ += r + 1;
      each_.push_back(rank_ + 1);  // of an alltoall a rank gets as much from each
      at_.push_back(r * (rank_ + 1));
    }
    types_.assign(counts_.size(), MPI_DOUBLE);
    for (const int at : places_) bytes_at_.push_back(8 * at);
    for (const int at : at_) bytes_of_each_.push_back(8 * at);
    send_.assign(static_cast<std::size_t>(3 * size_ + total_), 1.0);
    receive_.assign(static_cast<std::size_t>(3 * size_ + size_ * size_ + total_), 0.0);
  }

  /// Calls `visit(call, moved)`.
  template <class Visit> void for_each(Visit&& visit) {
    double *const s = send_.data(), *const r = receive_.data();
    const auto d = MPI_DOUBLE;
    const std::int64_t n = 24, others = size_ - 1, some = others > 0 ? 1 : 0, own = 8 * (rank_ + 1);
    const std::int64_t foreign = 8 * total_ - own, at_root = rank_ == root_ ? 1 : 0, not_root = 1 - at_root;
    const std::int64_t not_last = rank_ < others ? 1 : 0, not_first = rank_ > 0 ? 1 : 0;
    const int *const c = counts_.data(), *const p = places_.data(), mine = rank_ + 1;
    visit(call::barrier(comm_), moved{0, 0, 0});
    visit(call::bcast(r, 3, d, root_, comm_), moved{at_root * some * n, not_root * n, 0});
    visit(call::gather(s, 3, d, r, 3, d, root_, comm_), moved{not_root * n, at_root * others * n, at_root * n});
    visit(call::scatter(s, 3, d, r, 3, d, root_, comm_), moved{at_root * others * n, not_root * n, at_root * n});
    visit(call::gatherv(s, mine, d, r, c, p, d, root_, comm_), moved{not_root * own, at_root * foreign, at_root * own});
    visit(call::scatterv(s, c, p, d, r, mine, d, root_, comm_),
          moved{at_root * foreign, not_root * own, at_root * own});
    visit(call::reduce(s, r, 3, d, MPI_SUM, root_, comm_),
          moved{not_root * n, at_root * some * n, at_root * (1 - some) * n});
    visit(call::allgather(s, 3, d, r, 3, d, comm_), moved{some * n, others * n, n});
    visit(call::allgather(MPI_IN_PLACE, 0, d, r, 3, d, comm_), moved{some * n, others * n, 0});
    visit(call::allgatherv(s, mine, d, r, c, p, d, comm_), moved{some * own, foreign, own});
    visit(call::allreduce(s, r, 3, d, MPI_SUM, comm_), moved{some * n, some * n, (1 - some) * n});
    visit(call::allreduce(MPI_IN_PLACE, r, 3, d, MPI_SUM, comm_), moved{some * n, some * n, 0});
    visit(call::reduce_scatter(s, r, c, d, MPI_SUM, comm_), moved{foreign, some * own, (1 - some) * own});
    visit(call::reduce_scatter_block(s, r, 3, d, MPI_SUM, comm_), moved{others * n, some * n, (1 - some) * n});
    visit(call::scan(s, r, 3, d, MPI_SUM, comm_), moved{not_last * n, not_first * n, (1 - some) * n});
    visit(call::exscan(s, r, 3, d, MPI_SUM, comm_), moved{not_last * n, not_first * n, 0});
    visit(call::alltoall(s, 3, d, r, 3, d, comm_), moved{others * n, others * n, n});
    visit(call::alltoallv(s, c, p, d, r, each_.data(), at_.data(), d, comm_), moved{foreign, others * own, own});
    visit(call::alltoallw(s, c, bytes_at_.data(), types_.data(), r, each_.data(), bytes_of_each_.data(), types_.data(),
                          comm_),
          moved{foreign, others * own, own});
  }

 private:
  int rank_, size_, root_, total_ = 0;
  MPI_Comm comm_;
  std::vector<int> counts_, places_, each_, at_, bytes_at_, bytes_of_each_;
  std::vector<MPI_Datatype> types_;
  std::vector<double> send_, receive_;
};

std::uint64_t fallen(kind what, std::string_view wanted, std::string_view why) {
  std::uint64_t sum = 0;
  for (const auto& one : wherry::collective::fallen_through_so_far())
    if (one.what == what && one.wanted == wanted && one.why == why) sum += one.calls;
  return sum;
}

std::uint64_t calls_by_mpi(kind what) {
  for (const auto& one : wherry::collective::usage_so_far())
    if (one.what == what && one.implementation == "mpi") return one.calls;
  return 0;
}

template <class Body> void with_new_communicator(const context& test, Body&& body) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  body(comm);
  MPI_Comm_free(&comm);
}

int count(const std::string& text, std::string_view words) {
  int found = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

}  // namespace

WHERRY_TEST(operations_say_what_they_move_and_by_what, ranks(1, 2, 3, 4).simulated_in(8)) {
  int cases = 0;
  for (const std::string name : {"linear", "nonblocking", "shared"})
    calls(test).for_each([&](const call& what, const moved& expected) {
      if (wherry::detail::ranks_share_a_process && name == "nonblocking")
        return;  // SimGrid 3.32's spoil buffers in place
      if (!test.has(cases++)) return;
      test.note(name + " " + std::string(name_of(what.kind)));
      if (!wherry::collective::obstacle(what, name).empty()) return;
      auto begun = start(what, {.implementation = name});
      CHECK_EQUAL(begun.transport(), name);
      CHECK_EQUAL(begun.statistics().exchanges, 0U);
      CHECK_EQUAL(begun.statistics().bytes_sent, 0);
      const auto said = begun.explain();
      CHECK(contains(said, std::string(name_of(what.kind)) + " by " + name + ": chosen by the caller"));
      CHECK(contains(said,
                     wherry::detail::text("; ", expected.sent, " B to others, ", expected.received, " B from others")));
      begun.wait();
      CHECK(begun.implementation().empty());
      CHECK_EQUAL(begun.transport(), name);
      CHECK_EQUAL(begun.explain(), said);
      const auto figures = begun.statistics();
      CHECK_EQUAL(figures.exchanges, 1U);
      CHECK_EQUAL(figures.bytes_sent, expected.sent);
      CHECK_EQUAL(figures.bytes_received, expected.received);
      CHECK_EQUAL(figures.bytes_copied, expected.copied);
      CHECK_EQUAL(figures.seconds_waiting, 0.0);  // nobody has asked for it
    });
}

WHERRY_TEST(neighbours_operations_say_what_they_move,
            ranks(1, 2, 3, 4).not_simulated("the simulator's MPI has no calls among neighbours")) {
  MPI_Comm ring = MPI_COMM_NULL;
  const int around = 1;
  MPI_Cart_create(test.comm, 1, &test.size, &around, 0, &ring);
  std::vector<double> out(6, 1.0), in(6);
  const std::int64_t n = 24, away = test.size > 1 ? 1 : 0, here = 1 - away;
  auto same = start(call::neighbor_allgather(out.data(), 3, MPI_DOUBLE, in.data(), 3, MPI_DOUBLE, ring));
  same.wait();
  CHECK_EQUAL(same.statistics().bytes_sent, away * n);  // once, though both get it
  CHECK_EQUAL(same.statistics().bytes_received, 2 * away * n);
  CHECK_EQUAL(same.statistics().bytes_copied, 2 * here * n);
  auto each = start(call::neighbor_alltoall(out.data(), 3, MPI_DOUBLE, in.data(), 3, MPI_DOUBLE, ring));
  while (!each.test()) continue;
  CHECK_EQUAL(each.statistics().exchanges, 1U);
  CHECK_EQUAL(each.statistics().bytes_sent, 2 * away * n);
  CHECK_EQUAL(each.statistics().bytes_received, 2 * away * n);
  MPI_Comm_free(&ring);
}

WHERRY_TEST(what_has_not_begun_says_nothing_and_what_is_moved_takes_its_answers_along, ranks(2)) {
  running_call none;
  CHECK(none.transport().empty() && none.explain().empty());
  CHECK_EQUAL(none.statistics().exchanges, 0U);
  none.wait();
  CHECK_EQUAL(none.statistics().exchanges, 0U);
  auto begun = start(call::barrier(test.comm), {.implementation = "dissemination"});
  none = std::move(begun);
  CHECK(begun.transport().empty());  // NOLINT(bugprone-use-after-move)
  none.wait();
  CHECK_EQUAL(none.transport(), "dissemination");
  const running_call other(std::move(none));
  CHECK_EQUAL(other.statistics().exchanges, 1U);
  CHECK_EQUAL(none.statistics().exchanges, 0U);  // NOLINT(bugprone-use-after-move)
}

WHERRY_TEST(persistent_ones_say_who_will_do_it_and_add_up, ranks(1, 2, 3)) {
  std::vector<double> mine(3, 1.0), sum(3);
  const auto what = call::allreduce(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, test.comm);
  const std::int64_t bytes = test.size > 1 ? 24 : 0;
  persistent again(what, {.implementation = "ring"});
  const auto& asked = again;
  CHECK_EQUAL(asked.transport(), "ring");
  CHECK_EQUAL(asked.explain(), "allreduce by ring: chosen by the caller");
  for (int round = 1; round <= 3; ++round) {
    again.start();
    CHECK_EQUAL(asked.statistics().exchanges, static_cast<std::uint64_t>(round - 1));
    again.wait();
    CHECK_EQUAL(asked.statistics().exchanges, static_cast<std::uint64_t>(round));
    CHECK_EQUAL(asked.statistics().bytes_sent, round * bytes);
    CHECK_EQUAL(asked.statistics().bytes_received, round * bytes);
  }
  again();
  CHECK_EQUAL(asked.statistics().exchanges, 4U);
  CHECK(contains(asked.explain(), "allreduce by ring: chosen by the caller; "));
  const persistent chosen(what);
  CHECK_EQUAL(chosen.explain(), "allreduce by " + wherry::collective::explain(what));
  CHECK_EQUAL(chosen.transport() + ":", wherry::collective::explain(what).substr(0, chosen.transport().size() + 1));
}

WHERRY_TEST(waits_are_measured_where_that_is_asked_for, ranks(2, 3).not_simulated(one_environment)) {
  const with_setting statistics("stats", "1", "0");
  with_new_communicator(test, [&](MPI_Comm comm) {
    persistent meet(call::barrier(comm), {.implementation = "dissemination"});
    meet();
    CHECK(meet.statistics().seconds_waiting > 0);
  });
  with_new_communicator(test, [&](MPI_Comm comm) { wherry::collective::run(call::barrier(comm)); });
}

WHERRY_TEST(why_calls_fell_through_is_counted, ranks(1, 2, 3)) {
  constexpr std::string_view why = "there is no such algorithm for it";
  with_new_communicator(test, [&](MPI_Comm comm) {
    std::vector<int> some(3, 1), counts(static_cast<std::size_t>(test.size), 1), places(counts), all(counts);
    for (int r = 0; r < test.size; ++r) places[static_cast<std::size_t>(r)] = r;
    const auto scan = call::scan(some.data(), all.data(), 1, MPI_INT, MPI_SUM, comm);
    const auto listed =
        call::gatherv(some.data(), 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0, comm);
    const auto scans = fallen(kind::scan, "ring", why), of_all = calls_by_mpi(kind::scan);
    for (int i = 0; i < 5; ++i) CHECK_EQUAL(wherry::collective::run(scan, "ring"), "mpi");  // and remembers it
    wherry::collective::run(scan, "mpi");                                                   // as was wished
    CHECK_EQUAL(fallen(kind::scan, "ring", why), scans + 5);
    CHECK_EQUAL(calls_by_mpi(kind::scan), of_all + 6);
    const auto gathers = fallen(kind::gatherv, "ring", why);
    wherry::collective::choose(comm, kind::gatherv, "ring");
    for (int i = 0; i < 3; ++i) CHECK_EQUAL(wherry::collective::run(listed), "mpi");
    auto begun = start(listed);
    begun.wait();
    CHECK_EQUAL(begun.transport(), "mpi");
    CHECK(
        contains(begun.explain(), wherry::detail::text("gatherv by mpi: ring, chosen by the program, cannot: ", why)));
    CHECK_EQUAL(fallen(kind::gatherv, "ring", why), gathers + 4);
  });
  CHECK(fallen(kind::gatherv, "ring", why) >= 4);  // also of communicators that are gone
}

WHERRY_TEST(calls_are_traced, ranks(1, 2, 3).not_simulated(one_environment)) {
  const auto path = std::filesystem::temp_directory_path() / ("wherry_calls_" + std::to_string(getpid()) + ".json");
  std::vector<double> mine(3, 1.0), sum(3);
  {
    const with_setting trace("trace", path.c_str(), "");
    with_new_communicator(test, [&](MPI_Comm comm) {
      const auto what = call::allreduce(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, comm);
      for (int i = 0; i < 3; ++i) wherry::collective::run(what, "ring");
      for (int i = 0; i < 2; ++i) start(what, {.implementation = "linear"}).wait();
      auto polled = start(what, {.implementation = "binomial"});
      while (!polled.test()) continue;
      wherry::collective::run(call::scan(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, comm), "ring");
    });
    wherry::trace_flush();
  }
  std::ostringstream file;
  file << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  const auto text = file.str();
  const auto events = [&](const char* name, const char* what, const char* by) {
    int found = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (contains(line, wherry::detail::text("{\"name\":\"", name, "\",\"cat\":\"", what, "\"")) &&
          contains(line, wherry::detail::text("\"transport\":\"", by, "\"")))
        ++found;
    return found;
  };
  CHECK_EQUAL(events("run", "allreduce", "ring"), 3);
  for (const char* const name : {"begin", "end"}) {
    CHECK_EQUAL(events(name, "allreduce", "ring"), 0);
    CHECK_EQUAL(events(name, "allreduce", "linear"), 2);
    CHECK_EQUAL(events(name, "allreduce", "binomial"), 1);
  }
  CHECK_EQUAL(events("wait", "allreduce", "linear"), 2);
  CHECK_EQUAL(events("wait", "allreduce", "binomial"), 0);  // it was asked again and again
  CHECK_EQUAL(events("run", "scan", "mpi"), 1);
  const auto bytes = test.size > 1 ? 48 : 0;  // 24 to others, 24 from others
  CHECK_EQUAL(count(text, "\"cat\":\"allreduce\""), 3 + 3 * 2 + 2);
  CHECK_EQUAL(count(text, wherry::detail::text("\"number\":3,\"bytes\":", bytes, "}")), 1);
}
