#include "file_framing.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"

namespace wherry::deep {
namespace {

/// So that a reader of a stream learns that there is no more to come, and why.
void fill_or_abandon(byte_sink& sink, const detail::fill& pack) {
  try {
    pack(sink);
  } catch (const std::exception& failure) {
    sink.abandon(failure.what());
    throw;
  } catch (...) {
    sink.abandon("an exception");
    throw;
  }
}

}  // namespace

std::size_t frame_bytes(const file_options& how, const char* where) {
  using namespace file_format;
  if (how.buffered || how.buffer_bytes == 0) return usual_frame;
  if (how.buffer_bytes < least_frame || how.buffer_bytes > largest_frame)
    throw error(error_kind::argument, where,
                text("buffer_bytes is ", how.buffer_bytes, ", expected ", least_frame, " to ", largest_frame));
  return how.buffer_bytes;
}

file_format::header_image write_framed(const put_bytes& put, std::uint64_t type, std::uint64_t payload,
                                       const file_options& how, const detail::fill& pack) {
  file_format::header facts{type, payload, frame_bytes(how, "deep::write")};
  if (!how.buffered) {
    file_sink sink(put, facts);
    fill_or_abandon(sink, pack);
    return sink.header();
  }
  memory_sink all(how.buffer_bytes);
  pack(all);
  facts.payload = all.bytes().size();
  file_sink sink(put, facts);
  sink.write(all.bytes().data(), all.bytes().size());
  sink.finish();
  return sink.header();
}

void read_framed(const file_input& input, std::uint64_t type, const file_options& how, const detail::drain& unpack) {
  file_source source(input, type, how.buffered);
  unpack(source);
}

}  // namespace wherry::deep
