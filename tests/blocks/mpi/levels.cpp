// Parts of boxes, and the coupling of two levels of refinement, against what is found cell by cell.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/disjoint_boxes.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::index_t;

namespace {

template <int N> using point = wherry::point<N>;
template <int N> using box = wherry::box<N>;

template <int N> point<N> wrapped(point<N> p, const wherry::domain<N>& space) {
  for (std::size_t d = 0; d < N; ++d) {
    const index_t length = space.cells.extent(static_cast<int>(d)), at = p[d] - space.cells.lower[d];
    if (space.periodic[d]) p[d] = space.cells.lower[d] + (at % length + length) % length;
  }
  return p;
}

/// Disjoint boxes in a domain: a coarse level that fills it, and a fine one that fills some of it.
template <int N> struct two_levels {
  wherry::domain<N> space, fine_space;
  point<N> ratio;
  wherry::halo_widths<N> ghost{0};
  wherry::centring<N> on;  // of the values
  std::vector<box<N>> coarse, fine;
  std::vector<int> coarse_owners, fine_owners;  // ascending

  two_levels(random_numbers& random, int ranks) {
    for (std::size_t d = 0; d < N; ++d) {
      ratio[d] = random.between(1, 3);
      space.cells.lower[d] = random.between(-3, 3);
      space.cells.upper[d] = space.cells.lower[d] + random.between(6, N == 1 ? 30 : 10);
      space.periodic[d] = random.chance(50);
      ghost.minus[d] = random.between(0, 3);
      ghost.plus[d] = random.between(0, 3);
    }
    if (random.chance(60))
      for (std::size_t d = 0; d < N; ++d) on.on_planes[d] = random.chance(60);
    fine_space = refine(space, ratio);
    coarse = {space.cells};
    cut_at_random<N>(random, coarse, random.between(0, 6));
    std::vector<box<N>> all{space.cells};
    cut_at_random<N>(random, all, random.between(2, 9));
    for (const auto& b : all)
      if (random.chance(50)) fine.push_back(wherry::refine<N>(b, ratio));
    random.shuffle(coarse);
    random.shuffle(fine);
    for (std::size_t i = 0; i < coarse.size(); ++i) coarse_owners.push_back(random.between(0, ranks - 1));
    for (std::size_t i = 0; i < fine.size(); ++i) fine_owners.push_back(random.between(0, ranks - 1));
    std::ranges::sort(coarse_owners);
    std::ranges::sort(fine_owners);
  }

  template <class Boxes> static std::set<point<N>> cells_of(const Boxes& boxes) {
    std::set<point<N>> all;
    for (const auto& b : boxes) for_each_point(b, [&](const point<N>& p) { all.insert(p); });
    return all;
  }

  std::set<point<N>> fine_values() const {
    std::set<point<N>> all;
    for (const auto& b : fine)
      for_each_point(values_of(b, on), [&](const point<N>& p) { all.insert(wrapped(p, fine_space)); });
    return all;
  }
  /// The fine values that a coarse one is the mean of.
  box<N> above(const point<N>& p) const {
    box<N> result;
    for (std::size_t d = 0; d < N; ++d) {
      result.lower[d] = p[d] * ratio[d];
      result.upper[d] = result.lower[d] + (on.on_planes[d] ? 1 : ratio[d]);
    }
    return result;
  }
  /// The coarse values around a fine one.
  box<N> below(const point<N>& p) const {
    box<N> result;
    for (std::size_t d = 0; d < N; ++d) {
      result.lower[d] = wherry::floor_divide(p[d], ratio[d]);
      result.upper[d] = result.lower[d] + (on.on_planes[d] && p[d] % ratio[d] != 0 ? 2 : 1);
    }
    return result;
  }
  /// Whether a coarse value is at the rim of what is refined: it has a cell around it that is not.
  bool is_at_rim(const point<N>& p, const std::set<point<N>>& fine_cells) const {
    bool found = false;
    auto around = box<N>{p, p};
    for (std::size_t d = 0; d < N; ++d) {
      around.lower[d] -= on.planes()[d];
      ++around.upper[d];
    }
    for_each_point(around, [&](const point<N>& cell) {
      const auto at = wrapped(cell, space);
      auto first = at;
      for (std::size_t d = 0; d < N; ++d) first[d] *= ratio[d];
      found = found || (space.cells.contains(at) && !fine_cells.contains(first));
    });
    return found;
  }
};

double coarse_value(index_t number) { return 1000.0 + static_cast<double>(number); }

template <int N> index_t number_of(const point<N>& p) {
  index_t number = 0;
  for (const auto i : p) number = number * 100 + i;
  return number;
}

template <int N> void couple_and_check(random_case& now, MPI_Comm where) {
  const wherry::communicator comm(where);
  const two_levels<N> what(now.random, comm.size());
  const bool partial = now.random.chance(50);
  const auto plan_of = [&](const std::vector<box<N>>& boxes, const std::vector<int>& owners) {
    if (!partial) return wherry::floor_plan<N>(boxes, owners);
    std::vector<box<N>> mine;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (owners[i] == comm.rank()) mine.push_back(boxes[i]);
    return wherry::distributed_floor_plan<N>(comm, mine);
  };
  wherry::x_array<double, N> coarse(comm, plan_of(what.coarse, what.coarse_owners),
                                    {.centring = what.on, .components = 2});
  wherry::x_array<double, N> fine(comm, plan_of(what.fine, what.fine_owners),
                                  {.ghost_width = what.ghost, .centring = what.on, .components = 2});
  for (const auto& [number, cells, values] : coarse.blocks())
    for (int c = 0; c < 2; ++c)
      for_each_point(cells, [&, &v = values](const point<N>& p) {
        v(p, c) = coarse_value(number_of<N>(wrapped(p, what.space))) + 0.5 * c;
      });
  const auto spoil = [&] {
    for (const auto& [number, cells, values] : fine.blocks())
      for (int c = 0; c < 2; ++c) for_each_point(values.cells(), [&, &v = values](const point<N>& p) { v(p, c) = -1; });
  };
  spoil();
  const index_t reach = now.random.between(0, 2);
  const bool only_rim = !what.on.is_of_cells() && now.random.chance(50);
  wherry::level_coupling levels(
      coarse, fine, what.space, what.ratio,
      {.reach = reach, .only_rim = only_rim, .carry = {.transport = now.random.one_of(usable_transports(where))}});
  if (now.random.chance(50)) {  // the coupling takes the memory that the array has at the start
    wherry::x_array<double, N> other(comm, coarse.plan(), {.centring = what.on, .components = 2});
    std::swap(coarse, other);
    for (const auto& [number, cells, values] : coarse.blocks())
      for (int c = 0; c < 2; ++c)
        for_each_point(cells, [&, &to = values, &from = other[number]](const point<N>& p) {
          to(p, c) = std::exchange(from(p, c), -7);
        });
  }
  const auto fine_cells = two_levels<N>::cells_of(what.fine);
  const auto fine_values = what.fine_values();
  long wrong = 0;
  const auto below_of = [&](const point<N>& p) { return what.below(p).lower; };
  // The interpolation sets the value below, and looks at all it may read.
  const auto interpolate = [&](const wherry::grid_view<const double, N>& coarse_cells,
                               const wherry::grid_view<double, N>& into, const box<N>& cells) {
    for_each_point(cells, [&](const point<N>& p) {
      const auto under = below_of(p);
      for (int c = 0; c < 2; ++c) into(p, c) = coarse_cells(under, c);
      for_each_point(wherry::grow(what.below(p), reach), [&](const point<N>& q) {
        const auto at = wrapped(q, what.space);
        const double expected = values_of(what.space, what.on).cells.contains(at) ? coarse_value(number_of<N>(at)) : 0;
        wrong += coarse_cells(q, 0) != expected;
      });
    });
  };
  CHECK_EQUAL(levels.statistics().exchanges, 0u);
  if (now.random.chance(50)) {
    levels.fill_ghosts(interpolate);
  } else {
    levels.start_ghosts();
    while (now.random.chance(50) && !levels.test_ghosts()) {
    }
    if (!partial) wherry::ghost_filler(fine, what.fine_space)();  // it writes other cells
    levels.wait_ghosts(interpolate);
  }
  CHECK_EQUAL(levels.statistics().exchanges, 1u);
  for (const auto& [number, cells, values] : fine.blocks())
    for_each_point(values.cells(), [&, &own = cells, &v = values](const point<N>& p) {
      const auto at = wrapped(p, what.fine_space);
      const bool from_coarse = values_of(what.fine_space, what.on).cells.contains(at) && !fine_values.contains(at);
      wrong += !own.contains(p) && from_coarse
                   ? v(p, 1) != coarse_value(number_of<N>(wrapped(below_of(p), what.space))) + 0.5
                   : v(p, 1) != -1;
    });
  CHECK_EQUAL(wrong, 0);
  spoil();
  levels.fill_all(interpolate);
  for (const auto& [number, cells, values] : fine.blocks())
    for_each_point(values.cells(), [&, &own = cells, &v = values](const point<N>& p) {
      wrong +=
          own.contains(p) ? v(p, 0) != coarse_value(number_of<N>(wrapped(below_of(p), what.space))) : v(p, 0) != -1;
    });
  CHECK_EQUAL(wrong, 0);
  // Means: of whole numbers times the number of fine cells, so that they are exact.
  const index_t share = what.above({}).size();
  const auto whole_number = [](int c, const point<N>& p) {
    return static_cast<double>(hash(c, p[0], p[N - 1]) % 1000);
  };
  for (const auto& [number, cells, values] : fine.blocks())
    for (int c = 0; c < 2; ++c)
      for_each_point(cells, [&, &v = values](const point<N>& p) {
        v(p, c) = static_cast<double>(share) * whole_number(c, wrapped(p, what.fine_space));
      });
  const auto asked = levels.explain();
  levels.average_down();
  CHECK_EQUAL(levels.statistics().exchanges, 2u);
  CHECK(levels.explain().starts_with(asked) && levels.explain().size() > asked.size());
  CHECK(!levels.transport().empty());
  for (const auto& [number, cells, values] : coarse.blocks())
    for (int c = 0; c < 2; ++c)
      for_each_point(cells, [&, &v = values](const point<N>& p) {
        double mean = 0;
        const auto above = what.above(p);
        for_each_point(above, [&](const point<N>& q) { mean += whole_number(c, wrapped(q, what.fine_space)); });
        const bool changed =
            fine_values.contains(wrapped(above.lower, what.fine_space)) && (!only_rim || what.is_at_rim(p, fine_cells));
        const double expected = changed ? mean : coarse_value(number_of<N>(wrapped(p, what.space))) + 0.5 * c;
        // The weight is rounded N times, each product once, and each sum of them once; all are positive.
        const double roundings = static_cast<double>(2 * share + N);
        const double most = changed ? roundings * std::numeric_limits<double>::epsilon() / 2 * expected : 0;
        wrong += std::abs(v(p, c) - expected) > most;
      });
  CHECK_EQUAL(wrong, 0);
}

template <int N> void parts_and_check(random_numbers& random) {
  std::vector<box<N>> boxes;
  std::vector<int> owners;
  const long count = random.between(0, 12);
  for (long i = 0; i < count; ++i) {
    box<N> b;
    for (std::size_t d = 0; d < N; ++d) {
      b.lower[d] = random.between(0, 8);
      b.upper[d] = b.lower[d] + random.between(0, 5);
    }
    boxes.push_back(b);
    owners.push_back(random.between(0, 2));
  }
  const wherry::floor_plan<N> plan(boxes, owners);
  std::map<point<N>, int> found;
  for (int rank = 0; rank < 3; ++rank)
    for (const auto& part : wherry::without_overlap(plan, rank)) {
      CHECK_EQUAL(plan.owner(part.number), rank);
      for_each_point(part.cells, [&](const point<N>& p) {
        CHECK(found.emplace(p, part.number).second);  // in no other part
        const auto first = std::ranges::find_if(boxes, [&](const auto& b) { return b.contains(p); });
        CHECK_EQUAL(part.number, static_cast<int>(first - boxes.begin()));
      });
    }
  CHECK_EQUAL(found.size(), two_levels<N>::cells_of(boxes).size());
}

}  // namespace

