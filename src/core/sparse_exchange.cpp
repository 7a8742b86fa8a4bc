#include "sparse_exchange.hpp"

#include <memory>
#include <span>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "consensus.hpp"

namespace wherry {
namespace {

/// The sends of one call, and the bytes that MPI reads for them.
struct outgoing {
  bytes_by_peer bytes;
  std::vector<MPI_Request> requests;
};

// MPI may read the bytes of unfinished sends for as long as the job lives, so they are not freed then.
struct leave_to_mpi {
  void operator()(outgoing* sends) const {
    const bool ended = std::ranges::all_of(sends->requests, [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
    if (ended) delete sends;
  }
};

// Non-blocking consensus (Hoefler, Siebert, Lumsdaine 2010): synchronous sends to the known peers, then a barrier that
// a rank enters when its sends have been received. When the barrier ends, no message is under way.
class sparse_exchange {
 public:
  sparse_exchange(const communicator& comm, bytes_by_peer mine, std::string_view pattern, std::size_t at_once)
      : comm_(comm), tag_(comm.next_tag()), sends_(new outgoing{std::move(mine), {}}), all_(comm, pattern) {
    for (const auto& [peer, bytes] : sends_->bytes) {
      std::span<const std::byte> rest(bytes);
      do {
        const auto piece = rest.first(std::min(rest.size(), at_once));
        auto& request = sends_->requests.emplace_back(MPI_REQUEST_NULL);
        check_mpi(PMPI_Issend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, peer, tag_, comm.private_handle(),
                              &request),
                  "MPI_Issend");
        rest = rest.subspan(piece.size());
      } while (!rest.empty());
    }
  }

  /// True if there was a message.
  bool receive_one() {
    int found = 0;
    MPI_Status status;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_.private_handle(), &found, &status), "MPI_Iprobe");
    if (found == 0) return false;
    int bytes = 0;
    check_mpi(PMPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    auto& list = received_[status.MPI_SOURCE];  // the pieces of one list arrive in order
    const auto before = list.size();
    list.resize(before + static_cast<std::size_t>(bytes));
    check_mpi(PMPI_Recv(list.data() + before, bytes, MPI_BYTE, status.MPI_SOURCE, tag_, comm_.private_handle(),
                        MPI_STATUS_IGNORE),
              "MPI_Recv");
    return true;
  }

  /// True if no rank sends any more.
  bool all_are_through() {
    if (all_.test()) return true;
    if (all_.entered()) return false;
    int done = 0;
    auto& requests = sends_->requests;
    check_mpi(PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    if (done != 0) all_.enter({}, [](std::span<std::byte>, std::span<const std::byte>) {});
    return false;
  }

  void pause() { all_.pause(); }

  bytes_by_peer take() { return std::move(received_); }

 private:
  const communicator& comm_;
  int tag_;
  std::unique_ptr<outgoing, leave_to_mpi> sends_;
  consensus all_;
  bytes_by_peer received_;
};

}  // namespace

bytes_by_peer exchange_sparsely(const communicator& comm, bytes_by_peer mine, std::string_view pattern,
                                std::size_t at_once) {
  sparse_exchange exchange(comm, std::move(mine), pattern, at_once);
  for (;;) {
    if (exchange.receive_one()) continue;
    if (exchange.all_are_through()) return exchange.take();
    exchange.pause();
  }
}

}  // namespace wherry
