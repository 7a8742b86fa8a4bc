// Index sets, arrays over them and their movers by the C interface, against maps of the program's.
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;
using held_index_plan = owned_handle<wherry_index_floor_plan, wherry_index_floor_plan_free>;
using held_index_array = owned_handle<wherry_index_array, wherry_index_array_free>;
using held_index_motions = owned_handle<wherry_index_motions, wherry_index_motions_free>;
using members = std::vector<std::int64_t>;

wherry_index_set set_of(const members& all) { return {0, nullptr, static_cast<std::int64_t>(all.size()), all.data()}; }

/// Random overlapping parts, and their owners.
struct random_parts {
  std::vector<members> points;
  std::vector<int> owners;

  random_parts(std::mt19937_64& random, int ranks) {
    const int count = draw(random, 1, 6);
    for (int i = 0; i < count; ++i) {
      std::set<std::int64_t> some;
      const int first = draw(random, -20, 20);
      for (int k = draw(random, 0, 30); k > 0; --k) some.insert(first + draw(random, 0, 25));
      points.emplace_back(some.begin(), some.end());
      owners.push_back(draw(random, 0, ranks - 1));
    }
  }
  void make(wherry_index_floor_plan* plan) const {
    std::vector<wherry_index_set> sets;
    for (const auto& one : points) sets.push_back(set_of(one));
    succeeds(wherry_index_floor_plan_create(static_cast<int>(sets.size()), sets.data(), owners.data(), plan));
  }
};

/// Calls `visit(value, point, number, component)` for this rank's values.
template <class T, class Visit> void for_points_of(wherry_index_array array, const random_parts& parts, Visit&& visit) {
  int count = 0;
  succeeds(wherry_index_array_size(array, &count));
  for (int i = 0; i < count; ++i) {
    wherry_index_block part{};
    succeeds(wherry_index_array_part(array, i, &part));
    const auto& points = parts.points[static_cast<std::size_t>(part.number)];
    CHECK_EQUAL(part.points, static_cast<std::int64_t>(points.size()));
    for (int c = 0; c < part.components; ++c)
      for (std::int64_t k = 0; k < part.points; ++k)
        visit(static_cast<T*>(part.data)[k * part.point_stride + c * part.component_stride],
              points[static_cast<std::size_t>(k)], part.number, c);
  }
}

}  // namespace

