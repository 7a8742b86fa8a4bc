// Buffers, counts and operations that are wrong on all ranks alike: told before anything moves, by every
// implementation, and the communicator goes on.
#include <mpi.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::collective::call;

namespace {

/// Each implementation refuses it, at once and in two phases.
class refusals {
 public:
  explicit refusals(context& test) : test_(test) {
    MPI_Comm_dup(test.comm, &comm_);
    for (const auto& row : wherry::collective::implementations_there_are())
      if (!wherry::detail::ranks_share_a_process || row.name != "coarray") names_.emplace_back(row.name);
  }
  refusals(const refusals&) = delete;
  refusals& operator=(const refusals&) = delete;
  ~refusals() { MPI_Comm_free(&comm_); }

  MPI_Comm comm() const { return comm_; }
  void of(const std::string& words, const call& what) const {
    for (const auto& name : names_) {
      const auto title = name + ": " + std::string(name_of(what.kind)) + " " + words;
      all_throw(test_, title, error_kind::argument, words, [&] { wherry::collective::run(what, name); });
      all_throw(test_, title, error_kind::argument, words,
                [&] { wherry::collective::start(what, {.implementation = name}).wait(); });
    }
  }
  /// Errors that all ranks had alike change nothing.
  void all_goes_on() const {
    for (const char* const name : {"shared", "linear", "mpi"}) {
      int sum = 1;
      wherry::collective::run(call::allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm_), name);
      CHECK_EQUAL(sum, test_.size);
    }
  }

 private:
  context& test_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<std::string> names_;
};

struct buffers {
  explicit buffers(int size)
      : some(static_cast<std::size_t>(size) * 8, 1), counts(static_cast<std::size_t>(size), 2), places(counts) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = 2 * static_cast<int>(i);
  }
  std::vector<int> some, counts, places;
  int* send() { return some.data(); }
  int* receive() { return some.data() + some.size() / 2; }
};

}  // namespace

WHERRY_TEST(null_buffers_are_told_before_anything_moves, ranks(1, 2, 3)) {
  const refusals refused(test);
  buffers b(test.size);
  int *const s = b.send(), *const r = b.receive(), *const n = b.counts.data(), *const p = b.places.data();
  const auto comm = refused.comm();
  const auto t = MPI_INT;
  refused.of("'buffer' is null", call::bcast(nullptr, 2, t, 0, comm));
  refused.of("'send' is null", call::gather(nullptr, 2, t, r, 2, t, 0, comm));
  refused.of("'send' is null", call::gatherv(nullptr, 2, t, r, n, p, t, 0, comm));
  refused.of("'receive' is null", call::scatter(s, 2, t, nullptr, 2, t, 0, comm));
  refused.of("'receive' is null", call::scatterv(s, n, p, t, nullptr, 2, t, 0, comm));
  refused.of("'send' is null", call::allgather(nullptr, 2, t, r, 2, t, comm));
  refused.of("'receive' is null", call::allgather(s, 2, t, nullptr, 2, t, comm));
  refused.of("'receive' is null", call::allgatherv(s, 2, t, nullptr, n, p, t, comm));
  refused.of("'receive' is null", call::allgatherv(MPI_IN_PLACE, 0, t, nullptr, n, p, t, comm));
  refused.of("'send' is null", call::alltoall(nullptr, 2, t, r, 2, t, comm));
  refused.of("'receive' is null", call::alltoallv(s, n, p, t, nullptr, n, p, t, comm));
  refused.of("'send' is null", call::alltoallv(nullptr, n, p, t, r, n, p, t, comm));
  const std::vector<MPI_Datatype> types(b.counts.size(), t);
  refused.of("'send' is null", call::alltoallw(nullptr, n, p, types.data(), r, n, p, types.data(), comm));
  refused.of("'send' is null", call::reduce(nullptr, r, 2, t, MPI_SUM, 0, comm));
  refused.of("'send' is null", call::allreduce(nullptr, r, 2, t, MPI_SUM, comm));
  refused.of("'receive' is null", call::allreduce(s, nullptr, 2, t, MPI_SUM, comm));
  refused.of("'receive' is null", call::allreduce(MPI_IN_PLACE, nullptr, 2, t, MPI_SUM, comm));
  refused.of("'receive' is null", call::scan(s, nullptr, 2, t, MPI_SUM, comm));
  refused.of("'send' is null", call::exscan(nullptr, r, 2, t, MPI_SUM, comm));
  refused.of("'receive' is null", call::reduce_scatter(s, nullptr, n, t, MPI_SUM, comm));
  refused.of("'send' is null", call::reduce_scatter_block(nullptr, r, 2, t, MPI_SUM, comm));
  refused.all_goes_on();
}

