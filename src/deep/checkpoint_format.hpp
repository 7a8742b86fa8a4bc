// The format of a checkpoint with many objects. Pure data; no MPI. All numbers are little endian.
//
//     header   64 bytes, the last eight are their checksum
//     table    the length of each object, eight bytes each, and their checksum
//     objects  in the order of the ranks that saved them, each as in a file of its own (file_format.hpp)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "file_format.hpp"

namespace wherry::deep::checkpoint_format {

using file_format::header_bytes, file_format::header_image;

struct header {
  std::uint64_t type = 0;     ///< fingerprint of every object
  std::uint64_t objects = 0;  ///< at most 2^31 - 1
  std::uint64_t total = 0;    ///< bytes of the file
};

header_image encode(const header& facts);
/// @throws error(argument) for bytes that are not a header of Wherry's, or do not fit a file of `file_bytes`
header decode(const header_image& image, std::uint64_t file_bytes);

inline std::uint64_t table_bytes(std::uint64_t objects) { return 8 * objects + 8; }

/// The lengths of all objects with their checksum, which starts from the header's.
std::vector<std::byte> encode_table(std::span<const std::uint64_t> lengths, const header_image& image);
/// @throws error(argument) for a damaged table, and for lengths that do not fill the file
std::vector<std::uint64_t> decode_table(std::span<const std::byte> table, const header_image& image,
                                        const header& facts);

}  // namespace wherry::deep::checkpoint_format
