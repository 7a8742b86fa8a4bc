#include "mpi_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "collective.hpp"
#include "plain_file.hpp"

namespace wherry {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // counts are ints, and some MPI-IO counts bytes in ints

std::string mpi_text(int status) {
  char said[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(status, said, &length);
  return {said, static_cast<std::size_t>(length)};
}

}  // namespace

void mpi_file::check(int status, std::string_view call) const {
  if (status == MPI_SUCCESS) return;
  int kind = MPI_ERR_OTHER;
  PMPI_Error_class(status, &kind);
  const bool full = kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA;
  throw error(full ? error_kind::resource : error_kind::mpi, where_,
              detail::text("'", path_, "': ", call, " says: ", mpi_text(status)));
}

mpi_file::mpi_file(const communicator& comm, const std::string& path, int mode, MPI_Info hints, const char* where)
    : comm_(comm), path_(path), where_(where) {
  if constexpr (detail::ranks_share_a_process)
    throw error(error_kind::resource, where, "files have no contents on a simulated MPI", comm.rank());
  // MPI would wait for the other end of a pipe, and would follow a link.
  detail::collectively(comm, where, [&] {
    if (comm.rank() != 0) return;
    const auto ours = open_ordinary(path, (mode & MPI_MODE_WRONLY) != 0 ? O_WRONLY : O_RDONLY);
    if (!ours.file) throw error(error_kind::argument, where, detail::text("'", path, "': ", ours.problem), 0);
  });
  const int status = PMPI_File_open(comm.private_handle(), path.c_str(), mode, hints, &handle_);
  detail::collectively(comm, where, [&] { check(status, "MPI_File_open"); });
  PMPI_File_set_errhandler(handle_, MPI_ERRORS_RETURN);
}

void mpi_file::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), most_at_once));
    MPI_Status outcome;
    check(PMPI_File_read_at(handle_, offset, part.data(), static_cast<int>(part.size()), MPI_BYTE, &outcome),
          "MPI_File_read_at");
    int got = 0;
    check(PMPI_Get_count(&outcome, MPI_BYTE, &got), "MPI_Get_count");
    if (static_cast<std::size_t>(got) != part.size())
      throw error(error_kind::argument, where_,
                  detail::text("'", path_, "' ends at byte ", offset + got, ", expected more"));
    bytes = bytes.subspan(part.size());
    offset += static_cast<std::int64_t>(part.size());
  }
}

void mpi_file::require_room(std::int64_t end) const {
  if (!fits_file_limit(end))
    throw error(error_kind::resource, where_,
                detail::text("'", path_, "' needs ", end, " bytes, more than a file may have here (ulimit -f)"));
}

MPI_Request mpi_file::start_write(std::int64_t offset, std::span<const std::byte> bytes) const {
  require_room(offset + std::ssize(bytes));
  MPI_Request request = MPI_REQUEST_NULL;
  check(PMPI_File_iwrite_at(handle_, offset, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, &request),
        "MPI_File_iwrite_at");
  return request;
}

void mpi_file::check_written(int status, const MPI_Status& outcome, std::int64_t bytes) const {
  check(status, "writing");
  int written = 0;
  check(PMPI_Get_count(&outcome, MPI_BYTE, &written), "MPI_Get_count");
  if (written != bytes)
    throw error(error_kind::resource, where_,
                detail::text("'", path_, "': ", written, " bytes of ", bytes, " were written: the disk is full"));
}

bool mpi_file::finished(MPI_Request& request, std::int64_t bytes, bool block) const {
  if (request == MPI_REQUEST_NULL) return true;
  int done = 1, status = MPI_SUCCESS;
  MPI_Status outcome{};
  outcome.MPI_ERROR = MPI_SUCCESS;
#if defined(OPEN_MPI)
  // Completing a request that has failed crashes Open MPI 4, so its status is read first. (In other MPIs, reading the
  // status makes no progress.)
  while (PMPI_Request_get_status(request, &done, &outcome) == MPI_SUCCESS && done == 0) {
    if (!block) return false;
    std::this_thread::yield();
  }
  int written = 0;
  PMPI_Get_count(&outcome, MPI_BYTE, &written);
  status = outcome.MPI_ERROR;
  status == MPI_SUCCESS&& written == bytes ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : PMPI_Request_free(&request);
#else
  status = block ? PMPI_Wait(&request, &outcome) : PMPI_Test(&request, &done, &outcome);
  if (done == 0 && status == MPI_SUCCESS) return false;
#endif
  check_written(status, outcome, bytes);
  return true;
}

void mpi_file::write(std::int64_t offset, std::span<const std::byte> bytes) const {
  require_room(offset + std::ssize(bytes));
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), most_at_once));
    MPI_Status outcome;
    const int status =
        PMPI_File_write_at(handle_, offset, part.data(), static_cast<int>(part.size()), MPI_BYTE, &outcome);
    check_written(status, outcome, static_cast<std::int64_t>(part.size()));
    bytes = bytes.subspan(part.size());
    offset += static_cast<std::int64_t>(part.size());
  }
}

// This is not MPI_File_sync: Open MPI's fails while any other file has requests under way, and then leaves the other
// ranks waiting inside. The pages of a file can be written out through any descriptor.
void mpi_file::sync() const {
  const auto ours = open_ordinary(path_, O_RDWR);
  if (ours.file && fsync(ours.file.number()) == 0) return;
  const bool full = ours.file && (errno == ENOSPC || errno == EDQUOT);
  throw error(
      full ? error_kind::resource : error_kind::mpi, where_,
      detail::text("'", path_, "' cannot be flushed to the disk: ", ours.file ? std::strerror(errno) : ours.problem));
}

void mpi_file::close() noexcept {
  if (handle_ == MPI_FILE_NULL) return;
  try {
    patient::barrier(*comm_, where_);
    PMPI_File_close(&handle_);
  } catch (const std::exception&) {  // some rank does not come, so the file stays open
    handle_ = MPI_FILE_NULL;
  }
}

}  // namespace wherry
