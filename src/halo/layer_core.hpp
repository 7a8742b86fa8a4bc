// The layers of a rank's ghosts, which all copies of `ghost_layers` and their fields share.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/halo/layered_field.hpp"

namespace wherry {

inline constexpr const char* in_ghost_layers = "ghost layers";

/// The hash of no values. A hash is never 0, which stands for "not known".
inline constexpr std::uint64_t first_hash = 1;

struct detail::layer_core {
  /// Local elements that are ghosts in no layer.
  struct owned_range {
    index_t begin = 0, end = 0;
  };

  communicator comm;
  std::vector<index_lists> layers;
  std::vector<index_t> elements{};   ///< number of elements that an exchange of each depth needs, from depth 0 on
  std::vector<owned_range> owned{};  ///< ascending, up to the last element that is in a list

  /// Completes the members behind the lists.
  /// @throws error(argument) for a peer that is not a rank, a negative index, or an element that is received twice
  void inspect();
  int depth() const { return static_cast<int>(layers.size()); }
  /// The lists of layers `first` to `last`, one after the other.
  index_lists lists_from(int first, int last) const;
  /// Continues a hash with the owned elements of an array. Device memory leaves it as it is.
  std::uint64_t hash_of_owned(const erased_array& array, std::uint64_t before) const;
};

}  // namespace wherry
