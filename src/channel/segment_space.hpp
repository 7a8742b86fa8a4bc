// The state of a space of segments: one dynamic window, to which the parts are attached that not all ranks see.
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

/// Counts the puts and gets from one rank to another through one window: those begun, and those waited for.
struct put_count {
  std::atomic<std::uint64_t> begun{0}, done{0};
};

struct channels::segment_space::state {
  state(const communicator& where, const std::string& name);
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();

  /// Attaches memory, and returns the address by which the others reach it. Memory inside an attached piece is not
  /// attached again, because MPI allows no overlap. @throws error(resource)
  MPI_Aint attach(std::byte* memory, std::size_t bytes);
  /// Once for each `attach`, with the same pointer.
  void detach(std::byte* memory) noexcept;

  communicator comm;
  std::string called;  // includes the user's name
  std::shared_ptr<window_pool> pool;
  window_pool::window window;
  struct piece {
    std::byte *begin, *end;
    int users;
  };
  std::mutex guard;  // protects `pieces`
  std::vector<piece> pieces;
  std::vector<put_count> puts;  // one for each rank
  bool is_one_node = false;
  bool swaps_own_words = false;  // see segment_state.cpp
};

}  // namespace wherry
