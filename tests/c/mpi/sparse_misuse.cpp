// Sparse exchanges refuse wrong arguments, on the right ranks and in words that name the fault.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

wherry_view view_of(std::vector<std::int64_t>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return wherry_c_array(values.data(), WHERRY_INT64, 1, &count);
}

}  // namespace

WHERRY_TEST(wrong_sparse_exchanges_are_errors_of_all_ranks, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const bool last = test.rank == test.size - 1;
  std::vector<std::int64_t> values{1, 2};
  const int to[] = {0, 0}, wrong_to[] = {0, test.size};
  wherry_arrivals arrived = nullptr;
  const auto wrong = [&](const char* title, const char* words, auto change, std::int64_t limit = 0) {
    struct {
      wherry_view values;
      const int* to;
      wherry_sparse_options options;
    } all{view_of(values), to, WHERRY_INIT(wherry_sparse_options)};
    all.options.limit_bytes = limit;
    if (last) change(all);
    fails(title, wherry_send_to(comm, all.to, all.values, &all.options, &arrived), WHERRY_ERROR_ARGUMENT, words);
    CHECK(arrived == nullptr);
    if (limit > 0) return;
    wherry_arriving flight = nullptr;
    succeeds(wherry_send_to_start(comm, all.to, all.values, &all.options, &flight), title);
    fails(title, wherry_arriving_wait(flight, &arrived), WHERRY_ERROR_ARGUMENT, words);
    succeeds(wherry_arriving_free(&flight));
  };
  for (const std::int64_t limit : {0, 16}) {
    wrong("destination", "expected a rank from 0 to", [&](auto& all) { all.to = wrong_to; }, limit);
    wrong("no destinations", "'destinations' is NULL", [](auto& all) { all.to = nullptr; }, limit);
    wrong(
        "no values", "'values' has elements, but its 'data' is NULL", [](auto& all) { all.values.data = nullptr; },
        limit);
    wrong("type", "'values' has the type", [](auto& all) { all.values.type = 0x7f000001; }, limit);
    wrong("dimensions", "'values' has 2 dimensions", [](auto& all) { all.values.dimensions = 2; }, limit);
    wrong(
        "device", "'values' is in memory of an accelerator", [](auto& all) { all.values.space = WHERRY_DEVICE; },
        limit);
  }
  wrong("options", "not set by WHERRY_INIT", [](auto& all) { all.options.struct_size = 1; });
  wrong("algorithm", "there is no algorithm 'pigeon'", [](auto& all) { all.options.algorithm = "pigeon"; });
  wrong("sources", "'options.receive_from' is NULL", [](auto& all) { all.options.receive_from_count = 2; });
  wrong(
      "limit", "'limit_bytes' is 7, expected at least the 8 bytes", [](auto& all) { all.options.limit_bytes = 7; }, 8);
  fails("no result", wherry_send_to(comm, to, view_of(values), nullptr, last ? nullptr : &arrived),
        WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  wherry_arriving flight = nullptr;
  const auto begun = wherry_send_to_start(comm, to, view_of(values), nullptr, last ? nullptr : &flight);
  if (last) fails("no flight", begun, WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  if (flight != nullptr)
    fails("no flight of another", wherry_arriving_wait(flight, &arrived), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  succeeds(wherry_arriving_free(&flight));
  // Parcels.
  const wherry_parcel parcel{last ? -1 : 0, 1, values.data()}, empty{0, last ? 1 : 0, nullptr},
      fewer{0, last ? -3 : 0, nullptr};
  const auto parcels = [&](const wherry_parcel& one) {
    return wherry_sparse_exchange(comm, 1, &one, WHERRY_INT64, 1, nullptr, &arrived);
  };
  fails("parcel", parcels(parcel), WHERRY_ERROR_ARGUMENT, "a parcel is for rank -1");
  fails("elements", parcels(empty), WHERRY_ERROR_ARGUMENT, "'parcels[0].elements' is NULL");
  fails("count", parcels(fewer), WHERRY_ERROR_ARGUMENT, "the number of 'parcels[0].elements' is -3");
  // Ranks that disagree.
  if (test.size > 1) {
    auto view = view_of(values);
    if (last) view.type = WHERRY_FLOAT64;
    fails("types", wherry_send_to(comm, to, view, nullptr, &arrived), WHERRY_ERROR_MISMATCH, "rank");
    wherry_sparse_options options = WHERRY_INIT(wherry_sparse_options);
    options.limit_bytes = last ? 0 : 64;
    fails("limits", wherry_send_to(comm, to, view_of(values), &options, &arrived), WHERRY_ERROR_MISMATCH, "rank");
    options.limit_bytes = 64;
    fails("types in turns", wherry_send_to(comm, to, view, &options, &arrived), WHERRY_ERROR_MISMATCH, "rank");
  }
  // The next exchange works.
  succeeds(wherry_send_to(comm, to, view_of(values), nullptr, &arrived));
  wherry_view all{};
  int source = 0;
  succeeds(wherry_arrivals_all(arrived, &all));
  CHECK_EQUAL(all.extents[0], test.rank == 0 ? 2 * test.size : 0);
  fails("place", wherry_arrivals_source_of(arrived, all.extents[0], &source), WHERRY_ERROR_ARGUMENT, "'place' is");
  fails("no view", wherry_arrivals_all(arrived, nullptr), WHERRY_ERROR_ARGUMENT, "'all' is NULL");
  auto copy = arrived;
  succeeds(wherry_arrivals_free(&arrived));
  fails("freed", wherry_arrivals_all(copy, &all), WHERRY_ERROR_ARGUMENT, "'arrivals' is no wherry_arrivals");
  fails("null flight", wherry_arriving_test(nullptr, &source), WHERRY_ERROR_ARGUMENT, "'arriving' is NULL");
  fails("null comm", wherry_send_to(nullptr, to, view_of(values), nullptr, &arrived), WHERRY_ERROR_ARGUMENT,
        "'comm' is NULL");
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(wrong_sparse_plans_are_refused_on_all_ranks, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const bool last = test.rank == test.size - 1;
  const int to[] = {0, 0};
  wherry_sparse_plan plan = nullptr;
  fails("count", wherry_sparse_plan_create(comm, last ? -1 : 2, to, nullptr, &plan), WHERRY_ERROR_ARGUMENT,
        "the number of 'destinations' is -1");
  fails("null", wherry_sparse_plan_create(comm, 2, last ? nullptr : to, nullptr, &plan), WHERRY_ERROR_ARGUMENT,
        "'destinations' is NULL");
  const int nobody[] = {0, 44};
  fails("destination", wherry_sparse_plan_create(comm, 2, last ? nobody : to, nullptr, &plan), WHERRY_ERROR_ARGUMENT,
        "is 44");
  succeeds(wherry_sparse_plan_create(comm, 2, to, nullptr, &plan));
  std::vector<std::int64_t> values{1, 2}, arrived(test.rank == 0 ? 2 * static_cast<std::size_t>(test.size) : 0);
  wherry_exchange there = nullptr;
  const auto wrong = [&](const char* title, const char* words, auto change) {
    auto out = view_of(values), in = view_of(arrived);
    if (last) change(out, in);
    fails(title, wherry_sparse_plan_exchange(plan, out, in, nullptr, &there), WHERRY_ERROR_ARGUMENT, words);
    CHECK(there == nullptr);
  };
  wrong("length", "'values' has 3 elements, expected 2", [](auto& out, auto&) { out.extents[0] = 3; });
  wrong("arrivals", "'arrived' has 99 elements", [](auto&, auto& in) { in.extents[0] = 99; });
  wrong("stride", "'values' has the stride 2, expected 1", [](auto& out, auto&) { out.strides[0] = 2; });
  wrong("types", "have different types", [](auto& out, auto&) { out.type = WHERRY_FLOAT64; });
  wherry_sparse_plan_options options = WHERRY_INIT(wherry_sparse_plan_options);
  if (last) options.carry.threads = -1;
  fails("threads", wherry_sparse_plan_exchange(plan, view_of(values), view_of(arrived), &options, &there),
        WHERRY_ERROR_ARGUMENT, "'carry.threads' is -1");
  succeeds(wherry_sparse_plan_exchange(plan, view_of(values), view_of(arrived), nullptr, &there));
  succeeds(wherry_exchange_start(there));
  fails("twice", wherry_exchange_start(there), WHERRY_ERROR_STATE, "'start' was called again");
  succeeds(wherry_exchange_wait(there));
  succeeds(wherry_exchange_free(&there));
  auto copy = plan;
  succeeds(wherry_sparse_plan_free(&plan));
  fails("freed", wherry_sparse_plan_exchange(copy, view_of(values), view_of(arrived), nullptr, &there),
        WHERRY_ERROR_ARGUMENT, "'plan' is no wherry_sparse_plan");
  succeeds(wherry_communicator_free(&comm));
}

// With known sources, the ranks that receive from the culprit hear of the error, and nobody waits forever.
WHERRY_TEST(errors_with_known_sources_reach_the_receivers, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const bool last = test.rank == test.size - 1;
  const int right[] = {(test.rank + 1) % test.size}, left = (test.rank + test.size - 1) % test.size;
  std::vector<std::int64_t> values{test.rank};
  wherry_arrivals arrived = nullptr;
  const auto finish = [&](const char* title, wherry_status status, const char* words) {
    if (last || left == test.size - 1) {
      fails(title, status, WHERRY_ERROR_ARGUMENT, last ? words : "cannot take part, and reports why on its own");
      CHECK(arrived == nullptr);
    } else {
      succeeds(status, title);
      succeeds(wherry_arrivals_free(&arrived));
    }
  };
  const auto wrong = [&](const char* title, const char* words, auto change) {
    struct {
      wherry_view values;
      wherry_sparse_options options;
      wherry_parcel parcel;
    } all{view_of(values), WHERRY_INIT(wherry_sparse_options), {right[0], 1, values.data()}};
    all.options.knows_sources = 1;
    all.options.receive_from = &left;
    all.options.receive_from_count = 1;
    if (last) change(all);
    const auto sent = wherry_send_to(comm, right, all.values, &all.options, &arrived);
    finish(title, sent, words);
    const auto given = wherry_sparse_exchange(comm, 1, &all.parcel, all.values.type, 1, &all.options, &arrived);
    finish(title, given, words);
  };
  wrong("type", "has the type", [](auto& all) { all.values.type = 0x7f000008; });
  wrong("limit", "'options.limit_bytes' is -1", [](auto& all) { all.options.limit_bytes = -1; });
  wrong("no sources", "'options.receive_from' is NULL", [](auto& all) { all.options.receive_from = nullptr; });
  wrong("elements", "is NULL", [](auto& all) {
    all.values.data = nullptr;
    all.parcel.elements = nullptr;
  });
  CHECK_EQUAL(MPI_Barrier(test.comm), MPI_SUCCESS);
  succeeds(wherry_communicator_free(&comm));
}
