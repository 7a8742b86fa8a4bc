#include "checkpoint_format.hpp"

#include <climits>

#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"

namespace wherry::deep::checkpoint_format {
namespace {

constexpr file_kind kind{{0x93, 'W', 'D', 'A', 'L', '\r', '\n', 0x1A}, 4, "deep::load_all", "a checkpoint of Wherry"};

}  // namespace

header_image encode(const header& facts) {
  header_image image{};
  seal(kind, image, {facts.type, facts.objects, facts.total});
  return image;
}

header decode(const header_image& image, std::uint64_t file_bytes) {
  const auto [type, objects, total, flags] = facts_of<4>(kind, image);
  if (flags != 0)
    kind.damaged(wherry::detail::text("its header has the flags ", flags, ", which this library does not know"));
  const header facts{type, objects, total};
  if (facts.total != file_bytes)
    kind.damaged(wherry::detail::text("it has ", file_bytes, " bytes, its header says ", facts.total));
  if (facts.objects > INT_MAX || facts.total < header_bytes + table_bytes(facts.objects))
    kind.damaged(
        wherry::detail::text("it has ", file_bytes, " bytes, too few for its table of ", facts.objects, " objects"));
  return facts;
}

std::vector<std::byte> encode_table(std::span<const std::uint64_t> lengths, const header_image& image) {
  std::vector<std::byte> table(table_bytes(lengths.size()));
  for (std::size_t i = 0; i < lengths.size(); ++i) put_number(table.data() + 8 * i, lengths[i]);
  const auto covered = std::span<const std::byte>(table).first(8 * lengths.size());
  put_number(table.data() + covered.size(), checksum_of(seal_of(image), lengths.size(), covered));
  return table;
}

std::vector<std::uint64_t> decode_table(std::span<const std::byte> table, const header_image& image,
                                        const header& facts) {
  const auto covered = table.first(8 * facts.objects);
  if (get_number(table.data() + covered.size()) != checksum_of(seal_of(image), facts.objects, covered))
    kind.damaged("its table of objects is damaged: the checksum is wrong");
  std::vector<std::uint64_t> lengths(facts.objects);
  std::uint64_t left = facts.total - header_bytes - table_bytes(facts.objects);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = get_number(table.data() + 8 * i);
    if (lengths[i] > left)
      kind.damaged(wherry::detail::text("object ", i, " of its table has ", lengths[i], " bytes, ", left, " are left"));
    left -= lengths[i];
  }
  if (left != 0) kind.damaged(wherry::detail::text("something follows the objects: ", left, " bytes"));
  return lengths;
}

}  // namespace wherry::deep::checkpoint_format
