#include "space_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry::particles {
namespace {

constexpr double most_periods = 1e9;

double as_kept(double x, bool is_float) { return is_float ? static_cast<double>(static_cast<float>(x)) : x; }
double next(double x, bool is_float, double towards) {
  if (!is_float) return std::nextafter(x, towards);
  return static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(towards)));
}
constexpr double infinity = std::numeric_limits<double>::infinity();
double after(double x, bool is_float) { return next(x, is_float, infinity); }
double before(double x, bool is_float) { return next(x, is_float, -infinity); }
/// The least number of the type that is not below x.
double at_least(double x, bool is_float) {
  const double kept = as_kept(x, is_float);
  return kept < x ? after(kept, is_float) : kept;
}

/// Numbers of a type as integers in the same order.
template <class Real, class Integer> std::int64_t to_integer(double x) {
  const auto bits = std::bit_cast<Integer>(static_cast<Real>(x));
  return bits >= 0 ? std::int64_t{bits} : std::numeric_limits<Integer>::min() - std::int64_t{bits};
}
template <class Real, class Integer> double from_integer(std::int64_t place) {
  const auto bits = place >= 0 ? place : std::numeric_limits<Integer>::min() - place;
  return static_cast<double>(std::bit_cast<Real>(static_cast<Integer>(bits)));
}
std::int64_t place_in_order(double x, bool is_float) {
  return is_float ? to_integer<float, std::int32_t>(x) : to_integer<double, std::int64_t>(x);
}
double number_at(std::int64_t place, bool is_float) {
  return is_float ? from_integer<float, std::int32_t>(place) : from_integer<double, std::int64_t>(place);
}

/// Positions computed from fractions may be off by this part of an edge.
double slack(bool is_float) { return is_float ? 1e-5 : 1e-12; }

}  // namespace

template <int N> space_description describe(const particle_space<N>& space, const domain<N>& cells) {
  space_description all;
  all.dimensions = N;
  all.cells = to_cell_box<N>(cells.cells);
  for (std::size_t d = 0; d < N; ++d) {
    all.lower[d] = space.lower[d];
    all.upper[d] = space.upper[d];
    all.periodic[d] = cells.periodic[d];
    for (std::size_t e = 0; e < N; ++e) all.edges[d][e] = space.edges[d][e];
  }
  if (space.fractions)
    all.fractions = [users = space.fractions](const position& x) {
      typename particle_space<N>::position given{};
      for (std::size_t d = 0; d < N; ++d) given[d] = x[d];
      const auto found = users(given);
      position result{};
      for (std::size_t d = 0; d < N; ++d) result[d] = found[d];
      return result;
    };
  return all;
}
template space_description describe(const particle_space<1>&, const domain<1>&);
template space_description describe(const particle_space<2>&, const domain<2>&);
template space_description describe(const particle_space<3>&, const domain<3>&);

bool space_map::has_edges() const {
  return std::ranges::any_of(space_.edges, [](const position& e) { return e != position{}; });
}

space_map::space_map(space_description space, int rank) : space_(std::move(space)) {
  upright_ = !space_.fractions && !has_edges();
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const auto cells = space_.cells.upper[d] - space_.cells.lower[d];
    if (cells < 1)
      throw error(error_kind::argument, in_exchange,
                  wherry::detail::text("the space has ", cells, " cells along dimension ", d, ", expected 1 or more"),
                  rank);
    const double length = space_.upper[d] - space_.lower[d];
    if (!has_edges() && !(std::isfinite(length) && length > 0))
      throw error(error_kind::argument, in_exchange,
                  wherry::detail::text("the space reaches from ", space_.lower[d], " to ", space_.upper[d],
                                       " along dimension ", d, ", expected a positive finite length"),
                  rank);
    scale_[d] = static_cast<double>(cells) / length;
  }
  if (has_edges()) invert_edges(rank);
}

