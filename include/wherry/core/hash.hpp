/// @file
/// The one hash: words and names as a word, for what is compared or looked up. The same on all platforms; not for data
/// that somebody wants to collide. Files have a checksum (src/core/sealed_header.hpp).
#pragma once

#include <cstdint>
#include <string_view>

namespace wherry {

namespace detail {

/// 2^64 divided by the golden ratio: the high bits of a product with it are spread as evenly as can be.
inline constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15u;

/// What has the hash `before`, followed by `word`. Each bit depends on all of them, so that any may be cut off.
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

/// A shape as one word, made once and compared at each start.
class shape_hash {
 public:
  constexpr shape_hash() = default;
  /// To be continued from what `value` gave.
  constexpr explicit shape_hash(std::uint64_t before) : value_(before) {}
  template <class Number> constexpr shape_hash& add(Number part) {
    value_ = detail::hashed(value_, static_cast<std::uint64_t>(part));
    return *this;
  }
  constexpr shape_hash& add(std::string_view name) {
    value_ = detail::hashed(value_, name);
    return *this;
  }
  /// Never 0, which can stand for "none".
  constexpr std::uint64_t value() const { return value_ != 0 ? value_ : 1; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace wherry