// Nothing lies in a null buffer, or all lies elsewhere: a datatype of addresses begins where MPI_BOTTOM is.
WHERRY_TEST(null_buffers_of_nothing_and_of_addresses_are_good, ranks(1, 2, 3).not_simulated("no MPI_BOTTOM there")) {
  for (const char* const name : {"shared", "linear", "nonblocking"}) {
    wherry::collective::run(call::bcast(nullptr, 0, MPI_INT, 0, test.comm), name);
    wherry::collective::run(call::allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, test.comm), name);
    int value = test.rank == 0 ? 7 : 0;
    MPI_Aint there = 0;
    MPI_Get_address(&value, &there);
    const int one = 1;
    MPI_Datatype absolute = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &there, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    wherry::collective::run(call::bcast(MPI_BOTTOM, 1, absolute, 0, test.comm), name);
    CHECK_EQUAL(value, 7);
    MPI_Type_free(&absolute);
  }
}

WHERRY_TEST(in_place_where_it_means_nothing_is_told, ranks(1, 2, 3)) {
  const refusals refused(test);
  buffers b(test.size);
  int *const s = b.send(), *const n = b.counts.data(), *const p = b.places.data();
  void* const here = MPI_IN_PLACE;
  const auto comm = refused.comm();
  const auto t = MPI_INT;
  refused.of("'buffer' is MPI_IN_PLACE", call::bcast(here, 2, t, 0, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::allgather(s, 2, t, here, 2, t, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::allgatherv(s, 2, t, here, n, p, t, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::alltoall(s, 2, t, here, 2, t, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::alltoallv(s, n, p, t, here, n, p, t, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::allreduce(s, here, 2, t, MPI_SUM, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::allreduce(here, here, 2, t, MPI_SUM, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::scan(s, here, 2, t, MPI_SUM, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::reduce_scatter(s, here, n, t, MPI_SUM, comm));
  refused.of("'receive' is MPI_IN_PLACE", call::reduce_scatter_block(s, here, 2, t, MPI_SUM, comm));
  refused.all_goes_on();
}

WHERRY_TEST(in_place_among_neighbours_is_told, ranks(1, 2, 3).not_simulated("it has no topologies")) {
  const int around = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(test.comm, 1, &test.size, &around, 0, &ring);
  std::vector<int> some(8, 1), counts(2, 1), places{0, 1};
  int* const s = some.data();
  void* const here = MPI_IN_PLACE;
  const auto refused = [&](const char* words, const call& what) {
    for (const char* const name : {"mpi", "shared", "linear", "pgas"})
      all_throw(test, words, error_kind::argument, words, [&] { wherry::collective::run(what, name); });
  };
  refused("'send' is MPI_IN_PLACE", call::neighbor_allgather(here, 1, MPI_INT, s, 1, MPI_INT, ring));
  refused("'receive' is MPI_IN_PLACE", call::neighbor_alltoall(s, 1, MPI_INT, here, 1, MPI_INT, ring));
  refused("'receive' is null", call::neighbor_alltoallv(s, counts.data(), places.data(), MPI_INT, nullptr,
                                                        counts.data(), places.data(), MPI_INT, ring));
  refused("'send' is null",
          call::neighbor_allgatherv(nullptr, 1, MPI_INT, s, counts.data(), places.data(), MPI_INT, ring));
  MPI_Comm_free(&ring);
}

WHERRY_TEST(more_bytes_than_there_are_addresses_are_told, ranks(1, 2, 3)) {
  const refusals refused(test);
  buffers b(test.size);
  int *const s = b.send(), *const r = b.receive();
  const auto comm = refused.comm();
  for (const std::int64_t count : {std::int64_t{1} << 60, std::int64_t{1} << 61, (std::int64_t{1} << 61) + 1,
                                   std::numeric_limits<std::int64_t>::max()}) {
    const std::string words = "count' stands for more bytes than memory has addresses";
    refused.of(words, call::bcast(s, count, MPI_DOUBLE, 0, comm));
    refused.of(words, call::gather(s, count, MPI_DOUBLE, r, count, MPI_DOUBLE, 0, comm));
    refused.of(words, call::allgather(s, count, MPI_DOUBLE, r, count, MPI_DOUBLE, comm));
    refused.of(words, call::alltoall(s, count, MPI_DOUBLE, r, count, MPI_DOUBLE, comm));
    refused.of("count' stands for more bytes", call::allreduce(s, r, count, MPI_DOUBLE, MPI_SUM, comm));
    refused.of("count' stands for more bytes", call::reduce(s, r, count, MPI_DOUBLE, MPI_SUM, 0, comm));
    refused.of("count' stands for more bytes", call::reduce_scatter_block(s, r, count, MPI_DOUBLE, MPI_SUM, comm));
  }
  // Each is possible, all together are not.
  if (test.size > 1)
    refused.of("send_count' stands for more bytes",
               call::alltoall(s, std::int64_t{1} << 53, MPI_DOUBLE, r, std::int64_t{1} << 53, MPI_DOUBLE, comm));
  MPI_Datatype vast = MPI_DATATYPE_NULL, vaster = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &vast);
  MPI_Type_contiguous(1 << 20, vast, &vaster);
  MPI_Type_commit(&vaster);
  const std::vector<int> many(static_cast<std::size_t>(test.size), 1 << 20);
  refused.of("'receive_counts' stands for more bytes",
             call::allgatherv(MPI_IN_PLACE, 0, vaster, r, many.data(), b.places.data(), vaster, comm));
  MPI_Type_free(&vaster);
  MPI_Type_free(&vast);
  refused.all_goes_on();
}

WHERRY_TEST(operations_that_mpi_does_not_define_for_a_type_are_told, ranks(1, 2, 3)) {
  const refusals refused(test);
  std::vector<double> some(16, 1);
  double *const s = some.data(), *const r = s + 8;
  const auto comm = refused.comm();
  refused.of("'op' is MPI_BAND, which MPI does not define for elements of 'MPI_DOUBLE'",
             call::allreduce(s, r, 1, MPI_DOUBLE, MPI_BAND, comm));
  refused.of("'op' is MPI_LXOR", call::reduce(s, r, 1, MPI_FLOAT, MPI_LXOR, 0, comm));
  refused.of("'op' is MPI_BOR", call::scan(s, r, 1, MPI_FLOAT, MPI_BOR, comm));
  refused.of("'op' is MPI_MAX", call::exscan(s, r, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, comm));
  refused.of("'op' is MPI_SUM", call::reduce_scatter_block(s, r, 1, MPI_BYTE, MPI_SUM, comm));
  refused.of("'op' is MPI_MAXLOC", call::allreduce(s, r, 1, MPI_DOUBLE, MPI_MAXLOC, comm));
  refused.of("'op' is MPI_MIN", call::allreduce(s, r, 1, MPI_DOUBLE_INT, MPI_MIN, comm));
  refused.of("'op' is MPI_PROD", call::allreduce(s, r, 1, MPI_C_BOOL, MPI_PROD, comm));
  refused.of("'op' is MPI_REPLACE", call::allreduce(s, r, 1, MPI_INT, MPI_REPLACE, comm));
  MPI_Datatype two = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_DOUBLE, &two);
  MPI_Type_commit(&two);
  refused.of("'op' is MPI_SUM", call::allreduce(s, r, 1, two, MPI_SUM, comm));
  MPI_Type_free(&two);
  refused.all_goes_on();
}

WHERRY_TEST(what_a_rank_sends_itself_is_what_it_expects, ranks(1, 2, 3)) {
  const refusals refused(test);
  buffers b(test.size);
  int *const s = b.send(), *const r = b.receive(), *const n = b.counts.data(), *const p = b.places.data();
  const auto comm = refused.comm();
  const auto t = MPI_INT;
  const std::string words = "'send' has 4 bytes for this rank itself, and 'receive' expects 8";
  refused.of(words, call::allgather(s, 1, t, r, 2, t, comm));
  refused.of(words, call::allgatherv(s, 1, t, r, n, p, t, comm));
  refused.of(words, call::alltoall(s, 1, t, r, 2, t, comm));
  const std::vector<int> ones(b.counts.size(), 1);
  refused.of(words, call::alltoallv(s, ones.data(), p, t, r, n, p, t, comm));
  refused.all_goes_on();
}
