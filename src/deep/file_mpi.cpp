// Deep objects in files that the user has opened with MPI.
#include <cstdint>

#include "wherry/core/error.hpp"
#include "wherry/deep/detail/file_streams.hpp"

#include "core/plain_file.hpp"
#include "file_framing.hpp"
#include "file_named.hpp"

namespace wherry::deep::detail {
namespace {

void check(int status, const char* where, const char* call) {
  if (status == MPI_SUCCESS) return;
  int kind = MPI_ERR_OTHER, length = 0;
  PMPI_Error_class(status, &kind);
  char said[MPI_MAX_ERROR_STRING] = "";
  PMPI_Error_string(status, said, &length);
  const bool full = kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA;
  throw error(full ? error_kind::resource : error_kind::mpi, where, wherry::detail::text(call, " says: ", said));
}

/// The position in bytes.
MPI_Offset place_in(MPI_File file, const char* where) {
  MPI_Offset place = 0, here = 0;
  check(PMPI_File_get_position(file, &place), where, "MPI_File_get_position");
  check(PMPI_File_get_byte_offset(file, place, &here), where, "MPI_File_get_byte_offset");
  return here;
}

/// The bytes from here to the end.
std::uint64_t room_in(MPI_File file, const char* where) {
  const MPI_Offset here = place_in(file, where);
  MPI_Offset size = 0;
  check(PMPI_File_get_size(file, &size), where, "MPI_File_get_size");
  return size > here ? static_cast<std::uint64_t>(size - here) : 0;
}

void check_open(MPI_File file, const char* where) {
  if (file == MPI_FILE_NULL) throw error(error_kind::argument, where, "'file' is MPI_FILE_NULL");
  int mode = 0;
  check(PMPI_File_get_amode(file, &mode), where, "MPI_File_get_amode");
  if ((mode & MPI_MODE_SEQUENTIAL) != 0)
    throw error(error_kind::argument, where,
                "'file' was opened with MPI_MODE_SEQUENTIAL, which gives the ranks no file pointers of their own");
}

}  // namespace

void write_file(MPI_File to, std::uint64_t type, const file_options& how, const fill& pack) {
  constexpr const char* where = "deep::write";
  check_open(to, where);
  const auto put = [to](std::span<const std::byte> bytes) {
    const int count = static_cast<int>(bytes.size());
    if (!fits_file_limit(place_in(to, where) + count))
      throw error(error_kind::resource, where, "the file would be larger than a file may be here (ulimit -f)");
    MPI_Status outcome;
    check(PMPI_File_write(to, bytes.data(), count, MPI_BYTE, &outcome), where, "MPI_File_write");
    int written = 0;
    check(PMPI_Get_count(&outcome, MPI_BYTE, &written), where, "MPI_Get_count");
    if (written != count) throw error(error_kind::resource, where, "the disk is full");
  };
  naming("the MPI file", where, [&] { write_framed(put, type, how, pack); });
}

void read_file(MPI_File from, std::uint64_t type, const file_options& how, const drain& unpack) {
  constexpr const char* where = "deep::read";
  check_open(from, where);
  std::uint64_t got = 0;
  file_input input;
  input.get = [&](std::span<std::byte> bytes) {
    const int count = static_cast<int>(bytes.size());
    MPI_Status outcome;
    check(PMPI_File_read(from, bytes.data(), count, MPI_BYTE, &outcome), where, "MPI_File_read");
    int came = 0;
    check(PMPI_Get_count(&outcome, MPI_BYTE, &came), where, "MPI_Get_count");
    if (came > 0) got += static_cast<std::uint64_t>(came);
    if (came != count)
      throw error(error_kind::argument, where,
                  wherry::detail::text("it ends after ", got, " bytes of the object, expected more"));
  };
  input.room = [&] { return room_in(from, where); };
  naming("the MPI file", where, [&] { read_framed(input, type, how, unpack); });
}

}  // namespace wherry::deep::detail
