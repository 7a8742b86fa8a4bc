// The row of CUDA in the table of devices, and of HIP (gpu_names.hpp). A program that is built with it also starts
// where there is no driver.
#include <atomic>
#include <cstring>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/device/detail/gpu_kernel.hpp"
#include "wherry/device/device.hpp"

namespace wherry {
namespace {

using status_t = GPU(Error_t);

/// Removes this error from the run time, because the next caller who asks for the last error would take it for his own.
/// Errors that others have left there stay.
void forget(status_t status) {
  if (status != GPU(Success) && GPU(PeekAtLastError)() == status) static_cast<void>(GPU(GetLastError)());
}

std::string words_of(status_t status, const char* call) {
  forget(status);
  return detail::text(call, ": ", GPU(GetErrorString)(status));
}

void check(status_t status, const char* call) {
  if (status == GPU(Success)) return;
  throw error(error_kind::resource, detail::text("device '", gpu::name, "'"), words_of(status, call));
}

constexpr int none = -1;
std::atomic<int> taken{none};  // the number of this process's device

/// Returns the number of this process's device. Each thread has a current device; the one of the thread that first
/// makes something becomes the process's device for good.
status_t take_device(int& number) {
  number = taken.load(std::memory_order_relaxed);
  if (number != none) return GPU(Success);
  int current = none;
  const auto status = GPU(GetDevice)(&current);
  if (status != GPU(Success)) return status;
  number = taken.compare_exchange_strong(number, current, std::memory_order_relaxed) ? current : number;
  return GPU(Success);
}

/// Makes a device this thread's current one for a scope.
class current_device {
 public:
  explicit current_device(int number) : status_(GPU(GetDevice)(&before_)), is_other_(before_ != number) {
    if (status_ == GPU(Success) && is_other_) status_ = GPU(SetDevice)(number);
  }
  ~current_device() {
    if (status_ == GPU(Success) && is_other_) forget(GPU(SetDevice)(before_));
  }
  current_device(const current_device&) = delete;
  current_device& operator=(const current_device&) = delete;
  status_t status() const { return status_; }

 private:
  int before_ = none;
  status_t status_;
  bool is_other_;
};

/// Calls the run time while the process's device is current, because progress threads, which may have another current
/// device, call it, too. Returns the call's status.
template <class Call> status_t there(Call&& call) {
  int number = none;
  if (const auto status = take_device(number); status != GPU(Success)) return status;
  const current_device here(number);
  return here.status() == GPU(Success) ? call() : here.status();
}

GPU(Stream_t) of(device_stream stream) { return static_cast<GPU(Stream_t)>(stream.handle); }
GPU(Event_t) of(detail::device_event event) { return static_cast<GPU(Event_t)>(event.handle); }

std::string absence() {
  int devices = 0;
  const auto status = GPU(GetDeviceCount)(&devices);
  forget(status);
  if (status != GPU(Success)) return GPU(GetErrorString)(status);
  return devices > 0 ? "" : "there is no device";
}

/// The number of the device on which the memory lies, or `none`. Managed memory counts as the host's.
int device_of(const void* memory) {
  gpu::pointer_attributes what{};
  const auto status = GPU(PointerGetAttributes)(&what, memory);
  forget(status);
  return status == GPU(Success) && what.type == GPU(MemoryTypeDevice) ? what.device : none;
}

/// The process's device; before there is one, this thread's current device.
int expected_device() {
  int number = taken.load(std::memory_order_relaxed);
  if (number == none) forget(GPU(GetDevice)(&number));
  return number;
}

bool owns(const void* memory) {
  const int number = device_of(memory);
  return number != none && number == expected_device();
}

bool is_of_another(const void* memory) {
  const int number = device_of(memory);
  return number != none && number != expected_device();
}

template <status_t (*Allocate)(void**, std::size_t)> void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  const auto status = there([&] { return Allocate(&memory, bytes); });
  if (status != GPU(ErrorMemoryAllocation)) return check(status, "allocating memory"), memory;
  forget(status);
  return nullptr;
}

template <status_t (*Release)(void*)> void release(void* memory) {
  forget(there([&] { return Release(memory); }));
}

/// Makes an event without a time stamp, which is cheaper and enough for waiting.
detail::device_event make_event() {
  GPU(Event_t) event = nullptr;
  check(there([&] { return GPU(EventCreateWithFlags)(&event, GPU(EventDisableTiming)); }),
        GPU_CALL(EventCreateWithFlags));
  return {event};
}

device_stream make_stream() {
  GPU(Stream_t) stream = nullptr;
  check(there([&] { return GPU(StreamCreateWithFlags)(&stream, GPU(StreamNonBlocking)); }),
        GPU_CALL(StreamCreateWithFlags));
  return {stream};
}

void end_stream(device_stream stream) {
  forget(there([&] { return GPU(StreamDestroy)(of(stream)); }));
}

void end_event(detail::device_event event) {
  forget(there([&] { return GPU(EventDestroy)(of(event)); }));
}

// A null stream belongs to the current device.
void record(detail::device_event event, device_stream stream) {
  check(there([&] { return GPU(EventRecord)(of(event), of(stream)); }), GPU_CALL(EventRecord));
}

bool has_happened(detail::device_event event) {
  const auto status = there([&] { return GPU(EventQuery)(of(event)); });
  if (status != GPU(ErrorNotReady)) return check(status, GPU_CALL(EventQuery)), true;
  forget(status);
  return false;
}

void hold_until(device_stream stream, detail::device_event event) {
  check(there([&] { return GPU(StreamWaitEvent)(of(stream), of(event), 0); }), GPU_CALL(StreamWaitEvent));
}

void await(detail::device_event event) {
  check(there([&] { return GPU(EventSynchronize)(of(event)); }), GPU_CALL(EventSynchronize));
}

void finish(device_stream stream) {
  check(there([&] { return GPU(StreamSynchronize)(of(stream)); }), GPU_CALL(StreamSynchronize));
}

void finish_all() {
  check(there([] { return GPU(DeviceSynchronize)(); }), GPU_CALL(DeviceSynchronize));
}

void copy(device_stream stream, void* to, const void* from, std::size_t bytes) {
  check(there([&] { return GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyDefault), of(stream)); }),
        GPU_CALL(MemcpyAsync));
}

