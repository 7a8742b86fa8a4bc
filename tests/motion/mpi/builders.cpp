// The builders of motion plans against brute force over all pairs of boxes and all cells; then the motion itself.
#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>
#include <sstream>

#include "wherry/motion/motions.hpp"

#include "motion/mpi/run.hpp"

using namespace wherry_test;

namespace {

// The index space of a case.
struct space_case {
  section cells;
  std::array<bool, most_block_dimensions> periodic{};
};

// Cuts `whole` in two at a random place, again and again: irregular boxes without a cell in common.
std::vector<section> random_cuts(random_numbers& random, const section& whole, int pieces, int dimensions) {
  std::vector<section> boxes{whole};
  for (int attempt = 0; attempt < 4 * pieces && std::ssize(boxes) < pieces; ++attempt) {
    auto& cut = boxes[static_cast<std::size_t>(random.between(0, static_cast<int>(boxes.size()) - 1))];
    const auto d = static_cast<std::size_t>(random.between(0, dimensions - 1));
    if (cut.extent(d) < 2) continue;
    section rest = cut;
    rest.lower[d] = cut.upper[d] = cut.lower[d] + random.between(1, static_cast<int>(cut.extent(d)) - 1);
    boxes.push_back(rest);
  }
  return boxes;
}

// A floor of boxes that do not overlap, with holes and empty boxes among them, some a period further on.
array_case random_floor(random_numbers& random, const space_case& space, int ranks, int dimensions) {
  array_case a;
  a.boxes = random_cuts(random, space.cells, random.between(1, 3 * std::min(ranks, 16) + 3), dimensions);
  const bool holes = random.chance(30), elsewhere = random.chance(15);
  for (auto& b : a.boxes) {
    const auto d = static_cast<std::size_t>(random.between(0, dimensions - 1));
    if (holes && random.chance(20)) b.upper[d] = b.lower[d] - random.between(0, 2);
    if (!elsewhere || !space.periodic[d]) continue;
    const long periods = random.between(-1, 2) * space.cells.extent(d);
    b.lower[d] += periods;
    b.upper[d] += periods;
  }
  random.shuffle(a.boxes);
  a.owners = random_owners(random, ranks, a.boxes.size());
  choose_storage(a, random, dimensions);
  return a;
}

space_case random_space(random_numbers& random, int dimensions) {
  space_case space;
  const int most = std::array{0, 30, 12, 6, 4, 3, 2}[static_cast<std::size_t>(dimensions)];
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    space.cells.lower[d] = random.between(-5, 5);
    space.cells.upper[d] = space.cells.lower[d] + random.between(1, most);
    space.periodic[d] = random.chance(60);
  }
  return space;
}

long whole_cells(const array_case& a) {
  long count = 0;
  for (int i = 0; i < std::ssize(a.boxes); ++i) count += a.whole(i).size();
  return count;
}

// Widths of all kinds, also wider than the neighbours and than the whole domain, while memory allows.
void choose_widths(array_case& a, random_numbers& random, const space_case& space, int dimensions) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      const int most = random.chance(15) ? static_cast<int>(2 * space.cells.extent(d)) + 1 : 2;
      a.minus[d] = random.between(0, most);
      a.plus[d] = random.chance(50) ? a.minus[d] : random.between(0, most);
    }
    if (whole_cells(a) < 3000) return;
  }
  a.minus = a.plus = {};
}

// All cells of a box that are the cell `q` of the whole domain, or one of its periodic images.
template <class Visit>
void for_each_image_in(const section& box, const place& q, const space_case& space, Visit visit) {
  section images;  // in numbers of periods per dimension
  place first{}, step;
  step.fill(1);
  for (std::size_t d = 0; d < q.size(); ++d) {
    const long length = space.cells.extent(d);
    long lowest = q[d], count = 1;
    if (space.periodic[d]) {
      step[d] = length;
      while (lowest - length >= box.lower[d]) lowest -= length;
      while (lowest < box.lower[d]) lowest += length;
      count = lowest < box.upper[d] ? (box.upper[d] - 1 - lowest) / length + 1 : 0;
    } else if (q[d] < box.lower[d] || q[d] >= box.upper[d]) {
      count = 0;
    }
    first[d] = lowest;
    images.lower[d] = 0;
    images.upper[d] = count;
  }
  for_each_place(images, [&](const place& i) {
    place p{};
    for (std::size_t d = 0; d < p.size(); ++d) p[d] = first[d] + i[d] * step[d];
    visit(p);
  });
}

