// The C interface refuses wrong arguments, on the right ranks and in words that name the fault.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

struct line {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  std::int64_t extent = 7;
  std::vector<double> values = std::vector<double>(7, 1);
  wherry_field field{};

  explicit line(const context& test) {
    succeeds(wherry_communicator_create(test.comm, &comm));
    succeeds(wherry_process_grid_create(comm, 1, nullptr, &grid));
    field = wherry_field_inside(wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &extent), 1);
  }
  ~line() {
    wherry_process_grid_free(&grid);
    wherry_communicator_free(&comm);
  }
};

}  // namespace

WHERRY_TEST(handles_that_name_nothing_are_errors, ranks(1, 2)) {
  line one(test);
  wherry_exchange fill = nullptr;
  fails("null", wherry_exchange_start(fill), WHERRY_ERROR_ARGUMENT, "wherry_exchange_start: 'exchange' is NULL");
  succeeds(wherry_exchange_free(&fill));
  fails("no pointer", wherry_exchange_free(nullptr), WHERRY_ERROR_ARGUMENT, "'exchange' is NULL");
  succeeds(wherry_halo_exchange_create(one.grid, 1, &one.field, nullptr, &fill));
  auto copy = fill;
  succeeds(wherry_exchange_free(&fill));
  fails("freed", wherry_exchange_start(copy), WHERRY_ERROR_ARGUMENT, "'exchange' is no wherry_exchange: it was freed");
  fails("freed twice", wherry_exchange_free(&copy), WHERRY_ERROR_ARGUMENT, "'exchange' is no wherry_exchange");
  // A new object may take the place of the old one, but not its handle.
  succeeds(wherry_halo_exchange_create(one.grid, 1, &one.field, nullptr, &fill));
  fails("freed, reused", wherry_exchange_start(copy), WHERRY_ERROR_ARGUMENT, "'exchange' is no wherry_exchange");
  fails("another kind", wherry_exchange_start(reinterpret_cast<wherry_exchange>(one.grid)), WHERRY_ERROR_ARGUMENT,
        "is no wherry_exchange");
  fails("an address", wherry_exchange_start(reinterpret_cast<wherry_exchange>(&one)), WHERRY_ERROR_ARGUMENT,
        "is no wherry_exchange");
  succeeds(wherry_exchange_run(fill));
  succeeds(wherry_exchange_free(&fill));
  fails("no communicator", wherry_communicator_create(MPI_COMM_NULL, &one.comm), WHERRY_ERROR_ARGUMENT,
        "MPI_COMM_NULL");
  CHECK(one.comm == nullptr);
}

