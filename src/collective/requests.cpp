#include "wherry/collective/requests.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "wherry/collective/mpi_errors.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/patience.hpp"
#include "requests_in_flight.hpp"

namespace wherry::collective {
namespace {

/// The state of a generalized request. MPI deletes it (by `forget`) when it is complete and its handle is freed.
class generalized_request final : public request_in_flight {
 public:
  MPI_Request request = MPI_REQUEST_NULL;
  void complete() noexcept override {
    const auto handle = request;
    running = {};
    comm.reset();
    show_ended_request();
    PMPI_Grequest_complete(handle);
  }
};

struct request_table {
  std::mutex guard;
  std::list<request_in_flight*> list;
  std::atomic<int> count{0};
  std::atomic<std::uint64_t> begun{0}, ended{0};  // numbers of all operations so far
};

/// Never destroyed, because operations in flight at the end of the program can no longer be ended.
request_table& in_flight() {
  static auto* all = new request_table;
  return *all;
}

int tell(void* state, MPI_Status* status) {
  detail::see_ended_requests();
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return static_cast<generalized_request*>(state)->outcome;
}
int forget(void* state) {
  detail::see_ended_requests();
  delete static_cast<generalized_request*>(state);
  return MPI_SUCCESS;
}
int cancel(void*, int) { return MPI_SUCCESS; }  // a collective cannot be cancelled

/// Advances a running call.
/// @param too_late ends it now with an error
bool has_ended(request_in_flight& one, bool too_late) {
  try {
    if (!too_late) return one.running.test();
    one.running.give_up();
  } catch (const std::exception& failure) {
    one.outcome = detail::give_to_handler(failure, one.handler());
  }
  return true;
}

/// Advances all operations in flight.
/// @param late_before operations with smaller numbers are too late
void proceed(std::uint64_t late_before) {
  auto& all = in_flight();
  const std::unique_lock lock(all.guard, std::try_to_lock);
  if (!lock) return;
  for (auto place = all.list.begin(); place != all.list.end();) {
    if (!has_ended(**place, (*place)->number < late_before)) {
      ++place;
      continue;
    }
    auto& ended = **place;
    place = all.list.erase(place);
    --all.count;
    ended.complete();
  }
}

}  // namespace

MPI_Comm request_in_flight::handler() const {
  try {
    return comm->users_handle();
  } catch (const error&) {
    return MPI_COMM_WORLD;
  }
}

void add_in_flight(request_in_flight& begun) {
  auto& all = in_flight();
  const std::lock_guard lock(all.guard);
  begun.number = all.begun++;
  all.list.push_back(&begun);
  ++all.count;
}

detail::begun_request detail::begin_request(const call& what, const start_options& options) {
  auto one = std::make_unique<generalized_request>();
  one->running = start(what, options);
  one->comm.emplace(what.comm);
  check_mpi(PMPI_Grequest_start(tell, forget, cancel, one.get(), &one->request), "MPI_Grequest_start");
  const detail::begun_request result{one->request, one->running.implementation()};
  add_in_flight(*one.release());
  return result;
}

bool detail::requests_in_flight() { return in_flight().count.load(std::memory_order_relaxed) != 0; }

void show_ended_request() noexcept { in_flight().ended.fetch_add(1, std::memory_order_release); }
void detail::see_ended_requests() noexcept { static_cast<void>(in_flight().ended.load(std::memory_order_acquire)); }

void detail::proceed_with_requests() { proceed(0); }

void detail::wait_for_requests::proceed() {
  if (polls_++ == 0) {
    begun_before_ = in_flight().begun.load(std::memory_order_relaxed);
    began_ = std::chrono::steady_clock::now();
  }
  if (polls_ > patience::spin_limit()) std::this_thread::yield();
  const double limit = current_settings().timeout;
  const bool too_late = limit > 0 && polls_ % 16 == 0 &&
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() > limit;
  collective::proceed(too_late ? begun_before_ : 0);
}

}  // namespace wherry::collective
