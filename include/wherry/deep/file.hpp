/// @file
/// Deep copies to and from files (paper 3, listing 5: FileWrite, FileRead and their buffered forms): a path, a standard
/// stream, or an open MPI_File.
///
/// A file is believed in nothing: each frame of it is under a checksum and verified before anybody looks into it, every
/// announced size is compared with what is there, and what is not ours, damaged, of another version, byte order or type
/// is an error that says so. All three forms have one format: what was written to one can be read from another.
#pragma once

#include <mpi.h>

#include <iosfwd>
#include <string>
#include <type_traits>

#include "wherry/deep/detail/file_streams.hpp"
#include "wherry/deep/pack.hpp"

namespace wherry::deep {

/// Writes a structure: an object, a pointer, `array(p, n)`, a container. The file appears under its name when it is
/// complete, in place of the one before; until then it is `PATH.part`. Two writers must not write one path at once.
/// @throws error(argument) for a path that cannot be written, error(resource) for a full disk; the file of that name is
///         then as before
template <class Map = pointer_map, class Root>
void write(const std::string& path, Root&& x, const file_options& how = {});

/// Reads a structure into `x`, as `receive` does.
/// @throws error(argument) for a file that is not there, not ours, damaged in any way, or of another type; what had
///         been built of it is gone
template <class Root> void read(const std::string& path, Root&& x, const file_options& how = {});
/// The same by value.
template <class T> T read(const std::string& path, const file_options& how = {});

/// At the stream's position; any number of objects may follow one another. The stream should be binary.
/// @throws error(argument) for a stream that has failed before, error(resource) when it fails now
template <class Map = pointer_map, class Root> void write(std::ostream& out, Root&& x, const file_options& how = {});
/// Leaves the stream behind the object. Where the stream cannot be searched and the object is long, it is buffered,
/// since nobody knows then how much memory may be believed.
template <class Root> void read(std::istream& in, Root&& x, const file_options& how = {});
template <class T> T read(std::istream& in, const file_options& how = {});

/// At this rank's own file pointer, whose view must be one of bytes. Not collective.
template <class Map = pointer_map, class Root> void write(MPI_File file, Root&& x, const file_options& how = {});
template <class Root> void read(MPI_File file, Root&& x, const file_options& how = {});
template <class T> T read(MPI_File file, const file_options& how = {});

namespace detail {

template <class Map, class File, class Root> void write_root(File&& to, Root& x, const file_options& how) {
  write_file(to, fingerprint_once<std::remove_cv_t<Root>>(), how, [&](byte_sink& sink) { pack<Map>(sink, x); });
}
template <class File, class Root> void read_root(File&& from, Root& x, const file_options& how) {
  read_file(from, fingerprint_once<Root>(), how,
            [&](byte_source& source) { unpack(source, x, read_options{.arena = how.arena}); });
}
template <class T, class File> T read_value(File&& from, const file_options& how) {
  T x{};
  read_root(from, x, how);
  return x;
}

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class Root> void wherry::deep::write(const std::string& path, Root&& x, const file_options& how) {
  detail::write_root<Map>(path, x, how);
}
template <class Root> void wherry::deep::read(const std::string& path, Root&& x, const file_options& how) {
  detail::read_root(path, x, how);
}
template <class T> T wherry::deep::read(const std::string& path, const file_options& how) {
  return detail::read_value<T>(path, how);
}
template <class Map, class Root> void wherry::deep::write(std::ostream& out, Root&& x, const file_options& how) {
  detail::write_root<Map>(out, x, how);
}
template <class Root> void wherry::deep::read(std::istream& in, Root&& x, const file_options& how) {
  detail::read_root(in, x, how);
}
template <class T> T wherry::deep::read(std::istream& in, const file_options& how) {
  return detail::read_value<T>(in, how);
}
template <class Map, class Root> void wherry::deep::write(MPI_File file, Root&& x, const file_options& how) {
  detail::write_root<Map>(file, x, how);
}
template <class Root> void wherry::deep::read(MPI_File file, Root&& x, const file_options& how) {
  detail::read_root(file, x, how);
}
template <class T> T wherry::deep::read(MPI_File file, const file_options& how) {
  return detail::read_value<T>(file, how);
}
