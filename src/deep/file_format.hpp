// What is where in the file of a deep object. Pure; no MPI. The numbers of header and frames are little endian, the
// object's own bytes in the writer's order.
//
//   header   64 bytes, the last eight their checksum
//   frames   16 bytes (length, kind, checksum), then the bytes; the last one is a trailer, with the sum of the lengths
//
// A reader verifies a frame before anybody looks into it, and needs memory for one. A frame's checksum begins with that
// of the frame before it, the first one's with the type's fingerprint: what is missing, twice or elsewhere is found
// out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace wherry::deep::file_format {

inline constexpr std::size_t header_bytes = 64, head_bytes = 16, trailer_bytes = head_bytes + 8;
/// Most bytes of a frame, without its head: what a reader may be made to allocate for nothing.
inline constexpr std::size_t least_frame = 4096, largest_frame = std::size_t{1} << 20;
/// Short enough to be still in the cache when it is checked, long enough to be one among few calls of the system.
inline constexpr std::size_t usual_frame = std::size_t{512} << 10;
/// The payload of a header that was written before anybody knew.
inline constexpr std::uint64_t unknown_payload = std::numeric_limits<std::uint64_t>::max();

/// Most bytes of a reason for giving up.
inline constexpr std::size_t most_said = 500;

struct header {
  std::uint64_t type = 0;                   ///< fingerprint
  std::uint64_t payload = unknown_payload;  ///< bytes of all frames together, without their heads
  std::uint64_t frame = usual_frame;        ///< most bytes of one
};

using header_image = std::array<std::byte, header_bytes>;
header_image encode(const header& facts);
/// @throws error(argument) for whatever is no header of ours
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
/// `before`: the checksum of the frame before.
std::uint64_t checksum_of(const frame_head& head, std::span<const std::byte> bytes, std::uint64_t before);

/// Bytes of header, frames and trailer for so many bytes of payload.
std::uint64_t whole_bytes(std::uint64_t payload, std::uint64_t frame);

}  // namespace wherry::deep::file_format