WHERRY_TEST(wrong_arguments_of_one_rank_are_errors_of_all, ranks(1, 2, 3)) {
  line one(test);
  const int last = test.size - 1;
  wherry_exchange fill = nullptr;
  const auto create = [&](const wherry_field* fields, int count, const wherry_halo_options* options) {
    return wherry_halo_exchange_create(one.grid, count, fields, options, &fill);
  };
  // The last rank gives a wrong field; the others quote its error.
  const auto wrong_field = [&](const char* title, const char* words, auto change) {
    auto field = one.field;
    if (test.rank == last) change(field);
    fails(title, create(&field, 1, nullptr), WHERRY_ERROR_ARGUMENT, words);
    CHECK(fill == nullptr);
  };
  wrong_field("dimensions", "field 0 has 9 dimensions", [](wherry_field& f) { f.array.dimensions = 9; });
  wrong_field("type", "which is none of wherry/c/arrays.h", [](wherry_field& f) { f.array.type = 0x05000003; });
  wrong_field("kind", "which is none of wherry/c/arrays.h", [](wherry_field& f) { f.array.type = 0xff000008; });
  wrong_field("components", "has -1 components", [](wherry_field& f) { f.array.components = -1; });
  wrong_field("extent", "has the extent -5", [](wherry_field& f) { f.array.extents[0] = -5; });
  wrong_field("null", "its 'data' is NULL", [](wherry_field& f) { f.array.data = nullptr; });
  wrong_field("space", "has the memory space 77", [](wherry_field& f) { f.array.space = 77; });
  wrong_field("length", "its halo descriptor has the length 8", [](wherry_field& f) { f.halo[0].length = 8; });
  wrong_field("width", "field '0'", [](wherry_field& f) { f = wherry_field_inside(f.array, INT64_MAX); });
  wrong_field("negative width", "field '0'", [](wherry_field& f) { f = wherry_field_inside(f.array, -1); });
  wrong_field("stride", "stride in bytes", [](wherry_field& f) { f.array.strides[0] = INT64_MAX / 2; });
  fails("no fields", create(nullptr, 0, nullptr), WHERRY_ERROR_ARGUMENT, "'field_count' is 0");
  fails("fewer than none", create(nullptr, -1, nullptr), WHERRY_ERROR_ARGUMENT, "the number of 'fields' is -1");
  fails("null fields", create(nullptr, 2, nullptr), WHERRY_ERROR_ARGUMENT, "'fields' is NULL");

  const auto wrong_options = [&](const char* title, const char* words, auto change) {
    wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
    if (test.rank == last) change(options);
    fails(title, create(&one.field, 1, &options), WHERRY_ERROR_ARGUMENT, words);
  };
  wrong_options("no size", "it was not set by WHERRY_INIT", [](auto& o) { o.struct_size = 0; });
  wrong_options("stencil", "'options.stencil' is 9", [](auto& o) { o.stencil = 9; });
  wrong_options("order", "'options.order' is 9", [](auto& o) { o.order = 9; });
  wrong_options("operation", "has the operation 99", [](auto& o) { o.update.operation = 99; });
  wrong_options("no name", "a function without a name",
                [](auto& o) { o.update.function = [](void*, const void*, std::size_t, void*) { return 0; }; });
  wrong_options("threads", "'carry.threads' is -1", [](auto& o) { o.carry.threads = -1; });
  wrong_options("packets", "'carry.packet_bytes' is -1", [](auto& o) { o.carry.packet_bytes = -1; });
  wrong_options("transport", "pigeon", [](auto& o) { o.carry.transport = "pigeon"; });
  wrong_options("parts", "a part in 'options.parts' has 3 dimensions", [](auto& o) {
    static const wherry_halo_part part{{3, {}, {}}, 0};
    o.parts = &part;
    o.part_count = 1;
  });
  // A newer program's options are taken if they say nothing new.
  struct {
    wherry_halo_options known;
    std::int64_t more[4];
  } longer{WHERRY_INIT(wherry_halo_options), {0, 0, 0, 0}};
  longer.known.struct_size = sizeof longer;
  succeeds(create(&one.field, 1, &longer.known));
  succeeds(wherry_exchange_free(&fill));
  longer.more[2] = 5;
  fails("newer", create(&one.field, 1, &longer.known), WHERRY_ERROR_ARGUMENT, "compiled with a newer wherry.h");
  // An older program's options are shorter.
  wherry_halo_options older = WHERRY_INIT(wherry_halo_options);
  older.struct_size = offsetof(wherry_halo_options, carry);
  older.carry.threads = -1;  // beyond what it says
  succeeds(create(&one.field, 1, &older));
  succeeds(wherry_exchange_free(&fill));
}

WHERRY_TEST(members_that_mean_nothing_yet_stay_zero, ranks(1, 2, 3)) {
  line one(test);
  wherry_process_grid grid = nullptr;
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.reserved = test.rank == test.size - 1 ? 7 : 0;
  fails("grid", wherry_process_grid_create(one.comm, 1, &shape, &grid), WHERRY_ERROR_ARGUMENT,
        "'options.reserved' is 7");
  wherry_floor_plan plan = nullptr;
  wherry_decompose_options cut = WHERRY_INIT(wherry_decompose_options);
  cut.reserved = 1;
  fails("decompose", wherry_floor_plan_decompose(wherry_box{1, {0}, {8}}, 2, &cut, &plan), WHERRY_ERROR_ARGUMENT,
        "'options.reserved' is 1");
}

