#include "wherry/halo/plan_halo.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/schedule_builder.hpp"

namespace wherry {
namespace {

using direction = std::array<int, max_halo_dimensions>;

constexpr checked place_of_cell{"halo_exchange", "place of a cell in bytes"};

/// A part of a field: cells `first` to `last` (inclusive) of each dimension.
struct section {
  std::array<index_t, max_halo_dimensions> first{}, last{};
};

/// What both sides sort by: the subdomain that receives, the direction it sees, the field.
wire_key key_of(int subdomain, int seen_in, std::size_t field) {
  return {static_cast<std::uint64_t>(subdomain),
          static_cast<std::uint64_t>(seen_in) << 32 | static_cast<std::uint64_t>(field)};
}

class builder {
 public:
  builder(const halo_description& d, int rank)
      : d_(d), rank_(rank), plan_(d.reverse ? "reverse halo exchange" : "halo exchange", rank, {d.operation}) {}

  schedule build() {
    for (const auto& subdomain : d_.fields)
      for (const auto& f : subdomain) plan_.add_field(shape_of(f));
    bool first = true;
    for (const auto& axes : groups()) {
      if (!std::exchange(first, false)) plan_.next_stage();
      for (std::size_t s = 0; s < d_.subdomains.size(); ++s)
        for (std::size_t f = 0; f < d_.fields[s].size(); ++f) add_field(s, f, axes);
      done_.insert(done_.end(), axes.begin(), axes.end());
    }
    auto plan = plan_.finish();
    if (d_.reverse) turn_around(plan, d_.operation);
    return plan;
  }

 private:
  const decomposition& cut(std::size_t field) const { return d_.cuts[d_.cuts.size() == 1 ? 0 : field]; }

  /// The axes that are filled together, in order.
  std::vector<std::vector<int>> groups() const {
    const int dimensions = d_.cuts[0].dimensions();
    std::vector<int> all, split;
    std::vector<std::vector<int>> result;
    for (int a = 0; a < dimensions; ++a) {
      all.push_back(a);
      const bool wraps =
          std::all_of(d_.cuts.begin(), d_.cuts.end(), [a](const decomposition& c) { return c.wraps_to_itself(a); });
      if (!wraps) split.push_back(a);
    }
    auto order = d_.order == halo_order::automatic ? halo_order::wrapped_last : d_.order;
    if (!d_.stencil.is_all() || d_.reverse || d_.operation != store) order = halo_order::direct;
    if (order == halo_order::direct) return {all};
    if (order == halo_order::by_dimension) {
      for (const int a : all) result.push_back({a});
      return result;
    }
    if (!split.empty()) result.push_back(split);
    for (const int a : all)
      if (std::find(split.begin(), split.end(), a) == split.end()) result.push_back({a});
    return result;
  }

  void add_field(std::size_t s, std::size_t f, const std::vector<int>& axes) {
    const auto& cells = cut(f);
    const int mine = d_.subdomains[s];
    const auto here = cells.coordinates(mine);
    check_core(s, f, here);
    if (cells.empty(here)) return;
    direction d{};
    for_each_direction(axes, 0, d, [&] {
      auto there = here;
      for (const int a : axes) {
        const auto at = static_cast<std::size_t>(a);
        if (d[at] != 0 && (there[at] = cells.neighbor(a, here[at], d[at])) < 0) return;
      }
      const int other = cells.number(there), owner = cells.owner(other);
      direction back{};
      for (std::size_t a = 0; a < d.size(); ++a) back[a] = -d[a];
      if (d_.stencil.contains(d)) {
        check_width(s, f, d, there);
        const section halo = halo_section(s, f, d, here);
        if (owner == rank_)
          copy(s, f, halo, other, d);
        else
          plan_.receive(owner, block_of(s, f, halo), key_of(mine, code(d), f));
      }
      if (d_.stencil.contains(back) && owner != rank_)
        plan_.send(owner, block_of(s, f, edge_section(s, f, back, here)), key_of(other, code(back), f));
    });
  }

