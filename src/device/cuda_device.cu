// CUDA's row of the table of devices, and HIP's (gpu_names.hpp). What is built with it starts where there is no driver,
// too.
#include <cstring>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"

#include "device_moves.hpp"
#include "gpu_names.hpp"

namespace wherry {
namespace {

constexpr unsigned threads = 256;  // of a group: each moves four units of a piece

void check(GPU(Error_t) status, const char* call) {
  if (status == GPU(Success)) return;
  static_cast<void>(GPU(GetLastError)());  // else the next call would report it again
  throw error(error_kind::resource, text("device '", gpu::name, "'"), text(call, ": ", GPU(GetErrorString)(status)));
}

template <bool Long> __global__ void __launch_bounds__(threads) move_pieces(device_moves all, void* const* fields) {
  // As bytes: HIP's compiler wants no shared variable that could be initialised.
  alignas(device_move) __shared__ unsigned char shared[sizeof(device_move)];
  device_move& move = *reinterpret_cast<device_move*>(shared);
  const move_piece piece = all.pieces[blockIdx.x];
  if (threadIdx.x == 0) move = all.moves[piece.move];
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < piece.units; i += threads)
    move_unit<Long>(all, move, fields, piece.first + i);
}

GPU(Stream_t) of(device_stream stream) { return static_cast<GPU(Stream_t)>(stream.handle); }
GPU(Event_t) of(device_event event) { return static_cast<GPU(Event_t)>(event.handle); }

std::string absence() {
  int devices = 0;
  const auto status = GPU(GetDeviceCount)(&devices);
  static_cast<void>(GPU(GetLastError)());
  if (status != GPU(Success)) return GPU(GetErrorString)(status);
  return devices > 0 ? "" : "there is no device";
}

/// Managed memory is the host's, too.
bool owns(const void* memory) {
  gpu::pointer_attributes what{};
  const auto status = GPU(PointerGetAttributes)(&what, memory);
  static_cast<void>(GPU(GetLastError)());
  return status == GPU(Success) && what.type == GPU(MemoryTypeDevice);
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  const auto status = GPU(Malloc)(&memory, bytes);
  if (status == GPU(ErrorMemoryAllocation)) {
    static_cast<void>(GPU(GetLastError)());
    return nullptr;
  }
  check(status, GPU_CALL(Malloc));
  return memory;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const auto status = gpu::allocate_pinned(&memory, bytes);
  if (status == GPU(ErrorMemoryAllocation)) {
    static_cast<void>(GPU(GetLastError)());
    return nullptr;
  }
  check(status, "allocating pinned memory");
  return memory;
}

/// What waits for it needs no time of day: such events are cheaper.
device_event make_event() {
  GPU(Event_t) event = nullptr;
  check(GPU(EventCreateWithFlags)(&event, GPU(EventDisableTiming)), GPU_CALL(EventCreateWithFlags));
  return {event};
}

device_stream make_stream() {
  GPU(Stream_t) stream = nullptr;
  check(GPU(StreamCreateWithFlags)(&stream, GPU(StreamNonBlocking)), GPU_CALL(StreamCreateWithFlags));
  return {stream};
}

bool has_happened(device_event event) {
  const auto status = GPU(EventQuery)(of(event));
  if (status == GPU(ErrorNotReady)) {
    static_cast<void>(GPU(GetLastError)());
    return false;
  }
  check(status, GPU_CALL(EventQuery));
  return true;
}

void move(device_stream stream, const device_moves& what, void* const* fields) {
  if (what.how_many_pieces == 0) return;
  if (what.long_moves)
    move_pieces<true><<<what.how_many_pieces, threads, 0, of(stream)>>>(what, fields);
  else
    move_pieces<false><<<what.how_many_pieces, threads, 0, of(stream)>>>(what, fields);
  check(GPU(GetLastError)(), "launching a copy kernel");
}

// The ticket is the run-time's handle. Whoever opens one twice gets the same place, and it counts.
static_assert(sizeof(GPU(IpcMemHandle_t)) <= sizeof(device_ticket));

std::string words_of(GPU(Error_t) status, const char* call) {
  static_cast<void>(GPU(GetLastError)());
  return text(call, ": ", GPU(GetErrorString)(status));
}

std::string lend(void* memory, device_ticket& ticket) {
  GPU(IpcMemHandle_t) handle;
  const auto status = GPU(IpcGetMemHandle)(&handle, memory);
  if (status != GPU(Success)) return words_of(status, GPU_CALL(IpcGetMemHandle));
  std::memcpy(ticket.bytes.data(), &handle, sizeof handle);
  return {};
}

/// Also from another device, where the two reach each other.
std::string borrow(const device_ticket& ticket, void*& memory) {
  GPU(IpcMemHandle_t) handle;
  std::memcpy(&handle, ticket.bytes.data(), sizeof handle);
  const auto status = GPU(IpcOpenMemHandle)(&memory, handle, GPU(IpcMemLazyEnablePeerAccess));
  return status == GPU(Success) ? std::string() : words_of(status, GPU_CALL(IpcOpenMemHandle));
}

// What is given back when the program ends may find the driver gone already: nobody is told.
const device row{
    .name = gpu::name,
    .meaning = gpu::meaning,
    .absence = absence,
    .owns = owns,
    .allocate = allocate,
    .release = [](void* memory) { static_cast<void>(GPU(Free)(memory)); },
    .allocate_pinned = allocate_pinned,
    .release_pinned = [](void* memory) { static_cast<void>(gpu::release_pinned(memory)); },
    .make_stream = make_stream,
    .end_stream = [](device_stream stream) { static_cast<void>(GPU(StreamDestroy)(of(stream))); },
    .make_event = make_event,
    .end_event = [](device_event event) { static_cast<void>(GPU(EventDestroy)(of(event))); },
    .record = [](device_event event,
                 device_stream stream) { check(GPU(EventRecord)(of(event), of(stream)), GPU_CALL(EventRecord)); },
    .has_happened = has_happened,
    .hold_until =
        [](device_stream stream, device_event event) {
          check(GPU(StreamWaitEvent)(of(stream), of(event), 0), GPU_CALL(StreamWaitEvent));
        },
    .await = [](device_event event) { check(GPU(EventSynchronize)(of(event)), GPU_CALL(EventSynchronize)); },
    .finish = [](device_stream stream) { check(GPU(StreamSynchronize)(of(stream)), GPU_CALL(StreamSynchronize)); },
    .copy =
        [](device_stream stream, void* to, const void* from, std::size_t bytes) {
          check(GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyDefault), of(stream)), GPU_CALL(MemcpyAsync));
        },
    .move = move,
    // Malloc puts small pieces into blocks of 2 MiB, of which the other process would see the whole.
    .lending_unit = std::size_t{2} << 20,
    .lend = lend,
    .borrow = borrow,
    .give_back = [](void* borrowed) { static_cast<void>(GPU(IpcCloseMemHandle)(borrowed)); }};

}  // namespace

const device& GPU_DEVICE() { return row; }

}  // namespace wherry
