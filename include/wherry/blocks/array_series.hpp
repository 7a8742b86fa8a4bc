/// @file
/// Many arrays in one file: each under a name and a step, of any types and dimensions, whole or a section of them.
///
///     wherry::array_series series(comm, "run.wherry");
///     series.write("pressure", step, p);
///     series.write("cut", step, u, {{0, 0, 16}, {64, 64, 17}});
///     …
///     series.read("pressure", series.steps("pressure").back(), p);
///
/// The file only grows. An array is a part of it when all its bytes are on the disk, and then for good: whoever dies
/// when, what was finished can be read, and the next write takes the place of what was not. A file that was cut in its
/// last array has all those before it. Only one array_series at a time may write to a file: a write is error(state),
/// and changes nothing, while another one is under way anywhere, and where the file is not as this array_series knows
/// it. A file is believed in nothing, as array_file.hpp says; one that does not begin as a series is kept as it is, and
/// a symbolic link is not written to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/blocks/array_file.hpp"

namespace wherry {

class array_series {
 public:
  /// One array of the file.
  struct entry {
    std::string name;
    index_t step = 0;
    index_t begin = 0, bytes = 0;  ///< in the file
  };

  /// Opens `path`, or makes it where there is nothing. Collective.
  /// @throws error(argument) on all ranks alike for what cannot be opened, is not ours, or is damaged
  array_series(const communicator& comm, const std::string& path);

  /// Adds an array. Collective. `array_writer::start` is the split-phase form.
  /// @throws error on all ranks alike: argument for a name that is empty or has more than 103 bytes, or that has this
  ///         step already; state while another is being written, by anybody, and where the file has been changed since
  ///         this was opened; else as `write_array`
  template <class T, int N>
  void write(const std::string& name, index_t step, const x_array<T, N>& array, const array_file_options& how = {}) {
    array_writer writer(array, how);
    writer.start(*this, name, step);
    writer.wait();
  }
  /// The cells in `section` alone.
  template <class T, int N>
  void write(const std::string& name, index_t step, const x_array<T, N>& array, const box<N>& section,
             const array_file_options& how = {}) {
    array_writer writer(array, section, how);
    writer.start(*this, name, step);
    writer.wait();
  }

  /// Fills the cells that the file has, as `read_array` does, by any ranks and under any floor plan. Collective.
  /// @return the number of cells that were filled, of all ranks
  /// @throws error(argument) on all ranks alike for what the file does not have, else as `read_array`
  template <class T, int N>
  index_t read(const std::string& name, index_t step, x_array<T, N>& array, const array_file_options& how = {}) const {
    static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
    return detail::read_array<N>(array.comm(), place_of(name, step), array.shape(), array.memory(), nullptr,
                                 detail::named<T>(how));
  }
  /// The cells in `section` alone.
  template <class T, int N>
  index_t read(const std::string& name, index_t step, x_array<T, N>& array, const box<N>& section,
               const array_file_options& how = {}) const {
    static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
    return detail::read_array<N>(array.comm(), place_of(name, step), array.shape(), array.memory(), &section,
                                 detail::named<T>(how));
  }

  /// In the order of the file.
  const std::vector<entry>& entries() const;
  /// Those of a name, in the order of the file.
  std::vector<index_t> steps(const std::string& name) const;
  /// What the file says of an array. Collective. @throws as `read`
  array_file_description describe(const std::string& name, index_t step) const;

  struct state;

 private:
  friend class array_writer;
  array_file::image_place place_of(const std::string& name, index_t step) const;
  detail::owned<std::shared_ptr<state>> state_;
};

}  // namespace wherry
