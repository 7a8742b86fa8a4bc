#include "file_format.hpp"

#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"

namespace wherry::deep::file_format {
namespace {

constexpr file_kind kind{{0x93, 'W', 'D', 'E', 'E', '\r', '\n', 0x1A}, 4, "deep::read", "a deep object of Wherry"};

std::uint64_t first_word(const frame_head& head) {
  return std::uint64_t{static_cast<std::uint32_t>(head.kind)} << 32 | head.length;
}

}  // namespace

header_image encode(const header& facts) {
  header_image image{};
  seal(kind, image, {facts.type, facts.payload, facts.frame});
  return image;
}

header decode(const header_image& image) {
  const auto [type, payload, frame, flags] = facts_of<4>(kind, image);
  if (flags != 0)
    kind.damaged(wherry::detail::text("its header has the flags ", flags, ", which this library does not know"));
  const header facts{type, payload, frame};
  if (facts.frame < least_frame || facts.frame > largest_frame)
    kind.damaged(wherry::detail::text("its header says ", facts.frame, " bytes a frame, expected ", least_frame, " to ",
                                      largest_frame));
  return facts;
}

void encode(const frame_head& head, std::byte* to) {
  put_number(to, first_word(head));
  put_number(to + 8, head.checksum);
}

frame_head decode_head(const std::byte* from) {
  const auto both = get_number(from);
  return {static_cast<std::uint32_t>(both), static_cast<frame_kind>(both >> 32), get_number(from + 8)};
}

std::uint64_t checksum_of(const frame_head& head, std::span<const std::byte> bytes, std::uint64_t before) {
  return wherry::checksum_of(before, first_word(head), bytes);
}

std::uint64_t whole_bytes(std::uint64_t payload, std::uint64_t frame) {
  return header_bytes + payload + (payload / frame + (payload % frame != 0 ? 1 : 0)) * head_bytes + trailer_bytes;
}

}  // namespace wherry::deep::file_format
