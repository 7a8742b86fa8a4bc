#include "file_sink.hpp"

#include <algorithm>
#include <cstring>

#include "wherry/core/error.hpp"

#include "core/stored_numbers.hpp"

namespace wherry::deep {

using namespace file_format;

// All frames but the last are full, although a reservation may reach beyond the end of a frame: the bytes beyond begin
// the next frame.
file_sink::file_sink(put_bytes put, const file_format::header& facts)
    : put_(std::move(put)),
      facts_(facts),
      chain_(facts.type),
      memory_(std::make_unique_for_overwrite<std::byte[]>(header_bytes + head_bytes + facts.frame +
                                                          largest_reservation + head_bytes + trailer_bytes)) {
  at_ = frame();
  end_ = at_ + facts_.frame + largest_reservation;
}

file_format::header_image file_sink::header() const { return encode(facts_); }

/// Writes the head of a frame in front of `bytes`.
/// @return the end of the frame
std::byte* file_sink::sign(frame_kind kind, std::byte* bytes, std::size_t length) {
  frame_head head{static_cast<std::uint32_t>(length), kind, 0};
  chain_ = head.checksum = checksum_of(head, {bytes, length}, chain_);
  encode(head, bytes - head_bytes);
  return bytes + length;
}

void file_sink::put_until(const std::byte* end) {
  const std::byte* begin = frame() - head_bytes;
  if (!begun_) {
    begin -= header_bytes;
    std::memcpy(memory_.get(), encode(facts_).data(), header_bytes);
  }
  begun_ = true;
  over_ = true;  // stays true if `put_` throws
  put_({begin, end});
  over_ = false;
}

void file_sink::more(std::size_t) {
  const auto used = static_cast<std::size_t>(at_ - frame());
  put_until(sign(frame_kind::bytes, frame(), facts_.frame));
  payload_ += facts_.frame;
  std::memmove(frame(), frame() + facts_.frame, used - facts_.frame);
  at_ = frame() + (used - facts_.frame);
}

void file_sink::finish() {
  if (over_) return;
  if (static_cast<std::size_t>(at_ - frame()) > facts_.frame) more(1);
  const auto rest = static_cast<std::size_t>(at_ - frame());
  payload_ += rest;
  if (facts_.payload != unknown_payload && facts_.payload != payload_)
    throw error(error_kind::state, "deep::write",
                wherry::detail::text("the object has changed while it was written: ", facts_.payload, " bytes became ",
                                     payload_));
  facts_.payload = payload_;
  // If no bytes are left for a last frame, the trailer takes its place.
  std::byte* const trailer = rest > 0 ? sign(frame_kind::bytes, frame(), rest) + head_bytes : frame();
  put_number(trailer, payload_);
  put_until(sign(frame_kind::trailer, trailer, trailer_bytes - head_bytes));
  over_ = true;
  at_ = end_ = nullptr;
}

void file_sink::abandon(std::string_view why) noexcept {
  if (over_ || !begun_) return;
  try {
    const auto length = std::min(why.size(), most_said);
    std::memcpy(frame(), why.data(), length);
    put_until(sign(frame_kind::given_up, frame(), length));
  } catch (...) {  // the reason is reported by the caller
  }
  over_ = true;
}

}  // namespace wherry::deep
