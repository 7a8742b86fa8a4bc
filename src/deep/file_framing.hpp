// Connects a function that packs or unpacks with the bytes of a file.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/deep/detail/file_streams.hpp"

#include "file_sink.hpp"
#include "file_source.hpp"

namespace wherry::deep {

/// The bytes of a frame that the options ask for.
/// @throws error(argument) for a size outside the limits
std::size_t frame_bytes(const file_options& how, const char* where);

/// The bytes of a file in memory, in parts.
using kept_frames = std::vector<std::vector<std::byte>>;
kept_frames keep_framed(std::uint64_t type, const file_options& how, const detail::fill& pack);

/// Packs into frames.
/// @return the header that belongs at the beginning of the file; it differs from the one that was put if the object is
///   longer than a frame
file_format::header_image write_framed(const put_bytes& put, std::uint64_t type, const file_options& how,
                                       const detail::fill& pack);

/// Unpacks the frames of an object.
void read_framed(const file_input& input, std::uint64_t type, const file_options& how, const detail::drain& unpack);

}  // namespace wherry::deep
