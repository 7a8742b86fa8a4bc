/// @file
/// Periodicity along the user's dimensions (paper 1, section 4).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

#include "wherry/core/error.hpp"

#include "gcl/layout_map.hpp"

namespace GCL {

/// Any number of truth values, so that `period_type(per0, per1, per2)` needs no number of dimensions (figure 5).
class period_type {
 public:
  template <std::integral... Value>
    requires(sizeof...(Value) > 0)
  explicit period_type(Value... values) : values_{static_cast<bool>(values)...} {}

  std::size_t size() const { return values_.size(); }
  bool value(std::size_t dimension) const { return values_[dimension]; }

 private:
  std::vector<bool> values_;
};

/// N truth values: entry d is about the user's dimension d.
template <int N> class boollist {
 public:
  static constexpr int length = N;

  template <std::integral... Value>
    requires(sizeof...(Value) == static_cast<std::size_t>(N))
  explicit boollist(Value... values) : values_{static_cast<bool>(values)...} {}
  /// @throws wherry::error(argument) when there are not N of them.
  boollist(const period_type& values) {
    if (values.size() != values_.size())
      throw wherry::error(wherry::error_kind::argument, "boollist",
                          wherry::text(values.size(), " periodicities were given for ", N, " dimensions"));
    for (std::size_t d = 0; d < values_.size(); ++d) values_[d] = values.value(d);
  }

  static constexpr int size() { return N; }
  bool value(int dimension) const { return values_[static_cast<std::size_t>(dimension)]; }
  bool operator[](int dimension) const { return value(dimension); }
  bool operator==(const boollist&) const = default;

  /// The same along the dimensions of the process grid: user dimension d lies along grid dimension `Map`'s d-th entry.
  template <class Map> boollist permute() const {
    static_assert(Map::length == N, "the layout_map and the boollist differ in their number of dimensions");
    boollist result = *this;
    for (int d = 0; d < N; ++d) result.values_[static_cast<std::size_t>(Map::at(d))] = value(d);
    return result;
  }

 private:
  std::array<bool, static_cast<std::size_t>(N)> values_{};
};

}  // namespace GCL
