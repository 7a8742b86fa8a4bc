// A run time of two devices, without any, under HIP's row of the table of devices: which device is current in the
// threads that call, and whose errors are whose.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/device/detail/device_moves.hpp"
#include "wherry/device/device.hpp"

enum hipError_t {
  hipSuccess,
  hipErrorInvalidValue = 1,
  hipErrorMemoryAllocation = 2,
  hipErrorUsers = 98,
  hipErrorInvalidHandle = 400,
  hipErrorNotReady = 600
};
enum hipMemoryType { hipMemoryTypeHost, hipMemoryTypeDevice };
struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
};
struct dim3 {
  unsigned x, y, z;
};
struct ihipStream_t {
  int device;
};
struct ihipEvent_t {
  int device;
};
struct hipIpcMemHandle_t {
  char reserved[64];
};
using hipStream_t = ihipStream_t*;
using hipEvent_t = ihipEvent_t*;

namespace {

thread_local int current = 0;
thread_local hipError_t last = hipSuccess;
bool has_memory = true, is_ready = true;
int launched_on = -1, failures = 0;
std::byte memory_of[2][64], host[64];  // by device

hipError_t said(hipError_t status) {
  if (status != hipSuccess) last = status;
  return status;
}
hipError_t said_of(bool is_right, hipError_t otherwise) { return said(is_right ? hipSuccess : otherwise); }
int device_of(hipStream_t stream) { return stream == nullptr ? current : stream->device; }

}  // namespace

extern "C" {
hipError_t hipGetLastError() { return std::exchange(last, hipSuccess); }
hipError_t hipPeekAtLastError() { return last; }
const char* hipGetErrorString(hipError_t) { return "words"; }
hipError_t hipGetDeviceCount(int* count) { return *count = 2, hipSuccess; }
hipError_t hipGetDevice(int* device) { return *device = current, hipSuccess; }
hipError_t hipSetDevice(int device) { return current = device, hipSuccess; }
hipError_t hipFree(void*) { return hipSuccess; }
hipError_t hipHostFree(void*) { return hipSuccess; }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) {
  return *event = new ihipEvent_t{current}, hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t event) { return delete event, hipSuccess; }
hipError_t hipEventQuery(hipEvent_t) { return said_of(is_ready, hipErrorNotReady); }
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return said_of(event->device == device_of(stream), hipErrorInvalidHandle);
}
hipError_t hipEventSynchronize(hipEvent_t) { return hipSuccess; }
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  return *stream = new ihipStream_t{current}, hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) { return delete stream, hipSuccess; }
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned) { return hipSuccess; }
hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
hipError_t hipDeviceSynchronize() { return said_of(current == 1, hipErrorInvalidValue); }
hipError_t hipMemcpyAsync(void*, const void*, std::size_t, int, hipStream_t stream) {
  return said_of(device_of(stream) == 1, hipErrorInvalidValue);
}
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* what, const void* place) {
  for (int device = 0; device < 2; ++device)
    if (place == memory_of[device]) return *what = {hipMemoryTypeDevice, device}, hipSuccess;
  return said(hipErrorInvalidValue);
}
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t*, void*) { return said_of(current == 1, hipErrorInvalidValue); }
hipError_t hipIpcOpenMemHandle(void** place, hipIpcMemHandle_t, unsigned) {
  return *place = memory_of[current], hipSuccess;
}
hipError_t hipIpcCloseMemHandle(void*) { return hipSuccess; }
hipError_t hipLaunchKernel(const void*, dim3, dim3, void**, std::size_t, hipStream_t stream) {
  launched_on = device_of(stream);
  return said_of(launched_on == current, hipErrorInvalidHandle);
}
// What Clang puts beside kernels.
hipError_t __hipPopCallConfiguration(dim3*, dim3*, std::size_t*, hipStream_t*) { return hipSuccess; }
void** __hipRegisterFatBinary(const void*) { return nullptr; }
void __hipRegisterFunction() {}
void __hipUnregisterFatBinary(void**) {}
extern const char __hip_fatbin = 0;
extern const char __hip_fatbin_ = 0;
void* __hip_gpubin_handle = nullptr;
void* __hip_gpubin_handle_ = nullptr;
}
hipError_t hipMalloc(void** place, std::size_t) {
  *place = memory_of[current];
  return said_of(has_memory, hipErrorMemoryAllocation);
}
hipError_t hipHostMalloc(void** place, std::size_t, unsigned) {
  *place = host;
  return said_of(has_memory, hipErrorMemoryAllocation);
}

namespace wherry {
const device& hip_device();
}

namespace {

#define CHECK(what) check(what, #what, __LINE__)
void check(bool is_right, const char* what, int line) {
  if (is_right) return;
  std::printf("line %d: %s\n", line, what);
  ++failures;
}

const wherry::device& row = wherry::hip_device();

void move_one(wherry::device_stream stream) {
  wherry::device_moves all;
  all.how_many_pieces = 1;
  row.move(stream, all, {});
}

/// In a thread that has another device, or none.
void all_goes_to_the_device(wherry::device_stream stream) {
  const int before = current;
  move_one(stream);
  CHECK(launched_on == 1);
  move_one({});
  CHECK(launched_on == 1);
  const auto event = row.make_event();
  row.record(event, stream);
  row.record(event, {});
  row.copy({}, nullptr, nullptr, 0);
  row.finish_all();
  CHECK(row.allocate(8) == memory_of[1]);
  wherry::detail::device_ticket ticket;
  CHECK(row.lend(memory_of[1], ticket).empty());
  void* borrowed = nullptr;
  CHECK(row.borrow(ticket, borrowed).empty() && borrowed == memory_of[1]);
  row.end_event(event);
  CHECK(current == before);
}

void memory_is_told_apart() {
  CHECK(row.owns(memory_of[1]) && !row.is_of_another(memory_of[1]));
  CHECK(!row.owns(memory_of[0]) && row.is_of_another(memory_of[0]));
  CHECK(!row.owns(host) && !row.is_of_another(host));
}

void errors_have_their_owners(wherry::device_stream stream) {
  last = hipErrorUsers;
  move_one(stream);
  CHECK(row.absence().empty());
  CHECK(row.owns(memory_of[1]));
  CHECK(last == hipErrorUsers);
  last = hipSuccess;
  memory_is_told_apart();
  has_memory = false;
  CHECK(row.allocate(8) == nullptr && row.allocate_pinned(8) == nullptr);
  has_memory = true;
  is_ready = false;
  CHECK(!row.has_happened({}));
  is_ready = true;
  ihipStream_t elsewhere{0};
  try {
    move_one({&elsewhere});
    CHECK(false);
  } catch (const wherry::error& problem) {
    CHECK(std::strstr(problem.what(), "hipLaunchKernel: words") != nullptr);
  }
  CHECK(last == hipSuccess);
}

}  // namespace

int main() {
  current = 1;
  memory_is_told_apart();  // before anything is made: by what is current
  current = 0;
  CHECK(row.owns(memory_of[0]));
  current = 1;
  const auto stream = row.make_stream();
  current = 0;
  all_goes_to_the_device(stream);
  memory_is_told_apart();
  std::thread([&] {
    all_goes_to_the_device(stream);
    memory_is_told_apart();
    errors_have_their_owners(stream);
  }).join();
  row.end_stream(stream);
  if (failures == 0) std::printf("right\n");
  return failures == 0 ? 0 : 1;
}
