// Reductions that promise the same bits on all ranks, run after run: of numbers whose sums depend on the order, for
// vectors of all lengths, wherever they lie.
#include <mpi.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_memory.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

double summand(int rank, std::size_t i) {
  return 0.1 * static_cast<double>(hash(7, rank, i) % 10'007) - 300 + 1e3 * rank;
}

/// x₀ + (x₁ + (x₂ + …)), up to rank `last`.
std::vector<double> sums_in_order(int last, std::size_t first, std::size_t count) {
  std::vector<double> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = summand(last, first + i);
    for (int rank = last - 1; rank >= 0; --rank) all[i] = summand(rank, first + i) + all[i];
  }
  return all;
}

struct reduction {
  call what;
  std::vector<double> expected;  // where there is something to be compared
};

/// `in` has `count` elements, or as many for each rank where they are scattered; none: in place.
reduction make(kind what, const double* in, double* out, int count, const context& test, MPI_Comm comm) {
  const void* const from = in != nullptr ? static_cast<const void*>(in) : MPI_IN_PLACE;
  const auto length = static_cast<std::size_t>(count), mine = static_cast<std::size_t>(test.rank) * length;
  const int last = test.size - 1;
  switch (what) {
    case kind::reduce: {
      const int root = last / 2;
      const void* const at_root = test.rank == root ? from : in != nullptr ? in : out;
      return {call::reduce(at_root, out, count, MPI_DOUBLE, MPI_SUM, root, comm),
              test.rank == root ? sums_in_order(last, 0, length) : std::vector<double>{}};
    }
    case kind::allreduce:
      return {call::allreduce(from, out, count, MPI_DOUBLE, MPI_SUM, comm), sums_in_order(last, 0, length)};
    case kind::reduce_scatter_block:
      return {call::reduce_scatter_block(from, out, count, MPI_DOUBLE, MPI_SUM, comm),
              sums_in_order(last, mine, length)};
    case kind::scan:
      return {call::scan(from, out, count, MPI_DOUBLE, MPI_SUM, comm), sums_in_order(test.rank, 0, length)};
    default:
      return {call::exscan(from, out, count, MPI_DOUBLE, MPI_SUM, comm),
              test.rank == 0 ? std::vector<double>{} : sums_in_order(test.rank - 1, 0, length)};
  }
}

}  // namespace

WHERRY_TEST(reductions_that_promise_it_give_the_bits_of_the_ranks_order,
            ranks(1, 2, 3, 4, 8).not_simulated("what it tests is the same among few ranks")) {
  const wherry::communicator comm(test.comm);
  int promising = 0;
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (!row.reproducible) continue;
    ++promising;
    for (const kind what : {kind::reduce, kind::allreduce, kind::reduce_scatter_block, kind::scan, kind::exscan})
      for (const int count : {1, 3, 29, 500, 5'000, test.size <= 4 ? 40'000 : 9'000})
        for (const bool in_node_memory : {false, true}) {
          const auto all = static_cast<std::size_t>(count * (what == kind::reduce_scatter_block ? test.size : 1));
          const wherry::node_memory there(comm, in_node_memory ? 2 * all * sizeof(double) : 8);
          std::vector<double> here(in_node_memory ? 0 : 2 * all);
          double* const in = in_node_memory ? reinterpret_cast<double*>(there.data()) : here.data();
          double* const out = in + all;
          for (const bool in_place : {false, true})
            for (const bool begun : {false, true}) {
              for (std::size_t i = 0; i < all; ++i) (in_place ? out : in)[i] = summand(test.rank, i);
              const auto made = make(what, in_place ? nullptr : in, out, count, test, test.comm);
              test.note(std::string(row.name) + " " + std::string(name_of(what)) + " of " + std::to_string(count));
              if (wherry::collective::obstacle(made.what, row.name).empty()) {
                if (begun)
                  wherry::collective::start(made.what, {.implementation = row.name}).wait();
                else
                  CHECK_EQUAL(wherry::collective::run(made.what, row.name), row.name);
                const bool same = std::equal(made.expected.begin(), made.expected.end(), out);
                if (fault(!same))
                  CHECK_EQUAL(std::string(row.name) + " " + std::string(name_of(what)) + " of " +
                                  std::to_string(count) + (in_place ? ", in place" : "") + (begun ? ", begun" : "") +
                                  (in_node_memory ? ", in node memory" : ""),
                              "");
              }
            }
        }
  }
  CHECK(promising > 0);
}
