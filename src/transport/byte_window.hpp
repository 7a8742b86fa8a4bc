// A window is a piece of a byte stream. It has the same form in shared memory and in a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "wherry/core/allocation.hpp"

namespace wherry {

enum class window_state : std::uint32_t {
  more,      // others follow
  last,      // the end of the stream
  abandoned  // the writer has given up; the bytes are its reason
};

struct window_head {
  std::uint64_t stream = 0, fingerprint = 0;
  std::uint32_t bytes = 0;
  window_state state = window_state::more;
  std::int32_t root = -1;  // of a broadcast
};

struct byte_window {
  static constexpr std::size_t capacity = (std::size_t{128} << 10) - 64;
  alignas(64) window_head head;
  alignas(64) std::byte data[capacity];

  /// The size of the message that carries it.
  std::size_t message_bytes() const { return offsetof(byte_window, data) + head.bytes; }
};

/// `count` windows, not initialised. @throws error(resource)
inline std::unique_ptr<byte_window[]> fresh_windows(std::size_t count) {
  return detail::allocating("byte stream", "windows", count * sizeof(byte_window),
                            [=] { return std::make_unique_for_overwrite<byte_window[]>(count); });
}
inline std::unique_ptr<byte_window> fresh_window() {
  return detail::allocating("byte stream", "a window", sizeof(byte_window),
                            [] { return std::make_unique_for_overwrite<byte_window>(); });
}

/// How the part of a stream that does not fit into the first message travels.
enum class stream_route : std::uint32_t {
  none,       // everything has fitted
  ring,       // in shared memory
  messages,   // one message for each window, once the receiver has accepted
  posted,     // as `messages`, but already under way
  abandoned,  // not at all: the writer has given up; the bytes are its reason
};

/// The first message of a stream from one rank to another.
struct first_piece {
  static constexpr std::size_t capacity = std::size_t{32} << 10;
  struct {
    std::uint32_t magic = expected_magic;
    stream_route route = stream_route::none;
    std::uint64_t fingerprint = 0;
    std::uint32_t bytes = 0;     // of data
    std::int32_t body_tag = 0;   // of the windows
    std::uint64_t ring = 0;      // its offset in the sender's arena
    std::uint64_t position = 0;  // the number of the stream's first window in the ring
    std::int32_t root = -1;      // of a broadcast
  } head;
  alignas(64) std::byte data[capacity];

  static constexpr std::uint32_t expected_magic = 0x79726877;
  std::size_t message_bytes() const { return offsetof(first_piece, data) + head.bytes; }
};

/// The number of bytes in the first message: as many as MPI sends at once, without waiting for the receiver. Inside a
/// node it is smaller, because the ring is faster than a message that MPI has to cut.
inline std::size_t first_piece_bytes(bool same_node) { return same_node ? 3968 : first_piece::capacity; }

/// The receiver's answer on the route `messages`.
struct stream_answer {
  std::uint32_t accepted = 0;
  char why[252] = "";
};

}  // namespace wherry
