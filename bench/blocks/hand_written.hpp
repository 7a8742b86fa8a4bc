/// @file
/// The code that a careful user writes by hand for equal cubes. It is compared with Wherry.
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

/// All grids are in one shared window, and every rank copies its ghost cells straight from their owners' grids. One
/// flag of each rank says that its cells are ready, another one that it has read the cells of the others. All ranks
/// must be on one node.
std::unique_ptr<peer> make_shared_window(const cubes& work);

/// The grids are on the heap, with copies within the rank and one packed message to and from each other rank.
std::unique_ptr<peer> make_packed_messages(const cubes& work);

/// The limit of the machine: memcpy copies as many bytes within each rank, from and to memory outside the cache.
std::unique_ptr<peer> make_copy_rate(const cubes& work);

}  // namespace bench::blocks
