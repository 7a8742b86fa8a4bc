#include "collective.hpp"

#include <sched.h>

#include <cstdint>

#include "wherry/core/mpi.hpp"

namespace wherry::patient {

void complete(MPI_Request& request) {
  while (request != MPI_REQUEST_NULL) {
    int done = 0;
    check_mpi(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    if constexpr (!detail::ranks_share_a_process) sched_yield();
  }
}

void complete(const communicator& comm, std::string_view where, MPI_Request& request) {
  patience patient(comm, where, "collective");
  while (request != MPI_REQUEST_NULL) {
    int done = 0;
    check_mpi(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    patient.pause();
  }
}

void barrier(const communicator& comm, std::string_view where) {
  consensus(comm, where).of({}, [](std::span<std::byte>, std::span<const std::byte>) {});
}

void bcast(const communicator& comm, std::string_view where, std::span<std::byte> data, int root) {
  constexpr std::size_t most_at_once = std::size_t{1} << 30;  // counts are ints
  while (!data.empty()) {
    const auto part = data.first(std::min(data.size(), most_at_once));
    std::vector<std::byte> bytes(part.size());
    if (comm.rank() == root) std::copy(part.begin(), part.end(), bytes.begin());
    const auto come = run(comm, where, std::move(bytes), [&](std::vector<std::byte>& buffer) {
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(
          PMPI_Ibcast(buffer.data(), static_cast<int>(buffer.size()), MPI_BYTE, root, comm.private_handle(), &request),
          "MPI_Ibcast");
      return request;
    });
    std::copy(come.begin(), come.end(), part.begin());
    data = data.subspan(part.size());
  }
}

namespace {

struct in_and_out {
  std::vector<std::byte> in, out;
};

in_and_out buffers(std::span<const std::byte> mine, std::size_t copies) {
  return {{mine.begin(), mine.end()}, std::vector<std::byte>(mine.size() * copies)};
}

}  // namespace

std::vector<std::byte> gather(const communicator& comm, std::string_view where, std::span<const std::byte> mine,
                              int root) {
  const auto ranks = static_cast<std::size_t>(comm.rank() == root ? comm.size() : 0);
  return run(comm, where, buffers(mine, ranks),
             [&](in_and_out& b) {
               const int bytes = static_cast<int>(b.in.size());
               MPI_Request request = MPI_REQUEST_NULL;
               check_mpi(PMPI_Igather(b.in.data(), bytes, MPI_BYTE, b.out.data(), bytes, MPI_BYTE, root,
                                      comm.private_handle(), &request),
                         "MPI_Igather");
               return request;
             })
      .out;
}

std::vector<std::byte> allgather(const communicator& comm, std::string_view where, std::span<const std::byte> mine) {
  return run(comm, where, buffers(mine, static_cast<std::size_t>(comm.size())),
             [&](in_and_out& b) {
               return detail::start_allgather(b.in.data(), b.out.data(), static_cast<int>(b.in.size()),
                                              comm.private_handle());
             })
      .out;
}

std::vector<share> shares(const communicator& comm, std::string_view where, const std::vector<std::int64_t>& mine) {
  struct figures {
    std::vector<std::int64_t> mine, before;
  };
  const auto come = run(comm, where, figures{mine, std::vector<std::int64_t>(mine.size())}, [&](figures& f) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(PMPI_Iexscan(f.mine.data(), f.before.data(), static_cast<int>(f.mine.size()), MPI_INT64_T, MPI_SUM,
                           comm.private_handle(), &request),
              "MPI_Iexscan");
    return request;
  });
  const auto all = allreduce(comm, where, mine, sum);
  std::vector<share> result;
  for (std::size_t i = 0; i < mine.size(); ++i) result.push_back({comm.rank() == 0 ? 0 : come.before[i], all[i]});
  return result;
}

}  // namespace wherry::patient
