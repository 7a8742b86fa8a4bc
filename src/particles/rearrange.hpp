// The order of particles after a move, and how arrays are brought into it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/particles/particle_exchange.hpp"

#include "rows.hpp"

namespace wherry::particles {

/// The particles that have arrived, as rows.
struct arrived_rows {
  const std::byte* rows = nullptr;
  std::span<const std::size_t> places;  ///< of each row
};

class new_order {
 public:
  /// @param leavers ascending; they must stay as they are
  void make(particle_order how, std::size_t count, std::span<const std::size_t> leavers, std::size_t arriving);

  std::size_t count() const { return count_; }
  /// The index before the move of each particle from `first_changed` on, or -1 - k for the k-th that arrived.
  void append_sources(std::vector<index_t>& sources) const;
  std::size_t first_changed() const { return leavers_.empty() ? before_ : leavers_.front(); }

  /// Brings an array with an element for each particle into the new order.
  /// @param offset of the element in a row
  void apply(const particle_column& column, std::size_t offset, const arrived_rows& arrived) const;

 private:
  struct copy {
    std::size_t from, to;
  };
  std::size_t place_of_arrival(std::size_t k) const;
  void close_up(std::byte* array, std::size_t bytes) const;

  particle_order how_ = particle_order::fill_holes;
  std::size_t before_ = 0, count_ = 0, arriving_ = 0;
  std::span<const std::size_t> leavers_;
  std::vector<copy> copies_;  // from the end into holes
};

}  // namespace wherry::particles
