// From a function that packs to bytes with a header, and back.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/deep/detail/file_streams.hpp"

#include "file_sink.hpp"
#include "file_source.hpp"

namespace wherry::deep {

/// Bytes of a frame that the options ask for. @throws error(argument) for a size that cannot be
std::size_t frame_bytes(const file_options& how, const char* where);

/// The bytes of a file in memory, in parts.
using kept_frames = std::vector<std::vector<std::byte>>;
kept_frames keep_framed(std::uint64_t type, const file_options& how, const detail::fill& pack);

/// Packs into frames. Gives the header that belongs at the beginning, which is what was put there unless the object was
/// longer than a frame.
file_format::header_image write_framed(const put_bytes& put, std::uint64_t type, const file_options& how,
                                       const detail::fill& pack);

/// Unpacks an object's frames.
void read_framed(const file_input& input, std::uint64_t type, const file_options& how, const detail::drain& unpack);

}  // namespace wherry::deep
