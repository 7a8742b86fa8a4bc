// Collectives beyond 2^31: elements of one call, and bytes of a vector or a block, by every implementation that can.
// Gigabytes: only with `./run test --large`.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::collective::call;

namespace {

void only_when_asked_for(const context& test) {
  if (std::getenv("WHERRY_TEST_LARGE") == nullptr) test.skip("needs 16 GB: ./run test --large");
}

/// A few more than there are bytes to an int; doubles of a few more bytes than that.
constexpr std::int64_t many_bytes = (std::int64_t{1} << 31) + 77, many = (std::int64_t{1} << 28) + 77;

/// Element `i` of what `rank` contributes to the call of this number. Small, so that sums are exact.
template <class T> T value_at(std::int64_t i, int rank, int number) {
  const auto mixed =
      static_cast<std::uint64_t>(i + 31 * number) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(rank) * 0x1234567u;
  return static_cast<T>(static_cast<std::int32_t>(mixed >> 41 & 0x3FFFFF));
}

/// Memory that nobody has written to.
template <class T> class vast {
 public:
  explicit vast(std::int64_t size)
      : size_(size), data_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size))) {}
  T* data() const { return data_.get(); }
  T* at(std::int64_t i) const { return data_.get() + i; }

  void fill(std::int64_t first, std::int64_t count, int rank, int number) const {
    for (std::int64_t i = 0; i < count; ++i) data_[static_cast<std::size_t>(first + i)] = value_at<T>(i, rank, number);
  }
  void spoil() const { std::fill_n(data_.get(), size_, static_cast<T>(-3)); }

  /// "" where `count` elements from `first` on are `expected(i)`.
  template <class Expected> std::string verdict(std::int64_t first, std::int64_t count, Expected&& expected) const {
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count; ++i) wrong += data_[static_cast<std::size_t>(first + i)] == expected(i) ? 0 : 1;
    if (wrong == 0) return {};
    std::int64_t i = 0;
    while (data_[static_cast<std::size_t>(first + i)] == expected(i)) ++i;
    return std::to_string(wrong) + " of " + std::to_string(count) + " elements are wrong, the first is number " +
           std::to_string(i);
  }
  std::string verdict(std::int64_t first, std::int64_t count, int rank, int number) const {
    return verdict(first, count, [=](std::int64_t i) { return value_at<T>(i, rank, number); });
  }

 private:
  std::int64_t size_;
  std::unique_ptr<T[]> data_;
};

template <class T> T sum_of_two(std::int64_t i, int number) {
  return static_cast<T>(value_at<T>(i, 0, number) + value_at<T>(i, 1, number));
}

enum class forms { both, in_turns };

/// What is tried, the same on all ranks: `fill` and `verdict` get the number of the call.
struct attempt {
  std::function<call(MPI_Comm)> make;
  std::function<void(int)> fill;
  std::function<std::string(int)> verdict;
  forms of = forms::in_turns;
  std::string_view without = {};  ///< an implementation that takes more memory than there may be
};

bool is_beyond_this_mpi(const call& what) {
  constexpr auto most = std::numeric_limits<int>::max();
  return MPI_VERSION < 4 && (what.send_count > most || what.receive_count > most);
}

/// Beyond 2^31 bytes MPICH 4.0's own MPI_Ibcast aborts, as its schedule loses the communicator, and its MPI_Scatter and
/// MPI_Iscatter crash.
bool breaks_mpich(const call& what, bool begun) {
#if defined(MPICH_VERSION)
  using wherry::collective::kind;
  return what.kind == kind::scatter || (begun && what.kind == kind::bcast);
#else
  static_cast<void>(what), static_cast<void>(begun);
  return false;
#endif
}

std::string_view carried_out(const call& what, std::string_view name, bool begun) {
  if (!begun) return wherry::collective::run(what, name);
  auto operation = wherry::collective::start(what, {.protected_buffer = false, .implementation = name});
  const auto by = operation.implementation();
  operation.wait();
  return by.empty() ? name : by;  // it may have ended at once
}

/// What MPI cannot count is refused on all ranks, before anything is sent.
void check_refusal(const call& what, std::string_view name, bool begun) {
  try {
    carried_out(what, name, begun);
    CHECK_EQUAL(std::string("no error"), "");
  } catch (const wherry::error& failure) {
    CHECK(failure.kind() == wherry::error_kind::argument);
    CHECK(std::string_view(failure.what()).find("does not fit an int") != std::string_view::npos);
  }
  CHECK_EQUAL(wherry::collective::run(call::barrier(what.comm), name), name);
}

