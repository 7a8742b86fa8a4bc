// Handles command lines on all ranks of a program.
#include <cstdio>
#include <exception>
#include <string>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"

namespace bench {
namespace {

/// All ranks learn whether the first one could open its file, so that the others do not go on without it.
void require_on_all_ranks(bool could, std::string_view name, const std::string& path) {
  int opened = could ? 1 : 0;
  MPI_Bcast(&opened, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (opened == 0) throw usage_error("cannot write the file of " + std::string(name) + ", '" + path + "'");
}

}  // namespace

std::FILE* arguments::output(int rank) {
  const auto path = text("--out");
  if (path.empty()) return rank == 0 ? stdout : nullptr;
  std::FILE* const file = rank == 0 ? std::fopen(path.c_str(), "w") : nullptr;
  require_on_all_ranks(file != nullptr, "--out", path);
  return file;
}

std::string arguments::writable(std::string_view name, std::string_view fallback, int rank) {
  auto path = text(name, fallback);
  if (path.empty() && fallback.empty()) return path;
  std::FILE* const file = rank == 0 ? std::fopen(path.c_str(), "a") : nullptr;  // its contents stay
  require_on_all_ranks(file != nullptr, name, path);
  if (file != nullptr) std::fclose(file);
  return path;
}

int run_app(int argc, char** argv, const char* usage, int (*body)(arguments&)) {
  try {
    const wherry::mpi_session session(argc, argv);
    try {
      arguments words(argc, argv);
      return run_with(words, usage, session.rank(), body);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "[rank %d] %s\n", session.rank(), failure.what());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  }
  return 1;
}

}  // namespace bench
