/// @file
/// Deep copies to and from files: a path, a standard stream or an open MPI_File (MEL, listing 5: FileWrite, FileRead
/// and their buffered forms).
///
///     std::vector<std::string> names = {"first", "second"};
///     wherry::deep::write("names.deep", names);
///     const auto again = wherry::deep::read<std::vector<std::string>>("names.deep");
///
/// All three forms write one format: a structure that was written through one can be read through another. The reader
/// trusts nothing in a file. Each frame is verified against its checksum before its contents are used, and each size
/// that the file states is compared with the bytes that are there. A file that Wherry has not written, that is damaged,
/// or that has another version, byte order or type is an error that says so. The calls are local; for one file that
/// holds an object of each rank, see `checkpoint.hpp`.
#pragma once

#include <mpi.h>

#include <iosfwd>
#include <string>
#include <type_traits>

#include "wherry/deep/detail/file_streams.hpp"
#include "wherry/deep/pack.hpp"

namespace wherry::deep {

/// Writes a structure to the file `path`. Local. The file appears under its name when it is complete, in place of the
/// file that had this name before; until then it is called `PATH.part`. Two writers must not write to one path at once.
/// @param x an object, a pointer, `array(p, n)` or a container
/// @throws error(argument) for a path that cannot be written, error(resource) for a full disk; the file of that name is
///   then left as it was
template <class Map = pointer_map, class Root>
void write(const std::string& path, Root&& x, const file_options& options = {});

/// Reads a structure from the file `path` into `x`, as `receive` does. Local.
/// @throws error(argument) for a file that does not exist, that Wherry has not written, that is damaged, or that holds
///   another type; all objects that had been built by then are freed
template <class Root> void read(const std::string& path, Root&& x, const file_options& options = {});
/// Reads a structure from the file `path` in the same way, and returns it.
template <class T> T read(const std::string& path, const file_options& options = {});

/// Writes a structure at the position of the stream. Local. Any number of structures may follow one another. The stream
/// should be opened in binary mode.
/// @throws error(argument) for a stream that had failed before the call, error(resource) if it fails during the call
template <class Map = pointer_map, class Root>
void write(std::ostream& out, Root&& x, const file_options& options = {});
/// Reads one structure and leaves the stream at the position behind it. Local. A long structure from a stream that
/// cannot seek is buffered, because its stated length cannot be compared with the length of the stream.
/// @throws error(argument) as for a path
template <class Root> void read(std::istream& in, Root&& x, const file_options& options = {});
/// Reads one structure from a stream in the same way, and returns it.
template <class T> T read(std::istream& in, const file_options& options = {});

/// Writes a structure at this rank's individual file pointer. Local, not collective. The view of the file must be one
/// of bytes.
/// @throws error(argument) for MPI_FILE_NULL and for a file with MPI_MODE_SEQUENTIAL, error(resource) for a full disk,
///   error(mpi) for any other failure that MPI reports
template <class Map = pointer_map, class Root> void write(MPI_File file, Root&& x, const file_options& options = {});
/// Reads a structure at this rank's individual file pointer and moves the pointer behind it. Local, not collective. The
/// view of the file must be one of bytes.
/// @throws error(argument) as for a path, for MPI_FILE_NULL and for a file with MPI_MODE_SEQUENTIAL; error(mpi) for a
///   failure that MPI reports
template <class Root> void read(MPI_File file, Root&& x, const file_options& options = {});
/// Reads a structure at this rank's individual file pointer in the same way, and returns it.
template <class T> T read(MPI_File file, const file_options& options = {});

namespace detail {

template <class Map, class File, class Root> void write_root(File&& to, Root& x, const file_options& options) {
  write_file(to, fingerprint_once<std::remove_cv_t<Root>>(), options, [&](byte_sink& sink) { pack<Map>(sink, x); });
}
template <class File, class Root> void read_root(File&& from, Root& x, const file_options& options) {
  read_file(from, fingerprint_once<Root>(), options,
            [&](byte_source& source) { unpack(source, x, read_options{.arena = options.arena}); });
}
template <class T, class File> T read_value(File&& from, const file_options& options) {
  T x{};
  read_root(from, x, options);
  return x;
}

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class Root>
void wherry::deep::write(const std::string& path, Root&& x, const file_options& options) {
  detail::write_root<Map>(path, x, options);
}
template <class Root> void wherry::deep::read(const std::string& path, Root&& x, const file_options& options) {
  detail::read_root(path, x, options);
}
template <class T> T wherry::deep::read(const std::string& path, const file_options& options) {
  return detail::read_value<T>(path, options);
}
template <class Map, class Root> void wherry::deep::write(std::ostream& out, Root&& x, const file_options& options) {
  detail::write_root<Map>(out, x, options);
}
template <class Root> void wherry::deep::read(std::istream& in, Root&& x, const file_options& options) {
  detail::read_root(in, x, options);
}
template <class T> T wherry::deep::read(std::istream& in, const file_options& options) {
  return detail::read_value<T>(in, options);
}
template <class Map, class Root> void wherry::deep::write(MPI_File file, Root&& x, const file_options& options) {
  detail::write_root<Map>(file, x, options);
}
template <class Root> void wherry::deep::read(MPI_File file, Root&& x, const file_options& options) {
  detail::read_root(file, x, options);
}
template <class T> T wherry::deep::read(MPI_File file, const file_options& options) {
  return detail::read_value<T>(file, options);
}
