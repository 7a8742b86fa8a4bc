/// @file
/// What a careful user writes by hand for equal cubes: the peers of the comparison.
#pragma once

#include <memory>
#include <vector>

#include "blocks/cubes.hpp"

namespace bench::blocks {

class peer {
 public:
  peer() = default;
  virtual ~peer() = default;
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;
  virtual void exchange() = 0;
  virtual const std::vector<box_cells>& local() const = 0;
};

/// All grids in one shared window; every rank copies its ghost cells straight from where they are. One flag a rank says
/// that its cells are ready, another that it has read those of others. All ranks must be on one node.
std::unique_ptr<peer> make_shared_window(const cubes& work);

/// Grids on the heap; copies within the rank, and one packed message to and from each other rank.
std::unique_ptr<peer> make_packed_messages(const cubes& work);

/// What the machine can do: as many bytes copied by memcpy, within each rank, from and to memory out of cache.
std::unique_ptr<peer> make_copy_rate(const cubes& work);

}  // namespace bench::blocks
