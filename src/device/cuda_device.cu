// CUDA's row of the table of devices. What is built with it starts where there is no driver, too.
#include <cuda_runtime.h>

#include <string>

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"

#include "device_moves.hpp"

namespace wherry {
namespace {

constexpr unsigned threads = 256;  // of a group: each moves four units of a piece

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // else the next call would report it again
  throw error(error_kind::resource, "device 'cuda'", text(call, ": ", cudaGetErrorString(status)));
}

template <bool Long> __global__ void __launch_bounds__(threads) move_pieces(device_moves all, void* const* fields) {
  __shared__ device_move move;
  const move_piece piece = all.pieces[blockIdx.x];
  if (threadIdx.x == 0) move = all.moves[piece.move];
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < piece.units; i += threads)
    move_unit<Long>(all, move, fields, piece.first + i);
}

cudaStream_t of(device_stream stream) { return static_cast<cudaStream_t>(stream.handle); }
cudaEvent_t of(device_event event) { return static_cast<cudaEvent_t>(event.handle); }

std::string absence() {
  int devices = 0;
  const auto status = cudaGetDeviceCount(&devices);
  static_cast<void>(cudaGetLastError());
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return devices > 0 ? "" : "there is no device";
}

/// Managed memory is the host's, too.
bool owns(const void* memory) {
  cudaPointerAttributes what{};
  const auto status = cudaPointerGetAttributes(&what, memory);
  static_cast<void>(cudaGetLastError());
  return status == cudaSuccess && what.type == cudaMemoryTypeDevice;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  const auto status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  check(status, "cudaMalloc");
  return memory;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const auto status = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  check(status, "cudaHostAlloc");
  return memory;
}

/// What waits for it needs no time of day: such events are cheaper.
device_event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return {event};
}

device_stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return {stream};
}

bool has_happened(device_event event) {
  const auto status = cudaEventQuery(of(event));
  if (status == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(status, "cudaEventQuery");
  return true;
}

void move(device_stream stream, const device_moves& what, void* const* fields) {
  if (what.how_many_pieces == 0) return;
  if (what.long_moves)
    move_pieces<true><<<what.how_many_pieces, threads, 0, of(stream)>>>(what, fields);
  else
    move_pieces<false><<<what.how_many_pieces, threads, 0, of(stream)>>>(what, fields);
  check(cudaGetLastError(), "launching a copy kernel");
}

// What is given back when the program ends may find the driver gone already: nobody is told.
const device row{
    .name = "cuda",
    .meaning = "memory and streams of a CUDA device",
    .absence = absence,
    .owns = owns,
    .allocate = allocate,
    .release = [](void* memory) { static_cast<void>(cudaFree(memory)); },
    .allocate_pinned = allocate_pinned,
    .release_pinned = [](void* memory) { static_cast<void>(cudaFreeHost(memory)); },
    .make_stream = make_stream,
    .end_stream = [](device_stream stream) { static_cast<void>(cudaStreamDestroy(of(stream))); },
    .make_event = make_event,
    .end_event = [](device_event event) { static_cast<void>(cudaEventDestroy(of(event))); },
    .record = [](device_event event,
                 device_stream stream) { check(cudaEventRecord(of(event), of(stream)), "cudaEventRecord"); },
    .has_happened = has_happened,
    .hold_until =
        [](device_stream stream, device_event event) {
          check(cudaStreamWaitEvent(of(stream), of(event), 0), "cudaStreamWaitEvent");
        },
    .await = [](device_event event) { check(cudaEventSynchronize(of(event)), "cudaEventSynchronize"); },
    .finish = [](device_stream stream) { check(cudaStreamSynchronize(of(stream)), "cudaStreamSynchronize"); },
    .copy =
        [](device_stream stream, void* to, const void* from, std::size_t bytes) {
          check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, of(stream)), "cudaMemcpyAsync");
        },
    .move = move};

}  // namespace

const device& cuda_device() { return row; }

}  // namespace wherry
