/// @file
/// Devices (GPUs): memory that the host may not touch, and streams of work that runs beside the host.
///
///     wherry::field<double, 2> u(grid.comm(), {nx, ny}, 1, {.space = wherry::memory_space::device});
///     wherry::halo_exchange exchange(grid, u);
///     wherry::in_stream here({stream});
///     exchange();  // after the kernels in `stream`, and before those that are put into it from now on
///
/// A device is a table of functions, as a transport is, so that the code above it does not depend on CUDA. All
/// functions here are local and make no MPI call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace wherry {

/// A stream of a device: its work runs in order, concurrently with the host and with other streams. Make it from a
/// `cudaStream_t` by `device_stream{stream}`. A null handle is the device's main stream.
struct device_stream {
  void* handle = nullptr;
  bool operator==(const device_stream&) const = default;
};

namespace detail {

/// A position in a stream that the host and other streams can wait for.
struct device_event {
  void* handle = nullptr;
};

/// A description of device memory that can be sent to another process, which finds the memory by it.
struct device_ticket {
  alignas(8) std::array<std::byte, 96> bytes{};
};

}  // namespace detail

struct device_moves;  // the moves of one launch of the copy kernel; see detail/device_moves.hpp
struct field_places;  // the addresses of the fields of such a launch

/// A kind of device, as the functions by which this process uses it. Functions that take a stream only put work into
/// it. Unless stated otherwise, a failure of the device throws error(resource) with the device's own error text.
struct device {
  std::string name;      ///< "cuda", …
  std::string meaning;   ///< one line for `./run info`
  bool is_host = false;  ///< true if the host's processor does its work
  /// Returns why the device cannot be used here, such as a missing driver; empty if it can be used.
  std::string (*absence)() = nullptr;
  /// A part of the file name of the library that allocates the device's memory. In a program that has not loaded this
  /// library, no memory belongs to the device. Null if the library is not known.
  const char* driver = nullptr;

  /// True for memory of the device that the host may not touch; false for null. Never throws.
  bool (*owns)(const void* memory) = nullptr;
  /// True for memory of another device, which the host may not touch either and which this process does not use. Never
  /// throws. The pointer is null if there are no other devices.
  bool (*is_of_another)(const void* memory) = nullptr;
  /// Allocates device memory, aligned to 256 bytes. Returns null if there is none left.
  void* (*allocate)(std::size_t bytes) = nullptr;
  void (*release)(void* memory) = nullptr;
  /// Allocates pinned host memory, which the device can access too. Returns null if there is none left.
  void* (*allocate_pinned)(std::size_t bytes) = nullptr;
  void (*release_pinned)(void* memory) = nullptr;

  device_stream (*make_stream)() = nullptr;
  void (*end_stream)(device_stream) = nullptr;
  detail::device_event (*make_event)() = nullptr;
  void (*end_event)(detail::device_event) = nullptr;
  /// Makes the event stand for all work that is in the stream now.
  void (*record)(detail::device_event, device_stream) = nullptr;
  /// True if the work of the event is done, or if the event was never recorded.
  bool (*has_happened)(detail::device_event) = nullptr;
  /// Makes all work that is put into the stream from now on wait for the event. The host does not wait.
  void (*hold_until)(device_stream, detail::device_event) = nullptr;
  /// Waits on the host until the work of the event is done.
  void (*await)(detail::device_event) = nullptr;
  /// Waits on the host until all work in the stream is done.
  void (*finish)(device_stream) = nullptr;
  /// Waits on the host until all work of this process on the device is done, including work in streams that have been
  /// ended.
  void (*finish_all)() = nullptr;

  /// Copies bytes. Each side is in device memory or in pinned host memory.
  void (*copy)(device_stream, void* to, const void* from, std::size_t bytes) = nullptr;
  /// Carries out all moves of a table in one launch. The pointers of the table must be accessible to the device.
  void (*move)(device_stream, const device_moves& what, const field_places& fields) = nullptr;