wherry::cell_direction way_beyond(const place& q, const section& core) {
  wherry::cell_direction way{};
  for (std::size_t d = 0; d < q.size(); ++d) way[d] = q[d] < core.lower[d] ? -1 : q[d] >= core.upper[d] ? 1 : 0;
  return way;
}

wherry::stencil_shape random_stencil(random_numbers& random, int dimensions) {
  const int kind = random.between(1, 10);
  if (kind <= 4) return wherry::stencil_shape::all();
  if (kind <= 7) return wherry::stencil_shape::faces();
  std::vector<wherry::cell_direction> listed(static_cast<std::size_t>(random.between(0, 3 * dimensions)));
  for (auto& way : listed)
    for (int d = 0; d < dimensions; ++d) way[static_cast<std::size_t>(d)] = random.between(-1, 1);
  return wherry::stencil_shape::only(listed);
}

// Every cell that a box of `to` has in common with one of `from`; `wanted` says which of them are asked for.
template <class Wanted>
std::vector<cell_move> all_pairs(const array_case& from, const array_case& to, const space_case& space, bool ghosts,
                                 Wanted wanted) {
  std::vector<cell_move> moves;
  for (int j = 0; j < std::ssize(to.boxes); ++j)
    for_each_place(ghosts ? to.whole(j) : to.boxes[static_cast<std::size_t>(j)], [&](const place& q) {
      if (!wanted(j, q)) return;
      for (int i = 0; i < std::ssize(from.boxes); ++i)
        for_each_image_in(from.boxes[static_cast<std::size_t>(i)], q, space,
                          [&](const place& p) { moves.push_back({i, p, j, q}); });
    });
  return moves;
}

template <int N> std::vector<entry_case> entries_of(const wherry::motion_plan<N>& plan) {
  std::vector<entry_case> entries;
  for (const auto& e : plan) {
    entry_case& made = entries.emplace_back();
    made.from = e.from;
    made.to = e.to;
    made.source = section_from<N>(e.source);
    made.destination = section_from<N>(e.destination);
    for (std::size_t d = 0; d < N; ++d) made.axes[d] = e.axes[d];
  }
  return entries;
}

std::vector<cell_move> moves_of(const std::vector<entry_case>& entries) {
  std::vector<cell_move> moves;
  for (const auto& e : entries) append_moves(e, moves);
  std::ranges::sort(moves);
  return moves;
}

std::string text_of(const cell_move& m, int dimensions) {
  std::ostringstream out;
  const auto print = [&](int box, const place& p) {
    out << "box " << box << " (";
    for (int d = 0; d < dimensions; ++d) out << (d ? "," : "") << p[static_cast<std::size_t>(d)];
    out << ')';
  };
  print(m.from, m.source);
  out << " → ";
  print(m.to, m.destination);
  return std::move(out).str();
}

// Each move once: the builder's entries, and what brute force found.
void check_moves(const std::string& title, const motion_case& what, std::vector<cell_move> built,
                 std::vector<cell_move> wanted) {
  std::ranges::sort(built);
  std::ranges::sort(wanted);
  if (built == wanted) return;
  std::vector<cell_move> missing, extra;
  std::ranges::set_difference(wanted, built, std::back_inserter(missing));
  std::ranges::set_difference(built, wanted, std::back_inserter(extra));
  std::string text = title + ": " + std::to_string(missing.size()) + " moves are missing, " +
                     std::to_string(extra.size()) + " should not be there";
  if (!missing.empty()) text += "\n    missing: " + text_of(missing.front(), what.dimensions);
  if (!extra.empty()) text += "\n    too many: " + text_of(extra.front(), what.dimensions);
  FAIL(text + "\n    " + what.text());
}

std::vector<cell_move> of_rank(const motion_case& what, int rank) {
  auto moves = what.moves;
  std::erase_if(moves, [&](const cell_move& m) {
    return what.source.owners[static_cast<std::size_t>(m.from)] != rank &&
           what.destination.owners[static_cast<std::size_t>(m.to)] != rank;
  });
  return moves;
}

// The boxes of `a` that `rank` owns, and those in `named`.
template <int N> wherry::floor_plan<N> known_to(const array_case& a, std::vector<int> named, int rank) {
  for (int i = 0; i < std::ssize(a.boxes); ++i)
    if (a.owners[static_cast<std::size_t>(i)] == rank) named.push_back(i);
  std::ranges::sort(named);
  named.erase(std::ranges::unique(named).begin(), named.end());
  std::vector<wherry::box<N>> boxes;
  wherry::owner_map owners;
  for (const int i : named) {
    boxes.push_back(box_from<N>(a.boxes[static_cast<std::size_t>(i)]));
    owners.push_back(a.owners[static_cast<std::size_t>(i)]);
  }
  return {static_cast<int>(a.boxes.size()), named, std::move(boxes), std::move(owners)};
}

