// Reductions with a state in typed collectives, and reductions by MPI's operations in all that reduces.
#include <mpi.h>

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/every_operation.hpp"
#include "support/random.hpp"

using namespace wherry_test;
namespace collective = wherry::collective;

namespace {

// The function x -> a x + b. Which one is applied first matters.
struct affine {
  std::int64_t a, b;
  bool operator==(const affine&) const = default;
};
affine one_after_the_other(const affine& first, const affine& second, std::int64_t modulus) {
  return {first.a * second.a % modulus, (second.a * first.b + second.b) % modulus};
}
affine affine_of(const context& test, int rank, std::size_t i) {
  const auto random = hash(test.seed, rank, i);
  return {static_cast<std::int64_t>(random % 97) + 1, static_cast<std::int64_t>(random / 97 % 97)};
}
// Of the ranks from `first` to `last`.
affine expected_affine(const context& test, int first, int last, std::size_t i, std::int64_t modulus) {
  auto all = affine_of(test, first, i);
  for (int rank = first + 1; rank <= last; ++rank) all = one_after_the_other(all, affine_of(test, rank, i), modulus);
  return all;
}

// MPI's function for a user's operation modulo 101.
void apply_affine(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* const left = static_cast<const affine*>(in);
  auto* const right = static_cast<affine*>(inout);
  for (int i = 0; i < *count; ++i) right[i] = one_after_the_other(left[i], right[i], 101);
}
void apply_half_sum(void* in, void* inout, int* count, MPI_Datatype* type) {
  const auto* const left = static_cast<const double*>(in);
  auto* const right = static_cast<double*>(inout);
  CHECK(*type == MPI_DOUBLE);
  for (int i = 0; i < *count; ++i) right[i] = (left[i] + right[i]) / 2;
}

class own_op {
 public:
  own_op(MPI_User_function* function, bool commutes) { MPI_Op_create(function, commutes ? 1 : 0, &op_); }
  own_op(const own_op&) = delete;
  own_op& operator=(const own_op&) = delete;
  ~own_op() { MPI_Op_free(&op_); }
  MPI_Op get() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

template <class Op> void in_all_collectives(const context& test, const Op& how, std::int64_t modulus) {
  const auto mine = affine_of(test, test.rank, 0);
  const int last = test.size - 1, root = test.size / 2;
  const auto all = expected_affine(test, 0, last, 0, modulus);
  CHECK(collective::allreduce(test.comm, mine, how) == all);
  CHECK(collective::reduce(test.comm, mine, how, root) == (test.rank == root ? all : mine));
  CHECK(collective::scan(test.comm, mine, how) == expected_affine(test, 0, test.rank, 0, modulus));
  const auto before = collective::exscan(test.comm, mine, affine{1, 0}, how);
  CHECK(before == (test.rank == 0 ? affine{1, 0} : expected_affine(test, 0, test.rank - 1, 0, modulus)));
  CHECK(collective::start_allreduce(test.comm, mine, how).wait() == all);
  CHECK(collective::start_scan(test.comm, mine, how).wait() == expected_affine(test, 0, test.rank, 0, modulus));

  constexpr std::size_t each = 17;
  const auto count = each * static_cast<std::size_t>(test.size);
  std::vector<affine> in(count), out(count), later(count);
  for (std::size_t i = 0; i < count; ++i) in[i] = affine_of(test, test.rank, i);
  collective::allreduce(test.comm, in, out, how);
  collective::start_allreduce(test.comm, in, later, how).wait();
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) same = same && out[i] == expected_affine(test, 0, last, i, modulus);
  CHECK(same && out == later);
  const auto part = collective::reduce_scatter(test.comm, in, how);
  CHECK(part == std::vector<affine>(out.begin() + static_cast<std::ptrdiff_t>(each) * test.rank,
                                    out.begin() + static_cast<std::ptrdiff_t>(each) * (test.rank + 1)));
}

}  // namespace

WHERRY_TEST(reductions_with_a_state_in_collectives, ranks(1, 2, 3, 4, 8)) {
  for (const std::int64_t modulus : {7, 101}) {
    const auto how = [modulus](const affine& a, const affine& b) { return one_after_the_other(a, b, modulus); };
    in_all_collectives(test, how, modulus);
    in_all_collectives(test, wherry::make_reduction<affine>("one after the other", how), modulus);
    in_all_collectives(test, wherry::reduction(how), modulus);
  }
  const own_op op(apply_affine, false);
  in_all_collectives(test, wherry::reduction_of<affine>(op.get()), 101);
  in_all_collectives(test, op.get(), 101);
  CHECK_EQUAL(collective::allreduce(test.comm, 1.5 * test.rank, MPI_MAX), 1.5 * (test.size - 1));
  CHECK_EQUAL(collective::start_allreduce(test.comm, test.rank, MPI_MIN).wait(), 0);

  // Numbers of MPI, and numbers that MPI does not know.
  const double factor = 3;
  const auto weighed = [factor](double a, double b) { return a + b + factor * a * b; };
  double expected = 0;
  for (int rank = 1; rank < test.size; ++rank) expected = weighed(expected, rank);
  CHECK_EQUAL(collective::allreduce(test.comm, double(test.rank), weighed), expected);
  const wherry::float16 small =
      collective::allreduce(test.comm, wherry::float16(test.rank), wherry::reduction(std::plus<>{}));
  CHECK_EQUAL(float(small), static_cast<float>(test.size * (test.size - 1) / 2));
  CHECK_EQUAL(collective::allreduce(test.comm, test.rank, wherry::reduction_of<int>(MPI_SUM)),
              test.size * (test.size - 1) / 2);
}

