/// @file
/// Writes an x-array to one file and reads it back, by all ranks together through MPI-IO (KeLP, section 5). A file may
/// be read by any number of ranks, into an x-array with any other floor plan.
///
///     wherry::write_array("field.wherry", u);
///     wherry::x_array<double, 3> again(comm, another_plan);
///     wherry::read_array("field.wherry", again);
///
/// A function that is given an array takes the array's communicator. Functions without an array, such as
/// `describe_array_file`, and `array_series` take the communicator first.
///
/// A write either completes or leaves the previous file as it was: the data go to `PATH.part`, and when they are on the
/// disk this file replaces PATH. Two writers must not write to one path at the same time. A reader verifies everything:
/// a checksum covers every byte of a file, and all sizes are compared with the size of the file.
///
/// For many arrays or time steps in one file use `array_series` (array_series.hpp); to compute while a file is written,
/// `array_writer`.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "wherry/channel/statistics.hpp"
#include "wherry/core/owned.hpp"
#include "wherry/motion/x_array.hpp"

namespace wherry {

/// Options for writing and reading files. They must be the same on all ranks.
struct array_file_options {
  /// The name of the element type in the file, at most 103 bytes. A reader must use the same name. If empty, it is
  /// Wherry's name for numbers ("float64", "bfloat16", "int32", "complex float32") and the compiler's name for other
  /// types.
  std::string type{};
  /// For writing: `start` copies the whole array, which may then be changed while it is written.
  bool snapshot = false;
  /// Size in bytes of a rank's transfer buffer, at most 1 GiB. Writing uses two buffers.
  index_t buffer_bytes = index_t{64} << 20;
  /// About how many bytes share a checksum and are read together, from 1 KiB to 1 GiB. For writing.
  index_t piece = index_t{1} << 20;
  /// Hints for MPI_File_open, such as "striping_factor".
  MPI_Info hints = MPI_INFO_NULL;
};

/// Writes the boxes of an x-array without their ghost cells, and returns when the file is on the disk under its name.
/// Needs memory for two buffers, not for a second array. Collective over the array's communicator.
/// @throws error on all ranks alike: argument for wrong options or a path that cannot be written, resource for a full
///         disk, mismatch if the ranks together do not own all boxes, or pass different options. A previous file of
///         that name is then unchanged.
template <class T, int N>
void write_array(const std::string& path, const x_array<T, N>& array, const array_file_options& options = {});
/// Writes only the cells in `section`, which must be the same on all ranks.
template <class T, int N>
void write_array(const std::string& path, const x_array<T, N>& array, const box<N>& section,
                 const array_file_options& options = {});

/// Fills those cells of an x-array that are in the file. If the floor plans have the same boxes, each box is filled
/// from the box with the same number; otherwise the cells are redistributed. Ghost cells, and cells that the file does
/// not have, are not changed. If boxes of the file overlap, as boxes of values on planes do, each value comes from the
/// first box in the file that has it. Collective over the array's communicator.
/// @return the number of cells that were filled on all ranks together
/// @throws error(argument) on all ranks alike for a file that does not exist, is not an array file, is damaged, or has
///         another element type or number of components or dimensions. Damage behind the table of boxes is found while
///         reading, when a part of the array may be filled already.
template <class T, int N>
index_t read_array(const std::string& path, x_array<T, N>& array, const array_file_options& options = {});
/// Fills only the cells in `section`, which must be the same on all ranks.
template <class T, int N>
index_t read_array(const std::string& path, x_array<T, N>& array, const box<N>& section,
                   const array_file_options& options = {});

/// The description of an array in its file.
struct array_file_description {
  int dimensions = 0, components = 0, boxes = 0;
  index_t element = 0;  ///< bytes
  std::string type;
  index_t bytes = 0;  ///< size of the file, or of the array's part of a series
};

/// Reads the description of a file. Collective over `comm`.
/// @throws error(argument) on all ranks alike for a file that does not exist, is not an array file, or has a damaged
///         header.
array_file_description describe_array_file(const communicator& comm, const std::string& path);

/// Reads the boxes of a file as a floor plan, under their numbers. For an array with values on planes, these are boxes
/// of values. The boxes are assigned to the ranks in the order of the file, so that each rank has about the same number
/// of bytes; with as many ranks as wrote the file, this is nearly the original assignment. Collective over `comm`.
/// @throws error(argument) on all ranks alike for a file that does not exist, is not an array file, has another number
///         of dimensions, or has a damaged header or table of boxes.
template <int N> floor_plan<N> read_floor_plan(const communicator& comm, const std::string& path);

class array_series;

/// The split-phase form of `write_array`: writes the same x-array any number of times, each time to any path, while the
/// user computes. Movable.
class array_writer {
 public:
  /// Collective over the array's communicator. The array must outlive every write.
  /// @throws as `write_array`
  template <class T, int N> explicit array_writer(const x_array<T, N>& array, const array_file_options& options = {});
  /// A writer of only the cells in `section`, which must be the same on all ranks.
  template <class T, int N>
  array_writer(const x_array<T, N>& array, const box<N>& section, const array_file_options& options = {});
  array_writer(array_writer&&) noexcept;
  array_writer& operator=(array_writer&&) noexcept;
  /// Gives up a write that is still under way. The file of that name is then unchanged.
  ~array_writer();

