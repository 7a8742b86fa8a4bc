#include "halo/mpi/case.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "wherry/device/device.hpp"

namespace wherry_test {

namespace {

template <class List> void print(std::ostream& out, const char* name, const List& list, int count) {
  out << ' ' << name << '=';
  for (int i = 0; i < count; ++i) out << (i ? "," : "") << list[static_cast<std::size_t>(i)];
}

// A grid whose product is at most `ranks`: sometimes all of them, sometimes not.
std::vector<int> random_extents(random_numbers& random, int ranks, int dimensions) {
  std::vector<int> extents(static_cast<std::size_t>(dimensions), 1);
  int left = random.chance(75) ? ranks : random.between(1, ranks);
  for (auto& extent : extents) {
    std::vector<int> divisors;
    for (int d = 1; d <= left; ++d)
      if (left % d == 0) divisors.push_back(d);
    extent = random.one_of(divisors);
    left /= extent;
  }
  if (random.chance(60)) extents[static_cast<std::size_t>(random.between(0, dimensions - 1))] *= left;
  random.shuffle(extents);
  return extents;
}

// Which grid dimension each axis is cut along. Grid dimensions of several ranks must occur.
std::vector<int> random_axes(random_numbers& random, const std::vector<int>& extents, int dimensions) {
  std::vector<int> used;
  for (std::size_t g = 0; g < extents.size(); ++g)
    if (extents[g] > 1) used.push_back(static_cast<int>(g));
  for (std::size_t g = 0; g < extents.size(); ++g)
    if (extents[g] == 1 && static_cast<int>(used.size()) < dimensions && random.chance(70))
      used.push_back(static_cast<int>(g));
  used.resize(static_cast<std::size_t>(dimensions), -1);
  random.shuffle(used);
  return used;
}

std::vector<int> default_axes(std::size_t grid_dimensions, int dimensions) {
  std::vector<int> axes;
  for (int d = 0; d < dimensions; ++d) axes.push_back(static_cast<std::size_t>(d) < grid_dimensions ? d : -1);
  return axes;
}

int several(const std::vector<int>& extents) {
  return static_cast<int>(std::count_if(extents.begin(), extents.end(), [](int e) { return e > 1; }));
}

// Row by row, the last grid dimension fastest, as MPI numbers the ranks of a Cartesian communicator.
int rank_of(const halo_case& c, int subdomain) {
  const auto at = c.coordinates(subdomain);
  int rank = 0;
  for (std::size_t g = 0; g < c.grid.extents.size(); ++g) {
    int here = 0;
    for (std::size_t a = 0; a < c.axes.size(); ++a)
      if (c.axes[a] == static_cast<int>(g)) here = at[a];
    rank = rank * c.grid.extents[g] + here;
  }
  return rank;
}

void make_grid(halo_case& c, random_numbers& random, int ranks) {
  c.grid.extents = random_extents(random, ranks, random.between(1, most_dimensions));
  while (several(c.grid.extents) > c.dimensions)
    c.grid.extents = random_extents(random, ranks, random.between(1, most_dimensions));
  for (std::size_t g = 0; g < c.grid.extents.size(); ++g) c.grid.periodic.push_back(random.chance(60));
  const auto simple = default_axes(c.grid.extents.size(), c.dimensions);
  const bool fits = std::all_of(c.grid.extents.begin() + std::min<long>(c.dimensions, std::ssize(c.grid.extents)),
                                c.grid.extents.end(), [](int e) { return e == 1; });
  c.axes = fits && random.chance(40) ? simple : random_axes(random, c.grid.extents, c.dimensions);
  if (c.axes != simple || random.chance(50)) c.options.axes = c.axes;
  int count = 1;
  for (const int g : c.axes) {
    c.pieces.push_back(g < 0 ? 1 : c.grid.extents[static_cast<std::size_t>(g)]);
    c.periodic.push_back(g >= 0 && c.grid.periodic[static_cast<std::size_t>(g)]);
    count *= c.pieces.back();
  }
  for (int s = 0; s < count; ++s) c.owners.push_back(rank_of(c, s));
}

void make_decomposition(halo_case& c, random_numbers& random, int ranks) {
  int count = 1;
  for (int a = 0; a < c.dimensions; ++a) {
    c.pieces.push_back(random.between(1, std::max(1, std::min(5, 12 / count))));
    c.periodic.push_back(random.chance(60));
    count *= c.pieces.back();
  }
  for (int s = 0; s < count; ++s) c.owners.push_back(random.between(0, ranks - 1));
}

std::vector<std::vector<long>> random_sizes(const halo_case& c, random_numbers& random) {
  std::vector<std::vector<long>> sizes;
  const int most = c.dimensions <= 2 ? 9 : c.dimensions == 3 ? 5 : 4;
  for (const int pieces : c.pieces) {
    auto& axis = sizes.emplace_back();
    const int cells = random.between(1, most * pieces), largest = random.between(1, most);
    const int kind = random.between(1, 10);
    for (int p = 0; p < pieces; ++p) {
      const long even = cells / pieces + (p < cells % pieces ? 1 : 0);
      axis.push_back(kind <= 4 ? even : kind <= 6 ? largest : random.between(random.chance(8) ? 0 : 1, largest));
    }
  }
  return sizes;
}

// The widest halo that the next subdomains can fill alone; without neighbours any width will do.
int widest_beside(const std::vector<long>& sizes, bool periodic) {
  long narrowest = 4;
  int filled = 0;
  for (const long size : sizes)
    if (size > 0) ++filled, narrowest = std::min(narrowest, size);
  return filled > 1 || (periodic && filled == 1) ? static_cast<int>(narrowest) : 4;
}

field_case random_field(const halo_case& c, random_numbers& random, const case_limits& limits) {
  field_case f;
  f.sizes = random_sizes(c, random);
  f.element = random.chance(60) ? random.one_of({1, 2, 4, 8, 12, 16, 24, 32, 64}) : random.between(1, 64);
  f.element = std::min(f.element, limits.element);
  f.gap = random.chance(20) ? random.between(1, 5) : 0;
  f.shared = random.chance(50);
  f.layout_by_rank = random.chance(10);
  f.bare_where_empty = random.chance(50);
  f.on_device = wherry::device_in_use() != nullptr && random.chance(85);
  std::iota(f.place.begin(), f.place.begin() + c.dimensions, 0);
  for (int i = c.dimensions; i > 1; --i)
    std::swap(f.place[static_cast<std::size_t>(i - 1)], f.place[static_cast<std::size_t>(random.between(0, i - 1))]);
  long cells = 1;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.dimensions); ++a) {
    const int most = random.chance(limits.wide) ? 6 : widest_beside(f.sizes[a], c.periodic[a]);
    f.minus[a] = random.between(0, most);
    f.plus[a] = random.chance(50) ? f.minus[a] : random.between(0, most);
    f.before[a] = random.chance(20) ? random.between(1, 3) : 0;
    f.behind[a] = random.chance(20) ? random.between(1, 3) : 0;
    f.backwards[a] = random.chance(6);
    const long size = *std::max_element(f.sizes[a].begin(), f.sizes[a].end());
    cells *= size + f.minus[a] + f.plus[a] + f.before[a] + f.behind[a];
  }
  if (cells > 2 * limits.cells) return random_field(c, random, limits);
  if (cells * f.element > 16 * limits.cells) f.element = random.between(1, 8);
  return f;
}

