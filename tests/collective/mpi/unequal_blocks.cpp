// Blocks of different lengths in node memory, of all lengths at which they are shown in another way; and operands of an
// operation of the user's, which lie in node memory as they would in his own.
#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"

#include "collective/datatypes.hpp"
#include "collective/reducer.hpp"
#include "collective/scratch.hpp"
#include "harness/harness.hpp"
#include "oracle.hpp"

using namespace wherry_test;
using wherry::collective::call;
using wherry::collective::run;

namespace {

// A record has 56 bytes, of which the place takes 16; memory comes in lines of 64; the last ones are beyond a slot.
constexpr int lengths[] = {0, 1, 5, 8, 10, 11, 13, 14, 20, 21, 28, 40, 41, 56, 57, 64, 65, 129, 4096, 50'000, 200'000};

int length_of(int from, int to, int longest, int version) { return longest * ((from + 2 * to + version) % 3) / 2; }
std::byte content_of(int from, int to, int at) { return static_cast<std::byte>(31 * from + 7 * to + at); }

/// What a rank has for, or gets from, each rank, one behind the other.
struct blocks {
  std::vector<int> counts, places;
  std::vector<std::byte> bytes;

  template <class Length> blocks(int ranks, Length length) {
    int end = 0;
    for (int r = 0; r < ranks; ++r) {
      counts.push_back(length(r));
      places.push_back(end);
      end += counts.back();
    }
    bytes.resize(static_cast<std::size_t>(end));
  }
  std::byte& at(int rank, int i) { return bytes[static_cast<std::size_t>(places[static_cast<std::size_t>(rank)] + i)]; }
};

void to_each_its_own(const context& test, int longest, int version) {
  blocks out(test.size, [&](int to) { return length_of(test.rank, to, longest, version); }),
      in(test.size, [&](int from) { return length_of(from, test.rank, longest, version); });
  for (int to = 0; to < test.size; ++to)
    for (int i = 0; i < out.counts[static_cast<std::size_t>(to)]; ++i) out.at(to, i) = content_of(test.rank, to, i);
  run(call::alltoallv(out.bytes.data(), out.counts.data(), out.places.data(), MPI_BYTE, in.bytes.data(),
                      in.counts.data(), in.places.data(), MPI_BYTE, test.comm),
      "shared");
  for (int from = 0; from < test.size; ++from)
    for (int i = 0; i < in.counts[static_cast<std::size_t>(from)]; ++i)
      if (fault(in.at(from, i) != content_of(from, test.rank, i)))
        FAIL("alltoallv, longest " + std::to_string(longest) + ": byte " + std::to_string(i) + " from rank " +
             std::to_string(from));
}

void from_one(const context& test, int longest, int version) {
  const int root = (longest + version) % test.size;
  blocks out(test.size, [&](int to) { return length_of(root, to, longest, version); });
  for (int to = 0; to < test.size; ++to)
    for (int i = 0; i < out.counts[static_cast<std::size_t>(to)]; ++i) out.at(to, i) = content_of(root, to, i);
  std::vector<std::byte> in(static_cast<std::size_t>(length_of(root, test.rank, longest, version)));
  run(call::scatterv(out.bytes.data(), out.counts.data(), out.places.data(), MPI_BYTE, in.data(),
                     static_cast<int>(in.size()), MPI_BYTE, root, test.comm),
      "shared");
  for (std::size_t i = 0; i < in.size(); ++i)
    if (fault(in[i] != content_of(root, test.rank, static_cast<int>(i))))
      FAIL("scatterv, longest " + std::to_string(longest) + ": byte " + std::to_string(i));
}

void sums_to_each(const context& test, int longest, int version) {
  blocks all(test.size, [&](int to) { return length_of(0, to, longest, version); });
  std::vector<std::int16_t> mine(all.bytes.size());
  const auto value = [](int rank, std::size_t at) {
    return static_cast<std::int16_t>(rank + static_cast<int>(at % 1000));
  };
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = value(test.rank, i);
  const auto count = static_cast<std::size_t>(all.counts[static_cast<std::size_t>(test.rank)]);
  std::vector<std::int16_t> sum(count);
  run(call::reduce_scatter(mine.data(), sum.data(), all.counts.data(), MPI_INT16_T, MPI_SUM, test.comm), "shared");
  const auto first = static_cast<std::size_t>(all.places[static_cast<std::size_t>(test.rank)]);
  for (std::size_t i = 0; i < count; ++i) {
    int wanted = 0;
    for (int r = 0; r < test.size; ++r) wanted += value(r, first + i);
    if (fault(sum[i] != wanted))
      FAIL("reduce_scatter, longest " + std::to_string(longest) + ": element " + std::to_string(i));
  }
}

std::atomic<int> crooked{0};

/// Sums of pairs of numbers, which a vector instruction would want at multiples of 16.
void add_pairs(void* left, void* right, int* count, MPI_Datatype*) {
  for (const void* operand : {static_cast<const void*>(left), static_cast<const void*>(right)})
    if (reinterpret_cast<std::uintptr_t>(operand) % 16 != 0) ++crooked;
  const auto* from = static_cast<const std::int64_t*>(left);
  auto* to = static_cast<std::int64_t*>(right);
  for (int i = 0; i < 2 * *count; ++i) to[i] += from[i];
}

struct alignas(16) pair_of_numbers {
  std::int64_t one, two;
};

struct pairs_added {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;

