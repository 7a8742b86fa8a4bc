// MPI windows of one communicator. MPI_Win_free waits for all ranks, and exchanges are destroyed by each rank in its
// own time; so a window that is no longer needed waits here until the next bind, or the communicator's end, frees it.
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
  /// The pool of a communicator, made when first asked for.
  static std::shared_ptr<window_pool> of(const communicator& comm);

  struct window {
    MPI_Win handle = MPI_WIN_NULL;
    std::byte* memory = nullptr;  // this rank's part
    std::size_t number = 0;
  };
  /// Collective, over memory that there is, which may be none and of different size; `keep` is let go of when the
  /// window is freed. All ranks are locked for access until then.
  window make(const communicator& comm, std::span<std::byte> memory, std::shared_ptr<const void> keep);
  /// Collective: one to which each rank attaches memory as it likes.
  window make_dynamic(const communicator& comm);
  /// Local, also while another thread makes one. The window is not to be used any more by this rank.
  void give_back(const window& w);

  /// Collective: frees the windows that no rank uses any more.
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