WHERRY_TEST(reductions_that_do_not_fit_the_elements, ranks(1, 2)) {
  CHECK_THROWS_WITH(collective::allreduce(test.comm, 1.0F, wherry::reduction_of<double>(MPI_SUM)),
                    "does not combine elements that are 4-byte floating-point");
  CHECK_THROWS_WITH(collective::allreduce(test.comm, affine{}, wherry::reduction(std::plus<>{})), "has no meaning");
  CHECK_THROWS_WITH(collective::allreduce(test.comm, affine{}, MPI_SUM), "MPI_SUM");
  CHECK_THROWS_WITH(collective::allreduce(test.comm, 1.0, MPI_BAND), "MPI_BAND");
  CHECK_THROWS_WITH(collective::allreduce(test.comm, 1.0, MPI_OP_NULL), "MPI_OP_NULL");
  CHECK_THROWS_WITH(wherry::reduction_of<double>(MPI_BAND), "'MPI_BAND' has no meaning");
  CHECK_THROWS_WITH(wherry::reduction_of<double>(MPI_MAXLOC), "'MPI_MAXLOC' has no meaning");
  CHECK_THROWS_WITH(wherry::reduction_of<affine>(MPI_SUM), "'MPI_SUM' has no meaning");
  CHECK_THROWS_WITH(wherry::reduction_of<int>(MPI_REPLACE), "'MPI_REPLACE' has no meaning");
}

namespace {

MPI_Op op_of(operation what) {
  const std::array all{MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
  return all[static_cast<std::size_t>(what)];
}

template <class T> void every_mpi_operation(const context& test, bool mpi_knows = true) {
  for (const auto what : every_operation) {
    if (!has<T>(what) || (what == operation::one_true && !mpi_knows)) continue;
    const auto how = wherry::reduction_of<T>(op_of(what));
    CHECK(how.type == wherry::plans::element_of<T>() && how.element == sizeof(T));
    std::array<T, 50> into{}, from{}, expected{};
    for (std::size_t i = 0; i < into.size(); ++i) {
      into[i] = number_for<T>(what, hash(test.seed, i), i);
      from[i] = number_for<T>(what, hash(test.seed, 100 + i), i);
      expected[i] = worked_out(what, into[i], from[i]);
    }
    how.apply(into.data(), from.data(), into.size());
    if (fault(into != expected)) FAIL(std::string(name_of(what)) + " of " + to_string(wherry::plans::element_of<T>()));
  }
}

}  // namespace

WHERRY_TEST(every_operation_of_mpi_on_every_type, ranks(1)) {
  every_mpi_operation<std::int8_t>(test), every_mpi_operation<std::int16_t>(test);
  every_mpi_operation<std::int32_t>(test), every_mpi_operation<std::int64_t>(test);
  every_mpi_operation<std::uint8_t>(test), every_mpi_operation<std::uint16_t>(test);
  every_mpi_operation<std::uint32_t>(test), every_mpi_operation<std::uint64_t>(test);
  every_mpi_operation<bool>(test), every_mpi_operation<float>(test), every_mpi_operation<double>(test);
  every_mpi_operation<long double>(test), every_mpi_operation<std::complex<float>>(test);
  every_mpi_operation<std::complex<double>>(test);
  every_mpi_operation<wherry::float16>(test), every_mpi_operation<wherry::bfloat16>(test);
}

// A user's operation in index lists, movers and groups of ranks: `there (op) arrived`.
WHERRY_TEST(users_operations_of_mpi_in_patterns, ranks(1, 2, 3, 4)) {
  const own_op op(apply_affine, false), halves(apply_half_sum, true);
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, last = (test.rank + test.size - 1) % test.size;

  std::vector<affine> x(10);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = affine_of(test, test.rank, i);
  auto expected = x;
  for (std::size_t i = 0; i < 5; ++i) expected[i] = one_after_the_other(x[i], affine_of(test, next, 5 + i), 101);
  const wherry::index_lists lists{{{next, {0, 1, 2, 3, 4}}}, {{last, {5, 6, 7, 8, 9}}}};
  wherry::index_options options{.reverse = true};
  options.update = wherry::reduction_of<affine>(op.get());
  wherry::index_exchange(comm, lists, options, x)();
  CHECK(x == expected);

  std::vector<double> y(10);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = test.rank + static_cast<double>(i);
  options.update = wherry::reduction_of<double>(halves.get());
  wherry::index_exchange(comm, lists, options, y)();
  for (std::size_t i = 0; i < 5; ++i)
    CHECK_EQUAL(y[i], (test.rank + static_cast<double>(i) + next + static_cast<double>(5 + i)) / 2);

  wherry::rank_group group(comm);
  for (int rank = 0; rank < test.size; ++rank) group.add(rank);
  CHECK(group.commit());
  const std::array mine{double(test.rank)};
  std::array<double, 1> all{};
  CHECK(group.allreduce(std::span<const double>(mine), all, wherry::reduction_of<double>(MPI_MAX)));
  CHECK_EQUAL(all[0], double(test.size - 1));
}
