// Values on nodes, faces and edges of a mesh that is divided: against what each rank knows of every value by its global
// place alone.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::centring;
using wherry::error_kind;
using wherry::index_t;

namespace {

template <int N> using point = wherry::point<N>;
template <int N> using box = wherry::box<N>;

/// A mesh and the cells that this rank has of it.
template <int N> struct mesh {
  wherry::process_grid grid;
  std::vector<int> axes;  // the grid dimension that each of the mesh's is cut along
  point<N> cells;
  box<N> mine;

  bool is_periodic(std::size_t d) const { return grid.periodic()[static_cast<std::size_t>(axes[d])]; }
  bool is_first(std::size_t d) const { return !is_periodic(d) && mine.lower[d] == 0; }
  bool is_last(std::size_t d) const { return !is_periodic(d) && mine.upper[d] == cells[d]; }
};

/// So few cells that some ranks have none and halos of two reach over several, or more. Some ranks may be outside.
template <int N> mesh<N> random_mesh(const wherry::communicator& comm, random_numbers& random, bool few) {
  std::vector<bool> periodic;
  for (int d = 0; d < N; ++d) periodic.push_back(random.chance(50));
  wherry::process_grid_options how{.periodic = periodic};
  if (random.chance(20)) {
    how.extents.assign(N, 1);
    how.extents[static_cast<std::size_t>(random.between(0, N - 1))] = std::max(1, comm.size() - 1);
  }
  if (random.chance(30)) how.order = wherry::rank_order::columns;
  wherry::process_grid grid(comm, how);
  std::vector<int> axes;
  for (int d = 0; d < N; ++d) axes.push_back(d);
  random.shuffle(axes);
  point<N> cells;
  for (std::size_t d = 0; d < N; ++d) {
    const int ranks = grid.extents()[static_cast<std::size_t>(axes[d])];
    cells[d] = few ? random.between(1, ranks) : ranks * 3 + random.between(0, 3);
  }
  const auto mine = wherry::owned_box<N>(grid, cells, axes);
  return {std::move(grid), axes, cells, mine};
}

/// The values of one kind on a mesh, in memory of the test's, with a rim of its own around them.
template <class T, int N> class values {
 public:
  values(const mesh<N>& on, const centring<N>& where, const wherry::halo_widths<N>& widths, random_numbers& random)
      : mesh_(on), where_(where), widths_(widths) {
    point<N> extents;
    const bool bare = random.chance(50) && on.mine.empty();  // no cells along any dimension
    for (std::size_t d = 0; d < N; ++d) {
      const index_t cells = bare ? 0 : std::max<index_t>(0, on.mine.extent(static_cast<int>(d)));
      const index_t core = cells + index_t{where.on_planes[d]};
      const index_t pad = random.between(0, 2);  // both draw alike on all ranks
      const bool narrow = random.chance(50);
      if (narrow && on.is_first(d)) widths_.minus[d] = 0;
      if (narrow && on.is_last(d)) widths_.plus[d] = 0;
      auto& h = halo_[d];
      h.minus = widths_.minus[d];
      h.plus = widths_.plus[d];
      h.begin = h.minus + pad;
      h.end = h.begin + core - 1;
      h.length = h.end + h.plus + 1 + pad;
      extents[d] = h.length;
    }
    index_t size = 1;
    for (const index_t e : extents) size *= e;
    memory_.resize(static_cast<std::size_t>(size));
    array_ = wherry::view<T, N>(memory_.data(), extents);
  }

  /// All that there is, as a part that becomes ready by itself.
  wherry::halo_part whole() const {
    box<N> all;
    for (std::size_t d = 0; d < N; ++d) {
      all.lower[d] = -halo_[d].minus;
      all.upper[d] = halo_[d].core() + halo_[d].plus;
    }
    return all;
  }

  wherry::halo_view<T, N> described() { return wherry::halo_view<T, N>(array_, halo_).on(where_); }

  /// Of all that the array holds: its global place, wrapped where the mesh is, or nothing where it is on no place of
  /// the mesh or in the array's rim.
  template <class Visit> void for_each(Visit&& visit) {
    box<N> all;
    all.upper = array_.extents;
    const bool empty = mesh_.mine.empty();
    wherry::for_each_point(all, [&](const point<N>& at) {
      point<N> place = at;
      bool inside = !empty;
      for (std::size_t d = 0; d < N; ++d) {
        const auto& h = halo_[d];
        inside = inside && at[d] >= h.begin - h.minus && at[d] <= h.end + h.plus;
        place[d] = at[d] - h.begin + mesh_.mine.lower[d];
        const index_t period = mesh_.cells[d];
        if (mesh_.is_periodic(d))
          place[d] = (place[d] % period + period) % period;
        else
          inside = inside && place[d] >= 0 && place[d] < period + index_t{where_.on_planes[d]};
      }
      visit(memory_[static_cast<std::size_t>(array_.offset(at))], inside ? &place : nullptr, at);
    });
  }
  /// Whether this rank has it before anything is exchanged: the plane above a cell is the next one's, if there is one.
  bool owns(const point<N>& at) const {
    for (std::size_t d = 0; d < N; ++d) {
      const auto& h = halo_[d];
      const index_t last = where_.on_planes[d] && !mesh_.is_last(d) ? h.end - 1 : h.end;
      if (at[d] < h.begin || at[d] > last) return false;
    }
    return true;
  }

 private:
  const mesh<N>& mesh_;
  centring<N> where_;
  wherry::halo_widths<N> widths_;
  typename wherry::halo_view<T, N>::descriptors halo_;
  std::vector<T> memory_;
  wherry::view<T, N> array_;
};

template <int N> std::int64_t value_at(const point<N>& place, int field) {
  std::int64_t value = field + 1;
  for (const index_t i : place) value = value * 1009 + i;
  return value;
}

template <int N> struct kind_of_values {
  centring<N> where;
  wherry::halo_widths<N> widths{0};
};
template <int N> kind_of_values<N> random_kind(random_numbers& random) {
  const int widest = random.chance(20) ? 5 : 2;
  kind_of_values<N> kind;
  for (std::size_t d = 0; d < N; ++d) {
    kind.where.on_planes[d] = random.chance(60);
    kind.widths.minus[d] = random.between(0, widest);
    kind.widths.plus[d] = random.between(0, widest);
  }
  return kind;
}

template <int N> void fill_and_check(random_case& now, MPI_Comm where) {
  const wherry::communicator comm(where);
  const bool few = now.random.chance(25);
  const auto on = random_mesh<N>(comm, now.random, few);
  const int count = static_cast<int>(now.random.between(1, 3));
  std::vector<values<std::int64_t, N>> fields;
  fields.reserve(static_cast<std::size_t>(count));
  std::vector<wherry::halo_field> described;
  for (int f = 0; f < count; ++f) {
    const auto kind = random_kind<N>(now.random);
    fields.emplace_back(on, kind.where, kind.widths, now.random);
    described.push_back(halo_of(fields.back().described()));
    fields.back().for_each([&](std::int64_t& value, const point<N>* place, const point<N>& at) {
      value = place != nullptr && fields.back().owns(at) ? value_at<N>(*place, f) : -7;
    });
  }
  wherry::halo_options how{.axes = on.axes, .carry = {.transport = now.random.one_of(usable_transports(where))}};
  how.order = now.random.one_of(std::vector{wherry::halo_order::automatic, wherry::halo_order::direct,
                                            wherry::halo_order::wrapped_last, wherry::halo_order::by_dimension});
  const bool in_parts = now.random.chance(30);
  if (in_parts && !on.mine.empty())
    for (const auto& f : fields) how.parts.push_back(f.whole());
  wherry::halo_exchange exchange(on.grid, how, described);
  if (how.parts.empty()) {
    exchange();
  } else {
    exchange.start_in_parts();
    for (int part = count; part-- > 0;) exchange.ready(part);
    exchange.wait();
  }
  std::size_t wrong = 0;
  for (int f = 0; f < count; ++f)
    fields[static_cast<std::size_t>(f)].for_each([&](std::int64_t value, const point<N>* place, const point<N>&) {
      wrong += value != (place != nullptr ? value_at<N>(*place, f) : -7);
    });
  CHECK_EQUAL(wrong, 0u);
}

/// Every value of the whole mesh, by its global place, added up over all ranks. Collective.
template <class T>
std::map<std::vector<index_t>, std::vector<T>> gathered(MPI_Comm comm, int dimensions,
                                                        const std::vector<index_t>& places,
                                                        const std::vector<T>& found) {
  const auto all_of = [&](const auto& mine) {
    int ranks = 0, bytes = static_cast<int>(mine.size() * sizeof(mine[0]));
    MPI_Comm_size(comm, &ranks);
    std::vector<int> lengths(static_cast<std::size_t>(ranks)), at(static_cast<std::size_t>(ranks));
    MPI_Allgather(&bytes, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm);
    int sum = 0;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      at[r] = sum;
      sum += lengths[r];
    }
    auto all = mine;
    all.resize(static_cast<std::size_t>(sum) / sizeof(mine[0]));
    MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), lengths.data(), at.data(), MPI_BYTE, comm);
    return all;
  };
  const auto all_places = all_of(places);
  const auto all_found = all_of(found);
  std::map<std::vector<index_t>, std::vector<T>> result;
  for (std::size_t i = 0; i < all_found.size(); ++i) {
    const auto first = all_places.begin() + static_cast<std::ptrdiff_t>(i) * dimensions;
    result[std::vector<index_t>(first, first + dimensions)].push_back(all_found[i]);
  }
  return result;
}