std::vector<std::array<int, most_dimensions>> all_directions(int dimensions) {
  std::vector<std::array<int, most_dimensions>> list;
  int count = 1;
  for (int a = 0; a < dimensions; ++a) count *= 3;
  for (int i = 0; i < count; ++i) {
    std::array<int, most_dimensions> d{};
    for (int a = 0, rest = i; a < dimensions; ++a, rest /= 3) d[static_cast<std::size_t>(a)] = rest % 3 - 1;
    if (d != std::array<int, most_dimensions>{}) list.push_back(d);
  }
  return list;
}

void choose_stencil(halo_case& c, random_numbers& random, bool any) {
  c.stencil = all_directions(c.dimensions);
  const int kind = any ? random.between(1, 10) : 10;
  if (kind <= 2) {
    std::erase_if(c.stencil, [](const auto& d) { return std::count(d.begin(), d.end(), 0) != most_dimensions - 1; });
    c.options.stencil = wherry::stencil_shape::faces();
  } else if (kind <= 4) {
    std::erase_if(c.stencil, [&](const auto&) { return random.chance(50); });
    std::vector<wherry::cell_direction> listed;
    for (const auto& d : c.stencil) listed.push_back({d[0], d[1], d[2], d[3]});
    c.options.stencil = wherry::stencil_shape::only(listed);
  }
}

}  // namespace

