/// @file
/// Index lists for ghosts in several layers, one list for each layer, by one collective step.
///
///     auto layers = wherry::resolve_layers(comm, rows, {neighbors, their_neighbors});  // ids, layer by layer
///     wherry::ghost_layers mesh(comm, layers);
#pragma once

#include <concepts>
#include <initializer_list>
#include <ranges>
#include <span>
#include <vector>

#include "wherry/halo/index_lists.hpp"

namespace wherry {

namespace detail {

/// The user's integers of each layer. Refers to them.
class integers_by_layer {
 public:
  integers_by_layer(std::initializer_list<integer_span> layers) : layers_(layers) {}
  template <std::ranges::input_range Layers>
    requires std::convertible_to<std::ranges::range_reference_t<const Layers>, integer_span>
  integers_by_layer(const Layers& layers) : layers_(std::ranges::begin(layers), std::ranges::end(layers)) {}

  const std::vector<integer_span>& all() const { return layers_; }

 private:
  std::vector<integer_span> layers_;
};

}  // namespace detail

/// Makes the index lists of each layer for elements that ranks know by global ids only. Collective over `comm`.
/// @param rows the ids of this rank's elements, in their local order: any numbers from 0 on, each on one rank only
/// @param externals for each layer, the ids of the ghosts in it: `{near, far}` or a vector of vectors. Each id is in
///        one layer only. Locally the ghosts follow the rows, layer by layer, in this order. A rank without ghosts in a
///        layer passes an empty list for it
/// @return the lists of each layer
/// @throws error(argument) on all ranks alike without layers, and as `resolve_ids`, which counts the externals of all
///         layers one after the other; error(mismatch) if the number of layers differs between ranks
std::vector<index_lists> resolve_layers(const communicator& comm, const detail::integer_span& rows,
                                        const detail::integers_by_layer& externals);

/// Makes the index lists of each layer for ghosts whose owners are known. Collective over `comm`.
/// @param ghosts the ghosts of this rank in each layer, in any order
/// @return the lists of each layer
/// @throws error(argument) on all ranks alike without layers, and as `resolve_ghosts`; error(mismatch) if the number of
///         layers differs between ranks
std::vector<index_lists> resolve_layers(const communicator& comm, std::span<const std::vector<ghost>> ghosts);

}  // namespace wherry