template <class T, int N> auto gathered(MPI_Comm comm, values<T, N>& from) {
  std::vector<index_t> places;
  std::vector<T> found;
  from.for_each([&](const T& value, const point<N>* place, const point<N>&) {
    if (place == nullptr) return;
    places.insert(places.end(), place->begin(), place->end());
    found.push_back(value);
  });
  return gathered<T>(comm, N, places, found);
}

template <int N> void combine_and_check(random_case& now, MPI_Comm where) {
  const wherry::communicator comm(where);
  const bool few = now.random.chance(25);
  const auto on = random_mesh<N>(comm, now.random, few);
  const auto kind = random_kind<N>(now.random);
  values<std::int64_t, N> whole(on, kind.where, kind.widths, now.random);
  values<double, N> real(on, kind.where, kind.widths, now.random);
  const auto draw = [&](auto& of, auto&& make) {
    of.for_each([&](auto& value, const point<N>* place, const point<N>& at) {
      value = place == nullptr
                  ? make(std::uint64_t{0})
                  : make(hash(now.number, comm.rank(), at[0], N > 1 ? at[1 % N] : 0, N > 2 ? at[2 % N] : 0));
    });
  };
  draw(whole, [](std::uint64_t bits) { return static_cast<std::int64_t>(bits % 1000); });
  draw(real, [](std::uint64_t bits) { return 1.0 / (1.0 + static_cast<double>(bits % 1000)); });
  const auto parts = gathered(where, whole);
  const auto carry = wherry::carry_options{.transport = now.random.one_of(usable_transports(where))};
  const wherry::halo_options how{.axes = on.axes, .combine_copies = std::plus<>{}, .carry = carry};
  wherry::halo_exchange add_up(on.grid, how, whole.described());
  add_up();
  wherry::halo_exchange add_up_real(on.grid, how, real.described());
  add_up_real();
  std::size_t wrong = 0;
  for (const auto& [place, copies] : gathered(where, whole)) {
    std::int64_t sum = 0;
    for (const auto part : parts.at(place)) sum += part;
    for (const auto copy : copies) wrong += copy != sum;
  }
  CHECK_EQUAL(wrong, 0u);
  for (const auto& [place, copies] : gathered(where, real))
    for (const auto copy : copies)
      wrong += std::bit_cast<std::uint64_t>(copy) != std::bit_cast<std::uint64_t>(copies[0]);
  CHECK_EQUAL(wrong, 0u);
}

}  // namespace