/// On a communicator of its own, with which the memory goes that the call needed besides.
void try_by(context& test, const attempt& one, std::string_view name, bool begun, int number) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  const auto what = one.make(comm);
  const auto title = std::string(name_of(what.kind)) + (begun ? " begun, by " : " by ") + std::string(name);
  const bool by_mpi = name == "mpi" || name == "nonblocking";
  const bool is_broken = by_mpi && breaks_mpich(what, begun || name == "nonblocking");
  const auto obstacle = wherry::collective::obstacle(what, name);
  if (name == "shared") CHECK_EQUAL(obstacle, std::string());  // the others may be unable to, this one is always there
  if (!is_broken && obstacle.empty()) {
    test.note(title);
    if (by_mpi && is_beyond_this_mpi(what)) {
      check_refusal(what, name, begun);
    } else {
      one.fill(number);
      CHECK_EQUAL(carried_out(what, name, begun), name);
      if (const auto wrong = one.verdict(number); fault(!wrong.empty())) FAIL(title + ": " + wrong);
    }
  }
  MPI_Comm_free(&comm);
}

void by_every_implementation(context& test, const attempt& one) {
  int number = 0;
  bool turn = false;
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (row.name == one.without) continue;
    for (const bool begun : {false, true})
      if (one.of == forms::both || begun == turn) try_by(test, one, row.name, begun, ++number);
    turn = !turn;
  }
}

/// Blocks of `each` elements of both ranks, one behind the other.
std::string blocks_verdict(const vast<double>& all, std::int64_t each, int number) {
  const auto first = all.verdict(0, each, 0, number);
  return first.empty() ? all.verdict(each, each, 1, number) : first;
}

}  // namespace

WHERRY_TEST(more_bytes_than_2_31_are_broadcast, ranks(2)) {
  only_when_asked_for(test);
  const vast<std::uint8_t> data(many_bytes);
  by_every_implementation(
      test, {[&](MPI_Comm comm) { return call::bcast(data.data(), many_bytes, MPI_UNSIGNED_CHAR, 1, comm); },
             [&](int number) { test.rank == 1 ? data.fill(0, many_bytes, 1, number) : data.spoil(); },
             [&](int number) { return data.verdict(0, many_bytes, 1, number); }, forms::both});
}

WHERRY_TEST(sums_of_more_elements_than_2_31, ranks(2)) {
  only_when_asked_for(test);
  const vast<std::uint8_t> data(many_bytes);
  by_every_implementation(
      test, {[&](MPI_Comm comm) {
               return call::allreduce(MPI_IN_PLACE, data.data(), many_bytes, MPI_UNSIGNED_CHAR, MPI_SUM, comm);
             },
             [&](int number) { data.fill(0, many_bytes, test.rank, number); },
             [&](int number) {
               return data.verdict(0, many_bytes, [=](std::int64_t i) { return sum_of_two<std::uint8_t>(i, number); });
             }});
}

WHERRY_TEST(an_operation_of_ones_own_on_more_elements_than_2_31, ranks(2)) {
  only_when_asked_for(test);
  const vast<std::uint8_t> data(many_bytes);
  MPI_Op sum = MPI_OP_NULL;
  MPI_Op_create(
      [](void* from, void* to, int* count, MPI_Datatype*) {
        for (int i = 0; i < *count; ++i)
          static_cast<std::uint8_t*>(to)[i] =
              static_cast<std::uint8_t>(static_cast<std::uint8_t*>(to)[i] + static_cast<std::uint8_t*>(from)[i]);
      },
      0, &sum);
  const attempt one{[&](MPI_Comm comm) {
                      return call::allreduce(MPI_IN_PLACE, data.data(), many_bytes, MPI_UNSIGNED_CHAR, sum, comm);
                    },
                    [&](int number) { data.fill(0, many_bytes, test.rank, number); },
                    [&](int number) {
                      return data.verdict(0, many_bytes,
                                          [=](std::int64_t i) { return sum_of_two<std::uint8_t>(i, number); });
                    }};
  int number = 0;
  for (const std::string_view name : {"shared", "recursive_doubling"}) try_by(test, one, name, false, ++number);
  MPI_Op_free(&sum);
}

