// Small calls over and over: those that say what the last one said go a shorter way, whose results, order and turns are
// those of the longer one. Each rank takes either, at random.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/collective/usage.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr kind small_kinds[] = {kind::barrier, kind::bcast,     kind::gather,    kind::scatter,
                                kind::reduce,  kind::allgather, kind::allreduce, kind::reduce_scatter_block,
                                kind::scan,    kind::exscan,    kind::alltoall};

bool sends_blocks(kind what) {
  return what == kind::scatter || what == kind::alltoall || what == kind::reduce_scatter_block;
}
bool receives_blocks(kind what) { return what == kind::gather || what == kind::allgather || what == kind::alltoall; }

/// Doubles whose sums depend on their order.
double content(int round, int rank, int block, int i) {
  return 0.1 * static_cast<double>(hash(static_cast<std::uint64_t>(round), rank, block, i) % 1000) + rank;
}

class small_call {
 public:
  small_call(context& test, MPI_Comm comm, kind what, int count, int root, bool in_place)
      : what_(what), count_(count), rank_(test.rank), size_(test.size), root_(root) {
    send_.resize(at(count * (sends_blocks(what) ? size_ : 1)));
    receive_.resize(at(count * size_));
    auto *const s = send_.data(), *const r = receive_.data();
    const bool here = in_place && (is_root() || !is_rooted()) && what != kind::bcast && what != kind::scatter;
    in_place_ = here;
    const void* const from = here ? MPI_IN_PLACE : s;
    const auto type = MPI_DOUBLE;
    switch (what) {
      case kind::bcast:
        call_ = call::bcast(r, count, type, root, comm);
        break;
      case kind::gather:
        call_ = call::gather(from, count, type, r, count, type, root, comm);
        break;
      case kind::scatter:
        in_place_ = in_place && is_root();
        call_ = call::scatter(s, count, type, in_place_ ? MPI_IN_PLACE : r, count, type, root, comm);
        break;
      case kind::reduce:
        call_ = call::reduce(from, r, count, type, MPI_SUM, root, comm);
        break;
      case kind::allgather:
        call_ = call::allgather(from, count, type, r, count, type, comm);
        break;
      case kind::allreduce:
        call_ = call::allreduce(from, r, count, type, MPI_SUM, comm);
        break;
      case kind::reduce_scatter_block:
        call_ = call::reduce_scatter_block(from, r, count, type, MPI_SUM, comm);
        break;
      case kind::scan:
        call_ = call::scan(from, r, count, type, MPI_SUM, comm);
        break;
      case kind::exscan:
        call_ = call::exscan(from, r, count, type, MPI_SUM, comm);
        break;
      case kind::alltoall:
        call_ = call::alltoall(from, count, type, r, count, type, comm);
        break;
      default:
        call_ = call::barrier(comm);
    }
  }

  const call& what() const { return call_; }

  void fill(int round) {
    round_ = round;
    const int blocks = static_cast<int>(send_.size()) / count_;
    for (int b = 0; b < blocks; ++b)
      for (int i = 0; i < count_; ++i) send_[at(b * count_ + i)] = content(round, rank_, b, i);
    std::fill(receive_.begin(), receive_.end(), -1.0);
    if (what_ == kind::bcast && is_root()) std::copy(send_.begin(), send_.end(), receive_.begin());
    if (!in_place_ || what_ == kind::scatter) return;
    const auto place = what_ == kind::gather || what_ == kind::allgather ? at(rank_ * count_) : 0;
    std::copy(send_.begin(), send_.end(), receive_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  /// Empty: all is as it should be.
  std::string verdict() const {
    for (int b = 0; b < blocks_received(); ++b)
      for (int i = 0; i < count_; ++i)
        if (receive_[at(b * count_ + i)] != expected(b, i))
          return text(name_of(what_), ", round ", round_, ", block ", b, "[", i, "] is ", receive_[at(b * count_ + i)],
                      ", should be ", expected(b, i));
    return {};
  }

 private:
  template <class... Words> static std::string text(const Words&... words) {
    std::string all;
    const auto add = [&all](const auto& word) {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(word)>>)
        all += std::to_string(word);
      else
        all += word;
    };
    (add(words), ...);
    return all;
  }
  bool is_root() const { return rank_ == root_; }
  bool is_rooted() const { return what_ == kind::gather || what_ == kind::reduce || what_ == kind::scatter; }
  int blocks_received() const {
    if (what_ == kind::barrier || (what_ == kind::exscan && rank_ == 0)) return 0;
    if (what_ == kind::scatter && in_place_) return 0;
    if ((what_ == kind::gather || what_ == kind::reduce) && !is_root()) return 0;
    return receives_blocks(what_) ? size_ : 1;
  }
  /// From the last rank back, as `shared` promises.
  double sum(int first, int last, int block, int i) const {
    double all = content(round_, last, block, i);
    for (int r = last - 1; r >= first; --r) all = content(round_, r, block, i) + all;
    return all;
  }
  double expected(int b, int i) const {
    switch (what_) {
      case kind::bcast:
        return content(round_, root_, 0, i);
      case kind::gather:
      case kind::allgather:
        return content(round_, b, 0, i);
      case kind::scatter:
        return content(round_, root_, rank_, i);
      case kind::alltoall:
        return content(round_, b, rank_, i);
      case kind::reduce_scatter_block:
        return sum(0, size_ - 1, rank_, i);
      case kind::scan:
        return sum(0, rank_, 0, i);
      case kind::exscan:
        return sum(0, rank_ - 1, 0, i);
      default:
        return sum(0, size_ - 1, 0, i);
    }
  }

  kind what_;
  int count_, rank_, size_, root_, round_ = 0;
  bool in_place_ = false;
  std::vector<double> send_, receive_;
  call call_;
};

std::uint64_t calls_by_shared(kind what) {
  for (const auto& row : wherry::collective::usage_so_far())
    if (row.what == what && row.implementation == "shared") return row.calls;
  return 0;
}

}  // namespace

