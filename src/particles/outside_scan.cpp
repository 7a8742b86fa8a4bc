#include "outside_scan.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace wherry::particles {
namespace {

template <class Real> Real load(const std::byte* from) {
  Real x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

/// So many particles are looked at together; only if one of them is outside, each is looked at alone.
constexpr std::size_t together = 16;
constexpr std::size_t register_bytes = 16;
template <class Real> using mask_word = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;

/// True if all of these coordinates are in the interval. Compilers do not make vector instructions of a plain loop
/// here.
template <class Real> bool all_inside(const std::byte* first, Real lower, Real upper) {
  using numbers [[gnu::vector_size(register_bytes)]] = Real;
  using words [[gnu::vector_size(register_bytes)]] = mask_word<Real>;
  auto inside = ~words{};
  for (std::size_t at = 0; at < together * sizeof(Real); at += register_bytes) {
    numbers x;
    std::memcpy(&x, first + at, sizeof x);
    inside &= (x >= lower) & (x < upper);
  }
  std::int64_t halves[2];
  std::memcpy(halves, &inside, sizeof halves);
  return (halves[0] & halves[1]) == -1;
}

template <class Real, std::size_t Dimensions>
void scan(const coordinate_arrays& at, std::size_t begin, std::size_t end, const real_box& cells,
          std::vector<std::size_t>& found) {
  std::array<Real, Dimensions> lower, upper;
  bool side_by_side = true;
  for (std::size_t d = 0; d < Dimensions; ++d) {
    lower[d] = static_cast<Real>(cells.lower[d]);
    upper[d] = static_cast<Real>(cells.upper[d]);
    side_by_side = side_by_side && at.stride[d] == sizeof(Real);
  }
  const auto first = at.first;
  const auto stride = at.stride;
  const auto look_at_each = [&](std::size_t from, std::size_t until) {
    for (auto i = from; i < until; ++i) {
      bool inside = true;
      for (std::size_t d = 0; d < Dimensions; ++d) {
        const auto x = load<Real>(first[d] + i * stride[d]);
        inside = inside && x >= lower[d] && x < upper[d];
      }
      if (!inside) found.push_back(i);
    }
  };
  if (!side_by_side) return look_at_each(begin, end);
  for (; begin + together <= end; begin += together) {
    bool inside = true;
    for (std::size_t d = 0; d < Dimensions; ++d)
      inside = inside && all_inside<Real>(first[d] + begin * sizeof(Real), lower[d], upper[d]);
    if (!inside) look_at_each(begin, begin + together);
  }
  look_at_each(begin, end);
}

template <class Real>
void scan_any(const coordinate_arrays& at, std::size_t begin, std::size_t end, const real_box& cells,
              std::vector<std::size_t>& found) {
  switch (at.dimensions) {
    case 1:
      return scan<Real, 1>(at, begin, end, cells, found);
    case 2:
      return scan<Real, 2>(at, begin, end, cells, found);
    default:
      return scan<Real, 3>(at, begin, end, cells, found);
  }
}

}  // namespace

position coordinate_arrays::read(std::size_t i) const {
  position x{};
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto* const from = first[d] + i * stride[d];
    x[d] = is_float ? static_cast<double>(load<float>(from)) : load<double>(from);
  }
  return x;
}

void coordinate_arrays::write(std::size_t i, const position& x) const {
  for (std::size_t d = 0; d < dimensions; ++d) {
    auto* const to = first[d] + i * stride[d];
    if (is_float) {
      const auto kept = static_cast<float>(x[d]);
      std::memcpy(to, &kept, sizeof kept);
    } else {
      std::memcpy(to, &x[d], sizeof x[d]);
    }
  }
}

void coordinate_arrays::add(std::size_t begin, std::size_t count, const position& by) const {
  const auto add_to = [&](auto zero, std::size_t d) {
    auto* at = first[d] + begin * stride[d];
    for (std::size_t i = 0; i < count; ++i, at += stride[d]) {
      const auto x = static_cast<decltype(zero)>(static_cast<double>(load<decltype(zero)>(at)) + by[d]);
      std::memcpy(at, &x, sizeof x);
    }
  };
  for (std::size_t d = 0; d < dimensions; ++d)
    if (by[d] != 0) is_float ? add_to(0.0F, d) : add_to(0.0, d);
}

coordinate_arrays coordinates_in(std::span<const wherry::detail::particle_column> columns,
                                 const wherry::detail::particle_call& call) {
  coordinate_arrays at;
  at.dimensions = call.dimensions;
  at.is_float = call.is_float;
  for (std::size_t d = 0; d < call.dimensions; ++d) {
    const auto& column = columns[call.coordinates[d].column];
    if (auto* const data = column.data()) at.first[d] = data + call.coordinates[d].offset;  // null: there is none
    at.stride[d] = column.bytes;
  }
  return at;
}

void append_outside(const coordinate_arrays& at, std::size_t begin, std::size_t end, const real_box& cells,
                    std::vector<std::size_t>& found) {
  at.is_float ? scan_any<float>(at, begin, end, cells, found) : scan_any<double>(at, begin, end, cells, found);
}

}  // namespace wherry::particles