  template <class Visit>
  void for_each_direction(const std::vector<int>& axes, std::size_t from, direction& d, const Visit& visit) const {
    if (from == axes.size()) {
      if (d != direction{}) visit();
      return;
    }
    auto& component = d[static_cast<std::size_t>(axes[from])];
    for (component = -1; component <= 1; ++component) for_each_direction(axes, from + 1, d, visit);
    component = 0;
  }

  static int code(const direction& d) {
    int result = 0;
    for (std::size_t a = d.size(); a-- > 0;) result = result * 3 + d[a] + 1;
    return result;
  }

  /// The cells of dimension `a` that move when the direction has no component there: the core, and the halo where an
  /// earlier stage has filled it.
  void along(const halo_descriptor& h, std::size_t f, int a, const subdomain_coordinates& here, section& part) const {
    const auto at = static_cast<std::size_t>(a);
    part.first[at] = h.begin;
    part.last[at] = h.end;
    if (std::find(done_.begin(), done_.end(), a) == done_.end()) return;
    if (cut(f).neighbor(a, here[at], -1) >= 0) part.first[at] -= h.minus;
    if (cut(f).neighbor(a, here[at], +1) >= 0) part.last[at] += h.plus;
  }

  /// The halo that the neighbour in direction `d` fills.
  section halo_section(std::size_t s, std::size_t f, const direction& d, const subdomain_coordinates& here) const {
    section part;
    for (int a = 0; a < cut(f).dimensions(); ++a) {
      const auto at = static_cast<std::size_t>(a);
      const auto& h = d_.fields[s][f].halo[at];
      if (d[at] == 0) along(h, f, a, here, part);
      if (d[at] < 0) part.first[at] = h.begin - h.minus, part.last[at] = h.begin - 1;
      if (d[at] > 0) part.first[at] = h.end + 1, part.last[at] = h.end + h.plus;
    }
    return part;
  }

  /// The core cells with which a neighbour fills its halo in direction `d`, as it sees it.
  section edge_section(std::size_t s, std::size_t f, const direction& d, const subdomain_coordinates& here) const {
    section part;
    for (int a = 0; a < cut(f).dimensions(); ++a) {
      const auto at = static_cast<std::size_t>(a);
      const auto& h = d_.fields[s][f].halo[at];
      if (d[at] == 0) along(h, f, a, here, part);
      if (d[at] < 0) part.first[at] = h.end - h.minus + 1, part.last[at] = h.end;
      if (d[at] > 0) part.first[at] = h.begin, part.last[at] = h.begin + h.plus - 1;
    }
    return part;
  }

  block block_of(std::size_t s, std::size_t f, const section& part) const {
    const auto& field = d_.fields[s][f];
    std::array<std::int64_t, max_halo_dimensions> extents{}, strides{};
    std::int64_t offset = 0;
    const auto dimensions = static_cast<std::size_t>(field.dimensions);
    for (std::size_t place = 0; place < dimensions; ++place) {
      const std::size_t a = d_.wire_order.empty() ? place : static_cast<std::size_t>(d_.wire_order[f][place]);
      extents[place] = std::max<index_t>(0, part.last[a] - part.first[a] + 1);
      strides[place] = field.stride[a];
      offset = place_of_cell.sum(offset, place_of_cell.product(part.first[a], field.stride[a]));
    }
    const auto number = static_cast<std::int32_t>(s * d_.fields[s].size() + f);
    return strided_block(number, field.element, offset, std::span(extents).first(dimensions),
                         std::span(strides).first(dimensions));
  }

  void copy(std::size_t s, std::size_t f, const section& halo, int source, const direction& d) {
    const auto place = std::lower_bound(d_.subdomains.begin(), d_.subdomains.end(), source);
    if (place == d_.subdomains.end() || *place != source)
      fail(f, text("subdomain ", source, " belongs to this rank but was not given to it"));
    const auto from = static_cast<std::size_t>(place - d_.subdomains.begin());
    plan_.copy(block_of(from, f, edge_section(from, f, d, cut(f).coordinates(source))), block_of(s, f, halo));
  }

