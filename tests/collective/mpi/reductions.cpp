// Every operation on every type, by every implementation, against what they mean.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/collective.hpp"
#include "wherry/collective/run.hpp"

#include "abilities.hpp"
#include "every_reduction.hpp"
#include "harness/harness.hpp"
#include "support/every_operation.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using collective_oracle::every_reduction;
using collective_oracle::reduction_row;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

constexpr std::array kinds{kind::reduce, kind::allreduce, kind::reduce_scatter, kind::reduce_scatter_block,
                           kind::scan,   kind::exscan};

// One call, and what must come of it. `count` elements, or so many for each rank where they are scattered.
class reduction_trial {
 public:
  reduction_trial(const reduction_row& row, kind what, std::size_t count, const context& test)
      : row_(row), what_(what), test_(test) {
    const auto size = static_cast<std::size_t>(test.size), rank = static_cast<std::size_t>(test.rank);
    const bool scatters = what == kind::reduce_scatter || what == kind::reduce_scatter_block;
    counts_.assign(size, static_cast<int>(count));
    if (what == kind::reduce_scatter) counts_.back() += 1;
    whole_ = scatters ? count * size + (what == kind::reduce_scatter ? 1 : 0) : count;
    first_ = scatters ? count * rank : 0;
    mine_ = scatters ? static_cast<std::size_t>(counts_[rank]) : count;
    last_ = what == kind::scan ? test.rank : what == kind::exscan ? test.rank - 1 : test.size - 1;
    in_ = row.contribution(test.seed, test.rank, whole_);
    out_.assign(mine_ * row.bytes, std::byte{0x5A});
  }

  call made() {
    const auto n = static_cast<std::int64_t>(what_ == kind::reduce_scatter_block ? mine_ : whole_);
    switch (what_) {
      case kind::reduce:
        return call::reduce(in_.data(), out_.data(), n, row_.type, row_.op, root(), test_.comm);
      case kind::allreduce:
        return call::allreduce(in_.data(), out_.data(), n, row_.type, row_.op, test_.comm);
      case kind::reduce_scatter:
        return call::reduce_scatter(in_.data(), out_.data(), counts_.data(), row_.type, row_.op, test_.comm);
      case kind::reduce_scatter_block:
        return call::reduce_scatter_block(in_.data(), out_.data(), n, row_.type, row_.op, test_.comm);
      case kind::scan:
        return call::scan(in_.data(), out_.data(), n, row_.type, row_.op, test_.comm);
      default:
        return call::exscan(in_.data(), out_.data(), n, row_.type, row_.op, test_.comm);
    }
  }

  bool check(std::string_view by) const {
    if (last_ < 0 || (what_ == kind::reduce && test_.rank != root())) return true;
    const auto expected = row_.result(test_.seed, last_, whole_);
    for (std::size_t i = 0; i < mine_; ++i) {
      const auto* const is = out_.data() + i * row_.bytes;
      const auto* const should_be = expected.data() + (first_ + i) * row_.bytes;
      if (!row_.same(is, should_be))
        return FAIL(std::string(by) + ", " + std::string(name_of(what_)) + " of " + row_.name + ": element " +
                    std::to_string(i) + " of " + std::to_string(mine_) + " is " + row_.text(is) + ", should be " +
                    row_.text(should_be));
    }
    return pass();
  }

 private:
  int root() const { return test_.size / 2; }

  const reduction_row& row_;
  kind what_;
  const context& test_;
  std::vector<int> counts_;
  std::size_t whole_ = 0, first_ = 0, mine_ = 0;
  int last_ = 0;
  std::vector<std::byte> in_, out_;
};

// Operations by name as this library's users write them.
template <class T, class Op> void typed(const context& test, operation what, Op op) {
  const auto of = [&](int rank, std::size_t i) { return number_for<T>(what, hash(test.seed, rank, i), i); };
  constexpr std::size_t count = 9;
  std::array<T, count> in{}, out{};
  for (std::size_t i = 0; i < count; ++i) in[i] = of(test.rank, i);
  wherry::collective::allreduce(test.comm, in, out, op);
  for (std::size_t i = 0; i < count; ++i) {
    T expected = of(0, i);
    for (int rank = 1; rank < test.size; ++rank) expected = worked_out(what, expected, of(rank, i));
    if (out[i] == expected ? pass() : false) continue;
    FAIL(std::string(name_of(what)) + " of " + std::to_string(sizeof(T)) + " B" +
         (std::is_signed_v<T> ? ", signed" : "") + ": is " + show(out[i]) + ", should be " + show(expected));
  }
}