// Cramer's rule; dimensions beyond those of the space are unit vectors.
void space_map::invert_edges(int rank) {
  std::array<position, 3> e{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (d < dimensions())
      e[d] = space_.edges[d];
    else
      e[d][d] = 1;
  }
  const auto cross = [](const position& a, const position& b) {
    return position{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto dot = [](const position& a, const position& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const double volume = dot(e[0], cross(e[1], e[2]));
  if (!std::isfinite(volume) || volume == 0)
    throw error(error_kind::argument, in_exchange,
                wherry::detail::text("the edges of the space have the volume ", volume), rank);
  for (std::size_t d = 0; d < 3; ++d) {
    inverse_[d] = cross(e[(d + 1) % 3], e[(d + 2) % 3]);
    for (auto& x : inverse_[d]) x /= volume;
  }
}

position space_map::fractions(const position& x) const {
  if (space_.fractions) return space_.fractions(x);
  position result{};
  for (std::size_t d = 0; d < dimensions(); ++d)
    for (std::size_t e = 0; e < dimensions(); ++e) result[d] += inverse_[d][e] * (x[e] - space_.lower[e]);
  return result;
}

position space_map::period(std::size_t d) const {
  if (has_edges()) return space_.edges[d];
  position result{};
  result[d] = space_.upper[d] - space_.lower[d];
  return result;
}

space_map::place space_map::wrap(position& x, bool is_float) const {
  return upright_ ? wrap_upright(x, is_float) : wrap_by_fractions(x, is_float);
}

space_map::place space_map::wrap_upright(position& x, bool is_float) const {
  auto result = place::inside;
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const double lower = space_.lower[d], upper = space_.upper[d];
    if (x[d] >= lower && x[d] < upper) continue;
    if (!std::isfinite(x[d])) return place::lost;
    if (!space_.periodic[d]) {
      result = place::outside;
      continue;
    }
    const double length = upper - lower, periods = std::floor((x[d] - lower) / length);
    if (!(std::abs(periods) <= most_periods)) return place::lost;
    double y = as_kept(x[d] - periods * length, is_float);
    if (y < lower) y = at_least(lower, is_float);
    if (y >= upper) y = before(at_least(upper, is_float), is_float);  // rounded up to the other edge
    x[d] = y;
    if (result == place::inside) result = place::moved;
  }
  return result;
}

space_map::place space_map::wrap_by_fractions(position& x, bool is_float) const {
  const double off = slack(is_float);
  bool has_moved = false;
  for (int round = 0; round < 4; ++round) {
    for (std::size_t d = 0; d < dimensions(); ++d)
      if (!std::isfinite(x[d])) return place::lost;
    const auto f = fractions(x);
    bool moves = false;
    position by{};
    for (std::size_t d = 0; d < dimensions(); ++d) {
      if (!std::isfinite(f[d])) return place::lost;
      if (!space_.periodic[d] && !(f[d] >= 0 && f[d] < 1)) return place::outside;
      if (!space_.periodic[d] || (f[d] >= -off && f[d] < 1 + off)) continue;
      const double periods = std::floor(f[d]);
      if (std::abs(periods) > most_periods) return place::lost;
      const auto one = period(d);
      for (std::size_t e = 0; e < dimensions(); ++e) by[e] += periods * one[e];
      moves = true;
    }
    if (!moves) return has_moved ? place::moved : place::inside;
    for (std::size_t e = 0; e < dimensions(); ++e) x[e] = as_kept(x[e] - by[e], is_float);
    has_moved = true;
  }
  return place::lost;
}

index_t space_map::index_of(std::size_t d, double x) const {
  const auto last = space_.cells.upper[d] - space_.cells.lower[d] - 1;
  const double at = (x - space_.lower[d]) * scale_[d];  // a conversion rounds it down
  return at <= 0 ? 0 : at >= static_cast<double>(last) ? last : static_cast<index_t>(at);
}

cell space_map::cell_of(const position& x) const {
  cell result{};
  if (upright_) {
    for (std::size_t d = 0; d < dimensions(); ++d) result[d] = space_.cells.lower[d] + index_of(d, x[d]);
    return result;
  }
  const auto f = fractions(x);
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const auto cells = space_.cells.upper[d] - space_.cells.lower[d];
    const double at = std::floor(f[d] * static_cast<double>(cells));
    result[d] = space_.cells.lower[d] + (at <= 0                            ? 0
                                         : at >= static_cast<double>(cells) ? cells - 1
                                                                            : static_cast<index_t>(at));
  }
  return result;
}

cell space_map::wrapped(cell at) const {
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const auto lower = space_.cells.lower[d], length = space_.cells.upper[d] - lower;
    if (space_.periodic[d]) at[d] = lower + ((at[d] - lower) % length + length) % length;
  }
  return at;
}

double space_map::cut(std::size_t d, index_t at, bool is_float) const {
  at -= space_.cells.lower[d];
  if (at <= 0) return at_least(space_.lower[d], is_float);
  if (at >= space_.cells.upper[d] - space_.cells.lower[d]) return at_least(space_.upper[d], is_float);
  // The numbers between the edges, in their order. Near 0 there are many of them in a tiny interval.
  auto below = place_in_order(at_least(space_.lower[d], is_float), is_float);
  auto found = place_in_order(at_least(space_.upper[d], is_float), is_float);
  while (below + 1 < found) {
    const auto middle = std::midpoint(below, found);
    (index_of(d, number_at(middle, is_float)) < at ? below : found) = middle;
  }
  return number_at(found, is_float);
}

double space_map::fractions_across(std::size_t d, double distance) const {
  if (!has_edges()) return distance / (space_.upper[d] - space_.lower[d]);
  double square = 0;
  for (std::size_t e = 0; e < dimensions(); ++e) square += inverse_[d][e] * inverse_[d][e];
  return distance * std::sqrt(square);
}

index_t space_map::cells_across(std::size_t d, double distance) const {
  const auto cells = static_cast<double>(space_.cells.upper[d] - space_.cells.lower[d]);
  const auto across = std::ceil(fractions_across(d, distance) * cells);
  return static_cast<index_t>(space_.periodic[d] ? across : std::min(across, cells)) + 1;
}

namespace {

template <class Numbers> std::string joined(const Numbers& all, std::size_t dimensions) {
  std::string result = "(";
  for (std::size_t d = 0; d < dimensions; ++d) result += wherry::detail::text(d == 0 ? "" : ", ", all[d]);
  return result + ")";
}

}  // namespace

std::string to_text(const position& x, std::size_t dimensions) { return joined(x, dimensions); }
std::string to_text(const cell& at, std::size_t dimensions) { return joined(at, dimensions); }

}  // namespace wherry::particles
