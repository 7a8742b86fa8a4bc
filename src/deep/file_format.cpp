#include "file_format.hpp"

#include <bit>
#include <cstring>

#include "wherry/core/error.hpp"

#include "core/xxhash64.hpp"

namespace wherry::deep::file_format {
namespace {

// As PNG's: the first byte is no text, and line ends that somebody has "repaired" show.
constexpr std::array<unsigned char, 8> magic{0x93, 'W', 'D', 'E', 'E', '\r', '\n', 0x1A};
constexpr std::uint64_t version = 1;
constexpr std::uint64_t byte_order = std::endian::native == std::endian::little ? 1 : 2;

// Places in the header; all numbers have eight bytes.
enum place : std::size_t {
  at_magic = 0,
  at_version = 8,
  at_order = 16,
  at_type = 24,
  at_payload = 32,
  at_frame = 40,
  at_flags = 48,  // none yet
  at_checksum = 56
};

[[noreturn]] void damaged(std::string_view what) { throw error(error_kind::argument, "deep::read", what); }

std::uint64_t checksum_of(const header_image& image) { return xxhash64(std::span(image).first(at_checksum)); }

}  // namespace

void put_number(std::byte* to, std::uint64_t value) {
  for (int k = 0; k < 8; ++k) to[k] = static_cast<std::byte>(value >> (8 * k) & 0xFF);
}

std::uint64_t get_number(const std::byte* from) {
  std::uint64_t value = 0;
  for (int k = 7; k >= 0; --k) value = value << 8 | std::to_integer<std::uint64_t>(from[k]);
  return value;
}

header_image encode(const header& facts) {
  header_image image{};
  std::memcpy(image.data() + at_magic, magic.data(), magic.size());
  put_number(image.data() + at_version, version);
  put_number(image.data() + at_order, byte_order);
  put_number(image.data() + at_type, facts.type);
  put_number(image.data() + at_payload, facts.payload);
  put_number(image.data() + at_frame, facts.frame);
  put_number(image.data() + at_checksum, checksum_of(image));
  return image;
}

header decode(const header_image& image) {
  const auto get = [&image](place where) { return get_number(image.data() + where); };
  if (std::memcmp(image.data() + at_magic, magic.data(), magic.size()) != 0)
    damaged("it does not begin as a deep object of Wherry does");
  if (const auto found = get(at_version); found != version)
    damaged(text("it has version ", found, " of the format, this library reads version ", version));
  if (get(at_checksum) != checksum_of(image)) damaged("its header is damaged: the checksum is wrong");
  if (const auto order = get(at_order); order != byte_order)
    damaged(text("it was written by a machine of ", order == 2 ? "big" : "another", "-endian byte order"));
  if (get(at_flags) != 0) damaged("its header asks for what this library does not know");
  const header facts{get(at_type), get(at_payload), get(at_frame)};
  if (facts.frame < least_frame || facts.frame > largest_frame)
    damaged(text("its header says ", facts.frame, " bytes a frame, expected ", least_frame, " to ", largest_frame));
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
  return xxhash64(bytes, before ^ (std::uint64_t{static_cast<std::uint32_t>(head.kind)} << 32 | head.length));
}

std::uint64_t whole_bytes(std::uint64_t payload, std::uint64_t frame) {
  return header_bytes + payload + (payload / frame + (payload % frame != 0 ? 1 : 0)) * head_bytes + trailer_bytes;
}

}  // namespace wherry::deep::file_format
