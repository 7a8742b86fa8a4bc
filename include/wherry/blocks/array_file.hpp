/// @file
/// Movers between memory and disk (paper 4, section 5: "Movers that transports data between disk and memory"): an
/// x-array in one file, written and read by all ranks together through MPI-IO. Any number of ranks and any other floor
/// plan may read it.
///
/// A write is complete or not at all: it goes to `PATH.part`, reaches the disk, and only then takes the place of PATH;
/// whoever dies when, PATH is the last file that was finished. Two writers must not write one path at the same time.
/// A file is believed in nothing: every byte of it is under a checksum, every size is compared with the file's own.
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

/// How files are written and read. The same on all ranks.
struct array_file_options {
  /// What the file calls the element type, and what a reader must call it too; at most 103 bytes. Empty: our name for
  /// numbers ("float64", "int32", "complex float32"), else the compiler's for T.
  std::string type{};
  /// Writing only: `start` copies everything, so that the array may be changed while it is written.
  bool snapshot = false;
  /// Memory a rank in bytes for what is on its way, at most 1 GiB; writing takes two of them.
  index_t buffer = index_t{64} << 20;
  /// About so many bytes share a checksum and are read together; 1 KiB to 1 GiB.
  index_t piece = index_t{1} << 20;
  /// Hints for MPI_File_open ("striping_factor", …).
  MPI_Info hints = MPI_INFO_NULL;
};

/// Writes the boxes of an x-array, without their ghost cells, and returns when the file is on the disk under its name.
/// Collective. Costs memory for two buffers, not for a second array.
/// @throws error on all ranks alike: argument for a path that cannot be written, resource for a full disk, mismatch
///         when not every box has an owner. The file of that name is then as before.
template <class T, int N>
void write_array(const std::string& path, const x_array<T, N>& array, const array_file_options& how = {});
/// Only the cells in `section`, of any of its boxes; the same on all ranks.
template <class T, int N>
void write_array(const std::string& path, const x_array<T, N>& array, const box<N>& section,
                 const array_file_options& how = {});

/// Fills all cells of the array that the file has: the same cells where the floor plans have the same boxes, else by
/// redistribution, whatever the two floor plans are. Ghost cells, and cells that the file does not have, stay as they
/// are. Where boxes of the file overlap, as those of values on planes do, each value comes from the first of them in
/// the file. Collective.
/// @return the number of cells that were filled, of all ranks
/// @throws error(argument) on all ranks alike for a file that is not there, not ours, damaged in any way, of another
///         element type or number of components or dimensions. Damage beyond the table of boxes is found while reading,
///         when a part of the array may be filled already.
template <class T, int N>
index_t read_array(const std::string& path, x_array<T, N>& array, const array_file_options& how = {});
/// Only the cells in `section`; the same on all ranks.
template <class T, int N>
index_t read_array(const std::string& path, x_array<T, N>& array, const box<N>& section,
                   const array_file_options& how = {});

/// What a file says of itself.
struct array_file_description {
  int dimensions = 0, components = 0, boxes = 0;
  index_t element = 0;  ///< bytes
  std::string type;
  index_t bytes = 0;  ///< of the file
};

/// Collective. @throws error(argument) on all ranks alike as `read_array` does.
array_file_description describe_array_file(const communicator& comm, const std::string& path);

/// The boxes of a file under their numbers; of an array on planes its boxes of values, last planes included. Owners are
/// dealt so that each rank has about as many bytes, in the file's order, which on as many ranks as have written it is
/// about the order of then. Collective.
/// @throws error(argument) on all ranks alike as `read_array` does.
template <int N> floor_plan<N> read_floor_plan(const communicator& comm, const std::string& path);

class array_series;