WHERRY_TEST(shared_points_are_mirrored_and_summed, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  constexpr int cases = 20;
  for (int number = 0; number < cases; ++number) {
    const random_parts parts(random, test.size);
    std::map<std::int64_t, int> owner;
    std::map<std::int64_t, int> copies;
    for (std::size_t i = 0; i < parts.points.size(); ++i)
      for (const auto point : parts.points[i]) owner.emplace(point, static_cast<int>(i)), ++copies[point];
    held_index_plan touched, owned;
    held_index_motions halo, back;
    held_index_array u, v, w;
    held_exchange mirror, add;
    const bool distributed = draw(random, 0, 1) == 1;
    parts.make(touched.out());
    succeeds(wherry_index_floor_plan_without_overlap(touched, -1, owned.out()));
    wherry_index_array_options options = WHERRY_INIT(wherry_index_array_options);
    options.components = draw(random, 0, 3);
    options.apart = draw(random, 0, 1);
    succeeds(wherry_index_array_create(comm, touched, WHERRY_INT32, &options, u.out()));
    succeeds(wherry_index_array_create(comm, touched, WHERRY_FLOAT64, &options, v.out()));
    succeeds(wherry_index_motions_halo(owned, touched, halo.out()));
    if (distributed) {  // a pair of partial plans with the same numbers; only its motions are used
      held_index_plan from, to;
      succeeds(wherry_index_floor_plan_resolve_pair(comm, owned, touched, from.out(), to.out()));
      succeeds(wherry_index_motions_halo(from, to, halo.out()));
    }
    succeeds(wherry_index_motions_reversed(halo, back.out()));
    wherry_index_movement movement{};
    movement.motions = halo;
    movement.source = movement.destination = u;
    succeeds(wherry_index_mover_create(comm, 1, &movement, nullptr, mirror.out()));
    for_points_of<std::int32_t>(u, parts, [&](std::int32_t& value, auto point, int part, int c) {
      value = owner[point] == part ? static_cast<std::int32_t>(100 * point + c) : -1;
    });
    succeeds(wherry_exchange_run(mirror));
    int wrong = 0;
    for_points_of<std::int32_t>(u, parts, [&](std::int32_t value, auto point, int, int c) {
      if (value != 100 * point + c) ++wrong;
    });
    CHECK_EQUAL(wrong, 0);
    movement.motions = back;
    movement.source = movement.destination = v;
    movement.update.operation = WHERRY_ADD;
    succeeds(wherry_index_mover_create(comm, 1, &movement, nullptr, add.out()));
    for_points_of<double>(v, parts, [](double& value, auto, int, int) { value = 1; });
    v.out();  // the mover keeps its memory
    succeeds(wherry_index_array_create(comm, touched, WHERRY_FLOAT64, &options, w.out()));
    for_points_of<double>(w, parts, [](double& value, auto, int, int) { value = 1; });
    const wherry_index_array other[] = {w, w};
    succeeds(wherry_index_mover_start_with(add, 2, other));
    succeeds(wherry_exchange_wait(add));
    wrong = 0;
    for_points_of<double>(w, parts, [&](double value, auto point, int part, int) {
      if (value != (owner[point] == part ? copies[point] : 1)) ++wrong;
    });
    CHECK_EQUAL(wrong, 0);
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(points_move_as_listed_and_are_converted, ranks(1, 2, 3)) {
  held_comm comm;
  held_index_plan from, to, partial, both;
  held_index_array u, v;
  held_index_motions list, common;
  held_exchange move;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const wherry_index_run runs[2] = {{10, 5}, {20, 5}};  // one part: 10 to 14 and 20 to 24
  const wherry_index_set source{2, runs, 0, nullptr};
  const int first = 0, last = test.size - 1;
  const members targets{1, 3, 5, 7};
  const auto target = set_of(targets);
  succeeds(wherry_index_floor_plan_create(1, &source, &first, from.out()));
  succeeds(wherry_index_floor_plan_create(1, &target, &last, to.out()));
  wherry_index_set part{};
  int owner = -1, count = 0, size = 0, known = 0, complete = 0, numbers[2] = {-1, -1};
  std::int64_t place = 0;
  succeeds(wherry_index_floor_plan_part(from, 0, &part, &owner));
  CHECK_EQUAL(part.run_count, 2);
  CHECK_EQUAL(part.runs[1].first, 20);
  CHECK_EQUAL(owner, 0);
  succeeds(wherry_index_floor_plan_place_of(from, 0, 21, &place));
  CHECK_EQUAL(place, 6);
  succeeds(wherry_index_floor_plan_place_of(from, 0, 15, &place));
  CHECK_EQUAL(place, -1);
  succeeds(wherry_index_floor_plan_owned_by(to, last, 2, numbers, &count));
  CHECK_EQUAL(count, 1);
  CHECK_EQUAL(numbers[0], 0);
  // The program's memory, and a conversion.
  std::vector<float> values(10);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + 0.5F;
  void* const memory[] = {values.data()};
  const int mine = test.rank == 0 ? 1 : 0;
  succeeds(wherry_index_array_create_over(comm, from, WHERRY_FLOAT32, mine, memory, nullptr, u.out()));
  succeeds(wherry_index_array_create(comm, to, WHERRY_FLOAT64, nullptr, v.out()));
  succeeds(wherry_index_motions_create(list.out()));
  const members taken{12, 13, 20}, put{1, 5, 7};
  const auto sent = set_of(taken), received = set_of(put);
  succeeds(wherry_index_motions_copy(list, 0, &sent, 0, &received));
  wherry_index_movement movement{};
  movement.motions = list;
  movement.source = u;
  movement.destination = v;
  succeeds(wherry_index_mover_create(comm, 1, &movement, nullptr, move.out()));
  list.out();
  succeeds(wherry_exchange_run(move));
  if (test.rank == last) {
    wherry_index_block got{};
    succeeds(wherry_index_array_part(v, 0, &got));
    const auto* const now = static_cast<const double*>(got.data);
    CHECK_EQUAL(std::vector<double>(now, now + 4), (std::vector<double>{2.5, 0, 3.5, 5.5}));
  }
  succeeds(wherry_index_floor_plan_create_distributed(comm, 1, &source, partial.out()));
  succeeds(wherry_index_floor_plan_resolve(comm, partial, both.out()));
  succeeds(wherry_index_floor_plan_size(both, &size, &known, &complete));
  CHECK_EQUAL(std::vector<int>({size, known, complete}), std::vector<int>({test.size, test.size, 0}));
  succeeds(wherry_index_motions_redistribution(from, from, common.out()));

  // Wrong arguments are refused.
  const bool wrong = test.rank == test.size - 1;
  auto bad = movement;
  bad.motions = wrong ? nullptr : static_cast<wherry_index_motions>(common);
  held_exchange none;
  fails("motions", wherry_index_mover_create(comm, 1, &bad, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'movements[0].motions' is NULL");
  wherry_index_set broken = source;
  if (wrong) broken.runs = nullptr;
  fails("runs", wherry_index_floor_plan_create_distributed(comm, 1, &broken, both.out()), WHERRY_ERROR_ARGUMENT,
        "part 0 has 2 runs, but their list is NULL");
  broken.run_count = -1;
  fails("negative", wherry_index_floor_plan_create(1, &broken, &first, both.out()), WHERRY_ERROR_ARGUMENT,
        "has -1 runs");
  fails("no list", wherry_index_motions_copy(common, 0, &sent, 0, &received), WHERRY_ERROR_ARGUMENT,
        "'motions' is no list");
  fails("no set", wherry_index_motions_copy(common, 0, nullptr, 0, &received), WHERRY_ERROR_ARGUMENT,
        "'source' is NULL");
  fails("type", wherry_index_array_create(comm, to, 99U << 24, nullptr, v.out()), WHERRY_ERROR_ARGUMENT,
        "which is none of wherry/c/arrays.h");
  fails("index", wherry_index_array_part(u, 7, nullptr), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  wherry_index_block got{};
  fails("index", wherry_index_array_part(u, 7, &got), WHERRY_ERROR_ARGUMENT, "'index' is 7");
  fails("number", wherry_index_floor_plan_part(from, 1, &part, nullptr), WHERRY_ERROR_ARGUMENT, "part 1 of 1");
  void* const two[] = {values.data(), values.data()};
  fails("too many", wherry_index_array_create_over(comm, from, WHERRY_FLOAT32, mine + 1, two, nullptr, v.out()),
        WHERRY_ERROR_ARGUMENT, test.rank == 0 ? "2 addresses of values" : "1 addresses of values");
  const auto copy = static_cast<wherry_index_array>(u);
  u.out();
  fails("freed", wherry_index_array_size(copy, &size), WHERRY_ERROR_ARGUMENT, "is no wherry_index_array: it was freed");
  succeeds(wherry_exchange_run(move));
}
