#include "checkpoint_format.hpp"

#include <bit>
#include <climits>
#include <cstring>

#include "wherry/core/error.hpp"

#include "core/xxhash64.hpp"

namespace wherry::deep::checkpoint_format {

using file_format::get_number, file_format::put_number;

namespace {

constexpr std::array<unsigned char, 8> magic{0x93, 'W', 'D', 'A', 'L', '\r', '\n', 0x1A};
constexpr std::uint64_t version = 1;
constexpr std::uint64_t byte_order = std::endian::native == std::endian::little ? 1 : 2;

enum place : std::size_t {
  at_magic = 0,
  at_version = 8,
  at_order = 16,
  at_type = 24,
  at_objects = 32,
  at_total = 40,
  at_flags = 48,  // none yet
  at_checksum = 56
};

[[noreturn]] void damaged(std::string_view what) { throw error(error_kind::argument, "deep::load_all", what); }

std::uint64_t checksum_of(const header_image& image) { return xxhash64(std::span(image).first(at_checksum)); }

}  // namespace

header_image encode(const header& facts) {
  header_image image{};
  std::memcpy(image.data() + at_magic, magic.data(), magic.size());
  put_number(image.data() + at_version, version);
  put_number(image.data() + at_order, byte_order);
  put_number(image.data() + at_type, facts.type);
  put_number(image.data() + at_objects, facts.objects);
  put_number(image.data() + at_total, facts.total);
  put_number(image.data() + at_checksum, checksum_of(image));
  return image;
}

header decode(const header_image& image, std::uint64_t file_bytes) {
  const auto get = [&image](place where) { return get_number(image.data() + where); };
  if (std::memcmp(image.data() + at_magic, magic.data(), magic.size()) != 0)
    damaged("it does not begin as a checkpoint of Wherry does");
  if (const auto found = get(at_version); found != version)
    damaged(text("it has version ", found, " of the format, this library reads version ", version));
  if (get(at_checksum) != checksum_of(image)) damaged("its header is damaged: the checksum is wrong");
  if (const auto order = get(at_order); order != byte_order)
    damaged(text("it was written by a machine of ", order == 2 ? "big" : "another", "-endian byte order"));
  if (get(at_flags) != 0) damaged("its header asks for what this library does not know");
  const header facts{get(at_type), get(at_objects), get(at_total)};
  if (facts.total != file_bytes) damaged(text("it has ", file_bytes, " bytes, its header says ", facts.total));
  if (facts.objects > INT_MAX || facts.total < header_bytes + table_bytes(facts.objects))
    damaged(text("a table of ", facts.objects, " objects does not fit its size"));
  return facts;
}

std::vector<std::byte> encode_table(std::span<const std::uint64_t> lengths, const header_image& image) {
  std::vector<std::byte> table(table_bytes(lengths.size()));
  for (std::size_t i = 0; i < lengths.size(); ++i) put_number(table.data() + 8 * i, lengths[i]);
  const auto covered = std::span<const std::byte>(table).first(8 * lengths.size());
  put_number(table.data() + covered.size(), xxhash64(covered, get_number(image.data() + at_checksum)));
  return table;
}

std::vector<std::uint64_t> decode_table(std::span<const std::byte> table, const header_image& image,
                                        const header& facts) {
  const auto covered = table.first(8 * facts.objects);
  if (get_number(table.data() + covered.size()) != xxhash64(covered, get_number(image.data() + at_checksum)))
    damaged("its table of objects is damaged: the checksum is wrong");
  std::vector<std::uint64_t> lengths(facts.objects);
  std::uint64_t left = facts.total - header_bytes - table_bytes(facts.objects);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = get_number(table.data() + 8 * i);
    if (lengths[i] > left) damaged(text("object ", i, " of its table has ", lengths[i], " bytes, ", left, " are left"));
    left -= lengths[i];
  }
  if (left != 0) damaged(text("something follows the objects: ", left, " bytes"));
  return lengths;
}

}  // namespace wherry::deep::checkpoint_format