std::array<int, most_dimensions> halo_case::coordinates(int subdomain) const {
  std::array<int, most_dimensions> at{};
  for (std::size_t a = 0; a < pieces.size(); ++a, subdomain /= pieces[a - 1]) at[a] = subdomain % pieces[a];
  return at;
}

std::vector<int> halo_case::owned_by(int rank) const {
  std::vector<int> mine;
  for (int s = 0; s < subdomains(); ++s)
    if (owners[static_cast<std::size_t>(s)] == rank) mine.push_back(s);
  return mine;
}

std::string halo_case::text() const {
  std::ostringstream out;
  out << dimensions << "-D " << (on_grid ? "grid" : "floor plan");
  if (on_grid) {
    print(out, "extents", grid.extents, static_cast<int>(grid.extents.size()));
    print(out, "axes", axes, dimensions);
  } else {
    print(out, "owners", owners, subdomains());
  }
  print(out, "pieces", pieces, dimensions);
  print(out, "periodic", periodic, dimensions);
  out << " order=" << static_cast<int>(options.order) << " stencil=" << static_cast<int>(options.stencil.kind) << " of "
      << stencil.size();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto& field = fields[f];
    out << "\n      field " << f << ": " << field.element << " B"
        << (field.on_device ? ", on device"
            : field.shared  ? ", shared"
                            : "");
    for (std::size_t a = 0; a < field.sizes.size(); ++a)
      print(out, "sizes", field.sizes[a], static_cast<int>(field.sizes[a].size()));
    print(out, "minus", field.minus, dimensions);
    print(out, "plus", field.plus, dimensions);
    print(out, "before", field.before, dimensions);
    print(out, "behind", field.behind, dimensions);
    print(out, "place", field.place, dimensions);
    print(out, "backwards", field.backwards, dimensions);
    out << " gap=" << field.gap << (field.layout_by_rank ? ", layout by rank" : "")
        << (field.bare_where_empty ? ", bare where empty" : "");
  }
  return std::move(out).str();
}

halo_case random_halo_case(random_numbers& random, int ranks, const case_limits& limits) {
  halo_case c;
  c.dimensions = random.between(1, limits.dimensions);
  c.on_grid = limits.grids_only || random.chance(65);
  c.options.order = static_cast<wherry::halo_order>(random.between(0, 3));
  c.on_grid ? make_grid(c, random, ranks) : make_decomposition(c, random, ranks);
  choose_stencil(c, random, limits.any_stencil);
  const int fields = random.between(1, limits.fields);
  for (int f = 0; f < fields; ++f) {
    c.fields.push_back(random_field(c, random, limits));
    if (f == 0 || c.on_grid) continue;
    // A floor plan is one cut for all its fields: take the first one's, and widths that fit it.
    c.fields.back().sizes = c.fields.front().sizes;
    c.fields.back().minus = c.fields.front().minus;
    c.fields.back().plus = c.fields.front().plus;
    if (random.chance(50)) c.fields.back().minus[0] = 0;
  }
  return c;
}

}  // namespace wherry_test
