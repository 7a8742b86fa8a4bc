#include "last_words.hpp"

#include <mpi.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "stay_loaded.hpp"

namespace wherry {
namespace {

const std::terminate_handler systems = std::get_terminate();  // read before any program sets its own
std::terminate_handler programs = nullptr;

/// A name that all ranks of one job on one node have, and no other process. If the launcher gives no name, it is our
/// parent process.
std::string name_of_job() {
  for (const char* variable : {"PMIX_NAMESPACE", "SLURM_STEPID"})
    if (const char* job = std::getenv(variable)) return job;
  return detail::text(getppid());
}

/// True for one rank of a node. The system gives this name, which is no file, to one process at a time, and takes it
/// back when the process ends.
bool is_first() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  detail::text("wherry-failed-", getuid(), '-', name_of_job()).copy(address.sun_path + 1, sizeof address.sun_path - 2);
  const int name = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return name < 0 || bind(name, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
         errno != EADDRINUSE;
}

void say(std::string_view what) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const auto line = detail::text("[rank ", rank, " of ", size, "] ", what, '\n');
  // In one piece, so that the lines of several ranks do not mix.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
}

[[noreturn]] void abort_job() {
  using namespace std::chrono_literals;
  // Ranks that fail in the same way find the name taken before the job ends, and stay silent.
  if constexpr (!detail::ranks_share_a_process) std::this_thread::sleep_for(200ms);
  MPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

[[noreturn]] void wait_for_the_end() {
  std::this_thread::sleep_for(std::chrono::seconds(20));
  _exit(1);
}

std::string current_text() {
  try {
    if (std::current_exception()) throw;
    return "std::terminate was called";
  } catch (const std::exception& failure) {
    return failure.what();
  } catch (...) {
    return "an exception was thrown that is not a std::exception";
  }
}

[[noreturn]] void speak() {
  static std::atomic_flag speaking;
  const bool ours = detail::mpi_is_running();
  if (ours && !detail::ranks_share_a_process && speaking.test_and_set()) wait_for_the_end();
  const bool chained = programs != nullptr && programs != systems;
  if (ours && !chained) end_job(current_text());
  if (ours && is_first()) say(current_text());
  (programs != nullptr ? programs : systems)();
  std::abort();
}

}  // namespace

void end_job(std::string_view what) {
  if (!detail::ranks_share_a_process && !is_first()) wait_for_the_end();
  say(what);
  abort_job();
}

void install_last_words() {
  stay_loaded();
  programs = std::set_terminate(speak);
}

void remove_last_words() {
  if (std::get_terminate() == speak) std::set_terminate(programs);
}

}  // namespace wherry
