// A call of MPI's that nothing interrupts (MPI_Win_flush, where the other side has to be in a call of MPI's, too), in a
// thread of its own: so who wants it done waits for as long as he likes, and comes back. MPI 3 has no other way to say
// when a put has arrived: the request of MPI_Rput is done when its data may be overwritten, that of MPI_Rget_accumulate
// when its answer is there, and there is no request for MPI_Compare_and_swap at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

namespace wherry {

class limited_call {
 public:
  /// Whether MPI lets another thread do it. Else the call is made where it is begun.
  static bool is_possible();
  /// @param call keeps what it needs alive. MPI_Finalize waits for it
  static std::shared_ptr<limited_call> begin(std::function<std::uint64_t()> call);

  /// Once true, always.
  bool is_over() const { return over_.load(std::memory_order_acquire); }
  /// Whether it is over in so many seconds. No call of MPI's is made meanwhile: MPICH 4.0's MPI_Win_flush keeps all
  /// other threads out of MPI, and drives by itself what has to be driven.
  bool is_over_in(double seconds) const;
  /// Once it is over: what the call has returned, or throws what it has thrown.
  std::uint64_t answer() const;

 private:
  void run(const std::function<std::uint64_t()>& call) noexcept;

  std::atomic<bool> over_{false};
  std::uint64_t answer_ = 0;
  std::exception_ptr problem_;
};

}  // namespace wherry
