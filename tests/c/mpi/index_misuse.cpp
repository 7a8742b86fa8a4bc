// Calls about index lists refuse wrong arguments, on the right ranks and in words that name the fault.
#include <cstdint>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

wherry_view doubles(std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &count);
}

}  // namespace

WHERRY_TEST(wrong_index_lists_are_refused, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const bool last = test.rank == test.size - 1;
  wherry_index_lists lists = nullptr;
  // A wrong argument of the last rank is an error of all ranks.
  const auto ghosts = [&](const char* title, const char* words, std::int64_t count, const wherry_ghost* list) {
    fails(title, wherry_index_lists_create_from_ghosts(comm, last ? count : 0, last ? list : nullptr, &lists),
          WHERRY_ERROR_ARGUMENT, words);
    CHECK(lists == nullptr);
  };
  const wherry_ghost nobodys{99, 0, 0}, negative{0, -1, 0};
  const wherry_ghost twice[] = {{0, 0, 3}, {0, 1, 3}};
  ghosts("null", "'ghosts' is NULL, but there are 3", 3, nullptr);
  ghosts("negative count", "the number of 'ghosts' is -1", -1, &nobodys);
  ghosts("owner", "99", 1, &nobodys);
  ghosts("index", "-1", 1, &negative);
  ghosts("twice", "3", 2, twice);
  fails("no result", wherry_index_lists_create_from_ghosts(comm, 0, nullptr, last ? nullptr : &lists),
        WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  fails("no communicator", wherry_index_lists_create_from_ghosts(nullptr, 0, nullptr, &lists), WHERRY_ERROR_ARGUMENT,
        "'comm' is NULL");
  const std::int64_t ids[] = {5, 5};
  const auto none = wherry_int64s(nullptr, 0);
  auto wrong = wherry_int64s(ids, 1);
  wrong.type = WHERRY_FLOAT64;
  fails("type of ids", wherry_index_lists_create_from_ids(comm, last ? wrong : none, none, &lists),
        WHERRY_ERROR_ARGUMENT, "'rows' has the type");
  fails("an id twice", wherry_index_lists_create_from_ids(comm, last ? wherry_int64s(ids, 2) : none, none, &lists),
        WHERRY_ERROR_ARGUMENT, "5");
  fails("an unknown id", wherry_index_lists_create_from_ids(comm, none, last ? wherry_int64s(ids, 1) : none, &lists),
        WHERRY_ERROR_ARGUMENT, "5");
  wherry_flat_lists flat{};
  if (last) flat.send_lengths = wherry_int64s(nullptr, 2);
  fails("flat", wherry_index_lists_create_from_flat(comm, &flat, &lists), WHERRY_ERROR_ARGUMENT,
        "'flat.send_lengths' is NULL");
  fails("no flat", wherry_index_lists_create_from_flat(comm, last ? nullptr : &flat, &lists), WHERRY_ERROR_ARGUMENT,
        "'flat' is NULL");
  const wherry_peer_indices missing{0, 2, nullptr};
  fails("no indices", wherry_index_lists_create(1, &missing, 0, nullptr, &lists), WHERRY_ERROR_ARGUMENT,
        "'sends[0].at' is NULL");
  fails("null lists", wherry_index_lists_free(nullptr), WHERRY_ERROR_ARGUMENT, "'lists' is NULL");
  succeeds(wherry_index_lists_create(0, nullptr, 0, nullptr, &lists));
  const wherry_peer_indices* all = nullptr;
  int count = 7;
  fails("no count", wherry_index_lists_sends(lists, &all, nullptr), WHERRY_ERROR_ARGUMENT, "'count' is NULL");
  succeeds(wherry_index_lists_receives(lists, &all, &count));
  CHECK_EQUAL(count, 0);
  auto copy = lists;
  succeeds(wherry_index_lists_free(&lists));
  fails("freed", wherry_index_lists_sends(copy, &all, &count), WHERRY_ERROR_ARGUMENT, "is no wherry_index_lists");
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(wrong_index_exchanges_are_refused_on_all_ranks, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const bool last = test.rank == test.size - 1;
  wherry_index_lists lists = nullptr;
  const wherry_ghost mine{0, 0, 1};  // each rank has a copy of element 0 of rank 0
  succeeds(wherry_index_lists_create_from_ghosts(comm, 1, &mine, &lists));
  std::vector<double> values{5, 6};
  wherry_exchange fill = nullptr;
  const auto array = [&](const char* title, const char* words, auto change) {
    auto view = doubles(values);
    if (last) change(view);
    fails(title, wherry_index_exchange_create(comm, lists, 1, &view, nullptr, &fill), WHERRY_ERROR_ARGUMENT, words);
    CHECK(fill == nullptr);
  };
  array("dimensions", "array 0 has 3 dimensions, expected 1 to 2", [](auto& v) { v.dimensions = 3; });
  array("type", "none of wherry/c/arrays.h", [](auto& v) { v.type = 77 << 24; });
  array("extent", "array 0 has the extent -1", [](auto& v) { v.extents[0] = -1; });
  array("too short", "1", [](auto& v) { v.extents[0] = 1; });
  array("stride", "stride in bytes", [](auto& v) { v.strides[0] = INT64_MAX / 2; });
  array("space", "memory space 9", [](auto& v) { v.space = 9; });
  array("no components", "has 0 components", [](auto& v) {
    const std::int64_t none[] = {0, 2};
    v = wherry_c_array(v.data, v.type, 2, none);
  });
  array("components", "expected at most 1048576", [](auto& v) {
    const std::int64_t many[] = {std::int64_t{1} << 40, 2};
    v = wherry_c_array(v.data, v.type, 2, many);
  });
  auto view = doubles(values);
  fails("lists", wherry_index_exchange_create(comm, last ? nullptr : lists, 1, &view, nullptr, &fill),
        WHERRY_ERROR_ARGUMENT, "'lists' is NULL");
  fails("result", wherry_index_exchange_create(comm, lists, 1, &view, nullptr, last ? nullptr : &fill),
        WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  fails("no arrays", wherry_index_exchange_create(comm, lists, last ? 0 : 1, &view, nullptr, &fill),
        WHERRY_ERROR_ARGUMENT, "the number of 'arrays' is 0");
  const auto option = [&](const char* title, const char* words, auto change) {
    wherry_index_options options = WHERRY_INIT(wherry_index_options);
    if (last) change(options);
    fails(title, wherry_index_exchange_create(comm, lists, 1, &view, &options, &fill), WHERRY_ERROR_ARGUMENT, words);
  };
  option("size", "it was not set by WHERRY_INIT", [](auto& o) { o.struct_size = 3; });
  option("operation", "'options.update' has the operation 99", [](auto& o) { o.update.operation = 99; });
  option("parts", "'options.parts' is NULL", [](auto& o) { o.part_count = 2; });
  option("transport", "pigeon", [](auto& o) { o.carry.transport = "pigeon"; });
  if (test.size > 1) {
    auto other = view;
    if (last) other.type = WHERRY_INT64;
    fails("types", wherry_index_exchange_create(comm, lists, 1, &other, nullptr, &fill), WHERRY_ERROR_MISMATCH, "rank");
    wherry_index_options options = WHERRY_INIT(wherry_index_options);
    options.reverse = last ? 1 : 0;
    options.update.operation = WHERRY_ADD;
    fails("options", wherry_index_exchange_create(comm, lists, 1, &view, &options, &fill), WHERRY_ERROR_MISMATCH,
          "'reverse'");
  }
  wherry_index_plan plan = nullptr;
  succeeds(wherry_index_plan_create(comm, lists, 1, &view, nullptr, &plan));
  void* const two[] = {values.data(), values.data()};
  fails("bind", wherry_index_plan_bind(plan, last ? 2 : 1, two, &fill), WHERRY_ERROR_ARGUMENT,
        "there are 2 arrays, but the plan was made with 1");
  void* const one[] = {last ? nullptr : values.data()};
  fails("address", wherry_index_plan_bind(plan, 1, one, &fill), WHERRY_ERROR_ARGUMENT, "'arrays[0]' is NULL");
  CHECK(fill == nullptr);
  fails("null plan", wherry_index_plan_bind(nullptr, 0, nullptr, &fill), WHERRY_ERROR_ARGUMENT, "'plan' is NULL");
  auto copy = plan;
  succeeds(wherry_index_plan_free(&plan));
  fails("freed plan", wherry_index_plan_bind(copy, 0, nullptr, &fill), WHERRY_ERROR_ARGUMENT,
        "is no wherry_index_plan");
  succeeds(wherry_index_exchange_create(comm, lists, 1, &view, nullptr, &fill));
  succeeds(wherry_exchange_start(fill));
  fails("started twice", wherry_exchange_start(fill), WHERRY_ERROR_STATE, "'start' was called again");
  succeeds(wherry_exchange_wait(fill));
  CHECK_EQUAL(values[1], 5.0);
  succeeds(wherry_exchange_free(&fill));
  // An array that never came.
  view.data = nullptr;
  succeeds(wherry_index_exchange_create(comm, lists, 1, &view, nullptr, &fill));
  fails("no array", wherry_exchange_start(fill), WHERRY_ERROR_STATE, "");
  succeeds(wherry_exchange_free(&fill));
  succeeds(wherry_index_lists_free(&lists));
  succeeds(wherry_communicator_free(&comm));
}
