/// @file
/// Many arrays in one file, each under a name and a step. The arrays may have any types and dimensions and may be
/// sections.
///
///     wherry::array_series series(comm, "run.wherry");
///     series.write("pressure", step, p);
///     series.write("cut", step, u, {{0, 0, 16}, {64, 64, 17}});
///     …
///     series.read("pressure", series.steps("pressure").back(), p);
///
/// The file only grows. An array becomes a part of the file when all its bytes are on the disk, so finished arrays
/// survive a crash, and the next write overwrites an unfinished one. If a file is truncated inside its last array, all
/// earlier arrays can still be read.
///
/// Only one array_series at a time may write to a file. A write throws error(state) and changes nothing while another
/// write is under way, in this or any other program, or if the file was changed after this array_series opened it. A
/// file is verified as array_file.hpp says. A file that is not a series is left as it is, and a symbolic link is not
/// written to.
///
/// For one array in one file use `write_array` (array_file.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/blocks/array_file.hpp"

namespace wherry {

/// An open file of many arrays. Movable; copies refer to the same file.
class array_series {
 public:
  /// One array of the file.
  struct entry {
    std::string name;
    index_t step = 0;
    index_t begin = 0, bytes = 0;  ///< where the array lies in the file, in bytes
  };

  /// Opens a file, or creates it if it does not exist. Collective over `comm`.
  /// @throws error(argument) on all ranks alike for a file that cannot be opened, is not a series, or is damaged
  array_series(const communicator& comm, const std::string& path);

  /// Adds an array to the file. Collective over the communicator of the series, which must also be the array's.
  /// `array_writer::start` is the split-phase form.
  /// @throws error on all ranks alike: argument for a name that is empty, has more than 103 bytes or a zero byte, or
  ///         exists with this step; state while another array is being written to the file, or if the file was changed
  ///         after it was opened; otherwise as `write_array`
  template <class T, int N>
  void write(const std::string& name, index_t step, const x_array<T, N>& array,
             const array_file_options& options = {}) {
    array_writer writer(array, options);
    writer.start(*this, name, step);
    writer.wait();
  }
  /// Writes only the cells in `section`, which must be the same on all ranks.
  template <class T, int N>
  void write(const std::string& name, index_t step, const x_array<T, N>& array, const box<N>& section,
             const array_file_options& options = {}) {
    array_writer writer(array, section, options);
    writer.start(*this, name, step);
    writer.wait();
  }

  /// Fills those cells of `array` that are in the file, as `read_array` does. The number of ranks and the floor plan
  /// may differ from those that wrote the file. Collective over the communicator of `array`.
  /// @return the number of cells that were filled on all ranks together
  /// @throws error(argument) on all ranks alike for a name and step that the file does not have; otherwise as
  ///         `read_array`
  template <class T, int N>
  index_t read(const std::string& name, index_t step, x_array<T, N>& array,
               const array_file_options& options = {}) const {
    static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
    return detail::read_array<N>(array.comm(), place_of(name, step), array.shape(), array.memory(), nullptr,
                                 detail::named<T>(options));
  }
  /// Fills only the cells in `section`, which must be the same on all ranks.
  template <class T, int N>
  index_t read(const std::string& name, index_t step, x_array<T, N>& array, const box<N>& section,
               const array_file_options& options = {}) const {
    static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
    return detail::read_array<N>(array.comm(), place_of(name, step), array.shape(), array.memory(), &section,
                                 detail::named<T>(options));
  }

  /// All arrays of the file, in its order. Local.
  const std::vector<entry>& entries() const;
  /// The steps under which the file has an array of this name, in the order of the file. Local.
  std::vector<index_t> steps(const std::string& name) const;
  /// The type and sizes of an array in the file. Collective over the communicator of the series. @throws as `read`
  array_file_description describe(const std::string& name, index_t step) const;

  struct state;

 private:
  friend class array_writer;
  array_file::image_place place_of(const std::string& name, index_t step) const;
  detail::owned<std::shared_ptr<state>> state_;
};

}  // namespace wherry
