// Collectives by the C interface, each beside MPI's own call: blocking, by every implementation, split-phase and
// persistent.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;
using ints = std::vector<int>;

constexpr int untouched = -77;

/// The counts and displacements of one side of a call with lists.
struct lists {
  ints counts, places;

  void add(int count, int gap) {
    places.push_back(places.empty() ? gap : places.back() + counts.back() + gap);
    counts.push_back(count);
  }
  std::size_t room() const { return counts.empty() ? 0 : static_cast<std::size_t>(places.back() + counts.back()); }
};

/// Random arguments of one collective, its call by Wherry, and the same by MPI.
class trial {
 public:
  wherry_call call{};
  ints send, receive, expected;

  trial(std::mt19937_64& random, wherry_collective kind, MPI_Comm comm) : random_(random), kind_(kind), comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    root_ = pick(size_);
    block_ = pick(3) == 0 ? 0 : pick(2) == 0 ? 1 + pick(6) : 1 + pick(1500);
    // The elements that rank i has for rank j, known to all.
    for (int i = 0; i < size_ * size_; ++i) table_.push_back(pick(4) == 0 ? 0 : pick(1 + block_));
    gap_ = pick(2);
    int dimensions[1], periodic[1], place[1];
    if (kind >= WHERRY_NEIGHBOR_ALLGATHER) {
      MPI_Cart_get(comm, 1, dimensions, periodic, place);
      MPI_Cart_shift(comm, 0, 1, &around_[0], &around_[1]);
    }
    make();
  }

  void fill(int round) {
    for (std::size_t i = 0; i < send.size(); ++i) send[i] = rank_ * 100'000 + round * 7919 + static_cast<int>(i);
    std::fill(receive.begin(), receive.end(), untouched);
    if (kind_ == WHERRY_BCAST && rank_ == root_)
      for (std::size_t i = 0; i < receive.size(); ++i) receive[i] = round * 1000 + static_cast<int>(i);
    expected = receive;
    r_ = expected.data();
    by_mpi_();
    r_ = receive.data();
  }
  std::string title() const {
    return std::string(wherry_collective_name(kind_)) + " of " + std::to_string(block_) + ", root " +
           std::to_string(root_);
  }
  wherry_status by_its_name() const { return by_name_(); }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  int of(int from, int to) const { return table_[static_cast<std::size_t>(from * size_ + to)]; }
  static std::size_t times(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

  void make() {
    const auto type = MPI_INT;
    const auto op = MPI_SUM;
    const bool near = kind_ >= WHERRY_NEIGHBOR_ALLGATHER;
    const int parties = near ? 2 : size_;
    for (int i = 0; i < parties; ++i) {
      const int other = near ? around_[i] : i;
      const bool nobody = other == MPI_PROC_NULL;
      to_.add(nobody ? 0 : of(rank_, other), gap_);
      from_.add(nobody ? 0 : of(other, rank_), gap_);
      all_.add(nobody ? 0 : of(other, 0), gap_);  // a gathered block, whoever gets it
      types_.push_back(type);
      const int first[2] = {to_.places.back(), from_.places.back()};
      to_bytes_.push_back(first[0] * 4);
      from_bytes_.push_back(first[1] * 4);
      to_addresses_.push_back(first[0] * 4);
      from_addresses_.push_back(first[1] * 4);
    }
    const int mine = of(rank_, 0);
    const auto ready = [&](std::size_t out, std::size_t in) {
      send.assign(out, 0);
      receive.assign(in, untouched);
      s_ = send.data();
      r_ = receive.data();
    };
    // The call as a value, by its name, and by MPI.
#define FORMS(NAME, MPI_NAME, ...)                             \
  call = wherry_call_##NAME(__VA_ARGS__);                      \
  by_name_ = [=, this] { return wherry_##NAME(__VA_ARGS__); }; \
  by_mpi_ = [=, this] { MPI_NAME(__VA_ARGS__); };              \
  break
    const auto one = static_cast<std::size_t>(block_);
    switch (kind_) {
      case WHERRY_BARRIER:
        FORMS(barrier, MPI_Barrier, comm_);
      case WHERRY_BCAST:
        ready(0, one);
        FORMS(bcast, MPI_Bcast, r_, block_, type, root_, comm_);
      case WHERRY_GATHER:
        ready(one, times(block_, size_));
        FORMS(gather, MPI_Gather, s_, block_, type, r_, block_, type, root_, comm_);
      case WHERRY_GATHERV:
        ready(static_cast<std::size_t>(mine), all_.room());
        FORMS(gatherv, MPI_Gatherv, s_, mine, type, r_, all_.counts.data(), all_.places.data(), type, root_, comm_);
      case WHERRY_SCATTER:
        ready(times(block_, size_), one);
        FORMS(scatter, MPI_Scatter, s_, block_, type, r_, block_, type, root_, comm_);
      case WHERRY_SCATTERV:
        ready(all_.room(), static_cast<std::size_t>(mine));
        FORMS(scatterv, MPI_Scatterv, s_, all_.counts.data(), all_.places.data(), type, r_, mine, type, root_, comm_);
      case WHERRY_REDUCE:
        ready(one, one);
        FORMS(reduce, MPI_Reduce, s_, r_, block_, type, op, root_, comm_);
      case WHERRY_ALLGATHER:
        ready(one, times(block_, size_));
        FORMS(allgather, MPI_Allgather, s_, block_, type, r_, block_, type, comm_);
      case WHERRY_ALLGATHERV:
        ready(static_cast<std::size_t>(mine), all_.room());
        FORMS(allgatherv, MPI_Allgatherv, s_, mine, type, r_, all_.counts.data(), all_.places.data(), type, comm_);
      case WHERRY_ALLREDUCE:
        ready(one, one);
        FORMS(allreduce, MPI_Allreduce, s_, r_, block_, type, op, comm_);
      case WHERRY_REDUCE_SCATTER:
        ready(all_.room(), static_cast<std::size_t>(mine));
        FORMS(reduce_scatter, MPI_Reduce_scatter, s_, r_, all_.counts.data(), type, op, comm_);
      case WHERRY_REDUCE_SCATTER_BLOCK:
        ready(times(block_, size_), one);
        FORMS(reduce_scatter_block, MPI_Reduce_scatter_block, s_, r_, block_, type, op, comm_);
      case WHERRY_SCAN:
        ready(one, one);
        FORMS(scan, MPI_Scan, s_, r_, block_, type, op, comm_);
      case WHERRY_EXSCAN:
        ready(one, one);
        FORMS(exscan, MPI_Exscan, s_, r_, block_, type, op, comm_);
      case WHERRY_ALLTOALL:
        ready(times(block_, size_), times(block_, size_));
        FORMS(alltoall, MPI_Alltoall, s_, block_, type, r_, block_, type, comm_);
      case WHERRY_ALLTOALLV:
        ready(to_.room(), from_.room());
        FORMS(alltoallv, MPI_Alltoallv, s_, to_.counts.data(), to_.places.data(), type, r_, from_.counts.data(),
              from_.places.data(), type, comm_);
      case WHERRY_ALLTOALLW:
        ready(to_.room(), from_.room());
        FORMS(alltoallw, MPI_Alltoallw, s_, to_.counts.data(), to_bytes_.data(), types_.data(), r_, from_.counts.data(),
              from_bytes_.data(), types_.data(), comm_);
      case WHERRY_NEIGHBOR_ALLGATHER:
        ready(one, times(block_, 2));
        FORMS(neighbor_allgather, MPI_Neighbor_allgather, s_, block_, type, r_, block_, type, comm_);
      case WHERRY_NEIGHBOR_ALLGATHERV:
        ready(static_cast<std::size_t>(mine), all_.room());
        FORMS(neighbor_allgatherv, MPI_Neighbor_allgatherv, s_, mine, type, r_, all_.counts.data(), all_.places.data(),
              type, comm_);
      case WHERRY_NEIGHBOR_ALLTOALL:
        ready(times(block_, 2), times(block_, 2));
        FORMS(neighbor_alltoall, MPI_Neighbor_alltoall, s_, block_, type, r_, block_, type, comm_);
      case WHERRY_NEIGHBOR_ALLTOALLV:
        ready(to_.room(), from_.room());
        FORMS(neighbor_alltoallv, MPI_Neighbor_alltoallv, s_, to_.counts.data(), to_.places.data(), type, r_,
              from_.counts.data(), from_.places.data(), type, comm_);
      case WHERRY_NEIGHBOR_ALLTOALLW:
        ready(to_.room(), from_.room());
        FORMS(neighbor_alltoallw, MPI_Neighbor_alltoallw, s_, to_.counts.data(), to_addresses_.data(), types_.data(),
              r_, from_.counts.data(), from_addresses_.data(), types_.data(), comm_);
      default:
        FAIL("no collective");
    }
#undef FORMS
  }

  std::mt19937_64& random_;
  wherry_collective kind_;
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1, root_ = 0, block_ = 0, gap_ = 0, around_[2] = {0, 0};
  ints table_, to_bytes_, from_bytes_;
  lists to_, from_, all_;
  std::vector<MPI_Datatype> types_;
  std::vector<MPI_Aint> to_addresses_, from_addresses_;
  void *s_ = nullptr, *r_ = nullptr;  // the buffers of the next call
  std::function<void()> by_mpi_;
  std::function<wherry_status()> by_name_;
};

/// The communicator in one line of ranks, whose ends have one neighbour.
struct line {
  MPI_Comm comm = MPI_COMM_NULL;

  explicit line(const context& test) {
    const int periodic = 0;
    MPI_Cart_create(test.comm, 1, &test.size, &periodic, 0, &comm);
  }
  ~line() { MPI_Comm_free(&comm); }
};

std::vector<std::string> all_names() {
  const wherry_implementation* list = nullptr;
  int count = 0;
  succeeds(wherry_implementations(&list, &count));
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.emplace_back(list[i].name);
  return names;
}

}  // namespace

