#include "communicator_state.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "algorithm_carrier.hpp"
#include "coarray_mail.hpp"
#include "core/collective.hpp"
#include "core/common_settings.hpp"
#include "core/communicator_attribute.hpp"
#include "core/finalize.hpp"
#include "core/patience.hpp"
#include "core/terms.hpp"
#include "core/trace.hpp"
#include "flight/companions.hpp"
#include "usage.hpp"

namespace wherry::collective {
namespace {

/// The attribute of a user's communicator, released when it is freed.
struct kept_with_users {
  std::unique_ptr<communicator_state> state;

  explicit kept_with_users(std::unique_ptr<communicator_state> made) : state(std::move(made)) {}
  kept_with_users(const kept_with_users&) = delete;
  kept_with_users& operator=(const kept_with_users&) = delete;
  ~kept_with_users() { communicator_state::end(std::move(state)); }
};

/// Each call asks for the state: that of MPI_COMM_WORLD is kept in one word of memory.
std::atomic<communicator_state*> of_world{nullptr};
/// Never destroyed, because a child of fork() must not end its parent's state.
std::unique_ptr<communicator_state>& kept_of_world() {
  static auto* const kept = new std::unique_ptr<communicator_state>;
  return *kept;
}
void forget_world() {
  of_world = nullptr;
  communicator_state::end(std::move(kept_of_world()));
}

std::mutex& guard() {
  static std::mutex one;
  return one;
}

void report_at_the_end() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  report_usage(rank);
}

communicator_state& make(MPI_Comm users) {
  auto made = std::make_unique<communicator_state>(communicator(users));
  [[maybe_unused]] static const bool reported = (at_finalize(report_at_the_end), true);
  const std::lock_guard lock(guard());
  if (users == MPI_COMM_WORLD) {
    at_finalize(forget_world);
    kept_of_world() = std::move(made);
    of_world = kept_of_world().get();
    return *of_world;
  }
  auto& kept = communicator_attribute<kept_with_users>::set(users, std::make_unique<kept_with_users>(std::move(made)));
  return *kept.state;
}

communicator_state* find(MPI_Comm users) {
  const auto* const kept = communicator_attribute<kept_with_users>::find(users);
  return kept != nullptr ? kept->state.get() : nullptr;
}

terms settings_of_all() {
  return terms([](auto& say) {
    for (const auto& s : settings_that_must_agree()) say(s.value, s.name);
  });
}

}  // namespace

carrier_rooms::carrier_rooms() { free_.reserve(8); }
carrier_rooms::~carrier_rooms() = default;

std::unique_ptr<carrier_room> carrier_rooms::take(scratch_pool& pool) {
  std::unique_ptr<carrier_room> last;
  {
    const std::lock_guard mine(guard_);
    if (!free_.empty()) {
      last = std::move(free_.back());
      free_.pop_back();
    }
  }
  return last != nullptr ? std::move(last) : std::make_unique<carrier_room>(pool);
}

void carrier_rooms::give_back(std::unique_ptr<carrier_room> room) noexcept {
  const std::lock_guard mine(guard_);
  if (free_.size() < free_.capacity()) free_.push_back(std::move(room));
}

std::atomic<std::uint64_t> communicator_state::freed_so_far{0};
constinit thread_local communicator_state::asked communicator_state::last_asked{};

communicator_state& communicator_state::find_or_make(MPI_Comm users) {
  const auto freed = freed_so_far.load(std::memory_order_acquire);
  communicator_state* known = nullptr;
  if (users == MPI_COMM_WORLD)
    known = of_world.load(std::memory_order_acquire);
  else if (users != MPI_COMM_NULL)
    known = find(users);
  if (known == nullptr) known = &make(users);
  last_asked = {users, freed, known};
  return *known;
}

namespace {

/// Waits a short while for requests of MPI's own collectives, because Open MPI 4 continues a collective in a
/// communicator that was freed meanwhile. The rank that frees it has begun the same collectives, or never will.
/// @return the number of requests that are not complete; one that has failed counts as complete
int complete_soon(const std::vector<MPI_Request*>& requests) {
  constexpr std::chrono::seconds most(2);
  const auto begin = std::chrono::steady_clock::now();
  int left = 0;
  for (MPI_Request* const request : requests) {
    const auto is_complete = [request] {
      int done = 0;
      return PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
    };
    bool complete = is_complete();
    for (; !complete && std::chrono::steady_clock::now() - begin < most; complete = is_complete()) sched_yield();
    left += complete ? 0 : 1;
  }
  return left;
}

}  // namespace

void communicator_state::end(std::unique_ptr<communicator_state> ending) noexcept {
  freed_so_far.fetch_add(1, std::memory_order_release);
  if (!ending->sees_its_calls_end()) static_cast<void>(ending.release());
}

/// A wait is not allowed in MPI_Finalize, which must not hang; during an exception, because the other ranks will not
/// come; and in a callback of MPI in a thread that drives calls, because these calls end only when the thread
/// continues.
bool communicator_state::sees_its_calls_end() {
  if (!has_calls_under_way()) return true;
  if (finalize_has_begun() || std::uncaught_exceptions() > 0 || !given_up.empty() || companions::driving::here())
    return false;
  try {
    companions::progress();
    patience patient(comm, "collective", "MPI_Comm_free");
    while (has_calls_under_way())
      if (patient.pause_in_vain()) return false;
  } catch (const error&) {  // a rank has died
    return false;
  }
  return true;
}

communicator_state::~communicator_state() {
  if (const int left = wherry::detail::mpi_has_ended() ? 0 : complete_soon(left_to_mpi); left > 0)
    std::fprintf(
        stderr,
        "wherry: rank %d frees a communicator on which %d of MPI's collectives were begun and given up, and are still "
        "not complete after 2 s: other ranks may never have begun them\n",
        comm.rank(), left);
}

communicator_state::communicator_state(const communicator& on) : comm(on), sequence(on) {
  agree_on(comm, "collective", nullptr, settings_of_all());
  nodes = node_map(patient::allgather(comm, "collective", comm.node_ranks().front()));
  one_node = nodes.nodes() == 1;
  make_board();
  if (has_topology(comm.private_handle())) around = std::make_unique<neighborhood>(comm);
  checked = current_settings().check;
  if (trace_is_on()) trace = std::make_shared<call_trace>();
  measured = trace != nullptr || current_settings().statistics != "0";
  const std::vector limited{current_settings().timeout > 0 ? 1 : 0};
  mpi_in_time = patient::allreduce(comm, "collective", limited, patient::most).front() != 0;
  mail[static_cast<std::size_t>(putting::by_coarrays)].obstacle = no_coarrays_for(comm);
  begin_choices(*this);
}

void communicator_state::give_up(kind what, std::uint64_t number) noexcept {
  if (given_up.empty()) given_up = wherry::detail::text(name_of(what), " number ", number);
  sequence.give_up(number);
}

void communicator_state::make_board() {
  const int without = comm.arena() == nullptr && comm.node_ranks().size() > 1 ? 1 : 0;
  if (patient::allreduce(comm, "collective", std::vector{without}, patient::most).front() != 0) return;
  try {
    board = std::make_unique<node_board>(comm, sequence);
  } catch (const error& failure) {  // on all ranks alike
    if (failure.kind() != error_kind::resource) throw;
    return;
  }
  least_slot = patient::allreduce(comm, "collective", std::vector{board->slot()}, patient::least).front();
}

}  // namespace wherry::collective
