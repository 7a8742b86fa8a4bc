// What a space of segments holds: one dynamic window, to which parts are attached that not all ranks see.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "wherry/channel/segment_space.hpp"
#include "wherry/core/communicator.hpp"

#include "window_pool.hpp"

namespace wherry {

/// Puts and gets of one rank to another through one window: how many it has begun, and waited for.
struct put_count {
  std::atomic<std::uint64_t> begun{0}, done{0};
};

struct segment_space::state {
  state(const communicator& where, const std::string& name);
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();

  /// The address by which the others reach it. What lies within memory that is attached need not be attached again, and
  /// must not: MPI allows no overlap. @throws error(resource)
  MPI_Aint attach(std::byte* memory, std::size_t bytes);
  /// Each once, with the same pointer.
  void detach(std::byte* memory) noexcept;

  communicator comm;
  std::string called;  // with the user's name
  std::shared_ptr<window_pool> pool;
  window_pool::window window;
  struct piece {
    std::byte *begin, *end;
    int users;
  };
  std::mutex guard;  // of the pieces
  std::vector<piece> pieces;
  std::vector<put_count> puts;  // a rank each
  bool is_one_node = false;
  bool swaps_own_words = false;  // see segment_state.cpp
};

}  // namespace wherry