WHERRY_TEST(collectives_are_those_of_mpi, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  const line on(test);
  const auto names = all_names();
  CHECK_EQUAL(names.front(), "mpi");
  for (int round = 0; round < 3; ++round)
    for (wherry_collective kind = 0; kind < WHERRY_COLLECTIVES; ++kind) {
      // Open MPI 4.1 reads as many types of an alltoallw as a topology has neighbours, so others get no topology.
      trial one(random, kind, kind >= WHERRY_NEIGHBOR_ALLGATHER ? on.comm : test.comm);
      test.note(one.title());
      const auto check = [&](const std::string& how) {
        if (fault(one.receive != one.expected)) FAIL(one.title() + " " + how + ": other numbers");
      };
      one.fill(0);
      succeeds(one.by_its_name(), one.title());
      check("by its name");
      const auto& name = names[random() % names.size()];
      const bool neighbours = kind >= WHERRY_NEIGHBOR_ALLGATHER;
      const char *why = nullptr, *ran = nullptr;
      succeeds(wherry_call_obstacle(&one.call, name.c_str(), &why), one.title());
      one.fill(1);
      succeeds(wherry_call_run(&one.call, name.c_str(), &ran), one.title() + " by " + name);
      check("by " + name);
      CHECK_EQUAL(std::string(ran), *why == '\0' ? name : std::string("mpi"));

      one.fill(2);
      wherry_start_options how = WHERRY_INIT(wherry_start_options);
      how.implementation = neighbours ? "linear" : name.c_str();
      how.protected_buffer = round == 1;
      wherry_request request = nullptr;
      succeeds(wherry_call_start(&one.call, &how, &request), one.title());
      if (how.protected_buffer != 0) std::fill(one.send.begin(), one.send.end(), 5);
      int done = 0;
      while (done == 0) {
        succeeds(wherry_request_test(request, &done));
        std::this_thread::yield();
      }
      succeeds(wherry_request_wait(request));
      check("split-phase");
      succeeds(wherry_request_free(&request));
      CHECK(request == nullptr);
      how.protected_buffer = 0;

      succeeds(wherry_call_persistent(&one.call, &how, &request));
      for (int again = 3; again < 6; ++again) {
        one.fill(again);
        if (again == 4) {
          succeeds(wherry_request_run(request));
        } else {
          succeeds(wherry_request_start(request));
          succeeds(wherry_request_wait(request));
        }
        check("persistent");
      }
      const char* text = nullptr;
      succeeds(wherry_request_explain(request, &text));
      CHECK(std::string(text).find(wherry_collective_name(kind)) == 0);
      wherry_statistics moved{};
      succeeds(wherry_request_statistics(request, &moved));
      CHECK_EQUAL(moved.exchanges, 3);
      succeeds(wherry_request_free(&request));
    }
}