WHERRY_TEST(vectors_of_more_than_2_31_bytes_are_reduced, ranks(2)) {
  only_when_asked_for(test);
  const vast<double> mine(many), result(many);
  const auto try_all = [&](const std::function<call(MPI_Comm)>& make, const std::function<std::string(int)>& verdict) {
    const auto fill = [&](int number) {
      mine.fill(0, many, test.rank, number);
      result.spoil();
    };
    by_every_implementation(test, {make, fill, verdict});
  };
  const bool last = test.rank == 1;
  const auto is_sum = [&](int number) {
    return result.verdict(0, many, [=](std::int64_t i) { return sum_of_two<double>(i, number); });
  };
  const auto is_first = [&](int number) { return result.verdict(0, many, 0, number); };
  try_all([&](MPI_Comm comm) { return call::reduce(mine.data(), result.data(), many, MPI_DOUBLE, MPI_SUM, 1, comm); },
          [&](int number) { return last ? is_sum(number) : std::string(); });
  try_all([&](MPI_Comm comm) { return call::scan(mine.data(), result.data(), many, MPI_DOUBLE, MPI_SUM, comm); },
          [&](int number) { return last ? is_sum(number) : is_first(number); });
  try_all([&](MPI_Comm comm) { return call::exscan(mine.data(), result.data(), many, MPI_DOUBLE, MPI_SUM, comm); },
          [&](int number) { return last ? is_first(number) : std::string(); });
}

WHERRY_TEST(vectors_of_more_than_2_31_bytes_are_reduced_in_place, ranks(2)) {
  only_when_asked_for(test);
  const vast<double> data(many);
  by_every_implementation(
      test,
      {[&](MPI_Comm comm) { return call::allreduce(MPI_IN_PLACE, data.data(), many, MPI_DOUBLE, MPI_SUM, comm); },
       [&](int number) { data.fill(0, many, test.rank, number); },
       [&](int number) { return data.verdict(0, many, [=](std::int64_t i) { return sum_of_two<double>(i, number); }); },
       forms::both});
}

WHERRY_TEST(sums_of_more_than_2_31_bytes_are_scattered, ranks(2)) {
  only_when_asked_for(test);
  constexpr std::int64_t each = many / 2;
  const std::array counts{static_cast<int>(each - 1000), static_cast<int>(each + 1000)};
  const vast<double> mine(2 * each), result(each + 1000);
  const auto try_all = [&](const std::function<call(MPI_Comm)>& make, std::int64_t first, std::int64_t count) {
    by_every_implementation(
        test, {make,
               [&](int number) {
                 mine.fill(0, 2 * each, test.rank, number);
                 result.spoil();
               },
               [&](int number) {
                 return result.verdict(0, count, [=](std::int64_t i) { return sum_of_two<double>(first + i, number); });
               }});
  };
  try_all(
      [&](MPI_Comm comm) {
        return call::reduce_scatter_block(mine.data(), result.data(), each, MPI_DOUBLE, MPI_SUM, comm);
      },
      test.rank * each, each);
  try_all(
      [&](MPI_Comm comm) {
        return call::reduce_scatter(mine.data(), result.data(), counts.data(), MPI_DOUBLE, MPI_SUM, comm);
      },
      test.rank * counts[0], counts.at(static_cast<std::size_t>(test.rank)));
}

WHERRY_TEST(blocks_of_more_than_2_31_bytes_are_gathered, ranks(2)) {
  only_when_asked_for(test);
  const bool root = test.rank == 1;
  {
    const vast<double> all(root ? 2 * many : many);
    const auto fill = [&](int number) {
      all.spoil();
      all.fill(root ? many : 0, many, test.rank, number);
    };
    by_every_implementation(
        test, {[&](MPI_Comm comm) {
                 return call::gather(root ? MPI_IN_PLACE : all.data(), many, MPI_DOUBLE, all.data(), many, MPI_DOUBLE,
                                     1, comm);
               },
               fill, [&](int number) { return root ? blocks_verdict(all, many, number) : std::string(); }});
  }
  const vast<double> all(2 * many);
  by_every_implementation(test, {[&](MPI_Comm comm) {
                                   return call::allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), many,
                                                          MPI_DOUBLE, comm);
                                 },
                                 [&](int number) {
                                   all.spoil();
                                   all.fill(test.rank * many, many, test.rank, number);
                                 },
                                 [&](int number) { return blocks_verdict(all, many, number); }});
}