WHERRY_TEST(random_levels, ranks(1, 2, 3, 4, 8)) {
  const node_communicators cut(test.comm);
  for_each_case(test, 100, [&](random_case& now) {
    const auto comm = cut.pick(now.random);
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { couple_and_check<dimensions.value>(now, comm); });
  });
}

WHERRY_TEST(each_point_in_one_box_alone, ranks(1)) {
  for_each_case(test, 200, [&](random_case& now) {
    now.random.chance(50) ? parts_and_check<1>(now.random) : parts_and_check<2>(now.random);
  });
}

WHERRY_TEST(wrong_levels, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  const wherry::domain<1> space{box<1>{{0}, {8}}, {false}};
  const wherry::floor_plan<1> plan({box<1>{{0}, {8}}}, {0}), finer({box<1>{{4}, {8}}}, {test.size - 1});
  wherry::x_array<double, 1> coarse(comm, plan), fine(comm, finer, {.ghost_width = 1}),
      two(comm, finer, {.components = 2});
  all_throw(test, "ratio", error_kind::argument, "'ratio' is 0 in dimension 0, expected 1",
            [&] { wherry::level_coupling<double, 1>(coarse, fine, space, {0}); });
  all_throw(test, "reach", error_kind::argument, "'reach' is -1, expected 0",
            [&] { wherry::level_coupling<double, 1>(coarse, fine, space, {2}, {.reach = -1}); });
  {
    wherry::level_coupling<double, 1> levels(coarse, fine, space, 2);
    all_throw(test, "not started", error_kind::state, "'wait_average_down' was called without 'start_average_down'",
              [&] { levels.wait_average_down(); });
  }
  const wherry::floor_plan<1> odd({box<1>{{3}, {8}}}, {test.size - 1});
  wherry::x_array<double, 1> within(comm, odd);
  const auto words = test.rank == test.size - 1 ? "begins or ends at 3 in dimension 0, within a coarse cell of 2" : "";
  all_throw(test, "a box that divides a coarse cell", error_kind::argument, words,
            [&] { wherry::level_coupling<double, 1>(coarse, within, space, {2}); });
  {
    // The fine box's ghost cell is above coarse cell 1, around which cell 0 is read.
    const setting checked("check", "1", "0");
    const wherry::floor_plan<1> some({box<1>{{1}, {8}}}, {0});
    wherry::x_array<double, 1> too_few(comm, some);
    const auto missing = test.rank == test.size - 1 ? "fine boxes need coarse cell (0), which no coarse box has" : "";
    all_throw(test, "not nested", error_kind::argument, missing,
              [&] { wherry::level_coupling<double, 1>(too_few, fine, space, {2}); });
    wherry::level_coupling<double, 1>(coarse, fine, space, {2});
  }
  if (test.size > 1)
    all_throw(test, "ranks disagree", error_kind::mismatch, "the ratio of dimension 0",
              [&] { wherry::level_coupling<double, 1>(coarse, fine, space, {test.rank == 0 ? 2 : 4}); });
  {  // arrays of another shape in place of those that were bound
    wherry::level_coupling<double, 1> levels(coarse, fine, space, 2);
    wherry::x_array<double, 1> kept(comm, coarse.plan(), {.components = 2});
    std::swap(coarse, kept);
    all_throw(test, "another shape", error_kind::argument, "", [&] { levels.start_ghosts(); });
    std::swap(coarse, kept);
    levels.fill_ghosts([](const auto&, const auto&, const auto&) {});
  }
  wherry::x_array<double, 1> nodes(comm, finer, {.centring = wherry::centring<1>::nodes()});
  all_throw(test, "centring", error_kind::argument,
            "in dimension 0 the values of one level are in cells, and those of the other are on planes",
            [&] { wherry::level_coupling<double, 1>(coarse, nodes, space, {2}); });
  all_throw(test, "rim", error_kind::argument, "'only_rim' needs values on planes, but these are in cells",
            [&] { wherry::level_coupling<double, 1>(coarse, fine, space, {2}, {.only_rim = true}); });
  all_throw(test, "components", error_kind::argument, "the coarse level has 1 components, and the fine level has 2",
            [&] { wherry::level_coupling<double, 1>(coarse, two, space, {2}); });
}
