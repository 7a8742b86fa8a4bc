/// @file
/// Accelerators: memory that the host may not touch, and queues of work that runs beside it. A device is a small table
/// of functions, as a transport is; nothing above it knows CUDA. No MPI.
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

/// A queue of work of the device: what is in it runs in order, beside the host and beside other queues. A
/// `cudaStream_t` is one: `device_stream{stream}`. A null one is the device's main queue.
struct device_stream {
  void* handle = nullptr;
  bool operator==(const device_stream&) const = default;
};

/// A place in a queue that others can wait for.
struct device_event {
  void* handle = nullptr;
};

/// How another process finds memory of a device: bytes that can be sent to it.
struct device_ticket {
  alignas(8) std::array<std::byte, 96> bytes{};
};

struct device_moves;  // detail/device_moves.hpp: what one launch of the copy kernel moves
struct field_places;  // and between which fields

/// One row of the table: how a kind of device is reached from this process. All that takes a stream only puts work into
/// it; where nothing else is said, a failure of the device is an error(resource) that has the device's own words.
struct device {
  std::string name;      ///< "cuda", …
  std::string meaning;   ///< one line, for `./run info`
  bool is_host = false;  ///< what it moves the host's code moves
  /// Why it cannot be used here, as there is no driver; empty where it can.
  std::string (*absence)() = nullptr;
  /// The library that its memory comes from (a part of the file's name): in a program that has not loaded it nothing
  /// lies there. Null: not known.
  const char* driver = nullptr;

  /// Is this memory of the device, which the host may not touch? Never throws; false for null.
  bool (*owns)(const void* memory) = nullptr;
  /// Is it memory that the host may not touch either, but of another device, which this process does not use? Never
  /// throws. Null: there is none.
  bool (*is_of_another)(const void* memory) = nullptr;
  /// Memory of the device, aligned to 256 bytes; null where there is none left.
  void* (*allocate)(std::size_t bytes) = nullptr;
  void (*release)(void* memory) = nullptr;
  /// Memory of the host that the device reaches, too; null where there is none left.
  void* (*allocate_pinned)(std::size_t bytes) = nullptr;
  void (*release_pinned)(void* memory) = nullptr;

  device_stream (*make_stream)() = nullptr;
  void (*end_stream)(device_stream) = nullptr;
  device_event (*make_event)() = nullptr;
  void (*end_event)(device_event) = nullptr;
  /// From now on the event stands for all that is in the stream by now.
  void (*record)(device_event, device_stream) = nullptr;
  /// Has it happened? True for what was never recorded.
  bool (*has_happened)(device_event) = nullptr;
  /// What is put into the stream from now on waits for it; the host does not.
  void (*hold_until)(device_stream, device_event) = nullptr;
  /// The host waits until it has happened.
  void (*await)(device_event) = nullptr;
  /// The host waits until all that is in the stream is done.
  void (*finish)(device_stream) = nullptr;
  /// The host waits until all is done that this process has given to the device, also in streams that have been ended.
  void (*finish_all)() = nullptr;

  /// Copies bytes, either side on the device or pinned.
  void (*copy)(device_stream, void* to, const void* from, std::size_t bytes) = nullptr;
  /// One launch that moves all that the table says. What the table points to lies where the device reads it.
  void (*move)(device_stream, const device_moves& what, const field_places& fields) = nullptr;

  // Between processes of one node. Null: it lends nothing. Both say why not; nothing where it is done.
  std::size_t lending_unit = 1;  ///< what is lent is a multiple of so many bytes
  /// @param memory as `allocate` gave it, which is not released before all who have borrowed it have given it back
  std::string (*lend)(void* memory, device_ticket& ticket) = nullptr;
  /// @param memory where this process's device reaches what another process has lent
  std::string (*borrow)(const device_ticket& ticket, void*& memory) = nullptr;
  void (*give_back)(void* borrowed) = nullptr;

  /// What an MPI that reaches memory of this device is given for it. Null: the pointer as it is.
  void* (*for_mpi)(void* memory) = nullptr;
};

/// Makes this the device of fields in device memory, on all ranks that have such fields, before the first of them is
/// bound; null: none. Without it the first row of the table that can be used is taken. @throws error(argument) where it
/// is absent, with the reason.
void use_device(const device* which);

/// The device in use. Null: there is none here.
const device* device_in_use();

/// For errors, why there is none: "cuda: no CUDA-capable device is detected", …
std::string why_no_device();

/// What this build of the library knows, in the order in which they are tried.
std::span<const device* const> all_devices();

/// A device of this process's host: its memory is pages that the host may not touch (who does is ended, with a text
/// that says so), and its queues run late, and in any order that their events allow, on a thread of their own. Programs
/// are tested with it where there is no device; it is taken only by `use_device(&fake_device())`.
const device& fake_device();
/// The order in which it takes work from its queues.
void seed_fake_device(std::uint64_t seed);
/// What is put into a stream of the fake device from now on waits until the last copy of this is gone.
std::shared_ptr<void> hold_fake_device(device_stream stream);

/// Memory on the device in use for `count` elements, which nobody has written yet; it is given back with the last
/// pointer. @throws error(state) without a device, error(resource) without memory.
std::shared_ptr<std::byte> allocate_on_device(std::size_t bytes);
template <class T> std::shared_ptr<T[]> make_on_device(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "what lies on a device is its bytes");
  auto memory = allocate_on_device(count * sizeof(T));
  auto* first = reinterpret_cast<T*>(memory.get());
  return {std::move(memory), first};
}

/// Copies bytes between the host and the device in use, either way, behind what is in its main stream, and waits for
/// it.
void copy_on_device(void* to, const void* from, std::size_t bytes);

/// While it lives, exchanges that this thread starts read their device fields when what is in the stream by then is
/// done, and those for which it waits are complete for what it puts into the stream afterwards: the host waits for
/// messages, but not for the device.
///     wherry::in_stream here({stream});
///     exchange.start();  // behind the kernels that are in the stream
///     exchange.wait();   // before those that come into it now
/// A stream in which one was started lasts until it was waited for, and is ended when what is in it is done.
class in_stream {
 public:
  explicit in_stream(device_stream stream);
  ~in_stream();
  in_stream(const in_stream&) = delete;
  in_stream& operator=(const in_stream&) = delete;

  /// That of the innermost one of this thread; null: none.
  static const device_stream* current();

 private:
  device_stream stream_;
  const device_stream* before_;
};

}  // namespace wherry
