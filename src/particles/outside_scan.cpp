#include "outside_scan.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace wherry::particles {
namespace {

constexpr std::size_t block = 1024;

template <class Real> Real load(const std::byte* from) {
  Real x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

/// Loops without branches, which compilers turn into vector instructions.
template <class Real>
void mark(const std::byte* first, std::size_t stride, std::size_t count, Real lower, Real upper,
          std::uint8_t* outside) {
  if (stride == sizeof(Real)) {
    const auto* const x = reinterpret_cast<const Real*>(first);
    for (std::size_t i = 0; i < count; ++i)
      outside[i] =
          static_cast<std::uint8_t>(outside[i] | static_cast<std::uint8_t>(!((x[i] >= lower) & (x[i] < upper))));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = load<Real>(first + i * stride);
    outside[i] = static_cast<std::uint8_t>(outside[i] | static_cast<std::uint8_t>(!((x >= lower) & (x < upper))));
  }
}

template <class Real>
void scan(const coordinate_arrays& at, std::size_t count, const real_box& cells, std::vector<std::size_t>& found) {
  std::array<std::uint8_t, block> outside;
  for (std::size_t begin = 0; begin < count; begin += block) {
    const auto here = std::min(block, count - begin);
    outside.fill(0);
    for (std::size_t d = 0; d < at.dimensions; ++d)
      mark<Real>(at.first[d] + begin * at.stride[d], at.stride[d], here, static_cast<Real>(cells.lower[d]),
                 static_cast<Real>(cells.upper[d]), outside.data());
    for (std::size_t i = 0; i < here; i += 8) {
      if (load<std::uint64_t>(reinterpret_cast<const std::byte*>(outside.data() + i)) == 0) continue;
      for (auto k = i; k < std::min(i + 8, here); ++k)
        if (outside[k] != 0) found.push_back(begin + k);
    }
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

void append_outside(const coordinate_arrays& at, std::size_t count, const real_box& cells,
                    std::vector<std::size_t>& found) {
  at.is_float ? scan<float>(at, count, cells, found) : scan<double>(at, count, cells, found);
}

}  // namespace wherry::particles
