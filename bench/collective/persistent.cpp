#include "persistent.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"

#if MPI_VERSION >= 4
#define WHERRY_INIT(name) MPI_##name##_init
#elif defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define WHERRY_INIT(name) MPIX_##name##_init
#endif
#endif

namespace bench::collective {

using wherry::collective::call;
using wherry::collective::kind;
using wherry::collective::persistent;

namespace {

#if defined(WHERRY_INIT)
constexpr bool mpi_has_them = true;

int make(const call& c, MPI_Request& request) {
  const auto n = static_cast<int>(c.receive_count);
  const auto info = MPI_INFO_NULL;
  switch (c.kind) {
    case kind::barrier:
      return WHERRY_INIT(Barrier)(c.comm, info, &request);
    case kind::bcast:
      return WHERRY_INIT(Bcast)(c.receive, n, c.receive_type, c.root, c.comm, info, &request);
    case kind::reduce:
      return WHERRY_INIT(Reduce)(c.send, c.receive, n, c.send_type, c.op, c.root, c.comm, info, &request);
    case kind::allreduce:
      return WHERRY_INIT(Allreduce)(c.send, c.receive, n, c.send_type, c.op, c.comm, info, &request);
    case kind::allgather:
      return WHERRY_INIT(Allgather)(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm, info, &request);
    default:
      return WHERRY_INIT(Alltoall)(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm, info, &request);
  }
}
#else
constexpr bool mpi_has_them = false;

int make(const call&, MPI_Request&) { return MPI_ERR_OTHER; }
#endif

/// MPI's own.
class persistent_of_mpi {
 public:
  explicit persistent_of_mpi(const call& c) { wherry::check_mpi(make(c, request_), "persistent collective"); }
  persistent_of_mpi(const persistent_of_mpi&) = delete;
  persistent_of_mpi& operator=(const persistent_of_mpi&) = delete;
  ~persistent_of_mpi() { MPI_Request_free(&request_); }
  void operator()() {
    MPI_Start(&request_);
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

template <class Persistent, class... Options>
racer standing_racer(std::string name, repeated_call& on, Options&&... how) {
  const auto one = std::make_shared<Persistent>(on.call(), std::forward<Options>(how)...);
  return {std::move(name), [one](const call&) { (*one)(); }, on};
}

}  // namespace

std::vector<kind> kinds_of_persistent() {
  return {kind::barrier, kind::bcast, kind::reduce, kind::allreduce, kind::allgather, kind::alltoall};
}

bool mpi_has_persistent() { return mpi_has_them; }

void check_persistent(const std::vector<kind>& kinds) {
  const auto timed = kinds_of_persistent();
  for (const auto what : kinds)
    if (std::find(timed.begin(), timed.end(), what) == timed.end())
      throw usage_error("--persistent does not time " + std::string(name_of(what)));
}

std::vector<standing> race_of_persistent(kind what, MPI_Comm comm, std::size_t bytes,
                                         const std::vector<std::string>& wanted, double seconds) {
  repeated_call repeated(what, comm, bytes);
  std::vector<racer> racers;
  racers.push_back(standing_racer<persistent>("auto", repeated));
  racers.push_back(standing_racer<persistent_of_mpi>("MPI", repeated));
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), row.name) == wanted.end()) continue;
    if (!wherry::collective::obstacle(repeated.call(), row.name).empty()) continue;
    const wherry::collective::start_options by_name{.implementation = row.name};
    racers.push_back(standing_racer<persistent>(std::string(row.name), repeated, by_name));
  }
  return race(racers, 2, comm, bytes, seconds, wanted.empty() ? 5 : 9);
}

}  // namespace bench::collective