WHERRY_TEST(random_values_on_nodes_faces_and_cells, ranks(1, 2, 3, 4, 6, 8)) {
  const node_communicators cut(test.comm);
  for_each_case(test, 150, [&](random_case& now) {
    const auto comm = cut.pick(now.random);
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { fill_and_check<dimensions.value>(now, comm); });
  });
}

WHERRY_TEST(all_who_have_a_value_get_the_same_sum, ranks(1, 2, 3, 4, 6, 8)) {
  const node_communicators cut(test.comm);
  for_each_case(test, 100, [&](random_case& now) {
    const auto comm = cut.pick(now.random);
    in_1_to_3_dimensions(now.random, [&](auto dimensions) { combine_and_check<dimensions.value>(now, comm); });
  });
}

// As the docs say it.
WHERRY_TEST(fields_of_nodes_and_faces, ranks(1, 2, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {false, true}});
  const auto mine = wherry::owned_box(grid, {8, 6});
  const auto nodes = centring<2>::nodes();
  wherry::field<double, 2> mass(grid.comm(), mine.extents(), 0, {.centring = nodes});
  wherry::field<double, 2> flow(grid.comm(), mine.extents(), 1, {.centring = centring<2>::faces(0)});
  CHECK(mass.core().extents() == (point<2>{mine.extent(0) + 1, mine.extent(1) + 1}));
  CHECK(flow.core().extents() == (point<2>{mine.extent(0) + 1, mine.extent(1)}));
  wherry::for_each_point(mass.core(), [&](const point<2>& at) {
    // Each cell gives a quarter to each of its corners.
    int cells = 0;
    for (const index_t i : {at[0] - 1, at[0]})
      for (const index_t j : {at[1] - 1, at[1]})
        cells += i >= 0 && i < mine.extent(0) && j >= 0 && j < mine.extent(1) ? 1 : 0;
    mass[at] = 0.25 * cells;
  });
  wherry::halo_exchange add_up(grid, {.combine_copies = std::plus<>{}}, mass);
  add_up();
  wherry::for_each_point(mass.core(), [&](const point<2>& at) {
    const index_t i = at[0] + mine.lower[0];
    CHECK_EQUAL(mass[at], i == 0 || i == 8 ? 0.5 : 1.0);
  });
  // Of the flow's halo only that below in the first dimension and that above in the second.
  const auto value = [&](const point<2>& at) {
    return static_cast<double>(100 * (at[0] + mine.lower[0]) + (at[1] + mine.lower[1] + 6) % 6);
  };
  const auto own = wherry::box_of_extents<2>({mine.extent(0) + (mine.upper[0] == 8 ? 1 : 0), mine.extent(1)});
  for_each_point(flow.whole(), [&](const point<2>& at) { flow[at] = own.contains(at) ? value(at) : -1; });
  wherry::halo_exchange both(grid, mass, flow.view_with_halo().narrowed({{1, 0}, {0, 1}}));
  both();
  const auto filled = wherry::grow<2>(flow.core(), {1, 0}, {0, 1});
  for_each_point(flow.whole(), [&](const point<2>& at) {
    const bool there = filled.contains(at) && at[0] + mine.lower[0] >= 0;
    CHECK_EQUAL(flow[at], there ? value(at) : -1);
  });
}