WHERRY_TEST(requests_in_flight_end_in_any_order, ranks(1, 2, 3)) {
  std::vector<int> mine(20, test.rank + 1), all(20, 0);
  std::vector<wherry_request> requests(20);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto call = wherry_call_allreduce(&mine[i], &all[i], 1, MPI_INT, MPI_SUM, test.comm);
    succeeds(wherry_call_start(&call, nullptr, &requests[i]));
  }
  // A request that is freed is waited for.
  for (std::size_t i = 20; i-- > 0;) succeeds(wherry_request_free(&requests[i]));
  CHECK_EQUAL(all, std::vector<int>(20, test.size * (test.size + 1) / 2));
}

WHERRY_TEST(programs_choose_and_are_told, ranks(1, 2, 4)) {
  int mine = 1, all = 0;
  const auto call = wherry_call_allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, test.comm);
  const char* text = nullptr;
  succeeds(wherry_choose(test.comm, WHERRY_ALLREDUCE, "binomial", 0));
  succeeds(wherry_call_explain(&call, &text));
  CHECK(std::string(text).find("binomial") != std::string::npos);
  const char* ran = nullptr;
  succeeds(wherry_call_run(&call, nullptr, &ran));
  CHECK_EQUAL(std::string(ran), "binomial");
  CHECK_EQUAL(all, test.size);

  const wherry_usage* rows = nullptr;
  int count = 0;
  succeeds(wherry_usage_so_far(&rows, &count));
  CHECK(std::any_of(rows, rows + count, [](const wherry_usage& row) {
    return row.kind == WHERRY_ALLREDUCE && std::string(row.implementation) == "binomial" && row.calls >= 1;
  }));
  const wherry_fallen_through* fallen = nullptr;
  succeeds(wherry_call_run(&call, "pairwise", &ran));
  CHECK_EQUAL(std::string(ran), "mpi");
  succeeds(wherry_fallen_through_so_far(&fallen, &count));
  CHECK(std::any_of(fallen, fallen + count, [](const wherry_fallen_through& row) {
    return row.kind == WHERRY_ALLREDUCE && std::string(row.wanted) == "pairwise" && *row.why != '\0';
  }));

  succeeds(wherry_make_ready(test.comm, "one_sided", 1 << 16));
  succeeds(wherry_call_run(&call, "one_sided", &ran));
  succeeds(wherry_give_back(test.comm, "one_sided"));
  CHECK_EQUAL(std::string(wherry_collective_name(WHERRY_REDUCE_SCATTER)), "reduce_scatter");
  CHECK_EQUAL(std::string(wherry_collective_name(22)), "");
}

