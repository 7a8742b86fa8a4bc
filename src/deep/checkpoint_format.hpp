// What is where in a checkpoint of many objects. Pure; no MPI. All numbers little endian.
//
//   header   64 bytes, the last eight their checksum
//   table    eight bytes an object: how long it is; and their checksum
//   objects  in the order of the ranks that saved them, each as in a file of its own (file_format.hpp)
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
/// @throws error(argument) for whatever is no header of ours, or does not fit a file of `file_bytes`
header decode(const header_image& image, std::uint64_t file_bytes);

inline std::uint64_t table_bytes(std::uint64_t objects) { return 8 * objects + 8; }

/// The lengths of all objects with their checksum, which begins with the header's.
std::vector<std::byte> encode_table(std::span<const std::uint64_t> lengths, const header_image& image);
/// @throws error(argument) for a damaged one, and for lengths that do not fill the file
std::vector<std::uint64_t> decode_table(std::span<const std::byte> table, const header_image& image,
                                        const header& facts);

}  // namespace wherry::deep::checkpoint_format
