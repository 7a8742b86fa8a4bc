#include "pings.hpp"

#include <mpi.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "reserved_tags.hpp"

namespace wherry::pings {
namespace {

struct letter {
  std::uint64_t serial, what, number;
};

struct sent {
  MPI_Request request = MPI_REQUEST_NULL;
  letter what{};
};

struct all_of_process {
  std::mutex guard;
  std::uint64_t last = 0;
  std::map<std::pair<std::uint64_t, int>, std::uint64_t> answers;  // of a communicator and a rank
  std::map<std::pair<std::uint64_t, int>, std::uint64_t> orders;   // the same: the number of the order to end
  std::vector<std::unique_ptr<sent>> outbox;
};

/// Never destroyed: MPI may have what is in it.
all_of_process& all() {
  static auto* one = new all_of_process;
  return *one;
}

void post(const communicator& comm, int to, const letter& what) {
  auto& box = all().outbox;
  std::erase_if(box, [](const auto& s) {
    int done = 0;
    return PMPI_Test(&s->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
  });
  auto& s = box.emplace_back(std::make_unique<sent>());
  s->what = what;
  check_mpi(PMPI_Isend(&s->what, sizeof(letter), MPI_BYTE, to, reserved_tag::pings, comm.handle(), &s->request),
            "MPI_Isend");
}

void take(const communicator& comm, int from, const letter& come) {
  const auto serial = comm.serial();
  if (come.serial != serial) return;
  const auto what = static_cast<question>(come.what);
  if (what == question::answer) {
    auto& last = all().answers[{serial, from}];
    last = std::max(last, come.number);
    return;
  }
  const letter reply{serial, static_cast<std::uint64_t>(question::answer), come.number};
  if (what == question::alive) return post(comm, from, reply);
  PMPI_Send(&reply, sizeof reply, MPI_BYTE, from, reserved_tag::pings, comm.handle());
  raise(SIGKILL);
}

}  // namespace

void answer(const communicator& comm) {
  if (ranks_share_a_process || comm.serial() == 0) return progress_mpi(comm.handle());
  int found = 0;
  MPI_Status status;
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, reserved_tag::pings, comm.handle(), &found, &status), "MPI_Iprobe");
  if (found == 0) return;
  const std::lock_guard lock(all().guard);
  // Another thread may have been quicker.
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, reserved_tag::pings, comm.handle(), &found, &status), "MPI_Iprobe");
  if (found == 0) return;
  letter come{};
  check_mpi(
      PMPI_Recv(&come, sizeof come, MPI_BYTE, status.MPI_SOURCE, reserved_tag::pings, comm.handle(), MPI_STATUS_IGNORE),
      "MPI_Recv");
  take(comm, status.MPI_SOURCE, come);
}

std::uint64_t ask(const communicator& comm, int rank, question what) {
  const std::lock_guard lock(all().guard);
  auto& orders = all().orders;
  // A rank ends when it has answered the first order: it would never answer another one.
  if (const auto order = orders.find({comm.serial(), rank}); what == question::end && order != orders.end())
    return order->second;
  const auto number = ++all().last;
  post(comm, rank, {comm.serial(), static_cast<std::uint64_t>(what), number});
  if (what == question::end) orders[{comm.serial(), rank}] = number;
  return number;
}

bool was_answered(const communicator& comm, int rank, std::uint64_t number) {
  const std::lock_guard lock(all().guard);
  const auto found = all().answers.find({comm.serial(), rank});
  return found != all().answers.end() && found->second >= number;
}

}  // namespace wherry::pings
