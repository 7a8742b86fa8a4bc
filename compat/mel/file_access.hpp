/// @file
/// Reads and writes plain data in files: `count` objects of a datatype, or of the type of the pointer. A type that MPI
/// does not know is written as bytes.
///
/// The names: …At: at an offset in the view, else at this rank's position. …Shared: at the shared file pointer. …All:
/// collective, each rank at its own position. …Ordered: collective, one rank after the other at the shared file
/// pointer. FileI…: non-blocking. Calls without All or Ordered are local.
///
/// A write throws wherry::error also if less was written than was asked for. A read may find less; ProbeGetCount tells
/// from its status how much it found.
#pragma once

#include <mpi.h>

#include <string_view>

#include "wherry/core/mpi.hpp"

#include "mel/file.hpp"
#include "mel/request.hpp"

namespace MEL {
namespace detail {

/// @param place the offset, or nothing
template <class... Parameters, class... Place>
Status write(std::string_view where, int (*mpi)(Parameters...), const File& file, const void* ptr, int count,
             const Datatype& type, Place... place) {
  must_not_be_negative(where, "the count", count);
  must_be_a_type(where, type);
  const auto status = answer<Status>(where, mpi, file, place..., ptr, count, type);
  const int written = answer<int>(where, MPI_Get_count, &status, type);
  if (written != count)
    throw wherry::error(wherry::error_kind::resource, where,
                        wherry::detail::text("only ", written, " of ", count, " elements were written"));
  return status;
}

}  // namespace detail

inline Status FileWrite(const File& file, const void* ptr, int count, const Datatype& type) {
  return detail::write("MEL::FileWrite", MPI_File_write, file, ptr, count, type);
}
template <class T> Status FileWrite(const File& file, const T* ptr, int count) {
  return FileWrite(file, ptr, count, detail::type_of<T>("MEL::FileWrite", count));
}

// The same with the file as last argument, as in MEL::Deep.
inline Status FileWrite(const void* ptr, int count, const Datatype& type, const File& file) {
  return FileWrite(file, ptr, count, type);
}
template <class T> Status FileWrite(const T* ptr, int count, const File& file) { return FileWrite(file, ptr, count); }

inline Status FileWriteAt(const File& file, Offset offset, const void* ptr, int count, const Datatype& type) {
  return detail::write("MEL::FileWriteAt", MPI_File_write_at, file, ptr, count, type, offset);
}
template <class T> Status FileWriteAt(const File& file, Offset offset, const T* ptr, int count) {
  return FileWriteAt(file, offset, ptr, count, detail::type_of<T>("MEL::FileWriteAt", count));
}

inline Status FileWriteAll(const File& file, const void* ptr, int count, const Datatype& type) {
  return detail::write("MEL::FileWriteAll", MPI_File_write_all, file, ptr, count, type);
}
template <class T> Status FileWriteAll(const File& file, const T* ptr, int count) {
  return FileWriteAll(file, ptr, count, detail::type_of<T>("MEL::FileWriteAll", count));
}

inline Status FileWriteAtAll(const File& file, Offset offset, const void* ptr, int count, const Datatype& type) {
  return detail::write("MEL::FileWriteAtAll", MPI_File_write_at_all, file, ptr, count, type, offset);
}
template <class T> Status FileWriteAtAll(const File& file, Offset offset, const T* ptr, int count) {
  return FileWriteAtAll(file, offset, ptr, count, detail::type_of<T>("MEL::FileWriteAtAll", count));
}

inline Status FileWriteShared(const File& file, const void* ptr, int count, const Datatype& type) {
  return detail::write("MEL::FileWriteShared", MPI_File_write_shared, file, ptr, count, type);
}
template <class T> Status FileWriteShared(const File& file, const T* ptr, int count) {
  return FileWriteShared(file, ptr, count, detail::type_of<T>("MEL::FileWriteShared", count));
}

inline Status FileWriteOrdered(const File& file, const void* ptr, int count, const Datatype& type) {
  return detail::write("MEL::FileWriteOrdered", MPI_File_write_ordered, file, ptr, count, type);
}
template <class T> Status FileWriteOrdered(const File& file, const T* ptr, int count) {
  return FileWriteOrdered(file, ptr, count, detail::type_of<T>("MEL::FileWriteOrdered", count));
}

inline Status FileRead(const File& file, void* ptr, int count, const Datatype& type) {
  return detail::answer<Status>("MEL::FileRead", MPI_File_read, file, ptr, count, type);
}
template <class T> Status FileRead(const File& file, T* ptr, int count) {
  return FileRead(file, ptr, count, detail::type_of<T>("MEL::FileRead", count));
}

inline Status FileReadAt(const File& file, Offset offset, void* ptr, int count, const Datatype& type) {
  return detail::answer<Status>("MEL::FileReadAt", MPI_File_read_at, file, offset, ptr, count, type);
}
template <class T> Status FileReadAt(const File& file, Offset offset, T* ptr, int count) {
  return FileReadAt(file, offset, ptr, count, detail::type_of<T>("MEL::FileReadAt", count));
}

inline Status FileReadAll(const File& file, void* ptr, int count, const Datatype& type) {
  return detail::answer<Status>("MEL::FileReadAll", MPI_File_read_all, file, ptr, count, type);
}
template <class T> Status FileReadAll(const File& file, T* ptr, int count) {
  return FileReadAll(file, ptr, count, detail::type_of<T>("MEL::FileReadAll", count));
}

inline Status FileReadAtAll(const File& file, Offset offset, void* ptr, int count, const Datatype& type) {
  return detail::answer<Status>("MEL::FileReadAtAll", MPI_File_read_at_all, file, offset, ptr, count, type);
}
template <class T> Status FileReadAtAll(const File& file, Offset offset, T* ptr, int count) {
  return FileReadAtAll(file, offset, ptr, count, detail::type_of<T>("MEL::FileReadAtAll", count));
}

inline Status FileReadShared(const File& file, void* ptr, int count, const Datatype& type) {
  return detail::answer<Status>("MEL::FileReadShared", MPI_File_read_shared, file, ptr, count, type);
}
template <class T> Status FileReadShared(const File& file, T* ptr, int count) {
  return FileReadShared(file, ptr, count, detail::type_of<T>("MEL::FileReadShared", count));
}

inline Status FileReadOrdered(const File& file, void* ptr, int count, const Datatype& type) {
  return detail::answer<Status>("MEL::FileReadOrdered", MPI_File_read_ordered, file, ptr, count, type);
}
template <class T> Status FileReadOrdered(const File& file, T* ptr, int count) {
  return FileReadOrdered(file, ptr, count, detail::type_of<T>("MEL::FileReadOrdered", count));
}

inline Request FileIwrite(const File& file, const void* ptr, int count, const Datatype& type) {
  return detail::begin("MEL::FileIwrite", MPI_File_iwrite, file, ptr, count, type);
}
template <class T> Request FileIwrite(const File& file, const T* ptr, int count) {
  return FileIwrite(file, ptr, count, detail::type_of<T>("MEL::FileIwrite", count));
}

inline Request FileIwriteAt(const File& file, Offset offset, const void* ptr, int count, const Datatype& type) {
  return detail::begin("MEL::FileIwriteAt", MPI_File_iwrite_at, file, offset, ptr, count, type);
}
template <class T> Request FileIwriteAt(const File& file, Offset offset, const T* ptr, int count) {
  return FileIwriteAt(file, offset, ptr, count, detail::type_of<T>("MEL::FileIwriteAt", count));
}

inline Request FileIwriteShared(const File& file, const void* ptr, int count, const Datatype& type) {
  return detail::begin("MEL::FileIwriteShared", MPI_File_iwrite_shared, file, ptr, count, type);
}
template <class T> Request FileIwriteShared(const File& file, const T* ptr, int count) {
  return FileIwriteShared(file, ptr, count, detail::type_of<T>("MEL::FileIwriteShared", count));
}

inline Request FileIread(const File& file, void* ptr, int count, const Datatype& type) {
  return detail::begin("MEL::FileIread", MPI_File_iread, file, ptr, count, type);
}
template <class T> Request FileIread(const File& file, T* ptr, int count) {
  return FileIread(file, ptr, count, detail::type_of<T>("MEL::FileIread", count));
}

inline Request FileIreadAt(const File& file, Offset offset, void* ptr, int count, const Datatype& type) {
  return detail::begin("MEL::FileIreadAt", MPI_File_iread_at, file, offset, ptr, count, type);
}
template <class T> Request FileIreadAt(const File& file, Offset offset, T* ptr, int count) {
  return FileIreadAt(file, offset, ptr, count, detail::type_of<T>("MEL::FileIreadAt", count));
}

inline Request FileIreadShared(const File& file, void* ptr, int count, const Datatype& type) {
  return detail::begin("MEL::FileIreadShared", MPI_File_iread_shared, file, ptr, count, type);
}
template <class T> Request FileIreadShared(const File& file, T* ptr, int count) {
  return FileIreadShared(file, ptr, count, detail::type_of<T>("MEL::FileIreadShared", count));
}

}  // namespace MEL
