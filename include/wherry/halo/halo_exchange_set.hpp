/// @file
/// Exchanges of some of many fields, as deep as it takes.
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

/// For codes that at each point of a step fill the halos of other ones of their fields, and not always all of them.
/// What is asked for is bound when it is asked for first. Movable.
///
///     enum { density, energy, velocity_x, velocity_y };
///     wherry::halo_exchange_set update(grid, {}, rho, e, u, v);
///     update({density, energy}, 2);        // two layers
///     update({velocity_x, velocity_y});    // all there are
class halo_exchange_set {
 public:
  static constexpr index_t whole_depth = std::numeric_limits<index_t>::max();
  static constexpr std::size_t most_fields = 64;

  /// Local. As of `halo_exchange`; the fields' memory stays where it is.
  /// @throws error(argument) for more than 64 fields
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange_set(const process_grid& grid, const halo_options& options, Fields&&... fields)
      : halo_exchange_set(grid, options, std::vector<halo_field>{halo_of(fields)...}) {}
  halo_exchange_set(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields);

  /// Collective, all ranks for the same fields and depth: these fields' halos, `depth` layers of them at most.
  /// @param fields their places among those that were given, in any order
  void operator()(std::initializer_list<int> fields, index_t depth = whole_depth) { of(fields, depth)(); }
  void operator()(std::span<const int> fields, index_t depth = whole_depth) { of(fields, depth)(); }

  /// The exchange behind that, to be started and waited for; it takes its fields in the order in which they were given
  /// to the set. Collective when it is asked for first.
  /// @throws error(argument) on this rank for a place that there is not, the same one twice, none, or a negative depth;
  ///         error(mismatch) on all ranks where they ask for different ones that none has bound yet, or under
  ///         WHERRY_CHECK; without, those who have one bound wait for the others as in any exchange
  halo_exchange& of(std::initializer_list<int> fields, index_t depth = whole_depth);
  halo_exchange& of(std::span<const int> fields, index_t depth = whole_depth);

  /// Of all that has been bound so far.
  std::string transport() const;
  std::string explain() const;
  exchange_statistics statistics() const;

 private:
  std::uint64_t chosen(std::span<const int> fields, index_t depth) const;

  process_grid grid_;
  halo_options options_;
  std::vector<halo_field> fields_;
  std::map<std::pair<std::uint64_t, index_t>, halo_exchange> bound_;  // by a bit for each field
};

}  // namespace wherry