WHERRY_TEST(wrong_calls_are_errors_of_their_rank, ranks(1, 2)) {
  line one(test);
  wherry_exchange fill = nullptr;
  succeeds(wherry_halo_exchange_create(one.grid, 1, &one.field, nullptr, &fill));
  succeeds(wherry_exchange_start(fill));
  fails("started twice", wherry_exchange_start(fill), WHERRY_ERROR_STATE, "'start' was called again");
  succeeds(wherry_exchange_wait(fill));
  fails("no result", wherry_exchange_test(fill, nullptr), WHERRY_ERROR_ARGUMENT, "'done' is NULL");
  void* const two[] = {one.values.data(), one.values.data()};
  fails("too many", wherry_exchange_start_with(fill, 2, two), WHERRY_ERROR_ARGUMENT,
        "there are 2 arrays, but the exchange was made with 1");
  void* const none[] = {nullptr};
  if (test.size > 1) fails("a null array", wherry_exchange_start_with(fill, 1, none), WHERRY_ERROR_ARGUMENT, "null");
  succeeds(wherry_exchange_start_with(fill, 1, two));
  succeeds(wherry_exchange_abandon(fill));
  fails("abandoned", wherry_exchange_start(fill), WHERRY_ERROR_STATE, "abandon");
  succeeds(wherry_exchange_free(&fill));
  wherry_box box{};
  const std::int64_t cells[] = {10, 10, 10, 10, 10};
  fails("five dimensions", wherry_owned_box(one.grid, 5, cells, nullptr, &box), WHERRY_ERROR_ARGUMENT,
        "'dimensions' is 5, expected 1 to 4");
  int at[4];
  fails("no rank", wherry_process_grid_coordinates(one.grid, 99, at), WHERRY_ERROR_ARGUMENT, "'rank' is 99");
}

WHERRY_TEST(ranks_that_disagree_are_told, ranks(2, 3)) {
  line one(test);
  wherry_exchange fill = nullptr;
  auto field = one.field;
  if (test.rank == 1) field.array.type = WHERRY_INT64;
  fails("types", wherry_halo_exchange_create(one.grid, 1, &field, nullptr, &fill), WHERRY_ERROR_MISMATCH, "rank");
  wherry_process_grid grid = nullptr;
  const int periodic[] = {1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  if (test.rank == 1) shape.periodic = periodic;
  fails("grids", wherry_process_grid_create(one.comm, 1, &shape, &grid), WHERRY_ERROR_MISMATCH, "disagree");
}

WHERRY_TEST(what_a_layer_refuses_is_an_error_of_all, ranks(1, 2, 3)) {
  line one(test);
  fails("local", wherry_refuse("my_call", "its list is too short"), WHERRY_ERROR_ARGUMENT, "my_call: its list is too");
  fails("no text", wherry_refuse("my_call", nullptr), WHERRY_ERROR_ARGUMENT, "'text' is NULL");
  wherry_exchange fill = nullptr;
  wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
  if (test.rank == test.size - 1) wherry_refuse_next("the layer's list is too short");
  fails("collective", wherry_halo_exchange_create(one.grid, 1, &one.field, &options, &fill), WHERRY_ERROR_ARGUMENT,
        "the layer's list is too short");
  // It is no matter of the next call, nor is what was refused for a call that failed before.
  wherry_refuse_next("never said");
  fails("no grid", wherry_halo_exchange_create(nullptr, 1, &one.field, &options, &fill), WHERRY_ERROR_ARGUMENT, "NULL");
  succeeds(wherry_halo_exchange_create(one.grid, 1, &one.field, nullptr, &fill));
  succeeds(wherry_exchange_free(&fill));
}
