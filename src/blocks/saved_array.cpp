#include "wherry/blocks/saved_array.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/core/owned.hpp"

#include "array_file_format.hpp"
#include "core/plain_file.hpp"
#include "core/stored_numbers.hpp"

namespace wherry {
namespace {

constexpr const char* in_saved_array = "saved_array";

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw error(error_kind::argument, in_saved_array, detail::text("'", path, "': ", what));
}

template <class Step> auto with_path(const std::string& path, Step&& step) {
  try {
    return step();
  } catch (const error& failure) {
    refuse(path, failure.text());
  }
}

template <int N> saved_array::saved_box box_named(int number, const box<N>& cells) {
  return {number, {cells.lower.begin(), cells.lower.end()}, {cells.upper.begin(), cells.upper.end()}};
}

/// Calls `step.operator()<N>()`.
template <class Step> void with_dimensions_of(int dimensions, Step&& step) {
  static_assert(detail::max_dimensions == 6);
  switch (dimensions) {
    case 1:
      return step.template operator()<1>();
    case 2:
      return step.template operator()<2>();
    case 3:
      return step.template operator()<3>();
    case 4:
      return step.template operator()<4>();
    case 5:
      return step.template operator()<5>();
    default:
      return step.template operator()<6>();
  }
}

array_file::header header_of(const array_file_description& facts, index_t piece) {
  array_file::header result;
  result.dimensions = facts.dimensions;
  result.components = facts.components;
  result.boxes = facts.boxes;
  result.element = facts.element;
  result.piece = piece;
  result.total = facts.bytes;
  return result;
}

}  // namespace

saved_array::saved_array(const std::string& path, index_t begin, index_t bytes) : path_(path), begin_(begin) {
  with_path(path, [&] {
    const plain_file file(path, in_saved_array);
    const auto all = bytes < 0 ? file.size() - begin : bytes;
    if (begin < 0 || all < array_file::header_bytes || begin > file.size() - all)
      throw error(error_kind::argument, in_saved_array,
                  detail::text("it has ", file.size(), " bytes, too few for an array file"));
    array_file::header_image image{};
    file.read(begin, image);
    const auto head = array_file::decode(image, all);
    seed_ = array_file::seed_of(image);
    piece_ = head.piece;
    facts_ = {head.dimensions, head.components, head.boxes, head.element, head.type, head.total};
    with_dimensions_of(facts_.dimensions, [&]<int N>() { read_table<N>(path); });
  });
}

template <int N> void saved_array::read_table(const std::string& path) {
  const auto head = header_of(facts_, piece_);
  const plain_file file(path, in_saved_array);
  std::vector<std::byte> entry(static_cast<std::size_t>(head.entry()));
  std::vector<array_file::numbered_box<N>> table;
  std::vector<bool> seen(static_cast<std::size_t>(head.boxes));
  auto end = head.data_begin();
  for (index_t place = 0; place < head.boxes; ++place) {
    file.read(begin_ + array_file::header_bytes + place * head.entry(), entry);
    array_file::decode_entry<N>(entry, head, seed_, table);
    const auto& [number, cells] = table.back();
    if (seen[static_cast<std::size_t>(number)])
      throw error(error_kind::argument, in_saved_array, detail::text("its table has box ", number, " twice"));
    seen[static_cast<std::size_t>(number)] = true;
    boxes_.push_back(box_named<N>(number, cells));
    data_begin_.push_back(end);
    end += array_file::bytes_of(cells, head);
    if (end > head.total) break;
  }
  if (end != head.total)
    throw error(error_kind::argument, in_saved_array,
                detail::text("it has ", head.total, " bytes, but its boxes need ", end));
}

void saved_array::read(std::size_t place, const piece_visitor& visit) const {
  if (path_.empty()) detail::throw_moved_from(in_saved_array);
  if (place >= boxes_.size()) refuse(path_, detail::text("'place' is ", place, " of ", boxes_.size(), " boxes"));
  with_dimensions_of(facts_.dimensions, [&]<int N>() { read_box<N>(place, visit); });
}

template <int N> void saved_array::read_box(std::size_t place, const piece_visitor& visit) const {
  const auto& given = boxes_[place];
  box<N> cells;
  std::copy_n(given.lower.begin(), N, cells.lower.begin());
  std::copy_n(given.upper.begin(), N, cells.upper.begin());
  const plain_file file(path_, in_saved_array);
  std::vector<std::byte> bytes;
  array_file::for_each_piece(
      cells, data_begin_[place], header_of(facts_, piece_), [&](const array_file::piece<N>& part) {
        const auto size = static_cast<std::size_t>(part.bytes);
        bytes.resize(size + static_cast<std::size_t>(array_file::checksum_bytes));
        with_path(path_, [&] { file.read(begin_ + part.begin, bytes); });
        const auto values = std::span<const std::byte>(bytes).first(size);
        if (get_number(bytes.data() + size) != array_file::checksum_at(seed_, part.begin, values))
          refuse(path_, detail::text("the ", part.bytes, " bytes from ", part.begin, " on, of box ", given.number,
                                     ", are damaged: the checksum is wrong"));
        visit(box_named<N>(given.number, part.cells), values);
      });
}

}  // namespace wherry
