#include "file_framing.hpp"

#include <algorithm>
#include <cstdint>

#include "wherry/core/error.hpp"

namespace wherry::deep {
std::size_t frame_bytes(const file_options& how, const char* where) {
  using namespace file_format;
  if (how.buffered || how.buffer_bytes == 0) return usual_frame;
  if (how.buffer_bytes < least_frame || how.buffer_bytes > largest_frame)
    throw error(error_kind::argument, where,
                wherry::detail::text("'buffer_bytes' is ", how.buffer_bytes, ", expected ", least_frame, " to ",
                                     largest_frame));
  return how.buffer_bytes;
}

kept_frames keep_framed(std::uint64_t type, const file_options& how, const detail::fill& pack) {
  kept_frames kept;
  const std::size_t frame = frame_bytes(how, "deep::write");
  std::uint64_t packed = 0;
  const auto keep = [&](std::span<const std::byte> bytes) {
    packed += bytes.size();
    if (how.buffer_bytes > 0 && packed > file_format::whole_bytes(how.buffer_bytes, frame))
      throw error(
          error_kind::argument, "deep::write",
          wherry::detail::text("the structure needs more bytes than 'buffer_bytes', which is ", how.buffer_bytes));
    kept.emplace_back(bytes.begin(), bytes.end());
  };
  file_sink sink(keep, {.type = type, .frame = frame});
  pack(sink);
  const auto header = sink.header();  // the header that was put did not know the payload
  std::copy(header.begin(), header.end(), kept.front().begin());
  return kept;
}

file_format::header_image write_framed(const put_bytes& put, std::uint64_t type, const file_options& how,
                                       const detail::fill& pack) {
  if (how.buffered) {
    const auto kept = keep_framed(type, how, pack);
    for (const auto& part : kept) put(part);
    file_format::header_image header;
    std::copy_n(kept.front().begin(), header.size(), header.begin());
    return header;
  }
  file_sink sink(put, {.type = type, .frame = frame_bytes(how, "deep::write")});
  pack(sink);
  return sink.header();
}

void read_framed(const file_input& input, std::uint64_t type, const file_options& how, const detail::drain& unpack) {
  file_source source(input, type, how.buffered);
  unpack(source);
}

}  // namespace wherry::deep