  /// Opens the file and begins to write. Until `wait` returns, the array must not be changed, unless `snapshot` is set.
  /// Collective.
  /// @throws error on all ranks alike as `write_array`; state if a write is under way or the array was freed
  void start(const std::string& path);
  /// Begins to write the array to a file of many arrays. Collective. @throws as `array_series::write`
  void start(array_series& series, const std::string& name, index_t step);
  /// Makes progress. True if the file is complete under its name. The last calls are collective: every rank must call
  /// `test` or `wait` until the write is complete.
  bool test();
  /// Returns when the file is complete under its name. Collective. @throws as `write_array`
  void wait();

  /// The string "mpi_io".
  std::string transport() const;
  /// Describes this rank's part of the file: its position and the number of writes.
  std::string explain() const;
  /// Counts the complete files as exchanges, and this rank's bytes in them as sent.
  exchange_statistics statistics() const;

  struct state;

 private:
  template <int N>
  static std::shared_ptr<state> prepare(const communicator& comm, const detail::array_shape<N>& shape,
                                        std::span<void* const> memory, const box<N>* section,
                                        const array_file_options& options);
  detail::owned<std::shared_ptr<state>> state_;
};

namespace array_file {

/// The place of an array: a whole file, or a part of one.
struct image_place {
  std::string path;
  index_t begin = 0, bytes = -1;  ///< -1 means up to the end of the file
};
array_file_description describe(const communicator& comm, const image_place& at);

}  // namespace array_file

namespace detail {

template <int N>
index_t read_array(const communicator& comm, const array_file::image_place& from, const array_shape<N>& shape,
                   std::span<void* const> memory, const box<N>* section, const array_file_options& options);

template <class T> std::string file_type_name() {
  const auto number = wherry::detail::name_of_number({kind_of<T>(), sizeof(T)});
  return std::string(number.empty() ? std::string_view(typeid(T).name()).substr(0, 103) : number);
}

template <class T> array_file_options named(array_file_options options) {
  if (options.type.empty()) options.type = file_type_name<T>();
  return options;
}

}  // namespace detail

}  // namespace wherry

template <class T, int N>
wherry::array_writer::array_writer(const x_array<T, N>& array, const array_file_options& options)
    : state_(prepare<N>(array.comm(), array.shape(), array.memory(), nullptr, detail::named<T>(options))) {}
template <class T, int N>
wherry::array_writer::array_writer(const x_array<T, N>& array, const box<N>& section, const array_file_options& options)
    : state_(prepare<N>(array.comm(), array.shape(), array.memory(), &section, detail::named<T>(options))) {}

template <class T, int N>
void wherry::write_array(const std::string& path, const x_array<T, N>& array, const array_file_options& options) {
  array_writer writer(array, options);
  writer.start(path);
  writer.wait();
}
template <class T, int N>
void wherry::write_array(const std::string& path, const x_array<T, N>& array, const box<N>& section,
                         const array_file_options& options) {
  array_writer writer(array, section, options);
  writer.start(path);
  writer.wait();
}

template <class T, int N>
wherry::index_t wherry::read_array(const std::string& path, x_array<T, N>& array, const array_file_options& options) {
  static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
  return detail::read_array<N>(array.comm(), {path}, array.shape(), array.memory(), nullptr, detail::named<T>(options));
}
template <class T, int N>
wherry::index_t wherry::read_array(const std::string& path, x_array<T, N>& array, const box<N>& section,
                                   const array_file_options& options) {
  static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
  return detail::read_array<N>(array.comm(), {path}, array.shape(), array.memory(), &section,
                               detail::named<T>(options));
}
