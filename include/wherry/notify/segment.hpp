/// @file
/// Segments: memory of each rank that the other ranks write to and read from without its help, with notifications
/// (GASPI 17.1, sections 7 to 9).
///
///     wherry::segment<double> ring(MPI_COMM_WORLD, n);      // collective: n elements on each rank
///     ring.write_notify(next, 0, mine, /*id*/ 0);           // to the beginning of the next rank's segment
///     ring.wait(0);                                         // takes the notification: the previous rank has written
///     use(ring.mine());
///
/// In a loop, the receiver must also tell the writer that the data may be overwritten, by a notification with another
/// id. A notification replaces an earlier one with the same id that has not been taken yet.
///
/// For a whole halo use `halo_exchange` with the transport `one_sided`, or `published_layouts`; for bytes instead of
/// elements, `byte_segment`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/travels_as_bytes.hpp"

namespace wherry {

/// A segment with elements of type T. The calls and their guarantees are those of `byte_segment`, with places and
/// lengths in elements instead of bytes: for example, the source of `write_notify` may be changed when it returns.
/// Movable.
template <class T = std::byte> class segment : private byte_segment {
  static_assert(travels_as_bytes<T>, "a segment holds bytes that mean the same on all ranks");

 public:
  /// Allocates `elements` zeros in memory that the ranks of the node share. The number may differ between ranks and may
  /// be 0. Collective over `comm`.
  /// @throws as `byte_segment`
  segment(const communicator& comm, std::size_t elements, const segment_options& options = {})
      : byte_segment(comm, in_bytes(elements), options) {}
  /// Uses the user's memory of any kind, which must outlive the segment and all writes to it. Collective over `comm`.
  segment(const communicator& comm, std::span<T> memory, const segment_options& options = {})
      : byte_segment(comm, std::as_writable_bytes(memory), options) {}
  /// Uses this rank's part of a window from MPI_Win_allocate_shared, which must outlive the segment on all ranks.
  /// Collective over `comm`.
  segment(const communicator& comm, shared_window memory, const segment_options& options = {})
      : byte_segment(comm, memory, options) {}

  using byte_segment::comm;
  using byte_segment::explain;
  using byte_segment::flush;
  using byte_segment::notifications;
  using byte_segment::notifications_of;
  using byte_segment::notify;  // the overloads for lists and time limits too
  using byte_segment::reset;
  using byte_segment::statistics;
  using byte_segment::transport;
  using byte_segment::value;
  using byte_segment::wait;
  using byte_segment::wait_some;
  /// The segment in bytes, for lists of writes and reads.
  byte_segment& bytes() { return *this; }

  std::span<T> mine() const { return {reinterpret_cast<T*>(memory().data()), memory().size() / sizeof(T)}; }
  T& operator[](std::size_t at) const { return mine()[at]; }
  std::size_t size_of(int rank) const { return bytes_of(rank) / sizeof(T); }
  /// Another rank's part, to be read or written in place; null if this rank does not see it in its memory.
  T* memory_of(int rank) const { return reinterpret_cast<T*>(byte_segment::memory_of(rank)); }

  void write(int to, std::size_t at, std::span<const T> data, segment_queue* queue = nullptr) {
    byte_segment::write(to, in_bytes(at), std::as_bytes(data), queue);
  }
  void read(int from, std::size_t at, std::span<T> into, segment_queue* queue = nullptr) {
    byte_segment::read(from, in_bytes(at), std::as_writable_bytes(into), queue);
  }
  void write_notify(int to, std::size_t at, std::span<const T> data, int id, std::uint32_t value = 1) {
    byte_segment::write_notify(to, in_bytes(at), std::as_bytes(data), id, value);
  }
  void read_notify(int from, std::size_t at, std::span<T> into, int id, std::uint32_t value = 1) {
    byte_segment::read_notify(from, in_bytes(at), std::as_writable_bytes(into), id, value);
  }
  bool write_notify(int to, std::size_t at, std::span<const T> data, int id, std::uint32_t value, double seconds) {
    return byte_segment::write_notify(to, in_bytes(at), std::as_bytes(data), id, value, seconds);
  }
  bool read_notify(int from, std::size_t at, std::span<T> into, int id, std::uint32_t value, double seconds) {
    return byte_segment::read_notify(from, in_bytes(at), std::as_writable_bytes(into), id, value, seconds);
  }
  void write_in_pieces(int to, std::size_t at, std::span<const T> data, int id) {
    byte_segment::write_in_pieces(to, in_bytes(at), std::as_bytes(data), id);
  }
  bool write_in_pieces(int to, std::size_t at, std::span<const T> data, int id, double seconds) {
    return byte_segment::write_in_pieces(to, in_bytes(at), std::as_bytes(data), id, seconds);
  }
  bool copy_out(std::size_t at, std::span<T> into, int id, double seconds = no_limit) {
    return byte_segment::copy_out(in_bytes(at), std::as_writable_bytes(into), id, seconds);
  }
  std::uint64_t fetch_add(int on, std::size_t at, std::uint64_t value)
    requires(sizeof(T) == sizeof(std::uint64_t))
  {
    return byte_segment::fetch_add(on, in_bytes(at), value);
  }
  std::optional<std::uint64_t> fetch_add(int on, std::size_t at, std::uint64_t value, double seconds)
    requires(sizeof(T) == sizeof(std::uint64_t))
  {
    return byte_segment::fetch_add(on, in_bytes(at), value, seconds);
  }
  std::uint64_t compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired)
    requires(sizeof(T) == sizeof(std::uint64_t))
  {
    return byte_segment::compare_swap(on, in_bytes(at), expected, desired);
  }
  std::optional<std::uint64_t> compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired,
                                            double seconds)
    requires(sizeof(T) == sizeof(std::uint64_t))
  {
    return byte_segment::compare_swap(on, in_bytes(at), expected, desired, seconds);
  }

 private:
  // A product that does not fit becomes the largest size, which every call reports as out of range.
  static std::size_t in_bytes(std::size_t elements) {
    constexpr auto most = static_cast<std::size_t>(-1);
    return elements > most / sizeof(T) ? most : elements * sizeof(T);
  }
};

template <class T> segment(const communicator&, std::span<T>) -> segment<T>;
template <class T> segment(const communicator&, std::span<T>, const segment_options&) -> segment<T>;

}  // namespace wherry
