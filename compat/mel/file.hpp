/// @file
/// Files that several processes or one have opened: opening and closing, sizes, positions, views and hints.
/// file_access.hpp reads and writes plain data, MEL::Deep::FileWrite and FileRead structures. Calls are local unless
/// they say otherwise.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "wherry/core/mpi.hpp"

#include "mel/comm.hpp"
#include "mel/datatype.hpp"

namespace MEL {

using Offset = MPI_Offset;

/// The mode in which a file is opened; combine modes with `|`.
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
  EXCL = EXCLUSIVE,
  DELETE_ON_CLOSE = MPI_MODE_DELETE_ON_CLOSE,
  SEQUENTIAL = MPI_MODE_SEQUENTIAL,
  UNIQUE_OPEN = MPI_MODE_UNIQUE_OPEN
};
constexpr FileMode operator|(FileMode a, FileMode b) {
  return static_cast<FileMode>(static_cast<int>(a) | static_cast<int>(b));
}

/// The origin of an offset: the begin of the file, the current position, or the end.
enum class SeekMode : int { SET = MPI_SEEK_SET, CUR = MPI_SEEK_CUR, END = MPI_SEEK_END };

/// An MPI_File as a class of its own, which does not own the file.
class File : public detail::handle_of<File, MPI_File> {
 public:
  static const File FILE_NULL;

  File() : handle_of(MPI_FILE_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
};
inline const File File::FILE_NULL{};

/// Hints: an MPI_Info as a class of its own, to which an MPI_Info also converts. Free the result of FileGetInfo with
/// MPI_Info_free.
class Info : public detail::handle_of<Info, MPI_Info> {
 public:
  static const Info INFO_NULL;