// `build(from, to, rank)` is the builder; `what.moves` is what brute force says it must build. Leaves the plan of this
// rank, made in one of several ways, in `what.entries`.
template <int N, class Build>
void check_builder(const std::string& title, motion_case& what, int rank, random_case& now, Build build) {
  const auto from = floor_plan_from<N>(what.source), to = floor_plan_from<N>(what.destination);
  const auto everything = build(from, to, wherry::plans::every_rank);
  check_moves(title + ", all ranks", what, moves_of(entries_of(everything)), what.moves);
  auto back = what.moves;
  for (auto& m : back) m = {m.to, m.destination, m.from, m.source};
  check_moves(title + ", reversed", what, moves_of(entries_of(everything.reversed())), back);

  const auto mine = of_rank(what, rank);
  what.entries = entries_of(build(from, to, rank));
  check_moves(title + ", one rank", what, moves_of(what.entries), mine);
  std::vector<int> sources, destinations;
  for (const auto& m : mine) {
    sources.push_back(m.from);
    destinations.push_back(m.to);
  }
  if (what.endogenous) sources.insert(sources.end(), destinations.begin(), destinations.end());
  const auto known_from = known_to<N>(what.source, sources, rank);
  const auto known_destinations = what.endogenous ? known_from : known_to<N>(what.destination, destinations, rank);
  check_moves(title + ", partial floor plans", what, moves_of(entries_of(build(known_from, known_destinations, rank))),
              mine);
  if (now.random.chance(30)) what.entries = entries_of(everything);
}

template <int N> wherry::domain<N> domain_from(const space_case& space) {
  wherry::domain<N> result{box_from<N>(space.cells), {}};
  for (std::size_t d = 0; d < N; ++d) result.periodic[d] = space.periodic[d];
  return result;
}

template <int N> wherry::point<N> point_from(const place& p) {
  wherry::point<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = p[d];
  return result;
}

template <int N> motion_case halo(random_case& now, const context& test) {
  auto& random = now.random;
  motion_case what;
  what.dimensions = N;
  what.endogenous = true;
  const auto space = random_space(random, N);
  what.source = random_floor(random, space, test.size, N);
  choose_widths(what.source, random, space, N);
  what.destination = what.source;
  const auto stencil = random_stencil(random, N);
  what.moves = all_pairs(what.source, what.source, space, true, [&](int j, const place& q) {
    const auto way = way_beyond(q, what.source.boxes[static_cast<std::size_t>(j)]);
    return way != wherry::cell_direction{} && stencil.contains(way);
  });
  const wherry::halo_widths<N> widths(point_from<N>(what.source.minus), point_from<N>(what.source.plus));
  check_builder<N>(now.title + (stencil.is_all() ? ", halo" : ", stencil"), what, test.rank, now,
                   [&](const auto& plan, const auto&, int rank) {
                     return wherry::halo_motion<N>(plan, widths, domain_from<N>(space), stencil).plan(rank);
                   });
  return what;
}

template <int N> motion_case redistributed(random_case& now, const context& test) {
  auto& random = now.random;
  motion_case what;
  what.dimensions = N;
  auto space = random_space(random, N);
  what.source = random_floor(random, space, test.size, N);
  what.destination = random_floor(random, space, test.size, N);
  if (random.chance(40)) {  // boxes that overlap each other and reach beyond the domain
    choose_widths(what.destination, random, space, N);
    for (int i = 0; i < std::ssize(what.destination.boxes); ++i)
      what.destination.boxes[static_cast<std::size_t>(i)] = what.destination.whole(i);
    what.destination.minus = what.destination.plus = {};
  }
  const bool open = random.chance(30);
  if (open) space.periodic = {};
  what.moves = all_pairs(what.source, what.destination, space, false, [](int, const place&) { return true; });
  check_builder<N>(now.title + ", redistribution", what, test.rank, now,
                   [&](const auto& from, const auto& to, int rank) {
                     return open ? wherry::redistribution<N>(from, to).plan(rank)
                                 : wherry::redistribution<N>(from, to, domain_from<N>(space)).plan(rank);
                   });
  return what;
}