  // Lending between processes of one node. The pointers are null if the device cannot lend. `lend` and `borrow` return
  // the reason of a failure, and an empty string on success.
  std::size_t lending_unit = 1;  ///< memory is lent in multiples of this number of bytes
  /// Describes memory to other processes.
  /// @param memory a result of `allocate`, which must not be released before all borrowers have given it back
  std::string (*lend)(void* memory, detail::device_ticket& ticket) = nullptr;
  /// Makes memory that another process has lent accessible.
  /// @param memory gets the address at which this process's device accesses it
  std::string (*borrow)(const detail::device_ticket& ticket, void*& memory) = nullptr;
  void (*give_back)(void* borrowed) = nullptr;

  /// The address that an MPI with access to this device's memory gets for it. If this function pointer is null, MPI
  /// gets the address itself.
  void* (*for_mpi)(void* memory) = nullptr;
};

/// Chooses the device for fields in device memory; null means none. Call it on all ranks that have such fields, before
/// the first of them is bound. Without this call, `WHERRY_DEVICE` chooses, and by default the first device of the table
/// that can be used is taken. Local.
/// @throws error(argument), with the reason, if the device cannot be used
void use_device(const device* which);

/// The device in use, or null if there is none.
/// @throws error(argument) or error(state) if `WHERRY_DEVICE` names a device that is not known or cannot be used
const device* device_in_use();

/// The reason why there is no device, for error texts, such as "cuda: no CUDA-capable device is detected".
std::string why_no_device();

/// The devices of this build of the library, in the order in which they are tried.
std::span<const device* const> all_devices();

/// A simulated device for tests on machines without a GPU. Its memory consists of pages that the host may not touch (a
/// process that does is ended with a message), and its streams run late, on a thread of their own, in any order that
/// events allow. It is used only after `use_device(&fake_device())` or with `WHERRY_DEVICE=fake`.
const device& fake_device();
namespace detail {

/// Sets the seed of the order in which the fake device takes work from its streams.
void seed_fake_device(std::uint64_t seed);
/// Makes work that is put into a stream of the fake device from now on wait until the last copy of the result is
/// destroyed.
std::shared_ptr<void> hold_fake_device(device_stream stream);

/// Allocates `bytes` bytes of memory on the device in use. The content is undefined, and the memory is freed with the
/// last pointer. Local.
/// @throws error(state) if there is no device, error(resource) if there is not enough memory
std::shared_ptr<std::byte> allocate_on_device(std::size_t bytes);

}  // namespace detail
/// Allocates memory for `count` elements as `allocate_on_device` does.
template <class T> std::shared_ptr<T[]> make_on_device(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "what lies on a device is its bytes");
  auto memory = detail::allocate_on_device(count * sizeof(T));
  auto* first = reinterpret_cast<T*>(memory.get());
  return {std::move(memory), first};
}

/// Copies bytes between the host and the device in use, in either direction, after the work in the device's main
/// stream, and waits for the copy. Local.
/// @throws error(state) if there is no device
void copy_on_device(void* to, const void* from, std::size_t bytes);

/// A scope in which this thread's exchanges are ordered with the work of a stream. `start` makes the exchange read
/// device fields after the work that is in the stream at that time. After `wait`, the received data is available to
/// work that is put into the stream from then on. The host waits for messages, but not for the device.
///     wherry::in_stream here({stream});
///     exchange.start();  // after the kernels that are in the stream
///     exchange.wait();   // before kernels that are put into the stream from now on
/// The user must keep the stream until all exchanges that were started in it have been waited for, and may end it when
/// its work is done.
class in_stream {
 public:
  explicit in_stream(device_stream stream);
  ~in_stream();
  in_stream(const in_stream&) = delete;
  in_stream& operator=(const in_stream&) = delete;

  /// The stream of this thread's innermost scope, or null.
  static const device_stream* current();

 private:
  device_stream stream_;
  const device_stream* before_;
};

}  // namespace wherry