WHERRY_TEST(the_shorter_way_of_small_calls_gives_the_same,
            ranks(1, 2, 3, 4, 8).not_simulated("repeats the same calls")) {
  random_numbers random(test.seed), own(hash(test.seed, test.rank));
  for (const auto what : small_kinds)
    for (int trial = 0; trial < 12; ++trial) {
      const int count = random.one_of({1, 1, 2, 3, 7, 8}), root = random.between(0, test.size - 1);
      small_call one(test, test.comm, what, count, root, random.chance(40));
      if (!CHECK_EQUAL(wherry::collective::obstacle(one.what(), "shared"), "")) return;
      for (int round = 0; round < 40; ++round) {
        one.fill(100 * trial + round);
        if (own.chance(15))
          wherry::collective::start(one.what(), {.implementation = "shared"}).wait();
        else
          wherry::collective::run(one.what(), "shared");
        if (!CHECK_EQUAL(one.verdict(), "")) return;
      }
    }
}

// What has been chosen, who is asked by name, and another communicator: each has its own way.
WHERRY_TEST(the_shorter_way_is_that_of_the_choice, ranks(2, 4).not_simulated("repeats the same calls")) {
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &other);
  small_call here(test, test.comm, kind::allreduce, 1, 0, false), there(test, other, kind::allreduce, 1, 0, false);
  if (!CHECK_EQUAL(wherry::collective::obstacle(here.what(), "shared"), "")) return;
  wherry::collective::choose(other, kind::allreduce, "mpi");
  wherry::collective::choose(test.comm, kind::allreduce, "shared");
  const auto before = calls_by_shared(kind::allreduce);
  for (int round = 0; round < 30; ++round) {
    here.fill(round);
    there.fill(round);
    CHECK_EQUAL(wherry::collective::run(here.what()), "shared");
    CHECK_EQUAL(here.verdict(), "");  // before MPI, which may add in another order
    CHECK_EQUAL(wherry::collective::run(there.what()), "mpi");
    CHECK_EQUAL(wherry::collective::run(there.what(), "recursive_doubling"), "recursive_doubling");
    CHECK_EQUAL(wherry::collective::run(here.what(), "mpi"), "mpi");
    if (round == 15) wherry::collective::choose(other, kind::allreduce, "shared");
    if (round == 15) CHECK_EQUAL(wherry::collective::run(there.what()), "shared");
    if (round == 15) wherry::collective::choose(other, kind::allreduce, "mpi");
  }
  CHECK_EQUAL(calls_by_shared(kind::allreduce) - before, 31u);
  MPI_Comm_free(&other);
  CHECK_EQUAL(calls_by_shared(kind::allreduce) - before, 31u);  // a communicator's calls outlive it
}

// A handle that MPI gives to another communicator later means that one.
WHERRY_TEST(a_freed_communicator_is_not_remembered, ranks(2, 4).not_simulated("repeats the same calls")) {
  for (int round = 0; round < 20; ++round) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(test.comm, round % 2 == 0 ? 0 : test.rank % 2, test.rank, &half);
    int size = 0, sum = 0;
    MPI_Comm_size(half, &size);
    const int one = 1;
    for (int i = 0; i < 3; ++i) {
      wherry::collective::run(call::allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half));
      CHECK_EQUAL(sum, size);
    }
    MPI_Comm_free(&half);
  }
}