void move(device_stream stream, const device_moves& what, const field_places& fields) {
  if (what.how_many_pieces == 0) return;
  const auto launch = [&]() -> status_t {
    if (what.own != nullptr) return static_cast<status_t>(what.own->launch(stream.handle, what, fields));
    return what.only_copies     ? gpu::launch<true, moving::combine_known<false>>(of(stream), what, fields)
           : what.numbers_apart ? gpu::launch<false, moving::combine_known<true>>(of(stream), what, fields)
                                : gpu::launch<false, moving::combine_known<false>>(of(stream), what, fields);
  };
  check(there(launch), GPU_CALL(LaunchKernel));
}

// A ticket contains the run time's handle. The run time counts how often a handle is opened, and returns the same
// address each time.
static_assert(sizeof(GPU(IpcMemHandle_t)) <= sizeof(detail::device_ticket));

std::string lend(void* memory, detail::device_ticket& ticket) {
  GPU(IpcMemHandle_t) handle;
  const auto status = there([&] { return GPU(IpcGetMemHandle)(&handle, memory); });
  if (status != GPU(Success)) return words_of(status, GPU_CALL(IpcGetMemHandle));
  std::memcpy(ticket.bytes.data(), &handle, sizeof handle);
  return {};
}

/// Also borrows memory of another device, if the two reach each other.
std::string borrow(const detail::device_ticket& ticket, void*& memory) {
  GPU(IpcMemHandle_t) handle;
  std::memcpy(&handle, ticket.bytes.data(), sizeof handle);
  const auto status = there([&] { return GPU(IpcOpenMemHandle)(&memory, handle, GPU(IpcMemLazyEnablePeerAccess)); });
  return status == GPU(Success) ? std::string() : words_of(status, GPU_CALL(IpcOpenMemHandle));
}

void give_back(void* borrowed) {
  forget(there([&] { return GPU(IpcCloseMemHandle)(borrowed); }));
}

// Memory that is released when the program ends may find the driver gone already; such an error is not reported.
const device row{.name = gpu::name,
                 .meaning = gpu::meaning,
                 .absence = absence,
                 .driver = gpu::driver,
                 .owns = owns,
                 .is_of_another = is_of_another,
                 .allocate = allocate<gpu::allocate>,
                 .release = release<GPU(Free)>,
                 .allocate_pinned = allocate<gpu::allocate_pinned>,
                 .release_pinned = release<gpu::release_pinned>,
                 .make_stream = make_stream,
                 .end_stream = end_stream,
                 .make_event = make_event,
                 .end_event = end_event,
                 .record = record,
                 .has_happened = has_happened,
                 .hold_until = hold_until,
                 .await = await,
                 .finish = finish,
                 .finish_all = finish_all,
                 .copy = copy,
                 .move = move,
                 // cudaMalloc puts small pieces into blocks of 2 MiB, and the other process would see the whole block.
                 .lending_unit = std::size_t{2} << 20,
                 .lend = lend,
                 .borrow = borrow,
                 .give_back = give_back};

}  // namespace

const device& GPU_DEVICE() { return row; }

}  // namespace wherry
