/// @file
/// Files that several processes have open, for MEL::Deep::FileWrite and FileRead.
#pragma once

#include <mpi.h>

#include <string>

#include "wherry/core/mpi.hpp"

#include "mel/comm.hpp"

namespace MEL {

/// How a file is opened; to be combined with `|`.
enum class FileMode : int {
  CREATE = MPI_MODE_CREATE,
  READ_ONLY = MPI_MODE_RDONLY,
  WRITE_ONLY = MPI_MODE_WRONLY,
  READ_WRITE = MPI_MODE_RDWR,
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
/// Collective over the communicator it was opened with.
inline void FileClose(File& file) {
  MPI_File handle = file.handle();
  wherry::check_mpi(MPI_File_close(&handle), "MEL::FileClose");
  file = File();
}
/// Where this rank reads or writes next, in bytes.
inline void FileSeek(const File& file, MPI_Offset offset) {
  wherry::check_mpi(MPI_File_seek(file.handle(), offset, MPI_SEEK_SET), "MEL::FileSeek");
}

}  // namespace MEL