  static field_shape shape_of(const halo_field& field) {
    field_shape shape{field.name, field.element, 0, field.element, field.space, field.type};
    for (int a = 0; a < field.dimensions; ++a) {
      const auto at = static_cast<std::size_t>(a);
      const index_t reach = place_of_cell.product(std::max<index_t>(0, field.halo[at].length - 1), field.stride[at]);
      auto& end = reach < 0 ? shape.lowest : shape.highest;
      end = place_of_cell.sum(end, reach);
    }
    return shape;
  }

  void check_core(std::size_t s, std::size_t f, const subdomain_coordinates& here) const {
    for (int a = 0; a < cut(f).dimensions(); ++a) {
      const auto at = static_cast<std::size_t>(a);
      const index_t core = std::max<index_t>(0, d_.fields[s][f].halo[at].core()), wanted = cut(f).size(a, here[at]);
      if (core != wanted)
        fail(f, text("dimension ", a, " has a core of ", core, " cells, the decomposition gives it ", wanted));
    }
  }

  void check_width(std::size_t s, std::size_t f, const direction& d, const subdomain_coordinates& there) const {
    for (int a = 0; a < cut(f).dimensions(); ++a) {
      const auto at = static_cast<std::size_t>(a);
      if (d[at] == 0) continue;
      const auto& h = d_.fields[s][f].halo[at];
      const index_t width = d[at] < 0 ? h.minus : h.plus, core = cut(f).size(a, there[at]);
      if (width > core)
        fail(f, text("dimension ", a, ": the ", d[at] < 0 ? "minus" : "plus", " halo of ", width,
                     " cells is wider than the neighbour's core of ", core));
    }
  }

  [[noreturn]] void fail(std::size_t f, std::string_view what) const {
    throw error(error_kind::argument, "halo_exchange", text("field ", f, ", ", what), rank_);
  }

  const halo_description& d_;
  int rank_;
  schedule_builder plan_;
  std::vector<int> done_;  // axes whose halo earlier stages have filled
};

}  // namespace

stencil_shape stencil_shape::faces() { return {form::faces, {}}; }

stencil_shape stencil_shape::only(std::vector<std::array<int, max_halo_dimensions>> directions) {
  return {form::listed, std::move(directions)};
}

bool stencil_shape::contains(const std::array<int, max_halo_dimensions>& d) const {
  if (kind == form::all) return true;
  if (kind == form::faces) return std::count(d.begin(), d.end(), 0) == max_halo_dimensions - 1;
  return std::find(listed.begin(), listed.end(), d) != listed.end();
}

void check_halo_field(const halo_field& field, int rank) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "halo_exchange", text("field '", field.name, "': ", what), rank);
  };
  if (field.element < 1) fail(text("the element size is ", field.element));
  if (field.dimensions < 1 || field.dimensions > max_halo_dimensions)
    fail(text("it has ", field.dimensions, " dimensions; 1 to ", max_halo_dimensions, " are possible"));
  for (int a = 0; a < field.dimensions; ++a) {
    const auto& h = field.halo[static_cast<std::size_t>(a)];
    if (h.minus < 0) fail(text("dimension ", a, ": minus is ", h.minus, ", a halo width cannot be negative"));
    if (h.plus < 0) fail(text("dimension ", a, ": plus is ", h.plus, ", a halo width cannot be negative"));
    // No sum or difference below is out of range then.
    constexpr index_t most = std::numeric_limits<index_t>::max() / 4;
    for (const index_t figure : {h.minus, h.plus, h.begin, h.end, h.length})
      if (figure > most || figure < -most) fail(text("dimension ", a, ": ", figure, " is too large"));
    if (h.core() < 0) fail(text("dimension ", a, ": end ", h.end, " lies before begin ", h.begin));
    if (h.begin - h.minus < 0) fail(text("dimension ", a, ": begin ", h.begin, " leaves no room for minus ", h.minus));
    if (h.end + h.plus >= h.length)
      fail(text("dimension ", a, ": end ", h.end, " and plus ", h.plus, " reach past the length ", h.length));
  }
}

schedule plan_halo(const halo_description& description, int rank) { return builder(description, rank).build(); }

}  // namespace wherry