  pairs_added() {
    MPI_Type_contiguous(sizeof(pair_of_numbers), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_pairs, 1, &op);
  }
  pairs_added(const pairs_added&) = delete;
  pairs_added& operator=(const pairs_added&) = delete;
  ~pairs_added() {
    MPI_Op_free(&op);
    MPI_Type_free(&type);
  }
};

}  // namespace

WHERRY_TEST(unequal_blocks_of_every_length, ranks(1, 2, 3, 4, 8).not_simulated(collective_oracle::same_among_few)) {
  for (const int longest : lengths)
    for (int version = 0; version < 3; ++version) {
      to_each_its_own(test, longest, version);
      from_one(test, longest, version);
      sums_to_each(test, longest, version);
    }
}

// Among many ranks a share of a result is short, too.
WHERRY_TEST(operands_anywhere_are_combined, ranks(1)) {
  const pairs_added with;
  wherry::collective::scratch_pool pool;
  const wherry::collective::reducer reduce(with.op, with.type, wherry::collective::facts_of(with.type), pool);
  constexpr std::size_t two = 2 * sizeof(pair_of_numbers);
  const std::int64_t ones[] = {1, 2, 3, 4}, tens[] = {10, 20, 30, 40}, wanted[] = {11, 22, 33, 44};
  for (const std::size_t at : {0, 8})
    for (const int overwritten : {0, 1, 2}) {  // none, the left one, the right one
      alignas(64) std::byte memory[3][two + 8];
      auto *const left = memory[0] + at, *const right = memory[1] + at;
      auto* const out = memory[overwritten == 0 ? 2 : overwritten - 1] + at;
      std::memcpy(left, ones, two);
      std::memcpy(right, tens, two);
      crooked = 0;
      reduce.combine(out, left, right, 2);
      CHECK_EQUAL(std::memcmp(out, wanted, two), 0);
      CHECK_EQUAL(crooked.load(), 0);
    }
}

WHERRY_TEST(operands_lie_as_their_elements_want,
            ranks(1, 2, 3, 4, 8).not_simulated(collective_oracle::same_among_few)) {
  const pairs_added with;
  const auto type = with.type;
  const auto op = with.op;
  crooked = 0;
  for (const char* const by : {"shared", "hierarchical", "recursive_doubling"})
    for (int count = 1; count <= 5; ++count) {
      const auto ranks = static_cast<std::size_t>(test.size);
      std::vector<pair_of_numbers> mine(static_cast<std::size_t>(count) * ranks, {test.rank, 2 * test.rank}),
          sum(mine.size());
      const std::vector<int> counts(ranks, count);
      const std::int64_t all = std::int64_t{test.size} * (test.size - 1) / 2;
      const auto check = [&](const call& what, bool has_result) {
        if (!wherry::collective::obstacle(what, by).empty()) return;
        run(what, by);
        for (int i = 0; has_result && i < count; ++i) {
          CHECK_EQUAL(sum[static_cast<std::size_t>(i)].one, all);
          CHECK_EQUAL(sum[static_cast<std::size_t>(i)].two, 2 * all);
        }
      };
      check(call::allreduce(mine.data(), sum.data(), count, type, op, test.comm), true);
      check(call::reduce(mine.data(), sum.data(), count, type, op, 0, test.comm), test.rank == 0);
      check(call::scan(mine.data(), sum.data(), count, type, op, test.comm), test.rank == test.size - 1);
      check(call::reduce_scatter(mine.data(), sum.data(), counts.data(), type, op, test.comm), true);
      check(call::reduce_scatter_block(mine.data(), sum.data(), count, type, op, test.comm), true);
    }
  CHECK_EQUAL(crooked.load(), 0);
}