WHERRY_TEST(blocks_of_more_than_2_31_bytes_are_scattered, ranks(2)) {
  only_when_asked_for(test);
  const bool root = test.rank == 1;
  const vast<double> all(root ? 2 * many : many);
  by_every_implementation(test, {[&](MPI_Comm comm) {
                                   return call::scatter(all.data(), many, MPI_DOUBLE, root ? MPI_IN_PLACE : all.data(),
                                                        many, MPI_DOUBLE, 1, comm);
                                 },
                                 [&](int number) {
                                   if (!root) return all.spoil();
                                   for (int r = 0; r < 2; ++r) all.fill(r * many, many, r, number);
                                 },
                                 [&](int number) { return all.verdict(root ? many : 0, many, test.rank, number); }});
}

WHERRY_TEST(more_than_2_31_bytes_go_to_each_other, ranks(2)) {
  only_when_asked_for(test);
  constexpr std::int64_t each = many / 2;
  const vast<double> mine(2 * each), theirs(2 * each);
  by_every_implementation(test, {[&](MPI_Comm comm) {
                                   return call::alltoall(mine.data(), each, MPI_DOUBLE, theirs.data(), each, MPI_DOUBLE,
                                                         comm);
                                 },
                                 [&](int number) {
                                   theirs.spoil();
                                   for (int to = 0; to < 2; ++to)
                                     mine.fill(to * each, each, 10 * test.rank + to, number);
                                 },
                                 [&](int number) {
                                   const auto first = theirs.verdict(0, each, test.rank, number);
                                   return first.empty() ? theirs.verdict(each, each, 10 + test.rank, number) : first;
                                 },
                                 forms::in_turns, "hierarchical"});
}

/// Behind a long block: places in bytes are beyond an int.
WHERRY_TEST(one_block_of_many_has_more_than_2_31_bytes, ranks(2)) {
  only_when_asked_for(test);
  constexpr int few = 5;
  constexpr int long_one = static_cast<int>(many);
  const bool gets = test.rank == 1;  // the long block, of rank 0
  const vast<double> mine(many + few), theirs(gets ? many + few : 2 * few);
  const std::array send_counts{few, gets ? few : long_one}, send_places{gets ? 0 : long_one, gets ? few : 0};
  const std::array counts{gets ? long_one : few, few}, places{0, gets ? long_one : few};
  by_every_implementation(
      test, {[&](MPI_Comm comm) {
               return call::alltoallv(mine.data(), send_counts.data(), send_places.data(), MPI_DOUBLE, theirs.data(),
                                      counts.data(), places.data(), MPI_DOUBLE, comm);
             },
             [&](int number) {
               theirs.spoil();
               for (std::size_t to = 0; to < 2; ++to)
                 mine.fill(send_places.at(to), send_counts.at(to), 10 * test.rank + static_cast<int>(to), number);
             },
             [&](int number) {
               const auto first = theirs.verdict(places[0], counts[0], test.rank, number);
               return first.empty() ? theirs.verdict(places[1], counts[1], 10 + test.rank, number) : first;
             }});
}

/// Three of every four doubles: more than 2^31 bytes of data, which are packed where MPI does not do it itself.
WHERRY_TEST(more_than_2_31_bytes_with_gaps_are_broadcast, ranks(2)) {
  only_when_asked_for(test);
  constexpr std::int64_t elements = many / 3 + 1;
  MPI_Datatype three = MPI_DATATYPE_NULL, of_four = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_DOUBLE, &three);
  MPI_Type_create_resized(three, 0, 4 * sizeof(double), &of_four);
  MPI_Type_commit(&of_four);
  const vast<double> data(4 * elements);
  const attempt one{[&](MPI_Comm comm) { return call::bcast(data.data(), elements, of_four, 0, comm); },
                    [&](int number) { test.rank == 0 ? data.fill(0, 4 * elements, 0, number) : data.spoil(); },
                    [&](int number) {
                      return data.verdict(0, 4 * elements, [&](std::int64_t i) {
                        return test.rank == 1 && i % 4 == 3 ? -3.0 : value_at<double>(i, 0, number);
                      });
                    }};
  int number = 0;
  for (const std::string_view name : {"mpi", "shared", "binomial", "pgas"}) try_by(test, one, name, false, ++number);
  MPI_Type_free(&of_four);
  MPI_Type_free(&three);
}
