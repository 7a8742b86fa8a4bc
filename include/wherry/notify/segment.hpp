/// @file
/// Segments of elements: memory of each rank that the other ranks write to and notify of (paper 5; GASPI 17.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/travels_as_bytes.hpp"

namespace wherry {

/// A ring, where each rank writes to the next one and reads what has come in place:
///
///     wherry::segment<double> ring(MPI_COMM_WORLD, n);      // collective: n elements of each rank
///     ring.write_notify(next, 0, mine, /*id*/ 0);           // to the beginning of the next rank's
///     ring.wait(0);                                         // somebody has written to mine
///     use(ring.local());
///
/// What a call guarantees is said at `byte_segment`; places and lengths are in elements here.
template <class T = std::byte> class segment : private byte_segment {
  static_assert(travels_as_bytes<T>, "a segment holds bytes that mean the same on all ranks");

 public:
  /// Collective. Zeroes, in memory that the ranks of a node share; each rank its own number, possibly none.
  segment(const communicator& comm, std::size_t elements, const segment_options& options = {})
      : byte_segment(comm, in_bytes(elements), options) {}
  /// Collective, on memory that there is, of any kind.
  segment(const communicator& comm, std::span<T> memory, const segment_options& options = {})
      : byte_segment(comm, std::as_writable_bytes(memory), options) {}
  /// Collective; this rank's part of a window by MPI_Win_allocate_shared.
  segment(const communicator& comm, shared_window memory, const segment_options& options = {})
      : byte_segment(comm, memory, options) {}

  using byte_segment::comm;
  using byte_segment::explain;
  using byte_segment::flush;
  using byte_segment::notifications;
  using byte_segment::notifications_of;
  using byte_segment::notify;  // by lists and limits, too
  using byte_segment::reset;
  using byte_segment::statistics;
  using byte_segment::transport;
  using byte_segment::value;
  using byte_segment::wait;
  using byte_segment::wait_some;
  /// The same in bytes: lists of writes and reads.
  byte_segment& bytes() { return *this; }

  std::span<T> local() const { return {reinterpret_cast<T*>(memory().data()), memory().size() / sizeof(T)}; }
  T& operator[](std::size_t at) const { return local()[at]; }
  std::size_t size_of(int rank) const { return bytes_of(rank) / sizeof(T); }
  /// Another rank's part, read in place; null where this rank does not see it.
  const T* in_place(int rank) const { return reinterpret_cast<const T*>(byte_segment::in_place(rank)); }

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
  // What does not fit is more than there is, and told as such.
  static std::size_t in_bytes(std::size_t elements) {
    constexpr auto most = static_cast<std::size_t>(-1);
    return elements > most / sizeof(T) ? most : elements * sizeof(T);
  }
};

template <class T> segment(const communicator&, std::span<T>) -> segment<T>;
template <class T> segment(const communicator&, std::span<T>, const segment_options&) -> segment<T>;

}  // namespace wherry
