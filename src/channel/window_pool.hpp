// MPI windows of one communicator. MPI_Win_free waits for all ranks, but each rank destroys its exchanges at its own
// time. So a window that is not needed any more waits here, until the next bind or the end of the communicator frees
// it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

class window_pool {
 public:
  /// The pool of a communicator, which is made when it is first needed.
  static std::shared_ptr<window_pool> of(const communicator& comm);

  struct window {
    MPI_Win handle = MPI_WIN_NULL;
    std::byte* memory = nullptr;  // this rank's part
    std::size_t number = 0;
  };
  /// Collective. Makes a window over memory that exists, which may differ in size and may be empty. `keep` is released
  /// when the window is freed. All ranks are locked for access until then.
  window make(const communicator& comm, std::span<std::byte> memory, std::shared_ptr<const void> keep);
  /// Collective. Makes a window to which each rank attaches memory by itself.
  window make_dynamic(const communicator& comm);
  /// Local, and allowed while another thread makes a window. This rank must not use the window any more.
  void give_back(const window& w);

  /// Collective. Frees the windows that no rank uses any more.
  void free_unused(const communicator& comm);

 private:
  void open(const communicator& comm, window& made, std::shared_ptr<const void> keep);
  void free_window(std::size_t place);

  struct entry {
    MPI_Win handle;
    std::size_t number;
    unsigned char unused;
    std::shared_ptr<const void> keep;
  };
  std::mutex guard_;
  std::vector<entry> entries_;  // the same windows in the same order on all ranks
  std::size_t made_ = 0;
};

}  // namespace wherry
