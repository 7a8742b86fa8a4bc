/// @file
/// Array files for programs of one process: they are read without MPI, box by box, and verified as `read_array` does.
///
///     const wherry::saved_array field("field.wherry");
///     for (std::size_t i = 0; i < field.boxes().size(); ++i) field.read(i, show);
///
/// Take `read_array` (array_file.hpp) where all ranks of a communicator need a part of the array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wherry/blocks/array_file.hpp"
#include "wherry/blocks/array_series.hpp"

namespace wherry {

/// An array in a file. It makes no MPI call, so that any rank, or a program without MPI, may use it.
class saved_array {
 public:
  /// A box of the array; for an array with values on planes, a box of values.
  struct saved_box {
    int number = 0;
    std::vector<index_t> lower, upper;
  };
  /// Cells of a box that are adjacent in the file, and their bytes: dimension 0 fastest, components slowest.
  using piece_visitor = std::function<void(const saved_box& piece, std::span<const std::byte> cells)>;

  /// Reads the header and the table of boxes.
  /// @param begin, bytes the array's part of a series, as `arrays_in_series` says; else the whole file
  /// @throws error(argument) for a file that does not exist, is not an array file, or has a damaged header or table
  explicit saved_array(const std::string& path, index_t begin = 0, index_t bytes = -1);

  const array_file_description& facts() const { return facts_; }
  /// The boxes in the order of the file. They may overlap: the first that has a value counts.
  const std::vector<saved_box>& boxes() const { return boxes_; }
  /// Reads the box at a place of `boxes()`, and calls `visit` for each of its pieces.
  /// @throws error(argument) for damage, before the damaged piece is visited
  void read(std::size_t place, const piece_visitor& visit) const;

 private:
  template <int N> void read_table(const std::string& path);
  template <int N> void read_box(std::size_t place, const piece_visitor& visit) const;

  std::string path_;
  index_t begin_ = 0, piece_ = 0;
  std::uint64_t seed_ = 0;
  array_file_description facts_{};
  std::vector<saved_box> boxes_{};
  std::vector<index_t> data_begin_{};  ///< of each box, counted from `begin_`
};

/// The arrays that are complete in a file of many arrays, in its order. Makes no MPI call.
/// @throws error(argument) for a file that does not exist, is not a series, or is damaged
std::vector<array_series::entry> arrays_in_series(const std::string& path);

}  // namespace wherry