WHERRY_TEST(tuning_files_are_read_and_written, ranks(1)) {
  const wherry_tuned_rule rules[] = {{WHERRY_ALLREDUCE, 0, "shared"}, {WHERRY_ALLREDUCE, 1 << 20, "mpi"}};
  const char* file = nullptr;
  succeeds(wherry_write_tuning("", rules, 2, 4, 1, "ours", &file));
  const std::string written = file;
  CHECK(written.find("ours") != std::string::npos);
  const wherry_tuned_rule* read = nullptr;
  int count = 0;
  succeeds(wherry_read_tuning(written.c_str(), 4, 1, &read, &count));
  REQUIRE(count == 2);
  CHECK_EQUAL(read[1].from, 1 << 20);
  CHECK_EQUAL(std::string(read[0].implementation), "shared");
  succeeds(wherry_read_tuning(written.c_str(), 5, 1, &read, &count));
  CHECK_EQUAL(count, 0);
  fails("a wrong line", wherry_read_tuning("on 4 ranks\n", 4, 1, &read, &count), WHERRY_ERROR_ARGUMENT, "line 1");
  fails("no text", wherry_read_tuning(nullptr, 4, 1, &read, &count), WHERRY_ERROR_ARGUMENT, "'text' is NULL");
  fails("no ranks", wherry_read_tuning("", 0, 1, &read, &count), WHERRY_ERROR_ARGUMENT, "'ranks' is 0");
  const wherry_tuned_rule nameless{WHERRY_BCAST, 0, nullptr};
  fails("no name", wherry_write_tuning("", &nameless, 1, 4, 1, "", &file), WHERRY_ERROR_ARGUMENT,
        "'implementation' is NULL");
}

WHERRY_TEST(types_operations_and_places_are_those_of_mpi, ranks(1, 2, 3, 4)) {
  // Every second number, in place, by an operation of the program's.
  const auto keep_even = [](void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < 2 * *count; i += 2) {
      auto& mine = static_cast<int*>(inout)[i];
      mine = std::max(mine, static_cast<int*>(in)[i]);
    }
  };
  MPI_Op largest_even = MPI_OP_NULL;
  MPI_Op_create(keep_even, 1, &largest_even);
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pair);
  MPI_Type_commit(&pair);
  for (const auto& name : all_names()) {
    ints values{test.rank, -1, 10 - test.rank, -2};
    const auto call = wherry_call_allreduce(MPI_IN_PLACE, values.data(), 2, pair, largest_even, test.comm);
    succeeds(wherry_call_run(&call, name.c_str(), nullptr), name);
    CHECK_EQUAL(values, (ints{test.size - 1, -1, 10, -2}));
  }
  MPI_Type_free(&pair);
  MPI_Op_free(&largest_even);
}

WHERRY_TEST(lists_may_be_large, ranks(1, 2, 3, 4)) {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> places;
  std::vector<int> mine(static_cast<std::size_t>(test.rank) + 1, test.rank), all, expected;
  for (int r = 0; r < test.size; ++r) {
    places.push_back(static_cast<MPI_Aint>(expected.size()));
    counts.push_back(r + 1);
    expected.insert(expected.end(), static_cast<std::size_t>(r) + 1, r);
  }
  all.assign(expected.size(), untouched);
  auto call =
      wherry_call_allgatherv(mine.data(), test.rank + 1, MPI_INT, all.data(), nullptr, nullptr, MPI_INT, test.comm);
  call.receive_counts = counts.data();
  call.receive_displacements = places.data();
  call.large_lists = 1;
  succeeds(wherry_call_run(&call, "linear", nullptr));
  CHECK_EQUAL(all, expected);
}
