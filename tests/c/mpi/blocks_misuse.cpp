// Calls about blocks refuse wrong arguments, on the right ranks and in words that name the fault.
#include <cstdint>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;

struct arrays_of_two {
  held_comm comm;
  held_plan plan, other;
  held_array u, v;
  held_motions halo;
  wherry_box whole{2, {0, 0}, {8, 6}};
  wherry_domain space = wherry_torus(whole);
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);

  explicit arrays_of_two(const context& test) {
    succeeds(wherry_communicator_create(test.comm, comm.out()));
    succeeds(wherry_floor_plan_decompose(whole, test.size, nullptr, plan.out()));
    const std::int64_t pieces[2] = {1, test.size};
    succeeds(wherry_floor_plan_even_blocks(whole, pieces, 0, nullptr, other.out()));
    options.ghost_width = wherry_same_widths(1);
    succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, u.out()));
    succeeds(wherry_x_array_create(comm, other, WHERRY_FLOAT64, &options, v.out()));
    succeeds(wherry_motion_plan_halo(plan, &options.ghost_width, &space, nullptr, halo.out()));
  }
  wherry_movement filling() const {
    wherry_movement result{};
    result.motions = halo;
    result.source = result.destination = u;
    return result;
  }
};

}  // namespace

WHERRY_TEST(wrong_x_arrays_are_errors_of_their_rank, ranks(1, 2)) {
  arrays_of_two all(test);
  held_array none;
  const auto wrong = [&](const char* title, const char* words, auto change) {
    auto options = all.options;
    change(options);
    fails(title, wherry_x_array_create(all.comm, all.plan, WHERRY_FLOAT64, &options, none.out()), WHERRY_ERROR_ARGUMENT,
          words);
    CHECK(none == nullptr);
  };
  wrong("no size", "it was not set by WHERRY_INIT", [](auto& o) { o.struct_size = 0; });
  wrong("layout", "'options.layout' is 9", [](auto& o) { o.layout = 9; });
  wrong("no permutation", "not a permutation", [](auto& o) { o.layout = WHERRY_LAYOUT_LISTED; });
  wrong("components", "'options.components' is -1", [](auto& o) { o.components = -1; });
  wrong("numbers", "'options.numbers' is -1", [](auto& o) { o.numbers = -1; });
  wrong("space", "'options.space' is 1", [](auto& o) { o.space = 1; });
  wrong("width", "expected 0 or more", [](auto& o) { o.ghost_width.minus[1] = -1; });
  fails("type", wherry_x_array_create(all.comm, all.plan, 0x05000003, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "which is none of wherry/c/arrays.h");
  fails("no plan", wherry_x_array_create(all.comm, nullptr, WHERRY_INT8, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'plan' is NULL");
  fails("no communicator", wherry_x_array_create(nullptr, all.plan, WHERRY_INT8, nullptr, none.out()),
        WHERRY_ERROR_ARGUMENT, "'comm' is NULL");
  fails("no result", wherry_x_array_create(all.comm, all.plan, WHERRY_INT8, nullptr, nullptr), WHERRY_ERROR_ARGUMENT,
        "'result' is NULL");
  held_plan far;
  const int owner = test.size;
  succeeds(wherry_floor_plan_create(2, 1, &all.whole, &owner, far.out()));
  fails("owner", wherry_x_array_create(all.comm, far, WHERRY_INT8, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "has owner");
  wherry_block block{};
  fails("index", wherry_x_array_block(all.u, 9, &block), WHERRY_ERROR_ARGUMENT, "'index' is 9, but the rank has 1");
  fails("negative", wherry_x_array_block(all.u, -1, &block), WHERRY_ERROR_ARGUMENT, "'index' is -1");
  fails("no block", wherry_x_array_block(all.u, 0, nullptr), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  fails("number", wherry_x_array_find(all.u, 99, &block), WHERRY_ERROR_ARGUMENT, "grid 99 is not on this rank");
  succeeds(wherry_x_array_find(all.u, test.rank, &block));
  CHECK_EQUAL(block.number, test.rank);
  held_plan same;
  int equal = 0;
  succeeds(wherry_x_array_plan(all.u, same.out()));
  succeeds(wherry_floor_plan_equals(all.plan, same, &equal));
  CHECK_EQUAL(equal, 1);
  succeeds(wherry_x_array_adopt(all.u, same));
  fails("other boxes", wherry_x_array_adopt(all.u, far), WHERRY_ERROR_ARGUMENT, "'plan' gives this rank other boxes");
  // Arrays of the program's.
  std::vector<double> memory(200);
  wherry_view view{};
  std::int64_t extents[2] = {block.values.extents[0], block.values.extents[1]};
  view = wherry_c_array(memory.data(), WHERRY_FLOAT64, 2, extents);
  const auto over = [&](const char* title, const char* words, int count, const wherry_view& one) {
    fails(title, wherry_x_array_create_over(all.comm, all.plan, WHERRY_FLOAT64, count, &one, &all.options, none.out()),
          WHERRY_ERROR_ARGUMENT, words);
  };
  succeeds(wherry_x_array_create_over(all.comm, all.plan, WHERRY_FLOAT64, 1, &view, &all.options, none.out()));
  over("too few", "0 grids were given, but the rank owns 1", 0, view);
  auto other = view;
  other.type = WHERRY_INT64;
  over("other type", "grid 0 has another type", 1, other);
  other = view;
  --other.extents[1];
  over("other extent", "but the box with its ghost cells has", 1, other);
  other = view;
  other.dimensions = 1;
  over("other dimensions", "grid 0 has 1 dimensions, expected 2", 1, other);
  other = view;
  other.data = nullptr;
  over("null", "its 'data' is NULL", 1, other);
  other = view;
  other.strides[0] = INT64_MAX / 2;
  over("stride", "stride in bytes", 1, other);
  const auto copy = static_cast<wherry_x_array>(all.u);
  all.u.out();
  fails("freed", wherry_x_array_block(copy, 0, &block), WHERRY_ERROR_ARGUMENT, "is no wherry_x_array: it was freed");
}

WHERRY_TEST(wrong_movements_of_one_rank_are_errors_of_all, ranks(1, 2, 3)) {
  arrays_of_two all(test);
  const bool last = test.rank == test.size - 1;
  held_exchange move;
  const auto wrong = [&](const char* title, const char* words, auto change) {
    wherry_movement movements[2] = {all.filling(), all.filling()};
    if (last) change(movements);
    fails(title, wherry_mover_create(all.comm, 2, movements, nullptr, move.out()), WHERRY_ERROR_ARGUMENT, words);
    CHECK(move == nullptr);
  };
  wrong("motions", "'movements[1].motions' is NULL", [](auto* m) { m[1].motions = nullptr; });
  wrong("source", "'movements[0].source' is NULL", [](auto* m) { m[0].source = nullptr; });
  wrong("another kind", "'movements[0].destination' is no wherry_x_array",
        [](auto* m) { m[0].destination = reinterpret_cast<wherry_x_array>(m[0].motions); });
  wrong("a gap", "has the stage 2, but stages ascend from 0", [](auto* m) { m[1].stage = 2; });
  wrong("no first stage", "movements[0] has the stage 1, but", [](auto* m) { m[0].stage = 1; });
  wrong("a negative stage", "movements[1] has the stage -1, but", [](auto* m) { m[1].stage = -1; });
  wrong("operation", "'movements[1].update' has the operation 77", [](auto* m) { m[1].update.operation = 77; });
  held_array bytes;
  wherry_x_array_options triple = all.options;
  triple.numbers = 3;
  succeeds(wherry_x_array_create(all.comm, all.plan, WHERRY_FLOAT64, &triple, bytes.out()));
  wrong("no conversion", "which cannot be converted", [&](auto* m) { m[0].destination = bytes; });
  held_plan line;
  held_array flat;
  const std::int64_t length = 9;
  succeeds(wherry_floor_plan_decompose(wherry_make_box(1, nullptr, &length), test.size, nullptr, line.out()));
  succeeds(wherry_x_array_create(all.comm, line, WHERRY_FLOAT64, nullptr, flat.out()));
  wrong("dimensions", "'movements[0].source' has 1 dimensions, expected 2", [&](auto* m) { m[0].source = flat; });
  fails("none", wherry_mover_create(all.comm, last ? 0 : 1, nullptr, nullptr, move.out()), WHERRY_ERROR_ARGUMENT, "");
  wherry_mover_options options = WHERRY_INIT(wherry_mover_options);
  const auto one = all.filling();
  if (last) options.carry.transport = "pigeon";
  fails("transport", wherry_mover_create(all.comm, 1, &one, &options, move.out()), WHERRY_ERROR_ARGUMENT, "pigeon");
  // A list that one rank has wrong.
  held_motions list;
  succeeds(wherry_motion_plan_listed(all.halo, -1, list.out()));
  std::int64_t size = 0;
  succeeds(wherry_motion_plan_size(list, &size));
  CHECK(size > 0);
  succeeds(wherry_motion_plan_copy(list, 0, wherry_box{2, {50, 0}, {51, 1}}, 0, wherry_box{2, {0, 0}, {1, 1}}));
  auto outside = all.filling();
  outside.motions = list;
  fails("outside", wherry_mover_create(all.comm, 1, &outside, nullptr, move.out()), WHERRY_ERROR_ARGUMENT,
        "is not inside grid 0");
  // Another communicator.
  MPI_Comm users = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &users);
  {
    held_comm second;
    held_array theirs;
    succeeds(wherry_communicator_create(users, second.out()));
    succeeds(wherry_x_array_create(second, all.plan, WHERRY_FLOAT64, &all.options, theirs.out()));
    wrong("communicator", "'movements[0].source' has another communicator", [&](auto* m) { m[0].source = theirs; });
  }
  MPI_Comm_free(&users);
  // Redistributions.
  fails("no destination", wherry_redistribute(all.u, last ? nullptr : static_cast<wherry_x_array>(all.v), nullptr),
        WHERRY_ERROR_ARGUMENT, "'to' is NULL");
  fails("the same", wherry_redistribute(all.u, all.u, nullptr), WHERRY_ERROR_ARGUMENT, "'to' is the array 'from'");
  held_array nodes;
  auto on_planes = all.options;
  on_planes.on_planes[0] = 1;
  succeeds(wherry_x_array_create(all.comm, all.other, WHERRY_FLOAT64, &on_planes, nodes.out()));
  fails("centring", wherry_redistribute(all.u, nodes, nullptr), WHERRY_ERROR_ARGUMENT, "in other places of the cells");
  // Ghost fillers.
  wherry_ghost_options ghosts = WHERRY_INIT(wherry_ghost_options);
  if (last) ghosts.stencil = 9;
  fails("stencil", wherry_ghost_filler_create(all.u, &all.space, &ghosts, move.out()), WHERRY_ERROR_ARGUMENT,
        "'options.stencil' is 9");
  wherry_domain flat_space = all.space;
  if (last) flat_space.cells.dimensions = 1;
  fails("space", wherry_ghost_filler_create(all.u, &flat_space, nullptr, move.out()), WHERRY_ERROR_ARGUMENT,
        "'space' has 1 dimensions, expected 2");
  fails("no array", wherry_ghost_filler_create(nullptr, &all.space, nullptr, move.out()), WHERRY_ERROR_ARGUMENT,
        "'array' is NULL");
  // A mover that is made is started once at a time, with arrays of its shapes.
  succeeds(wherry_ghost_filler_create(all.u, &all.space, nullptr, move.out()));
  succeeds(wherry_exchange_start(move));
  fails("twice", wherry_exchange_start(move), WHERRY_ERROR_STATE, "'start' was called again");
  succeeds(wherry_exchange_wait(move));
  void* const pointers[] = {nullptr};
  fails("addresses", wherry_exchange_start_with(move, 1, pointers), WHERRY_ERROR_ARGUMENT, "wherry_mover_start_with");
  const wherry_x_array floats[] = {bytes, bytes};
  fails("other shapes", wherry_mover_start_with(move, 2, floats), WHERRY_ERROR_ARGUMENT, "of other shapes");
  fails("too few", wherry_mover_start_with(move, 1, floats), WHERRY_ERROR_ARGUMENT, "there are 1 arrays, expected 2");
  const wherry_x_array nothing[] = {nullptr, nullptr};
  fails("null", wherry_mover_start_with(move, 2, nothing), WHERRY_ERROR_ARGUMENT, "'arrays[0]' is NULL");
  fails("no parts", wherry_exchange_start_in_parts(move), WHERRY_ERROR_STATE, "part");
  succeeds(wherry_exchange_run(move));
}

WHERRY_TEST(motion_plans_are_edited, ranks(1)) {
  held_motions list, other, back, none;
  const wherry_box a{2, {0, 0}, {2, 1}}, b{2, {5, 5}, {6, 7}};
  succeeds(wherry_motion_plan_create(2, list.out()));
  succeeds(wherry_motion_plan_copy(list, 0, a, 1, b));
  succeeds(wherry_motion_plan_append(list, list));
  wherry_motion entry{};
  succeeds(wherry_motion_plan_entry(list, 1, &entry));
  CHECK_EQUAL(std::vector<int>({entry.from, entry.to, entry.turned}), std::vector<int>({0, 1, 0}));
  entry.turned = 1;
  entry.axes[0] = 1;
  entry.axes[1] = 0;
  succeeds(wherry_motion_plan_set(list, 0, &entry));
  succeeds(wherry_motion_plan_reversed(list, back.out()));
  succeeds(wherry_motion_plan_entry(back, 0, &entry));
  CHECK_EQUAL(std::vector<int>({entry.from, entry.to, entry.turned}), std::vector<int>({1, 0, 1}));
  CHECK_EQUAL(entry.source.lower[0], 5);
  succeeds(wherry_motion_plan_remove(list, 0));
  std::int64_t size = 0;
  succeeds(wherry_motion_plan_size(list, &size));
  CHECK_EQUAL(size, 1);
  held_plan plan;
  const wherry_box boxes[2] = {a, b};
  const int owners[2] = {0, 0};
  succeeds(wherry_floor_plan_create(2, 2, boxes, owners, plan.out()));
  const char* text = nullptr;
  succeeds(wherry_motion_plan_explain(list, plan, plan, 0, &text));
  CHECK(*text != '\0');
  succeeds(wherry_motion_plan_to_json(list, plan, plan, &text));
  CHECK(std::string(text).find("\"motion_plan\"") != std::string::npos);
  fails("index", wherry_motion_plan_remove(list, 1), WHERRY_ERROR_ARGUMENT, "'index' is 1, but the plan has 1 entries");
  entry.axes[0] = 2;
  fails("axes", wherry_motion_plan_add(list, &entry), WHERRY_ERROR_ARGUMENT, "'axes' has the number 2");
  fails("no entry", wherry_motion_plan_add(list, nullptr), WHERRY_ERROR_ARGUMENT, "'entry' is NULL");
  fails("dimensions", wherry_motion_plan_create(0, none.out()), WHERRY_ERROR_ARGUMENT, "'dimensions' is 0");
  fails("three", wherry_motion_plan_copy(list, 0, wherry_box{3, {}, {}}, 0, a), WHERRY_ERROR_ARGUMENT,
        "'source' has 3 dimensions, expected 2");
  succeeds(wherry_motion_plan_redistribution(plan, nullptr, plan, nullptr, other.out()));
  fails("a rule", wherry_motion_plan_size(other, &size), WHERRY_ERROR_ARGUMENT, "'plan' is a rule and not a list");
  fails("appended", wherry_motion_plan_append(list, other), WHERRY_ERROR_ARGUMENT, "'other' is a rule");
  // Chosen and changed entries, of a list and of a rule.
  for (const auto from : {static_cast<wherry_motion_plan>(list), static_cast<wherry_motion_plan>(other)}) {
    held_motions chosen, changed, entries;
    succeeds(wherry_motion_plan_only(
        from, [](const wherry_motion* one, void*) { return one->from != 0 ? 1 : 0; }, nullptr, chosen.out()));
    succeeds(wherry_motion_plan_listed(chosen, -1, entries.out()));
    succeeds(wherry_motion_plan_size(entries, &size));
    CHECK_EQUAL(size, from == other ? 1 : 0);
    std::int64_t by = 3;
    succeeds(wherry_motion_plan_transformed(
        from, [](wherry_motion* one, void* context) { one->source.lower[0] += *static_cast<std::int64_t*>(context); },
        &by, changed.out()));
    succeeds(wherry_motion_plan_listed(changed, -1, entries.out()));
    succeeds(wherry_motion_plan_entry(entries, 0, &entry));
    CHECK_EQUAL(entry.source.lower[0], 3);
  }
  fails("no choice", wherry_motion_plan_only(list, nullptr, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'wanted' is NULL");
  fails("no change", wherry_motion_plan_transformed(list, nullptr, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'change' is NULL");
  succeeds(wherry_motion_plan_clear(list));
  succeeds(wherry_motion_plan_size(list, &size));
  CHECK_EQUAL(size, 0);
  const int axes[2] = {0, 0};
  fails("no permutation", wherry_motion_plan_transposition(plan, plan, axes, none.out()), WHERRY_ERROR_ARGUMENT,
        "permutation");
  fails("no function", wherry_motion_plan_by_rule(2, nullptr, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'make' is NULL");
  succeeds(wherry_motion_plan_by_rule(2, [](int, wherry_take_motion, void*, void*) { return 3; }, nullptr, none.out()));
  fails("its failure", wherry_motion_plan_listed(none, 0, list.out()), WHERRY_ERROR_RESOURCE, "'make' returned 3");
  const auto gives_null = [](int, wherry_take_motion take, void* taker, void*) {
    take(taker, nullptr);
    return 0;
  };
  succeeds(wherry_motion_plan_free(none.out()));
  succeeds(wherry_motion_plan_by_rule(2, gives_null, nullptr, none.out()));
  fails("no motion", wherry_motion_plan_listed(none, 0, list.out()), WHERRY_ERROR_ARGUMENT, "a motion that is NULL");
}

WHERRY_TEST(partial_plans_know_what_they_were_made_for, ranks(1, 2, 3)) {
  arrays_of_two all(test);
  const bool last = test.rank == test.size - 1;
  wherry_box mine{};
  succeeds(wherry_floor_plan_box(all.plan, test.rank, &mine, nullptr));
  held_plan partial, wider, from, to;
  const auto one = wherry_same_widths(1), two = wherry_same_widths(2);
  succeeds(wherry_floor_plan_create_distributed(all.comm, 2, 1, &mine, &one, &all.space, partial.out()));
  held_array w;
  held_exchange fill;
  auto options = all.options;
  options.ghost_width = two;
  succeeds(wherry_x_array_create(all.comm, partial, WHERRY_FLOAT64, &options, w.out()));
  if (test.size > 1)
    fails("too narrow", wherry_ghost_filler_create(w, &all.space, nullptr, fill.out()), WHERRY_ERROR_ARGUMENT,
          "resolve");
  succeeds(wherry_floor_plan_resolve(all.comm, partial, &two, &all.space, wider.out()));
  succeeds(wherry_x_array_adopt(w, wider));
  succeeds(wherry_ghost_filler_create(w, &all.space, nullptr, fill.out()));
  succeeds(wherry_exchange_run(fill));
  succeeds(wherry_floor_plan_resolve_pair(all.comm, partial, nullptr, all.other, &all.space, from.out(), to.out()));
  held_motions there;
  succeeds(wherry_motion_plan_redistribution(from, nullptr, to, &all.space, there.out()));
  if (test.size > 1)
    fails("some reach",
          wherry_floor_plan_create_distributed(all.comm, 2, 1, &mine, last ? nullptr : &one, &all.space, wider.out()),
          WHERRY_ERROR_MISMATCH, "whether there is a 'reach'");
  fails("no pair",
        wherry_floor_plan_resolve_pair(all.comm, partial, nullptr,
                                       last ? nullptr : static_cast<wherry_floor_plan>(all.other), &all.space,
                                       from.out(), to.out()),
        WHERRY_ERROR_ARGUMENT, "'to' is NULL");
  CHECK(from == nullptr && to == nullptr);
  fails("no reach", wherry_floor_plan_resolve(all.comm, partial, last ? nullptr : &two, &all.space, wider.out()),
        WHERRY_ERROR_ARGUMENT, "'reach' is NULL");
  wherry_box boxes[1] = {mine};
  if (last) boxes[0].dimensions = 3;
  fails("dimensions", wherry_floor_plan_create_distributed(all.comm, 2, 1, boxes, &one, &all.space, partial.out()),
        WHERRY_ERROR_ARGUMENT, "has 3 dimensions, expected 2");
}
