/// @file
/// Files that several processes have open, or one alone: for plain data here, for structures by MEL::Deep::FileWrite
/// and FileRead.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "wherry/core/mpi.hpp"

#include "mel/comm.hpp"
#include "mel/datatype.hpp"

namespace MEL {

using Offset = MPI_Offset;

/// How a file is opened; to be combined with `|`.
enum class FileMode : int {
  CREATE = MPI_MODE_CREATE,
  READ_ONLY = MPI_MODE_RDONLY,
  WRITE_ONLY = MPI_MODE_WRONLY,
  READ_WRITE = MPI_MODE_RDWR,
  RDONLY = READ_ONLY,
  WRONLY = WRITE_ONLY,
  RDWR = READ_WRITE,
  APPEND = MPI_MODE_APPEND,
  EXCLUSIVE = MPI_MODE_EXCL,
  DELETE_ON_CLOSE = MPI_MODE_DELETE_ON_CLOSE
};
constexpr FileMode operator|(FileMode a, FileMode b) {
  return static_cast<FileMode>(static_cast<int>(a) | static_cast<int>(b));
}

/// An MPI_File with a type of its own. Does not own it.
class File {
 public:
  constexpr File() = default;
  explicit constexpr File(MPI_File file) : file_(file) {}
  explicit operator MPI_File() const { return file_; }
  MPI_File handle() const { return file_; }

 private:
  MPI_File file_ = MPI_FILE_NULL;
};

/// Collective over `comm`. @throws wherry::error
inline File FileOpen(const Comm& comm, const std::string& path, FileMode mode) {
  MPI_File file = MPI_FILE_NULL;
  wherry::check_mpi(MPI_File_open(comm.handle(), path.c_str(), static_cast<int>(mode), MPI_INFO_NULL, &file),
                    "MEL::FileOpen");
  return File(file);
}
/// A file of this rank alone. @throws wherry::error
inline File FileOpenIndividual(const std::string& path, FileMode mode) { return FileOpen(Comm::SELF, path, mode); }
/// Collective over the communicator it was opened with.
inline void FileClose(File& file) {
  MPI_File handle = file.handle();
  wherry::check_mpi(MPI_File_close(&handle), "MEL::FileClose");
  file = File();
}
/// Where this rank reads or writes next: in bytes, or in elements of its view.
inline void FileSeek(const File& file, Offset offset) {
  wherry::check_mpi(MPI_File_seek(file.handle(), offset, MPI_SEEK_SET), "MEL::FileSeek");
}
/// The file has `bytes` from now on. Collective, with the same number on all.
inline void FileSetSize(const File& file, Offset bytes) {
  detail::must_not_be_negative("MEL::FileSetSize", "the size", bytes);
  wherry::check_mpi(MPI_File_set_size(file.handle(), bytes), "MEL::FileSetSize");
}

/// What this rank sees of the file: from byte `offset` on, the elements that `view` names, again and again. Its place
/// is the first of them. Collective; offsets and views may differ. @throws wherry::error
inline void FileSetView(const File& file, Offset offset, const Datatype& element, const Datatype& view,
                        const std::string& representation = "native") {
  constexpr std::string_view where = "MEL::FileSetView";
  detail::must_not_be_negative(where, "the offset", offset);
  detail::must_be_a_type(where, element);
  detail::must_be_a_type(where, view);
  wherry::check_mpi(
      MPI_File_set_view(file.handle(), offset, element.handle(), view.handle(), representation.c_str(), MPI_INFO_NULL),
      where);
}
/// All elements from `offset` on.
inline void FileSetView(const File& file, Offset offset, const Datatype& element) {
  FileSetView(file, offset, element, element);
}

/// `count` objects of a type, from where this rank is in the file. No call that others must take part in.
/// @throws wherry::error, also where less is written
template <class T> void FileWrite(const File& file, const T* ptr, int count, const Datatype& type) {
  constexpr std::string_view where = "MEL::FileWrite";
  detail::must_not_be_negative(where, "the count", count);
  detail::must_be_a_type(where, type);
  MPI_Status status;
  wherry::check_mpi(MPI_File_write(file.handle(), ptr, count, type.handle(), &status), where);
  int written = 0;
  MPI_Get_count(&status, type.handle(), &written);
  if (written != count)
    throw wherry::error(wherry::error_kind::resource, where,
                        wherry::detail::text(written, " of ", count, " were written"));
}
/// Plain data: its bytes.
template <class T> void FileWrite(const File& file, const T* ptr, int count) {
  const detail::counted_bytes<T> all(count);
  FileWrite(file, ptr, all.count, Datatype(all.type()));
}
// The same with the file last, as MEL::Deep has it.
template <class T> void FileWrite(const T* ptr, int count, const Datatype& type, const File& file) {
  FileWrite(file, ptr, count, type);
}
template <class T> void FileWrite(const T* ptr, int count, const File& file) { FileWrite(file, ptr, count); }

}  // namespace MEL
