// The copy kernel and its launch, for the device's compiler: it compiles them in the library and for functors of users.
#pragma once

#include <cstdint>

#include "wherry/device/detail/device_moves.hpp"
#include "wherry/device/detail/gpu_names.hpp"

namespace wherry::gpu {

inline constexpr unsigned threads = 256;  // in a group (CUDA: block)

/// Memory that a group's threads share. It consists of words because the threads load it by words, and because HIP's
/// compiler refuses shared variables with an initializer.
template <class T, unsigned Most> struct group_shared {
  static_assert(sizeof(T) % sizeof(std::uint64_t) == 0);
  static constexpr unsigned words_each = sizeof(T) / sizeof(std::uint64_t);
  std::uint64_t words[Most * words_each];

  __device__ void bring(const T* from, unsigned how_many, unsigned thread) {
    if (thread < how_many * words_each) words[thread] = reinterpret_cast<const std::uint64_t*>(from)[thread];
  }
  const __device__ T* get() const { return reinterpret_cast<const T*>(words); }
};

template <bool Long, bool OnlyCopies, class Combine>
__global__ void __launch_bounds__(threads)
    move_pieces(const GPU_CONSTANT device_moves all, const GPU_CONSTANT field_places fields) {
  __shared__ group_shared<device_move, 1> move;
  __shared__ group_shared<move_loop, device_moves::most_loops> loops;
  const move_piece piece = all.pieces[blockIdx.x];
  const void* const from = fields[piece.from_field];
  void* const to = fields[piece.to_field];
  move.bring(all.moves + piece.move, 1, threadIdx.x);
  loops.bring(all.loops + piece.first_loop, piece.loops, threadIdx.x);
  __syncthreads();
  move_units<Long, OnlyCopies, threads, Combine>(all, piece, *move.get(), loops.get(), from, to, threadIdx.x);
}

/// Launches the kernel by the call that returns this launch's own status, since the last error may belong to a launch
/// of the user.
template <bool OnlyCopies, class Combine>
GPU(Error_t)
launch(GPU(Stream_t) stream, const device_moves& what, const field_places& fields) {
  auto all = what;
  auto places = fields;
  void* arguments[] = {&all, &places};
  const auto kernel =
      what.long_moves ? &move_pieces<true, OnlyCopies, Combine> : &move_pieces<false, OnlyCopies, Combine>;
  return GPU(LaunchKernel)(reinterpret_cast<const void*>(kernel), dim3(what.how_many_pieces), dim3(threads), arguments,
                           0, stream);
}

}  // namespace wherry::gpu
