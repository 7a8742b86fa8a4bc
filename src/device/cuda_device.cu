// CUDA's row of the table of devices. What is built with it starts where there is no driver, too.
#include <cuda_runtime.h>

#include <cstring>
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

// The ticket is CUDA's handle. Whoever opens one twice gets the same place, and CUDA counts.
static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(device_ticket));

std::string words_of(cudaError_t status, const char* call) {
  static_cast<void>(cudaGetLastError());
  return text(call, ": ", cudaGetErrorString(status));
}

std::string lend(void* memory, device_ticket& ticket) {
  cudaIpcMemHandle_t handle;
  const auto status = cudaIpcGetMemHandle(&handle, memory);
  if (status != cudaSuccess) return words_of(status, "cudaIpcGetMemHandle");
  std::memcpy(ticket.bytes.data(), &handle, sizeof handle);
  return {};
}

/// Also from another device, where the two reach each other.
std::string borrow(const device_ticket& ticket, void*& memory) {
  cudaIpcMemHandle_t handle;
  std::memcpy(&handle, ticket.bytes.data(), sizeof handle);
  const auto status = cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess);
  return status == cudaSuccess ? std::string() : words_of(status, "cudaIpcOpenMemHandle");
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
    .move = move,
    // cudaMalloc puts small pieces into blocks of 2 MiB, of which the other process would see the whole.
    .lending_unit = std::size_t{2} << 20,
    .lend = lend,
    .borrow = borrow,
    .give_back = [](void* borrowed) { static_cast<void>(cudaIpcCloseMemHandle(borrowed)); }};

}  // namespace

const device& cuda_device() { return row; }

}  // namespace wherry
