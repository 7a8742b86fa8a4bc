/// @file
/// The one hash function of the library, for words and names that are compared or looked up. It gives the same values
/// on all platforms. It does not resist deliberate collisions; files have a checksum instead
/// (src/core/sealed_header.hpp).
#pragma once

#include <cstdint>
#include <string_view>

namespace wherry {

namespace detail {

/// 2^64 divided by the golden ratio. The high bits of a product with it are spread evenly.
inline constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15u;

/// Continues the hash `before` with `word`. Every bit of the result depends on all bits of both arguments, so that the
/// result may be truncated.
constexpr std::uint64_t hashed(std::uint64_t before, std::uint64_t word) {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(before ^ word) * golden_ratio;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
constexpr std::uint64_t hashed(std::uint64_t before, std::string_view name) {
  for (const char c : name) before = hashed(before, static_cast<unsigned char>(c));
  return hashed(before, name.size());
}
constexpr std::uint32_t name_hash(std::string_view name) { return static_cast<std::uint32_t>(hashed(1, name)); }

}  // namespace detail

/// The hash of a shape, which is made once and compared at each start.
class shape_hash {
 public:
  constexpr shape_hash() = default;
  /// Continues a hash whose `value()` was `before`.
  constexpr explicit shape_hash(std::uint64_t before) : value_(before) {}
  template <class Number> constexpr shape_hash& add(Number part) {
    value_ = detail::hashed(value_, static_cast<std::uint64_t>(part));
    return *this;
  }
  constexpr shape_hash& add(std::string_view name) {
    value_ = detail::hashed(value_, name);
    return *this;
  }
  /// The hash. It is never 0, so that 0 can stand for "none".
  constexpr std::uint64_t value() const { return value_ != 0 ? value_ : 1; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace wherry
