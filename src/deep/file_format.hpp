// The format of a file with one deep object. Pure data; no MPI. The numbers of header and frames are little endian, the
// object's own bytes are in the writer's order.
//
//     header   64 bytes, the last eight are their checksum
//     frames   16 bytes (length, kind, checksum), then the bytes; the last frame is a trailer with the sum of the
//     lengths
//
// A reader verifies each frame before its bytes are used, and needs memory for one frame. The checksum of a frame
// starts from that of the frame before it, and the first one from the type's fingerprint: so a frame that is missing,
// repeated or moved is detected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace wherry::deep::file_format {

inline constexpr std::size_t header_bytes = 64, head_bytes = 16, trailer_bytes = head_bytes + 8;
/// Limits for the bytes of a frame, without its head. The upper limit is what a false header can make a reader
/// allocate.
inline constexpr std::size_t least_frame = 4096, largest_frame = std::size_t{1} << 20;
/// Short enough to be still in the cache when it is checked, and long enough for few system calls.
inline constexpr std::size_t usual_frame = std::size_t{512} << 10;
/// The payload in a header that was written before the length was known.
inline constexpr std::uint64_t unknown_payload = std::numeric_limits<std::uint64_t>::max();

/// The longest reason for giving up, in bytes.
inline constexpr std::size_t most_said = 500;

struct header {
  std::uint64_t type = 0;                   ///< fingerprint
  std::uint64_t payload = unknown_payload;  ///< bytes of all frames together, without their heads
  std::uint64_t frame = usual_frame;        ///< most bytes of one frame
};

using header_image = std::array<std::byte, header_bytes>;
header_image encode(const header& facts);
/// @throws error(argument) for bytes that are not a header of Wherry's
header decode(const header_image& image);

enum class frame_kind : std::uint32_t { bytes = 1, trailer = 2, given_up = 3 };

struct frame_head {
  std::uint32_t length = 0;
  frame_kind kind = frame_kind::bytes;
  std::uint64_t checksum = 0;
};

using head_image = std::array<std::byte, head_bytes>;
void encode(const frame_head& head, std::byte* to);
frame_head decode_head(const std::byte* from);
/// @param before the checksum of the frame before
std::uint64_t checksum_of(const frame_head& head, std::span<const std::byte> bytes, std::uint64_t before);

/// The bytes of header, frames and trailer for a payload of this many bytes.
std::uint64_t whole_bytes(std::uint64_t payload, std::uint64_t frame);

}  // namespace wherry::deep::file_format