// Which cells of each field are filled, for all subsets and depths.
WHERRY_TEST(some_fields_of_many_as_deep_as_asked_for, ranks(1, 2, 3, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  const point<2> cells{4, 5};
  const auto& extents = grid.extents();
  const auto at = grid.coordinates(test.rank);
  const auto where = [&](std::size_t f) { return f == 1 ? centring<2>::nodes() : centring<2>::cells(); };
  std::vector<wherry::field<double, 2>> fields;
  std::vector<wherry::halo_field> described;
  for (std::size_t f = 0; f < 3; ++f) {
    fields.emplace_back(grid.comm(), cells, f == 2 ? 2 : 1, wherry::field_options<2>{.centring = where(f)});
    described.push_back(halo_of(fields.back()));
  }
  const auto value = [&](std::size_t f, const point<2>& p) {
    double sum = static_cast<double>(f + 1);
    for (std::size_t d = 0; d < 2; ++d) {
      const index_t all = cells[d] * extents[d];
      sum = sum * 1000 + static_cast<double>((at[d] * cells[d] + p[d] + all) % all);
    }
    return sum;
  };
  wherry::halo_exchange update(grid, {}, described);
  const std::vector<std::vector<int>> choices{{0}, {2, 1}, {1}, {0, 1, 2}};
  for (int round = 0; round < 2; ++round)  // the second one finds all of them bound
    for (const auto& chosen : choices)
      for (const index_t depth : {index_t{0}, index_t{1}, index_t{2}, wherry::halo_exchange::whole_depth}) {
        for (std::size_t f = 0; f < 3; ++f) {
          for_each_point(fields[f].whole(), [&](const auto& p) { fields[f][p] = -1; });
          for_each_point(wherry::box_of_extents<2>(cells), [&](const auto& p) { fields[f][p] = value(f, p); });
        }
        update.only(chosen, depth)();
        for (std::size_t f = 0; f < 3; ++f) {
          const bool is_chosen = std::ranges::find(chosen, static_cast<int>(f)) != chosen.end();
          const auto filled =
              wherry::grow<2>(fields[f].core(), wherry::filled<2>(std::min<index_t>(depth, f == 2 ? 2 : 1)),
                              wherry::filled<2>(std::min<index_t>(depth, f == 2 ? 2 : 1)));
          const auto own = wherry::box_of_extents<2>(cells);
          for_each_point(fields[f].whole(), [&](const auto& p) {
            const bool expected = own.contains(p) || (is_chosen && filled.contains(p));
            CHECK_EQUAL(fields[f][p], expected ? value(f, p) : -1);
          });
        }
      }
  CHECK_EQUAL(update.only({2, 1}, 1).statistics().exchanges, 2U);
  CHECK_EQUAL(update.statistics().exchanges, 0U);
  CHECK(&update.only({2, 1}, 1) == &update.only({1, 2}, 1));
  all_throw(test, "no such field", error_kind::argument, "'fields' names field 3, expected 0 to 2",
            [&] { update.only({0, 3}); });
  all_throw(test, "twice", error_kind::argument, "'fields' names field 1 twice", [&] { update.only({1, 1}); });
  all_throw(test, "none", error_kind::argument, "'fields' is empty", [&] { update.only({}); });
  all_throw(test, "depth", error_kind::argument, "'depth' is -1, expected 0 or more", [&] { update.only({1}, -1); });
  all_throw(test, "of some fields", error_kind::state, "is itself one of some fields",
            [&] { update.only({1}, 1).only({0}); });
  if (test.size > 1)
    all_throw(test, "different ones", error_kind::mismatch, "the fields, a bit each",
              [&] { update.only({test.rank == 0 ? 0 : 2, 1}, 3); });
  if (test.size > 1) {
    update.only({0}, 1);
    const setting checked("check", "1", "0");  // all have both bound
    all_throw(test, "different ones that are bound", error_kind::mismatch, "the fields, a bit each",
              [&] { test.rank == 0 ? update.only({0}, 1) : update.only({1}, 1); });
    update.only({1}, 1)();
  }
}

WHERRY_TEST(wrong_centring, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const auto nodes = centring<1>::nodes();
  wherry::field<double, 1> on_nodes(grid.comm(), {4}, 1, {.centring = nodes}), in_cells(grid.comm(), {5}, 1);
  all_throw(test, "a stencil without corners", error_kind::argument, "leaves out values that several ranks share", [&] {
    wherry::field<double, 2> corners(grid.comm(), {4, 4}, 0, {.centring = centring<2>::nodes()});
    const wherry::process_grid square(test.comm, {.periodic = {true, true}});
    wherry::halo_exchange(square, {.stencil = wherry::stencil_shape::faces()}, corners);
  });
  wherry::field<double, 2> flow(grid.comm(), {4, 4}, 1, {.centring = centring<2>::faces(0)});
  wherry::halo_exchange(wherry::process_grid(test.comm, {.periodic = {true, true}}),
                        {.stencil = wherry::stencil_shape::faces()}, flow)();  // which leaves out none of it
  const auto refused = [&](std::string_view other, wherry::halo_options how) {
    how.combine_copies = std::plus<>{};
    all_throw(test, std::string(other), error_kind::argument,
              "'combine_copies' cannot be used with '" + std::string(other) + "'",
              [&] { wherry::halo_exchange(grid, how, on_nodes); });
  };
  refused("snapshot", {.carry = {.snapshot = true}});
  refused("reverse", {.reverse = true});
  refused("update", {.update = std::plus<>{}});
  refused("parts", {.parts = {wherry::box<2>{{0, 0}, {1, 1}}}});
  all_throw(test, "more halo than there is", error_kind::argument, "has halos of 1 and 1, expected at least 2 and 2",
            [&] {
              try {
                on_nodes.view_with_halo().narrowed(2);
              } catch (const wherry::error& local) {
                throw wherry::error(local.kind(), local.where(), local.text(), test.rank);  // a view knows no rank
              }
            });
  wherry::halo_exchange exchange(grid, on_nodes);
  all_throw(test, "started with values in cells", error_kind::argument, "values in cells",
            [&] { exchange.start(in_cells); });
  if (test.size > 1)
    all_throw(test, "ranks disagree", error_kind::mismatch, "disagree on the centring",
              [&] { wherry::halo_exchange(grid, test.rank == 0 ? on_nodes : in_cells); });
  const wherry::domain<1> space{wherry::box<1>{{0}, {4 * test.size}}, {true}};
  const auto plan = wherry::decompose<1>(space.cells, test.size);
  all_throw(test, "in stages on a floor plan", error_kind::argument, "use 'order' 'direct', not 'by_dimension'", [&] {
    wherry::halo_exchange(grid.comm(), plan, space, {.order = wherry::halo_order::by_dimension}, {{halo_of(on_nodes)}});
  });
  if (test.size > 1)
    all_throw(test, "ranks disagree on a floor plan", error_kind::mismatch, "centring (1: on planes) of field 0", [&] {
      wherry::halo_exchange(grid.comm(), plan, space, {}, {{test.rank == 0 ? halo_of(on_nodes) : halo_of(in_cells)}});
    });
}
