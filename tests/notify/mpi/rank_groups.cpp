// Groups of ranks: what their collectives bring against a plain fold in the order of the ranks, whoever is late,
// however often a call is cut short, and whatever else is under way.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "wherry/notify/rank_group.hpp"

#include "support/case_runner.hpp"
#include "support/every_reduction.hpp"

using namespace wherry_test;

namespace {

template <class T> T value_of(std::uint64_t seed, int rank, int call, std::size_t place) {
  const auto draw = hash(seed, rank, call, place);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<double>(draw % 2'000'003) / 7.0 - 100'000);
  else
    return std::is_signed_v<T> ? static_cast<T>(static_cast<int>(draw % 20'001) - 10'000) : static_cast<T>(draw);
}

template <class T> T apply(int operation, T a, T b) {
  return operation == 0 ? std::min(a, b) : operation == 1 ? std::max(a, b) : static_cast<T>(a + b);
}
wherry::reduction operation_of(int which) {
  return which == 0   ? wherry::reduction(wherry::minimum{})
         : which == 1 ? wherry::maximum{}
                      : wherry::reduction(std::plus<>{});
}

// One call of a group's script; the same on all members.
struct scripted {
  int number = 0;  // of the call
  int type = 0;    // of six; -1: a barrier
  int operation = 0;
  std::size_t count = 0;
};

// A group that goes through its script a little at a time.
class scripted_group {
 public:
  scripted_group(MPI_Comm comm, std::vector<int> ranks, std::uint64_t seed, std::vector<scripted> script,
                 const wherry::group_options& options, bool exact)
      : group_(comm, options), seed_(seed), script_(std::move(script)), exact_(exact) {
    for (const int rank : ranks) group_.add(rank);
  }
  bool is_member() const { return group_.index() >= 0; }
  bool ended() const { return next_ == script_.size(); }
  // The bytes of all results, to be compared with other members'.
  std::uint64_t digest() const { return digest_; }

  // Goes on for so many seconds; does not begin what comes after.
  void go_on(double seconds) {
    if (!group_.committed()) {
      group_.commit(seconds);
      return;
    }
    if (ended()) return;
    const auto& now = script_[next_];
    const bool over = now.type < 0    ? group_.barrier(seconds)
                      : now.type == 0 ? reduce<int>(now, seconds)
                      : now.type == 1 ? reduce<unsigned>(now, seconds)
                      : now.type == 2 ? reduce<long>(now, seconds)
                      : now.type == 3 ? reduce<unsigned long>(now, seconds)
                      : now.type == 4 ? reduce<float>(now, seconds)
                                      : reduce<double>(now, seconds);
    if (over) ++next_;
  }

 private:
  template <class T> bool reduce(const scripted& now, double seconds) {
    std::vector<T> in(now.count);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = value_of<T>(seed_, group_.comm().rank(), now.number, i);
    out_.resize(now.count * sizeof(T));
    const std::span<T> out(reinterpret_cast<T*>(out_.data()), now.count);
    if (!group_.allreduce(std::span<const T>(in), out, operation_of(now.operation), seconds)) return false;
    for (std::size_t i = 0; i < out.size(); ++i) check(now, i, out[i]);
    for (const auto byte : out_) digest_ = hash(digest_, static_cast<int>(byte));
    return true;
  }
  template <class T> void check(const scripted& now, std::size_t place, T come) {
    std::optional<T> wanted;
    double size = 0;
    for (const int rank : group_.ranks()) {
      const T theirs = value_of<T>(seed_, rank, now.number, place);
      size += std::fabs(static_cast<double>(theirs));
      wanted = wanted ? apply(now.operation, *wanted, theirs) : theirs;
    }
    const bool is_rounded = std::is_floating_point_v<T> && now.operation == 2;
    if (exact_ || !is_rounded) {
      CHECK_EQUAL(come, *wanted);
    } else {  // of n numbers summed in two orders: each by n - 1 roundings, of half an epsilon of at most that size
      const double most = (group_.size() - 1) * static_cast<double>(std::numeric_limits<T>::epsilon()) * size;
      CHECK_NEAR(static_cast<double>(come), static_cast<double>(*wanted), most);
    }
  }

  wherry::rank_group group_;
  std::uint64_t seed_;
  std::vector<scripted> script_;
  bool exact_;
  std::size_t next_ = 0;
  std::vector<std::byte> out_;
  std::uint64_t digest_ = 1;
};

std::vector<int> some_ranks(random_numbers& random, int size) {
  std::vector<int> ranks;
  for (int rank = 0; rank < size; ++rank)
    if (random.chance(65)) ranks.push_back(rank);
  if (ranks.empty()) ranks.push_back(random.between(0, size - 1));
  random.shuffle(ranks);
  return ranks;
}

std::vector<scripted> some_script(random_numbers& random) {
  std::vector<scripted> script(static_cast<std::size_t>(random.between(1, 12)));
  int number = 0;
  for (auto& call : script)
    call = {number++, random.chance(25) ? -1 : random.between(0, 5), random.between(0, 2),
            static_cast<std::size_t>(random.chance(10) ? random.between(500, 3000) : random.between(0, 20))};
  return script;
}

// All members have had the same bits, though each knows of its own groups only.
void compare_digests(const context& test, const std::vector<std::uint64_t>& mine, const std::vector<char>& is_member) {
  for (std::size_t g = 0; g < mine.size(); ++g) {
    const auto digest =
        static_cast<long long>(mine[g] >> 1);  // MPICH 4.0 compares unsigned words as if they had a sign
    constexpr auto least = std::numeric_limits<long long>::min();
    const long long own[2] = {is_member[g] ? digest : least, is_member[g] ? -digest : least};
    long long most[2];
    MPI_Allreduce(own, most, 2, MPI_LONG_LONG, MPI_MAX, test.comm);
    if (is_member[g]) CHECK_EQUAL(digest, most[0]);
    if (is_member[g]) CHECK_EQUAL(-digest, most[1]);
  }
}

}  // namespace

// Several groups at once that overlap, each member bringing its own forward in any order and for any time, beside
// messages of MPI's.
WHERRY_TEST(groups_reduce_as_a_fold_does, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for_each_case(test, 60, [&](random_case& now) {
    auto& random = now.random;
    const auto cut = static_cast<std::size_t>(now.number) % nodes.list().size();
    const MPI_Comm comm = nodes.list()[cut];
    const wherry::communicator ours(comm);
    std::vector<std::unique_ptr<scripted_group>> groups;
    const int count = random.between(1, 4);
    for (int g = 0; g < count; ++g) {
      const auto ranks = random.chance(30) ? some_ranks(random, 1) : some_ranks(random, test.size);
      const auto piece = static_cast<std::size_t>(random.one_of({8, 64, 1000, 4096}));
      // Few members read each other; more make a tree, whose sums are put together in another way.
      const int among_all = random.one_of({1, 2, 3, 16});
      const bool exact = ours.node_ranks().size() == static_cast<std::size_t>(test.size) && ours.arena() != nullptr &&
                         std::ssize(ranks) <= among_all;
      groups.push_back(std::make_unique<scripted_group>(
          comm, ranks, hash(test.seed, now.number, g), some_script(random),
          wherry::group_options{.sizes = {.piece = piece, .among_all = among_all}}, exact));
    }
    std::vector<int> sent(1000, test.rank), come(1000, -1);
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    MPI_Request requests[2];
    MPI_Irecv(come.data(), 1000, MPI_INT, before, 5, comm, &requests[0]);
    MPI_Isend(sent.data(), 1000, MPI_INT, next, 5, comm, &requests[1]);

    random_numbers own(hash(test.seed, now.number, 99, test.rank));
    std::vector<scripted_group*> mine;
    for (auto& g : groups)
      if (g->is_member()) mine.push_back(g.get());
    for (auto* g : mine) g->go_on(0);  // begun to be committed in the same order everywhere
    while (!mine.empty()) {
      auto* g = own.one_of(mine);
      const int how = own.between(0, 9);
      if (mine.size() == 1 && how == 0)
        g->go_on(wherry::no_limit);
      else
        g->go_on(how < 7 ? 0 : how == 7 ? 1e-5 : 1e-3);
      if (g->ended()) std::erase(mine, g);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_EQUAL(come[999], before);
    std::vector<std::uint64_t> digests;
    std::vector<char> is_member;
    for (const auto& g : groups) {
      digests.push_back(g->digest());
      is_member.push_back(g->is_member() ? 1 : 0);
    }
    compare_digests(test, digests, is_member);
  });
}

namespace {

template <class T> void in_a_group(const context& test, wherry::rank_group& group, operation what) {
  const auto value = [&](int rank, std::size_t i) { return number_for<T>(what, hash(test.seed, rank, i), i); };
  constexpr std::size_t count = 11;
  std::array<T, count> in{}, out{};
  for (std::size_t i = 0; i < count; ++i) in[i] = value(test.rank, i);
  CHECK(group.allreduce(std::span<const T>(in), out, reduction_of<T>(what)));
  for (std::size_t i = 0; i < count; ++i) {
    T expected = value(0, i);
    for (int rank = 1; rank < test.size; ++rank) expected = worked_out(what, expected, value(rank, i));
    if (fault(out[i] != expected))
      FAIL(std::string(name_of(what)) + " of " + to_string(wherry::plans::element_of<T>()) + ": is " + show(out[i]) +
           ", should be " + show(expected));
  }
}

}  // namespace

WHERRY_TEST(groups_do_every_operation_on_every_type, ranks(1, 2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (const int among_all : {1, 16}) {
      wherry::rank_group group(wherry::communicator(comm), {.sizes = {.among_all = among_all}});
      for (int rank = 0; rank < test.size; ++rank) group.add(rank);
      CHECK(group.commit());
      for_every_type([&]<class T>(operation what) { in_a_group<T>(test, group, what); });
    }
}

// One rank after the other is late: until it has heard that the others' time is up.
WHERRY_TEST(calls_of_groups_end_in_time_and_go_on, ranks(1, 2, 3, 4, 8).not_simulated("real time must pass")) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (int late = 0; late < test.size; ++late) {
      test.note("rank " + std::to_string(late) + " is late");
      wherry::rank_group group(comm);
      for (int rank = test.size; rank-- > 0;) group.add(rank);
      const auto all_but_one_wait = [&](const std::function<bool(double)>& call) {
        if (test.rank == late) {
          for (int rank = 0; rank < test.size; ++rank)
            if (rank != late) MPI_Recv(nullptr, 0, MPI_BYTE, rank, 7, test.comm, MPI_STATUS_IGNORE);
          while (!call(0)) {
          }
          return;
        }
        for (int i = 0; i < 5; ++i) CHECK(!call(0));
        const double began = MPI_Wtime();
        CHECK(!call(0.02));
        CHECK(MPI_Wtime() - began >= 0.0199);
        MPI_Send(nullptr, 0, MPI_BYTE, late, 7, test.comm);
        CHECK(call(wherry::no_limit));
      };
      all_but_one_wait([&](double seconds) { return group.commit(seconds); });
      CHECK(group.commit(0));  // it is
      all_but_one_wait([&](double seconds) { return group.barrier(seconds); });
      const std::vector<double> mine(7, test.rank + 0.5);
      std::vector<double> all(7);
      all_but_one_wait([&](double seconds) {
        return group.allreduce(std::span<const double>(mine), std::span(all), std::plus<>{}, seconds);
      });
      for (const double x : all) CHECK_EQUAL(x, test.size * test.size / 2.0);
      MPI_Barrier(test.comm);
    }
}

WHERRY_TEST(groups_are_made_and_deleted_again_and_again, ranks(1, 2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (int round = 0; round < 30; ++round) {
      wherry::rank_group group(comm, {.sizes = {.piece = 64}});
      for (int rank = 0; rank < test.size; ++rank)
        if (round % 3 != 2 || rank % 2 == test.rank % 2) group.add(rank);
      CHECK(group.commit());
      long sum = 0, ranks = 0;
      for (const int rank : group.ranks()) ranks += rank + round;
      const long mine = test.rank + round;
      CHECK(group.allreduce(std::span(&mine, 1), std::span(&sum, 1), std::plus<>{}));
      CHECK_EQUAL(sum, ranks);
      if (round % 2 == 0) CHECK(group.barrier());
    }
}

namespace {

// Matrices modulo a prime: their product is associative, and each order has another result.
struct matrix {
  std::uint32_t a, b, c, d;
  bool operator==(const matrix&) const = default;
};
matrix product(const matrix& x, const matrix& y) {
  const auto entry = [](std::uint64_t p, std::uint64_t q, std::uint64_t r, std::uint64_t s) {
    return static_cast<std::uint32_t>((p * q + r * s) % 65'521);
  };
  return {entry(x.a, y.a, x.b, y.c), entry(x.a, y.b, x.b, y.d), entry(x.c, y.a, x.d, y.c), entry(x.c, y.b, x.d, y.d)};
}
matrix matrix_of(std::uint64_t seed, int rank, std::size_t place) {
  const auto part = [&](int i) { return static_cast<std::uint32_t>(hash(seed, rank, place, i) % 65'521); };
  return {part(0), part(1), part(2), part(3)};
}

}  // namespace

// Where the ranks of a node are consecutive, the order is that of the ranks.
WHERRY_TEST(a_users_operation_is_applied_in_the_order_of_the_ranks, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list())
    for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
      const int among_all = count == 1 ? 16 : count == 3 ? 2 : 1;  // the latter: in trees
      wherry::rank_group group(comm, {.sizes = {.piece = 100, .among_all = among_all}});
      for (int rank = 0; rank < test.size; ++rank) group.add(rank);
      group.commit();
      std::vector<matrix> data;
      for (std::size_t i = 0; i < count; ++i) data.push_back(matrix_of(test.seed, test.rank, i));
      const auto how = wherry::make_reduction<matrix>("product", product);
      CHECK(group.allreduce(std::span<const matrix>(data), std::span(data), how));  // in place
      for (std::size_t i = 0; i < count; ++i) {
        auto wanted = matrix_of(test.seed, 0, i);
        for (int rank = 1; rank < test.size; ++rank) wanted = product(wanted, matrix_of(test.seed, rank, i));
        CHECK(data[i] == wanted);
      }
    }
}

// Each thread commits a group of its own, in whatever order the threads come, and works with it.
WHERRY_TEST(a_thread_for_each_group, ranks(1, 2, 3, 4).not_simulated("threads")) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) test.skip("MPI has no MPI_THREAD_MULTIPLE");
  const node_communicators nodes(test.comm);
  for (const MPI_Comm comm : nodes.list()) {
    const wherry::communicator ours(comm);
    constexpr int threads_wanted = 3;
    std::vector<wherry::rank_group> groups;
    for (int g = 0; g < threads_wanted; ++g) {
      groups.emplace_back(ours, wherry::group_options{.sizes = {.piece = 64}});
      for (int rank = 0; rank < test.size; ++rank)
        if (g == 0 || rank != (g - 1) % test.size || test.size == 1) groups.back().add(rank);
    }
    while (test.size == 1 && groups.size() > 1) groups.pop_back();  // they would be the same list
    std::vector<int> wrong(threads_wanted, 0);
    std::vector<std::thread> threads;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (groups[g].index() >= 0)
        threads.emplace_back([&group = groups[g], &wrong = wrong[g]] {
          group.commit();
          for (int i = 0; i < 50; ++i) {
            const int mine[20] = {group.comm().rank() + i};
            int all[20];
            group.allreduce(std::span<const int>(mine), std::span(all), wherry::maximum{});
            if (all[0] != group.ranks().back() + i) ++wrong;
          }
        });
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(wrong[0] + wrong[1] + wrong[2], 0);
    MPI_Barrier(test.comm);
  }
}