/// The split-phase form: writes the same array again and again, each time under any path, while the user computes.
class array_writer {
 public:
  /// Collective. The array must outlive the use.
  template <class T, int N> explicit array_writer(const x_array<T, N>& array, const array_file_options& how = {});
  /// Of the cells in `section` alone.
  template <class T, int N>
  array_writer(const x_array<T, N>& array, const box<N>& section, const array_file_options& how = {});
  array_writer(array_writer&&) noexcept;
  array_writer& operator=(array_writer&&) noexcept;
  /// A write that nobody has waited for is given up: the file of that name is as before.
  ~array_writer();

  /// Opens the file and begins; collective. Until `wait` returns, the array must not be changed, unless `snapshot`.
  void start(const std::string& path);
  /// The same as a part of a file of many arrays; see array_series.hpp.
  void start(array_series& series, const std::string& name, index_t step);
  /// Makes progress; true when the file is complete under its name. Collective only in the end.
  bool test();
  /// Returns when the file is complete under its name. Collective. @throws as `write_array`.
  void wait();

  /// "mpi_io".
  std::string transport() const;
  /// This rank's part: where it lies in the file, and in how many writes.
  std::string explain() const;
  /// Files that are complete, and this rank's bytes in them as "sent".
  exchange_statistics statistics() const;

  struct state;

 private:
  template <int N>
  static std::shared_ptr<state> prepare(const communicator& comm, const detail::array_shape<N>& shape,
                                        std::span<void* const> memory, const box<N>* section,
                                        const array_file_options& how);
  detail::owned<std::shared_ptr<state>> state_;
};

namespace array_file {

/// Where an array is: a whole file, or a part of one.
struct image_place {
  std::string path;
  index_t begin = 0, bytes = -1;  ///< -1: up to the file's end
};
array_file_description describe(const communicator& comm, const image_place& at);

}  // namespace array_file

namespace detail {

template <int N>
index_t read_array(const communicator& comm, const array_file::image_place& from, const array_shape<N>& shape,
                   std::span<void* const> memory, const box<N>* section, const array_file_options& how);

template <class T> std::string file_type_name() {
  if constexpr (is_complex<T>)
    return "complex " + file_type_name<typename T::value_type>();
  else if constexpr (std::is_arithmetic_v<T>)
    return (std::is_floating_point_v<T> ? "float"
            : std::is_signed_v<T>       ? "int"
                                        : "uint") +
           std::to_string(8 * sizeof(T));
  else
    return std::string(typeid(T).name()).substr(0, 103);
}

template <class T> array_file_options named(array_file_options how) {
  if (how.type.empty()) how.type = file_type_name<T>();
  return how;
}

}  // namespace detail

}  // namespace wherry

template <class T, int N>
wherry::array_writer::array_writer(const x_array<T, N>& array, const array_file_options& how)
    : state_(prepare<N>(array.comm(), array.shape(), array.memory(), nullptr, detail::named<T>(how))) {}
template <class T, int N>
wherry::array_writer::array_writer(const x_array<T, N>& array, const box<N>& section, const array_file_options& how)
    : state_(prepare<N>(array.comm(), array.shape(), array.memory(), &section, detail::named<T>(how))) {}

template <class T, int N>
void wherry::write_array(const std::string& path, const x_array<T, N>& array, const array_file_options& how) {
  array_writer writer(array, how);
  writer.start(path);
  writer.wait();
}
template <class T, int N>
void wherry::write_array(const std::string& path, const x_array<T, N>& array, const box<N>& section,
                         const array_file_options& how) {
  array_writer writer(array, section, how);
  writer.start(path);
  writer.wait();
}

template <class T, int N>
wherry::index_t wherry::read_array(const std::string& path, x_array<T, N>& array, const array_file_options& how) {
  static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
  return detail::read_array<N>(array.comm(), {path}, array.shape(), array.memory(), nullptr, detail::named<T>(how));
}
template <class T, int N>
wherry::index_t wherry::read_array(const std::string& path, x_array<T, N>& array, const box<N>& section,
                                   const array_file_options& how) {
  static_assert(!std::is_const_v<T>, "a const array is read-only: nothing can be read into it");
  return detail::read_array<N>(array.comm(), {path}, array.shape(), array.memory(), &section, detail::named<T>(how));
}
