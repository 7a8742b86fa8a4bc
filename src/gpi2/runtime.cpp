#include "runtime.hpp"

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/gpi2/gpi2.hpp"
#include "wherry/transport/transport.hpp"

#include "core/collective.hpp"
#include "core/finalize.hpp"
#include "flight/companions.hpp"
#include "gpi2_carrier.hpp"
#include "transport/collective_carrier.hpp"

namespace wherry {
namespace gpi2 {
namespace {

constexpr const char* in_runtime = "use_gpi2";

struct one_of_process {
  std::mutex guard;
  std::atomic<runtime*> now{nullptr};
  bool is_registered = false;  // the transport, which stays registered
  bool is_ours = false;        // GASPI was started here, and is to be ended here
  bool ends_with_mpi = false;
};

/// Never destroyed: a destructor of static storage may call MPI_Finalize.
one_of_process& only() {
  static auto* one = new one_of_process;
  return *one;
}

gaspi_number_t notifications_of_a_segment(const caller& who) {
  gaspi_number_t number = 0;
  check(who, "gaspi_notification_num", gaspi_notification_num(&number));
  return number;
}

bool has_started() {
  gaspi_rank_t rank = 0;
  return gaspi_proc_rank(&rank) == GASPI_SUCCESS;
}

/// Throws if GASPI's ranks are not MPI's. GASPI starts in MPI's order of ranks only if GPI-2 was built for MPI.
void require_same_ranks(const communicator& world) {
  const caller who{in_runtime, world.rank()};
  gaspi_rank_t rank = 0, ranks = 0;
  check(who, "gaspi_proc_rank", gaspi_proc_rank(&rank));
  check(who, "gaspi_proc_num", gaspi_proc_num(&ranks));
  if (rank != world.rank() || ranks != world.size())
    throw error(
        error_kind::state, in_runtime,
        detail::text("this is rank ", rank, " of ", ranks, " to GASPI, and rank ", world.rank(), " of ", world.size(),
                     " of MPI_COMM_WORLD: GPI-2 must have been configured with --with-mpi, and started by MPI's "
                     "launcher"),
        world.rank());
}

void start_gaspi(const communicator& world) {
  const caller who{in_runtime, world.rank()};
  patience patient(world, in_runtime, "gaspi_proc_init");
  for (;;) {
    const auto status = gaspi_proc_init(1000);
    if (status == GASPI_SUCCESS) break;
    if (status != GASPI_TIMEOUT) throw_failure(who, "gaspi_proc_init", status);
    patient.pause();
  }
  only().is_ours = true;
}

void start(const communicator& world) {
  if (world.size() > std::numeric_limits<gaspi_rank_t>::max())
    throw error(error_kind::state, in_runtime,
                detail::text("GASPI's ranks are numbers of 16 bits, but there are ", world.size(), " ranks"),
                world.rank());
  const int mine = has_started() ? 1 : 0;
  const auto all = patient::allreduce(world, in_runtime, std::vector{mine, -mine}, patient::most);
  if (all[0] != -all[1])
    throw error(error_kind::mismatch, in_runtime,
                detail::text("some ranks have called gaspi_proc_init and others have not; rank ", world.rank(),
                             mine != 0 ? " has" : " has not"),
                world.rank());
  detail::collectively(world, in_runtime, [&] {
    if (mine == 0) start_gaspi(world);
    require_same_ranks(world);
  });
}

/// Ends GASPI. While this rank waits for the others, it drives the flights for which they wait. If some ranks have died
/// or do not come, GASPI is left as it is, because its end would wait for them.
void end() noexcept {
  try {
    const communicator world(MPI_COMM_WORLD);
    patient::barrier(world, in_runtime);
    companions::progress();
    only().now.store(nullptr, std::memory_order_release);  // the object stays: the graveyard may use it
    if (only().is_ours) gaspi_proc_term(10000);
  } catch (...) {
    only().now.store(nullptr, std::memory_order_release);
  }
}

}  // namespace

runtime::runtime(const caller& who) : heap_(notifications_of_a_segment(who)) {
  gaspi_number_t queues = 0;
  gaspi_size_t most = 0;
  check(who, "gaspi_queue_num", gaspi_queue_num(&queues));
  check(who, "gaspi_transfer_size_max", gaspi_transfer_size_max(&most));
  if (queues == 0 || most == 0)
    throw error(error_kind::state, who.where,
                "GASPI's configuration gives it no queues, or transfers of at most 0 bytes", who.rank);
  for (gaspi_number_t id = 0; id < queues; ++id) queues_.emplace_back(static_cast<gaspi_queue_id_t>(id));
  most_bytes_ = most;
}

runtime* runtime::now() { return only().now.load(std::memory_order_acquire); }

runtime& runtime::required(const caller& who) {
  if (auto* const running = now()) return *running;
  throw error(
      error_kind::state, who.where,
      "transport 'gpi2' can be used only after all ranks of MPI_COMM_WORLD have called use_gpi2(), and before MPI ends",
      who.rank);
}

std::vector<gaspi_rank_t> ranks_in_gaspi(const communicator& comm, const caller& who, const std::vector<int>& ranks) {
  std::vector<gaspi_rank_t> result;
  auto of_world = ranks_among(ranks, comm, MPI_COMM_WORLD);
  of_world.resize(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (of_world[i] == MPI_UNDEFINED)
      throw error(
          error_kind::argument, who.where,
          detail::text("transport 'gpi2' cannot reach rank ", ranks[i], ", because it is not in MPI_COMM_WORLD"),
          who.rank, {ranks[i]});
    result.push_back(static_cast<gaspi_rank_t>(of_world[i]));
  }
  return result;
}

}  // namespace gpi2

void use_gpi2() {
  using namespace gpi2;
  const communicator world(MPI_COMM_WORLD);
  auto& one = only();
  const std::lock_guard lock(one.guard);
  if (runtime::now() != nullptr) return;
  if (!std::exchange(one.ends_with_mpi, true)) at_finalize(end);
  start(world);
  std::unique_ptr<runtime> made;
  detail::collectively(world, in_runtime, [&] {
    made = std::make_unique<runtime>(caller{in_runtime, world.rank()});
    if (!std::exchange(one.is_registered, true))
      transports::register_transport(
          {.name = "gpi2",
           .meaning = "packed, written by GASPI and notified of; no receive call, no MPI call",
           .bind = bind_gpi2});
  });
  one.now.store(made.release(), std::memory_order_release);
}

}  // namespace wherry
