/// @file
/// A set of halo exchanges for codes that fill different fields, and halos of different depth, at different points of a
/// step.
///
///     enum { density, energy, velocity_x, velocity_y };
///     wherry::halo_exchange_set update(grid, rho, e, u, v);
///     update({density, energy}, 2);        // two layers
///     update({velocity_x, velocity_y});    // the whole halo
///
/// If every exchange fills the same fields, use `halo_exchange`.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

namespace wherry {

/// The exchanges of the subsets of some fields. The exchange of a subset and depth is bound when it is used for the
/// first time and kept. Movable.
class halo_exchange_set {
 public:
  /// The depth that stands for the whole halo.
  static constexpr index_t whole_depth = std::numeric_limits<index_t>::max();
  static constexpr std::size_t most_fields = 64;

  /// Local. The arguments are those of `halo_exchange`. The memory of the fields must stay where it is.
  /// @throws error(argument) for more than 64 fields
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange_set(const process_grid& grid, Fields&&... fields)
      : halo_exchange_set(grid, halo_options{}, std::vector<halo_field>{halo_of(fields)...}) {}
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange_set(const process_grid& grid, const halo_options& options, Fields&&... fields)
      : halo_exchange_set(grid, options, std::vector<halo_field>{halo_of(fields)...}) {}
  halo_exchange_set(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields);

  /// Fills the halos of some fields, at most `depth` layers of each. Collective over the grid's communicator, with the
  /// same fields and depth on all ranks.
  /// @param fields indices into the constructor's list of fields, in any order
  /// @throws as `of` and `halo_exchange`
  void operator()(std::initializer_list<int> fields, index_t depth = whole_depth) { of(fields, depth)(); }
  void operator()(std::span<const int> fields, index_t depth = whole_depth) { of(fields, depth)(); }

  /// The exchange of these fields and this depth, to be started and waited for. It takes its fields in the order of the
  /// constructor's list. Collective on first use, local afterwards (with WHERRY_CHECK=1 always collective).
  /// @throws error(argument) on this rank for an index out of range, a field named twice, no fields, or a negative
  ///         depth; error(state) if the set has no fields; error(mismatch) on all ranks if they ask for different
  ///         exchanges. Without WHERRY_CHECK=1, a rank that has bound its exchange before takes no part in this
  ///         comparison and waits for the other ranks as in any exchange.
  halo_exchange& of(std::initializer_list<int> fields, index_t depth = whole_depth);
  halo_exchange& of(std::span<const int> fields, index_t depth = whole_depth);

  /// The transports, tables and statistics of all exchanges that have been bound so far.
  std::string transport() const;
  std::string explain() const;
  exchange_statistics statistics() const;

 private:
  std::uint64_t chosen(std::span<const int> fields, index_t depth) const;

  process_grid grid_;
  halo_options options_;
  std::vector<halo_field> fields_;
  std::map<std::pair<std::uint64_t, index_t>, halo_exchange> bound_;  // key: one bit for each field, and the depth
};

}  // namespace wherry
