#include "pings.hpp"

#include <mpi.h>
#include <signal.h>

#include <chrono>
#include <compare>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "rank_lives.hpp"
#include "reserved_tags.hpp"

namespace wherry::pings {
namespace {

enum class kind : std::uint64_t {
  alive = std::uint64_t(question::alive),
  end = std::uint64_t(question::end),
  answer,
  death
};

struct letter {
  std::uint64_t serial;
  kind what;
  std::uint64_t number;  // of a question; in a report of a death: the rank
};

struct sent {
  MPI_Request request = MPI_REQUEST_NULL;
  letter what{};
};

/// Identifies a question: the communicator and the rank.
struct asked {
  std::uint64_t serial = 0;
  int rank = 0;
  question what{};
  auto operator<=>(const asked&) const = default;
};

struct all_of_process {
  std::mutex guard;
  std::uint64_t last = 0;
  std::map<asked, std::uint64_t> open;  // numbers of questions, which may have been answered
  std::set<std::uint64_t> answers;      // numbers of answered questions
  std::vector<std::unique_ptr<sent>> outbox;
};

/// Never destroyed, because MPI may still use its contents.
all_of_process& all() {
  static auto* one = new all_of_process;
  return *one;
}

void forget_sent() {
  std::erase_if(all().outbox, [](const auto& s) {
    int done = 0;
    return PMPI_Test(&s->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
  });
}

void post(const communicator& comm, int to, const letter& what) {
  auto& s = all().outbox.emplace_back(std::make_unique<sent>());
  s->what = what;
  check_mpi(PMPI_Isend(&s->what, sizeof(letter), MPI_BYTE, to, reserved_tag::pings, comm.private_handle(), &s->request),
            "MPI_Isend");
}

/// Ranks that cannot be reached need no report.
void post_death(const communicator& comm, int dead) {
  forget_sent();
  for (int to = 0; to < comm.size(); ++to) {
    if (comm.node_index(to) >= 0 || comm.lives().is_corrupt(to)) continue;
    try {
      post(comm, to, {comm.serial(), kind::death, static_cast<std::uint64_t>(dead)});
    } catch (const error& problem) {
      if (problem.kind() != error_kind::mpi) throw;
    }
  }
}

/// Other ranks may have given the same order, and no rank may be left that could see an error.
[[noreturn]] void end_this_process(const communicator& comm) {
  constexpr std::chrono::milliseconds until_sent{500};
  post_death(comm, comm.rank());
  const auto began = std::chrono::steady_clock::now();
  while (!all().outbox.empty() && std::chrono::steady_clock::now() - began < until_sent) forget_sent();
  raise(SIGKILL);
  std::abort();  // not reached
}

void take(const communicator& comm, int from, const letter& come) {
  const auto serial = comm.serial();
  if (come.serial != serial) return;
  const letter reply{serial, kind::answer, come.number};
  switch (come.what) {
    case kind::alive:
      forget_sent();
      return post(comm, from, reply);
    case kind::end:
      post(comm, from, reply);
      end_this_process(comm);
    case kind::answer:
      all().answers.insert(come.number);
      return;
    case kind::death:
      return comm.lives().hear_of_death(static_cast<int>(come.number));
  }
}

}  // namespace

void answer(const communicator& comm) {
  if (detail::ranks_share_a_process || comm.serial() == 0) return detail::progress_mpi(comm.private_handle());
  int found = 0;
  MPI_Status status;
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, reserved_tag::pings, comm.private_handle(), &found, &status), "MPI_Iprobe");
  if (found == 0) return;
  const std::lock_guard lock(all().guard);
  // Another thread may have taken the message.
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, reserved_tag::pings, comm.private_handle(), &found, &status), "MPI_Iprobe");
  if (found == 0) return;
  letter come{};
  check_mpi(PMPI_Recv(&come, sizeof come, MPI_BYTE, status.MPI_SOURCE, reserved_tag::pings, comm.private_handle(),
                      MPI_STATUS_IGNORE),
            "MPI_Recv");
  take(comm, status.MPI_SOURCE, come);
}

void ask(const communicator& comm, int rank, question what) {
  const std::lock_guard lock(all().guard);
  const auto [open, is_new] = all().open.try_emplace({comm.serial(), rank, what}, 0);
  if (!is_new) return;
  open->second = ++all().last;
  try {
    forget_sent();
    post(comm, rank, {comm.serial(), static_cast<kind>(what), open->second});
  } catch (...) {
    all().open.erase(open);
    throw;
  }
}

bool was_answered(const communicator& comm, int rank, question what) {
  const std::lock_guard lock(all().guard);
  const auto open = all().open.find({comm.serial(), rank, what});
  if (open == all().open.end() || !all().answers.contains(open->second)) return false;
  all().answers.erase(open->second);
  all().open.erase(open);
  return true;
}

void tell_of_death(const communicator& comm, int rank) {
  if (comm.serial() == 0) return;
  const std::lock_guard lock(all().guard);
  post_death(comm, rank);
}

}  // namespace wherry::pings