template <class T> void sums_and_products(const context& test) {
  typed<T>(test, operation::sum, std::plus<>{});
  typed<T>(test, operation::product, std::multiplies<T>{});
}
template <class T> void all_typed(const context& test) {
  sums_and_products<T>(test);
  typed<T>(test, operation::minimum, wherry::minimum{});
  typed<T>(test, operation::maximum, wherry::maximum{});
  if constexpr (std::is_integral_v<T>) {
    typed<T>(test, operation::bits_and, std::bit_and<>{});
    typed<T>(test, operation::bits_or, std::bit_or<T>{});
    typed<T>(test, operation::bits_xor, std::bit_xor<>{});
    typed<T>(test, operation::all_true, std::logical_and<>{});
    typed<T>(test, operation::any_true, std::logical_or<>{});
    typed<T>(test, operation::one_true, [](T a, T b) { return static_cast<T>((a != 0) != (b != 0)); });
  }
}

}  // namespace

// Two ranks try every kind of call with every row, of a short vector or one that vector instructions take; with more
// ranks each implementation does one kind of call with each row.
WHERRY_TEST(every_operation_on_every_type_by_every_implementation,
            ranks(1, 2, 3, 4).not_simulated("what it tests is the same among few ranks")) {
#if defined(WHERRY_TEST_WITH_COARRAYS)
  const bool coarrays = test.size > 1;
#else
  const bool coarrays = false;
#endif
  std::size_t turn = 0;
  for (const auto& implementation : wherry::collective::implementations_there_are()) {
    const auto by = implementation.name;
    if (by == "mpi" || by == "nonblocking") continue;  // MPI's own arithmetic
    ++turn;
    for (std::size_t row = 0; row < every_reduction().size(); ++row)
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        const auto what = kinds[k];
        if (test.size > 2 && k != (row + turn) % kinds.size()) continue;
        if (!collective_oracle::must_do(by, what, {.size = test.size, .has_coarrays = coarrays})) continue;
        for (const std::size_t count : {std::size_t{3}, std::size_t{67}}) {
          if (test.size > 1 && count != ((row + k) % 2 == 0 ? 3U : 67U)) continue;
          reduction_trial trial(every_reduction()[row], what, count, test);
          const auto did = wherry::collective::run(trial.made(), by);
          if (did != by) CHECK_EQUAL(std::string(did), std::string(by) + ", for " + every_reduction()[row].name);
          trial.check(by);
        }
      }
  }
}

WHERRY_TEST(every_operation_on_every_type_in_two_phases,
            ranks(2, 3).not_simulated("what it tests is the same among few ranks")) {
  for (std::size_t row = 0; row < every_reduction().size(); ++row)
    for (const std::string_view by : {"shared", "linear"}) {
      reduction_trial trial(every_reduction()[row], kinds[row % kinds.size()], 11, test);
      wherry::collective::start(trial.made(), {.implementation = by}).wait();
      trial.check(by);
    }
}

WHERRY_TEST(every_operation_of_the_standard_on_every_type, ranks(1, 2, 3)) {
  all_typed<signed char>(test);
  all_typed<short>(test);
  all_typed<int>(test);
  all_typed<long>(test);
  all_typed<long long>(test);
  all_typed<unsigned char>(test);
  all_typed<unsigned short>(test);
  all_typed<unsigned>(test);
  all_typed<unsigned long>(test);
  all_typed<unsigned long long>(test);
  all_typed<float>(test);
  all_typed<double>(test);
  all_typed<long double>(test);
  sums_and_products<std::complex<float>>(test);
  sums_and_products<std::complex<double>>(test);
  sums_and_products<wherry::float16>(test);
  sums_and_products<wherry::bfloat16>(test);
  typed<wherry::bfloat16>(test, operation::maximum, wherry::maximum{});
  typed<bool>(test, operation::all_true, std::logical_and<>{});
  typed<bool>(test, operation::any_true, std::logical_or<>{});
}

namespace {

template <class T> void extremes(const context& test, const char* by, MPI_Datatype type) {
  const bool last = test.rank == test.size - 1;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  // A NaN of one rank, and zeros of which one has the other sign.
  const std::array<T, 3> in{last ? nan : T(test.rank), test.rank == 0 ? -T(0) : T(0), last ? T(0) : -T(0)};
  std::array<T, 3> least{}, most{};
  const auto low = call::allreduce(in.data(), least.data(), 3, type, MPI_MIN, test.comm);
  const auto high = call::allreduce(in.data(), most.data(), 3, type, MPI_MAX, test.comm);
  if (!wherry::collective::obstacle(low, by).empty()) return;
  wherry::collective::run(low, by);
  wherry::collective::run(high, by);
  CHECK(std::memcmp(&least[0], &nan, sizeof nan) == 0 && std::memcmp(&most[0], &nan, sizeof nan) == 0);
  CHECK(least[1] == 0 && std::signbit(least[1]));
  CHECK(most[2] == 0 && !std::signbit(most[2]));
}

}  // namespace

// Where Wherry computes, wherever a rank is in the order; MPI has its own ways.
WHERRY_TEST(nans_and_signed_zeros_do_not_depend_on_who_computes, ranks(1, 2, 3, 4, 8)) {
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (row.name == "mpi" || row.name == "nonblocking") continue;
    const std::string by(row.name);
    log(by);
    extremes<float>(test, by.c_str(), MPI_FLOAT);
    extremes<double>(test, by.c_str(), MPI_DOUBLE);
  }
}
