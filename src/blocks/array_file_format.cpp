#include "array_file_format.hpp"

#include <climits>
#include <cstring>

#include "wherry/core/error.hpp"
#include "wherry/motion/floor_plan.hpp"

#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"

namespace wherry::array_file {
namespace {

constexpr file_kind array_kind{
    {0x93, 'W', 'H', 'R', 'Y', '\r', '\n', 0x1A}, 2, "array_file", "an array file of Wherry"};

constexpr std::size_t at_total = 72, at_type = 80;  // the type takes 104 bytes, padding included

std::uint64_t as_word(index_t value) { return static_cast<std::uint64_t>(value); }

/// A number that must be from `least` to `most`.
index_t number_from(std::uint64_t value, index_t least, index_t most, std::string_view name) {
  if (value < as_word(least) || value > as_word(most))
    array_kind.damaged(detail::text("the header says ", value, " ", name, ", expected ", least, " to ", most));
  return static_cast<index_t>(value);
}

}  // namespace

header_image encode(const header& facts) {
  header_image image{};
  std::memcpy(image.data() + at_type, facts.type.data(), facts.type.size());
  seal(array_kind, image,
       {as_word(facts.dimensions), as_word(facts.components), as_word(facts.boxes), as_word(facts.element),
        as_word(facts.piece), facts.stamp, as_word(facts.total)});
  return image;
}

header decode(const header_image& image, index_t file_bytes) {
  const auto [dimensions, components, boxes, element, piece, stamp, total] = facts_of<7>(array_kind, image);
  header facts;
  facts.dimensions = static_cast<int>(number_from(dimensions, 1, detail::max_dimensions, "dimensions"));
  facts.components = static_cast<int>(number_from(components, 1, INT_MAX, "components"));
  facts.boxes = static_cast<int>(number_from(boxes, 0, INT_MAX, "boxes"));
  facts.element = number_from(element, 1, largest_piece, "bytes per element");
  facts.piece = number_from(piece, least_piece, largest_piece, "bytes per piece");
  facts.total = number_from(total, header_bytes, farthest, "bytes in the file");
  facts.stamp = stamp;
  if (facts.element > largest_piece / facts.components)
    array_kind.damaged(detail::text("the header says ", facts.components, " components of ", facts.element,
                                    " bytes each, expected at most 1 GiB together"));
  const auto* type = reinterpret_cast<const char*>(image.data() + at_type);
  facts.type.assign(type, strnlen(type, static_cast<std::size_t>(most_type_bytes)));
  if (facts.total != file_bytes)
    array_kind.damaged(detail::text("it has ", file_bytes, " bytes, its header says ", facts.total));
  if (facts.data_begin() > facts.total)
    array_kind.damaged(detail::text("it has ", file_bytes, " bytes, too few for its table of ", facts.boxes, " boxes"));
  return facts;
}

index_t total_of(const header_image& image) { return static_cast<index_t>(get_number(image.data() + at_total)); }
std::uint64_t seed_of(const header_image& image) { return seal_of(image); }

std::uint64_t checksum_at(std::uint64_t seed, index_t place, std::span<const std::byte> bytes) {
  return checksum_of(seed, as_word(place), bytes);
}

void encode_entry(int number, std::span<const index_t> corners, index_t place, std::uint64_t seed,
                  std::vector<std::byte>& table) {
  std::vector<std::byte> image(8 * (corners.size() + 2));
  put_number(image.data(), as_word(number));
  for (std::size_t i = 0; i < corners.size(); ++i) put_number(image.data() + 8 * (i + 1), as_word(corners[i]));
  const auto covered = std::span<const std::byte>(image).first(image.size() - 8);
  put_number(image.data() + covered.size(), checksum_at(seed, place, covered));
  table.insert(table.end(), image.begin(), image.end());
}

template <int N>
void decode_entry(std::span<const std::byte> entry, const header& facts, std::uint64_t seed,
                  std::vector<numbered_box<N>>& boxes) {
  const auto place = std::ssize(boxes);
  if (get_number(entry.data() + 8 + 16 * N) != checksum_at(seed, place, entry.first(8 + 16 * N)))
    array_kind.damaged(detail::text("entry ", place, " of its table of boxes is damaged: the checksum is wrong"));
  const auto number = get_number(entry.data());
  if (number >= as_word(facts.boxes))
    array_kind.damaged(detail::text("entry ", place, " of its table is of box ", number, " of ", facts.boxes));
  numbered_box<N> found{static_cast<int>(number), {}};
  for (std::size_t d = 0; d < N; ++d) {
    found.cells.lower[d] = static_cast<index_t>(get_number(entry.data() + 8 + 8 * d));
    found.cells.upper[d] = static_cast<index_t>(get_number(entry.data() + 8 + 8 * (N + d)));
    for (const auto x : {found.cells.lower[d], found.cells.upper[d]})
      if (x < -farthest || x > farthest)
        array_kind.damaged(detail::text("box ", number, " reaches to ", x, " in dimension ", d, ", farther than 2^59"));
  }
  // Refuses a box with more cells than the file has room for. Divides, because a product might overflow.
  index_t room = (facts.total - facts.data_begin()) / facts.cell();
  bool empty = false;
  for (int d = 0; d < N; ++d) empty = empty || found.cells.extent(d) == 0;
  for (int d = 0; d < N && !empty; ++d) room /= found.cells.extent(d);
  if (room == 0 && !empty) array_kind.damaged(detail::text("box ", number, " has more cells than fit in the file"));
  if (empty) found.cells = {};
  boxes.push_back(found);
}

#define WHERRY_ARRAY_FILE_FORMAT(N) \
  template void decode_entry(std::span<const std::byte>, const header&, std::uint64_t, std::vector<numbered_box<N>>&);
WHERRY_ARRAY_FILE_FORMAT(1)
WHERRY_ARRAY_FILE_FORMAT(2)
WHERRY_ARRAY_FILE_FORMAT(3)
WHERRY_ARRAY_FILE_FORMAT(4)
WHERRY_ARRAY_FILE_FORMAT(5)
WHERRY_ARRAY_FILE_FORMAT(6)
#undef WHERRY_ARRAY_FILE_FORMAT

}  // namespace wherry::array_file