  Info() : handle_of(MPI_INFO_NULL) {}
  Info(MPI_Info info) : handle_of(info) {}
};
inline const Info Info::INFO_NULL{};

namespace detail {

inline File open(std::string_view where, const Comm& comm, const std::string& path, FileMode mode) {
  return File(answer<MPI_File>(where, MPI_File_open, comm, path.c_str(), static_cast<int>(mode), MPI_INFO_NULL));
}

}  // namespace detail

/// Opens a file. Collective over `comm`.
/// @throws wherry::error
inline File FileOpen(const Comm& comm, const std::string& path, FileMode mode) {
  return detail::open("MEL::FileOpen", comm, path, mode);
}
/// Opens a file for this rank alone. Local.
/// @throws wherry::error
inline File FileOpenIndividual(const std::string& path, FileMode mode) {
  return detail::open("MEL::FileOpenIndividual", Comm::SELF, path, mode);
}
/// Closes a file and sets it to null; null is allowed. Collective over the communicator with which it was opened.
inline void FileClose(File& file) { detail::give_back("MEL::FileClose", MPI_File_close, file); }
inline void FileDelete(const std::string& path) {
  detail::call("MEL::FileDelete", MPI_File_delete, path.c_str(), MPI_INFO_NULL);
}

inline FileMode FileGetMode(const File& file) {
  return static_cast<FileMode>(detail::answer<int>("MEL::FileGetMode", MPI_File_get_amode, file));
}
/// The group of processes that have opened the file. Free it with GroupFree.
inline Group FileGetGroup(const File& file) {
  return Group(detail::answer<MPI_Group>("MEL::FileGetGroup", MPI_File_get_group, file));
}
inline Info FileGetInfo(const File& file) {
  return Info(detail::answer<MPI_Info>("MEL::FileGetInfo", MPI_File_get_info, file));
}
/// Sets hints. Collective over the file's communicator.
inline void FileSetInfo(const File& file, const Info& info) {
  detail::call("MEL::FileSetInfo", MPI_File_set_info, file, info);
}
/// True if data that one rank writes is visible to others as soon as the call returns.
inline bool FileIsAtomic(const File& file) {
  return detail::answer<int>("MEL::FileIsAtomic", MPI_File_get_atomicity, file) != 0;
}
/// Sets the atomic mode. Collective over the file's communicator.
inline void FileSetAtomicity(const File& file, bool atomic) {
  detail::call("MEL::FileSetAtomicity", MPI_File_set_atomicity, file, atomic ? 1 : 0);
}

/// The size of the file in bytes.
inline Offset FileGetSize(const File& file) {
  return detail::answer<Offset>("MEL::FileGetSize", MPI_File_get_size, file);
}
/// Sets the size of the file in bytes. Collective, with the same size on all ranks.
inline void FileSetSize(const File& file, Offset bytes) {
  detail::must_not_be_negative("MEL::FileSetSize", "the size", bytes);
  detail::call("MEL::FileSetSize", MPI_File_set_size, file, bytes);
}
/// Reserves disk space for `bytes`. Collective, with the same size on all ranks.
inline void FilePreallocate(const File& file, Offset bytes) {
  detail::must_not_be_negative("MEL::FilePreallocate", "the size", bytes);
  detail::call("MEL::FilePreallocate", MPI_File_preallocate, file, bytes);
}
/// Passes this rank's writes on to the disk. Collective.
inline void FileSync(const File& file) { detail::call("MEL::FileSync", MPI_File_sync, file); }

/// The position at which this rank reads or writes next, in bytes or in elements of its view.
inline Offset FileGetPosition(const File& file) {
  return detail::answer<Offset>("MEL::FileGetPosition", MPI_File_get_position, file);
}
inline void FileSeek(const File& file, Offset offset, SeekMode from = SeekMode::SET) {
  detail::call("MEL::FileSeek", MPI_File_seek, file, offset, static_cast<int>(from));
}
/// The position of the shared file pointer. `FileSeekShared` is collective, with the same arguments on all ranks.
inline Offset FileGetPositionShared(const File& file) {
  return detail::answer<Offset>("MEL::FileGetPositionShared", MPI_File_get_position_shared, file);
}
inline void FileSeekShared(const File& file, Offset offset, SeekMode from = SeekMode::SET) {
  detail::call("MEL::FileSeekShared", MPI_File_seek_shared, file, offset, static_cast<int>(from));
}
/// The byte of the file at an offset in this rank's view.
inline Offset FileGetByteOffset(const File& file, Offset offset) {
  return detail::answer<Offset>("MEL::FileGetByteOffset", MPI_File_get_byte_offset, file, offset);
}
/// The distance in bytes of the file from one object of a type to the next.
inline Aint FileGetTypeExtent(const File& file, const Datatype& type) {
  return detail::answer<Aint>("MEL::FileGetTypeExtent", MPI_File_get_type_extent, file, type);
}

/// The part of a file that a rank sees: from byte `offset` on, the elements that `fileType` selects, repeatedly.
struct FileView {
  Offset offset = 0;
  Datatype elementaryType, fileType;
  std::string datarep = "native";
  FileView() = default;
  FileView(Offset first, const Datatype& element, const Datatype& view, const std::string& representation = "native")
      : offset(first), elementaryType(element), fileType(view), datarep(representation) {}
};

/// Sets the view, and the rank's position to its first element. Collective; offsets and views may differ between ranks.
/// @throws wherry::error
inline void FileSetView(const File& file, Offset offset, const Datatype& element, const Datatype& view,
                        const std::string& representation = "native") {
  constexpr std::string_view where = "MEL::FileSetView";
  detail::must_not_be_negative(where, "the offset", offset);
  detail::must_be_a_type(where, element);
  detail::must_be_a_type(where, view);
  detail::call(where, MPI_File_set_view, file, offset, element, view, representation.c_str(), MPI_INFO_NULL);
}
/// Sets a view of all elements from `offset` on. Collective.
inline void FileSetView(const File& file, Offset offset, const Datatype& element) {
  FileSetView(file, offset, element, element);
}
inline void FileSetView(const File& file, const FileView& view) {
  FileSetView(file, view.offset, view.elementaryType, view.fileType, view.datarep);
}
/// Returns the view. Free types that are not predefined with TypeFree.
inline void FileGetView(const File& file, Offset& offset, Datatype& element, Datatype& view,
                        std::string& representation) {
  char name[MPI_MAX_DATAREP_STRING + 1] = "";
  detail::call("MEL::FileGetView", MPI_File_get_view, file, &offset, detail::handles<MPI_Datatype>(&element),
               detail::handles<MPI_Datatype>(&view), &name[0]);
  representation = name;
}
inline FileView FileGetView(const File& file) {
  FileView view;
  FileGetView(file, view.offset, view.elementaryType, view.fileType, view.datarep);
  return view;
}

inline ErrorHandler FileCreateErrorHandler(ErrorHandlerFunc function) {
  return ErrorHandler(detail::answer<MPI_Errhandler>("MEL::FileCreateErrorHandler", MPI_File_create_errhandler,
                                                     reinterpret_cast<MPI_File_errhandler_function*>(function)));
}
inline ErrorHandler FileGetErrorHandler(const File& file) {
  return ErrorHandler(detail::answer<MPI_Errhandler>("MEL::FileGetErrorHandler", MPI_File_get_errhandler, file));
}
inline void FileSetErrorHandler(const File& file, const ErrorHandler& handler) {
  detail::call("MEL::FileSetErrorHandler", MPI_File_set_errhandler, file, handler);
}
inline void FileSetErrorHandler(const File& file, ErrorHandlerFunc function) {
  detail::set_handler<File>(function, FileCreateErrorHandler, FileSetErrorHandler, file);
}

}  // namespace MEL