template <int N> motion_case transposed(random_case& now, const context& test) {
  auto& random = now.random;
  motion_case what;
  what.dimensions = N;
  auto space = random_space(random, N);
  space.periodic = {};
  std::vector<int> axes(N);
  for (int d = 0; d < N; ++d) axes[static_cast<std::size_t>(d)] = d;
  random.shuffle(axes);
  auto turned = space;
  for (std::size_t d = 0; d < N; ++d) {
    turned.cells.lower[d] = space.cells.lower[static_cast<std::size_t>(axes[d])];
    turned.cells.upper[d] = space.cells.upper[static_cast<std::size_t>(axes[d])];
  }
  what.source = random_floor(random, space, test.size, N);
  what.destination = random_floor(random, turned, test.size, N);
  for (int j = 0; j < std::ssize(what.destination.boxes); ++j)
    for_each_place(what.destination.boxes[static_cast<std::size_t>(j)], [&](const place& q) {
      place p{};
      for (std::size_t d = 0; d < N; ++d) p[static_cast<std::size_t>(axes[d])] = q[d];
      for (int i = 0; i < std::ssize(what.source.boxes); ++i)
        if (what.source.boxes[static_cast<std::size_t>(i)].contains(p)) what.moves.push_back({i, p, j, q});
    });
  wherry::axis_permutation<N> given{};
  for (std::size_t d = 0; d < N; ++d) given[d] = static_cast<std::int8_t>(axes[d]);
  check_builder<N>(
      now.title + ", transposition", what, test.rank, now,
      [&](const auto& from, const auto& to, int rank) { return wherry::transposition<N>(from, to, given).plan(rank); });
  return what;
}

using make_case = motion_case (*)(random_case&, const context&);
using case_makers = std::array<make_case, most_block_dimensions>;

void build_and_move(context& test, const case_makers& makers) {
  const carriers by(test);
  for_each_case(test, 2000, [&](random_case& now) {
    const auto dimensions = static_cast<std::size_t>(now.random.between(1, most_block_dimensions));
    auto what = makers[dimensions - 1](now, test);
    what.components = now.random.between(1, 3);
    what.element = now.random.one_of(element_sizes(what.dimensions, 1));
    choose_carrying(what, now.random);
    const MPI_Comm comm = by.choose(what, now);
    const random_settings settings(now.random);
    if (now.number % 3 == 0) move_and_check(what, comm, now, any_bytes(what.element));
  });
}

}  // namespace

WHERRY_TEST(halo_motions, ranks(1, 2, 3, 4, 8)) {
  build_and_move(test, {halo<1>, halo<2>, halo<3>, halo<4>, halo<5>, halo<6>});
}

WHERRY_TEST(redistributions, ranks(1, 2, 3, 4, 8)) {
  build_and_move(test, {redistributed<1>, redistributed<2>, redistributed<3>, redistributed<4>, redistributed<5>,
                        redistributed<6>});
}

WHERRY_TEST(transpositions, ranks(1, 2, 3, 4, 8)) {
  build_and_move(test, {transposed<1>, transposed<2>, transposed<3>, transposed<4>, transposed<5>, transposed<6>});
}

namespace {

template <int N> void check_coarsened(random_case& now) {
  auto& random = now.random;
  const auto fine = random_floor(random, random_space(random, N), 3, N);
  place ratio;
  for (auto& r : ratio) r = random.between(1, 4);
  const int reach = random.between(0, 2);
  const auto plan = wherry::coarsened<N>(floor_plan_from<N>(fine), point_from<N>(ratio), reach);
  CHECK_EQUAL(plan.size(), fine.boxes.size());
  for (int i = 0; i < std::ssize(fine.boxes); ++i) {
    const auto& b = fine.boxes[static_cast<std::size_t>(i)];
    CHECK_EQUAL(plan.owner(i), fine.owners[static_cast<std::size_t>(i)]);
    // The coarse cell of a fine one, by counting up to it.
    const auto coarse = [&](long x, std::size_t d) {
      long c = -100;
      while ((c + 1) * ratio[d] <= x) ++c;
      return c;
    };
    section expected;
    for (std::size_t d = 0; d < N; ++d) {
      expected.lower[d] = coarse(b.lower[d], d) - reach;
      expected.upper[d] = coarse(b.upper[d] - 1, d) + 1 + reach;
    }
    if (b.size() == 0)
      CHECK(plan[i].empty());
    else if (!CHECK(plan[i] == box_from<N>(expected)))
      FAIL(now.title);
  }
}

}  // namespace

WHERRY_TEST(coarsened_floor_plans, ranks(1)) {
  for_each_case(test, 300, [&](random_case& now) {
    check_coarsened<1>(now);
    check_coarsened<2>(now);
    check_coarsened<3>(now);
    check_coarsened<6>(now);
  });
}
