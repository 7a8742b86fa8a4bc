// Makes an MPI call that nothing can interrupt (MPI_Win_flush, for which the other side must be in an MPI call, too) in
// a thread of its own, so that the caller waits only as long as it likes and may come back later. MPI 3 has no other
// way to learn that a put has arrived: the request of MPI_Rput is complete when its data may be overwritten, that of
// MPI_Rget_accumulate when its result is there, and MPI_Compare_and_swap has no request at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

namespace wherry {

class limited_call {
 public:
  /// True if MPI lets another thread make the call. Otherwise `begin` makes it itself.
  static bool is_possible();
  /// @param call keeps everything alive that it needs. MPI_Finalize waits for it
  static std::shared_ptr<limited_call> begin(std::function<std::uint64_t()> call);

  /// True once the call has returned. It stays true.
  bool is_over() const { return over_.load(std::memory_order_acquire); }
  /// True if the call returns within `seconds`. Meanwhile this thread makes no MPI call: MPICH 4.0's MPI_Win_flush
  /// keeps all other threads out of MPI and makes the progress itself.
  bool is_over_in(double seconds) const;
  /// The result of the call, or the exception that it has thrown. Only after it is over.
  std::uint64_t answer() const;

 private:
  void run(const std::function<std::uint64_t()>& call) noexcept;

  std::atomic<bool> over_{false};
  std::uint64_t answer_ = 0;
  std::exception_ptr problem_;
};

}  // namespace wherry
