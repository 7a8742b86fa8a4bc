#include "file_format.hpp"

#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"
#include "core/xxhash3.hpp"

namespace wherry::deep::file_format {
namespace {

constexpr file_kind kind{{0x93, 'W', 'D', 'E', 'E', '\r', '\n', 0x1A},
                         2,
                         "deep::read",
                         "a deep object of Wherry does",
                         [](std::span<const std::byte> bytes) { return xxhash3(bytes); }};

enum place : std::size_t {
  at_type = sealed_header_facts,
  at_payload = 32,
  at_frame = 40,
  at_flags = 48,  // none yet
};

}  // namespace

header_image encode(const header& facts) {
  header_image image{};
  put_number(image.data() + at_type, facts.type);
  put_number(image.data() + at_payload, facts.payload);
  put_number(image.data() + at_frame, facts.frame);
  seal(kind, image);
  return image;
}

header decode(const header_image& image) {
  check_seal(kind, image);
  const auto get = [&image](place where) { return get_number(image.data() + where); };
  if (get(at_flags) != 0) kind.damaged("its header asks for what this library does not know");
  const header facts{get(at_type), get(at_payload), get(at_frame)};
  if (facts.frame < least_frame || facts.frame > largest_frame)
    kind.damaged(
        text("its header says ", facts.frame, " bytes a frame, expected ", least_frame, " to ", largest_frame));
  return facts;
}

void encode(const frame_head& head, std::byte* to) {
  put_number(to, std::uint64_t{static_cast<std::uint32_t>(head.kind)} << 32 | head.length);
  put_number(to + 8, head.checksum);
}

frame_head decode_head(const std::byte* from) {
  const auto both = get_number(from);
  return {static_cast<std::uint32_t>(both), static_cast<frame_kind>(both >> 32), get_number(from + 8)};
}

std::uint64_t checksum_of(const frame_head& head, std::span<const std::byte> bytes, std::uint64_t before) {
  return xxhash3(bytes, before ^ (std::uint64_t{static_cast<std::uint32_t>(head.kind)} << 32 | head.length));
}

std::uint64_t whole_bytes(std::uint64_t payload, std::uint64_t frame) {
  return header_bytes + payload + (payload / frame + (payload % frame != 0 ? 1 : 0)) * head_bytes + trailer_bytes;
}

}  // namespace wherry::deep::file_format
