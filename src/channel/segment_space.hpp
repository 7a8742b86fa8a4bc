// What a space of segments holds: one dynamic window, to which parts are attached that not all ranks see.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "wherry/channel/segment_space.hpp"
#include "wherry/core/communicator.hpp"

#include "window_pool.hpp"

namespace wherry {

struct segment_space::state {
  explicit state(const communicator& where);
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();

  /// The address by which the others reach it. @throws error(resource)
  MPI_Aint attach(std::byte* memory, std::size_t bytes) const;
  void detach(std::byte* memory) const noexcept;

  communicator comm;
  std::shared_ptr<window_pool> pool;
  window_pool::window window;
  bool is_one_node = false;
  bool swaps_own_words = false;  // see segment_state.cpp
};

}  // namespace wherry
