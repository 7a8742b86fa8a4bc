// Collectives refuse wrong arguments, on the right ranks and in words that name the fault.
#include <mpi.h>

#include <string>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

using namespace wherry_test;

WHERRY_TEST(wrong_calls_of_all_ranks_are_errors, ranks(1, 2, 3, 4)) {
  int mine = 1, all = 0;
  const auto good = wherry_call_allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, test.comm);
  const auto wrong = [&](const char* title, const char* words, auto change) {
    auto call = good;
    change(call);
    fails(title, wherry_call_run(&call, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, words);
    wherry_request request = nullptr;
    fails(title, wherry_call_start(&call, nullptr, &request), WHERRY_ERROR_ARGUMENT, words);
    CHECK(request == nullptr);
  };
  wrong("size", "it was not set by WHERRY_INIT", [](wherry_call& c) { c.struct_size = 0; });
  wrong("kind", "'kind' is 22, which is no collective", [](wherry_call& c) { c.kind = 22; });
  wrong("kind", "'kind' is -1", [](wherry_call& c) { c.kind = -1; });
  wrong("type", "'type' is MPI_DATATYPE_NULL", [](wherry_call& c) { c.send_type = MPI_Datatype{}; });
  wrong("count", "count' is -1", [](wherry_call& c) { c.send_count = c.receive_count = -1; });
  wrong("null", "'send' is null", [](wherry_call& c) { c.send = nullptr; });
  wrong("no operation", "'op' is MPI_OP_NULL", [](wherry_call& c) { c.op = MPI_Op{}; });
  fails("no such implementation", wherry_call_run(&good, "pigeon", nullptr), WHERRY_ERROR_ARGUMENT, "pigeon");
  fails("no call", wherry_call_run(nullptr, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "'call' is NULL");
  fails("no communicator", wherry_barrier(MPI_COMM_NULL), WHERRY_ERROR_ARGUMENT, "MPI_COMM_NULL");
  fails("a communicator of 0", wherry_barrier(MPI_Comm{}), WHERRY_ERROR_ARGUMENT, "MPI_COMM_NULL");
  fails("a root", wherry_bcast(&mine, 1, MPI_INT, 99, test.comm), WHERRY_ERROR_ARGUMENT, "'root' is 99");
  fails("no result", wherry_call_start(&good, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  wherry_start_options how = WHERRY_INIT(wherry_start_options);
  how.struct_size = 3;
  wherry_request request = nullptr;
  fails("options", wherry_call_start(&good, &how, &request), WHERRY_ERROR_ARGUMENT, "struct_size 3");
  fails("options", wherry_call_persistent(&good, &how, &request), WHERRY_ERROR_ARGUMENT, "struct_size 3");
  fails("no text", wherry_call_explain(&good, nullptr), WHERRY_ERROR_ARGUMENT, "'text' is NULL");
  fails("no reason", wherry_call_obstacle(&good, "mpi", nullptr), WHERRY_ERROR_ARGUMENT, "'why' is NULL");
  fails("an unknown name", wherry_choose(test.comm, 0, nullptr, 0), WHERRY_ERROR_ARGUMENT, "''");
  fails("a size", wherry_choose(test.comm, 0, "mpi", -1), WHERRY_ERROR_ARGUMENT, "'from_bytes' is -1");
  fails("a kind", wherry_choose(test.comm, test.rank == 0 ? 99 : 0, "mpi", 0), WHERRY_ERROR_ARGUMENT, "'kind' is 99");
  fails("bytes", wherry_make_ready(test.comm, "pgas", -5), WHERRY_ERROR_ARGUMENT, "-5");
  fails("an unknown name", wherry_give_back(test.comm, "pigeon"), WHERRY_ERROR_ARGUMENT, "pigeon");
  fails("no list", wherry_implementations(nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "'list' is NULL");
  fails("no rows", wherry_usage_so_far(nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "'rows' is NULL");
  // All that is over: the communicator still works.
  succeeds(wherry_call_run(&good, nullptr, nullptr));
  CHECK_EQUAL(all, test.size);
}

WHERRY_TEST(a_wrong_call_of_one_rank_is_an_error_of_all, ranks(2, 3, 4)) {
  int mine = 1, all = 0;
  auto call = wherry_call_allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, test.comm);
  if (test.rank == 1) call.kind = 1000;
  // By messages of Wherry's: ranks that are in a call of MPI's cannot be told.
  fails("kind", wherry_call_run(&call, "linear", nullptr), WHERRY_ERROR_ARGUMENT, "'kind' is 1000");
  const auto* const told = wherry_last_error();
  if (test.rank != 1) CHECK(told->peer_count == 1 && told->peers[0] == 1);
}

WHERRY_TEST(ranks_that_mean_other_calls_are_told, ranks(2, 3)) {
  int mine[2] = {1, 1}, all[2] = {0, 0};
  const auto call = wherry_call_allreduce(mine, all, test.rank == 1 ? 2 : 1, MPI_INT, MPI_SUM, test.comm);
  fails("lengths", wherry_call_run(&call, "linear", nullptr), WHERRY_ERROR_MISMATCH, "rank");
}

WHERRY_TEST(wrong_requests_are_errors_of_their_rank, ranks(1, 2)) {
  int mine = 1, all = 0;
  const auto call = wherry_call_allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, test.comm);
  wherry_request request = nullptr;
  fails("null", wherry_request_wait(request), WHERRY_ERROR_ARGUMENT, "'request' is NULL");
  succeeds(wherry_request_free(&request));
  fails("no pointer", wherry_request_free(nullptr), WHERRY_ERROR_ARGUMENT, "'request' is NULL");
  succeeds(wherry_call_start(&call, nullptr, &request));
  fails("not persistent", wherry_request_start(request), WHERRY_ERROR_STATE, "wherry_call_start");
  fails("no flag", wherry_request_test(request, nullptr), WHERRY_ERROR_ARGUMENT, "'done' is NULL");
  succeeds(wherry_request_wait(request));
  CHECK_EQUAL(all, test.size);
  auto copy = request;
  succeeds(wherry_request_free(&request));
  fails("freed", wherry_request_wait(copy), WHERRY_ERROR_ARGUMENT, "'request' is no wherry_request");
  fails("freed twice", wherry_request_free(&copy), WHERRY_ERROR_ARGUMENT, "'request' is no wherry_request");
  fails("an exchange", wherry_exchange_start(reinterpret_cast<wherry_exchange>(copy)), WHERRY_ERROR_ARGUMENT,
        "is no wherry_exchange");

  succeeds(wherry_call_persistent(&call, nullptr, &request));
  succeeds(wherry_request_wait(request));  // it was never started
  int done = 0;
  succeeds(wherry_request_test(request, &done));
  CHECK_EQUAL(done, 1);
  succeeds(wherry_request_start(request));
  if (test.size > 1) fails("twice", wherry_request_start(request), WHERRY_ERROR_STATE, "");
  succeeds(wherry_request_wait(request));
  fails("no text", wherry_request_transport(request, nullptr), WHERRY_ERROR_ARGUMENT, "'text' is NULL");
  fails("no figures", wherry_request_statistics(request, nullptr), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  const char* text = nullptr;
  succeeds(wherry_request_transport(request, &text));
  CHECK(*text != '\0');
  succeeds(wherry_request_abandon(request));
  fails("abandoned", wherry_request_start(request), WHERRY_ERROR_STATE, "abandoned");
  fails("abandoned", wherry_request_wait(request), WHERRY_ERROR_STATE, "abandoned");
  succeeds(wherry_request_explain(request, &text));
  CHECK_EQUAL(std::string(text), "");
  succeeds(wherry_request_free(&request));
}

WHERRY_TEST(calls_in_flight_are_given_up, ranks(2, 3)) {
  static double mine[1000], all[1000];  // MPI may write to them as long as the program runs
  const auto call = wherry_call_allreduce(mine, all, 1000, MPI_DOUBLE, MPI_SUM, test.comm);
  wherry_request request = nullptr;
  wherry_start_options how = WHERRY_INIT(wherry_start_options);
  how.implementation = "linear";
  succeeds(wherry_barrier(test.comm));  // the first use of a communicator sets it up
  // The last rank does not come.
  if (test.rank != test.size - 1) {
    succeeds(wherry_call_start(&call, &how, &request));
    int done = 1;
    succeeds(wherry_request_test(request, &done));
    CHECK_EQUAL(done, 0);
    succeeds(wherry_request_abandon(request));
    fails("abandoned", wherry_request_wait(request), WHERRY_ERROR_STATE, "abandoned");
    succeeds(wherry_request_free(&request));
  } else {
    CHECK(request == nullptr);
  }
}
