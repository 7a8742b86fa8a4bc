/// @file
/// Segments of elements: memory of each rank that the other ranks write to and notify of (paper 5; GASPI 17.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "wherry/channel/byte_segment.hpp"

namespace wherry {

/// A ring, where each rank writes to the next one and reads what has come in place:
///
///     wherry::segment<double> ring(MPI_COMM_WORLD, n);      // collective: n elements of each rank
///     ring.write_notify(next, 0, mine, /*id*/ 0);           // to the beginning of the next rank's
///     ring.wait(0);                                         // somebody has written to mine
///     use(ring.local());
///
/// What a call guarantees is said at `byte_segment`; places and lengths are in elements here.
template <class T = std::byte> class segment {
  static_assert(std::is_trivially_copyable_v<T>, "a segment holds bytes that mean the same on all ranks");

 public:
  /// Collective. Zeroes, in memory that the ranks of a node share; each rank its own number, possibly none.
  segment(const communicator& comm, std::size_t elements, const segment_options& options = {})
      : bytes_(comm, in_bytes(elements), options) {}
  /// Collective, on memory that there is, of any kind.
  segment(const communicator& comm, std::span<T> memory, const segment_options& options = {})
      : bytes_(comm, std::as_writable_bytes(memory), options) {}
  /// Collective; this rank's part of a window by MPI_Win_allocate_shared.
  segment(const communicator& comm, shared_window memory, const segment_options& options = {})
      : bytes_(comm, memory, options) {}

  const communicator& comm() const { return bytes_.comm(); }
  std::span<T> local() const {
    return {reinterpret_cast<T*>(bytes_.memory().data()), bytes_.memory().size() / sizeof(T)};
  }
  T& operator[](std::size_t at) const { return local()[at]; }
  std::size_t size_of(int rank) const { return bytes_.bytes_of(rank) / sizeof(T); }
  /// Another rank's part, read in place; null where this rank does not see it.
  const T* in_place(int rank) const { return reinterpret_cast<const T*>(bytes_.in_place(rank)); }
  int notifications() const { return bytes_.notifications(); }
  std::string explain() const { return bytes_.explain(); }
  exchange_statistics statistics() const { return bytes_.statistics(); }

  void write(int to, std::size_t at, std::span<const T> data, segment_queue* queue = nullptr) {
    bytes_.write(to, in_bytes(at), std::as_bytes(data), queue);
  }
  void read(int from, std::size_t at, std::span<T> into, segment_queue* queue = nullptr) {
    bytes_.read(from, in_bytes(at), std::as_writable_bytes(into), queue);
  }
  void notify(int to, int id, std::uint32_t value = 1) { bytes_.notify(to, id, value); }
  void write_notify(int to, std::size_t at, std::span<const T> data, int id, std::uint32_t value = 1) {
    bytes_.write_notify(to, in_bytes(at), std::as_bytes(data), id, value);
  }
  void read_notify(int from, std::size_t at, std::span<T> into, int id, std::uint32_t value = 1) {
    bytes_.read_notify(from, in_bytes(at), std::as_writable_bytes(into), id, value);
  }
  void write_in_pieces(int to, std::size_t at, std::span<const T> data, int id) {
    bytes_.write_in_pieces(to, in_bytes(at), std::as_bytes(data), id);
  }
  bool copy_out(std::size_t at, std::span<T> into, int id, double seconds = no_limit) {
    return bytes_.copy_out(in_bytes(at), std::as_writable_bytes(into), id, seconds);
  }
  std::optional<int> wait_some(int first, int count, double seconds = no_limit) {
    return bytes_.wait_some(first, count, seconds);
  }
  std::uint32_t reset(int id) { return bytes_.reset(id); }
  std::optional<std::uint32_t> wait(int id, double seconds = no_limit) { return bytes_.wait(id, seconds); }
  notification_words notifications_of(int rank) const { return bytes_.notifications_of(rank); }

  std::uint64_t fetch_add(int on, std::size_t at, std::uint64_t value)
    requires(sizeof(T) == sizeof(std::uint64_t))
  {
    return bytes_.fetch_add(on, in_bytes(at), value);
  }
  std::uint64_t compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired)
    requires(sizeof(T) == sizeof(std::uint64_t))
  {
    return bytes_.compare_swap(on, in_bytes(at), expected, desired);
  }
  void flush() { bytes_.flush(); }

  /// The same in bytes: lists of writes and reads.
  byte_segment& bytes() { return bytes_; }

 private:
  // What does not fit is more than there is, and told as such.
  static std::size_t in_bytes(std::size_t elements) {
    constexpr auto most = static_cast<std::size_t>(-1);
    return elements > most / sizeof(T) ? most : elements * sizeof(T);
  }

  byte_segment bytes_;
};

template <class T> segment(const communicator&, std::span<T>) -> segment<T>;
template <class T> segment(const communicator&, std::span<T>, const segment_options&) -> segment<T>;

}  // namespace wherry
