#include "harness/text.hpp"
#include "report.hpp"

namespace info {
namespace {

const char* thread_level() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  switch (level) {
    case MPI_THREAD_MULTIPLE:
      return "multiple: several threads may exchange at once";
    case MPI_THREAD_SERIALIZED:
      return "serialized: one thread at a time";
    case MPI_THREAD_FUNNELED:
      return "funneled: only the main thread";
    default:
      return "single: no other threads";
  }
}

const char* since_level_4(const char* otherwise) { return MPI_VERSION >= 4 ? "yes (MPI 4)" : otherwise; }

/// The version of the MPI standard: that of the header at compile time, and that of the runtime if it differs.
std::string standard() {
  int version = 0, subversion = 0;
  MPI_Get_version(&version, &subversion);
  std::string result = bench::text("MPI ", MPI_VERSION, ".", MPI_SUBVERSION);
  if (version != MPI_VERSION || subversion != MPI_SUBVERSION)
    result += bench::text(" compiled in, but running on MPI ", version, ".", subversion);
  return result;
}

}  // namespace

rows mpi_facts() {
  return {{"library", wherry::mpi_library_version()},
          {"standard", standard()},
          {"threads", thread_level()},
          {"large counts", since_level_4("no: longer messages are split")},
          {"persistent collectives", since_level_4("no")},
          {"GPU memory", "unknown: MPI is not asked, and this build of Wherry has no GPU support"}};
}

}  // namespace info
