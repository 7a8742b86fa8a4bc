// Persistent collectives behind MPI requests. A generalized request lasts for one operation only. A persistent receive
// from this rank itself lasts: MPI_Start starts it together with the operation, and the end of the operation sends the
// message that it waits for. So all completion calls of MPI, in any language, can handle it.
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wherry/collective/mpi_errors.hpp"
#include "wherry/collective/requests.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "communicator_state.hpp"
#include "core/finalize.hpp"
#include "implementations.hpp"
#include "kept_arguments.hpp"
#include "requests_in_flight.hpp"
#include "selection.hpp"
#include "start_on.hpp"

namespace wherry::collective {
namespace {

/// Messages by which this rank tells itself that a call has ended: one tag for each request.
class notices {
 public:
  static notices& here() {
    static auto* const all = new notices;  // never destroyed, because requests may outlive static storage
    return *all;
  }

  MPI_Request listen(int& tag) {
    const std::lock_guard mine(guard_);
    if (comm_ == MPI_COMM_NULL) open();
    if (free_.empty()) free_.push_back(next_++);
    tag = free_.back();
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, tag, comm_, &request), "MPI_Recv_init");
    free_.pop_back();
    return request;
  }
  /// Sends the message; after a failure it is too long, which is an error for the receive.
  void tell(int tag, bool good) noexcept {
    const char more = 0;
    PMPI_Send(&more, good ? 0 : 1, MPI_BYTE, 0, tag, comm_);
  }
  void forget(int tag) noexcept {
    const std::lock_guard mine(guard_);
    free_.push_back(tag);
  }

 private:
  void open() {
    check_mpi(PMPI_Comm_dup(MPI_COMM_SELF, &comm_), "MPI_Comm_dup");
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    at_finalize([this] { PMPI_Comm_free(&comm_); });
  }

  std::mutex guard_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<int> free_;
  int next_ = 0;
};

class persistent_request final : public request_in_flight {
 public:
  persistent_request(const call& what, std::shared_ptr<persistent_channel> channel, const selection& chosen)
      : what_(kept_.keep(what, list_readers::of(*channel->on), kept_arguments::life::many_calls)),
        channel_(std::move(channel)),
        chosen_(chosen) {
    comm = channel_->on->comm;
    request_ = notices::here().listen(tag_);
  }
  ~persistent_request() override {
    notices::here().forget(tag_);
    channel_->taken.store(false, std::memory_order_release);
  }

  MPI_Request request() const { return request_; }

  void start() {
    if (state_ == state::active)
      throw error(error_kind::state, name_of(what_.kind), "'request' was started before its last call ended",
                  channel_->on->comm.rank());
    wherry::detail::require_mpi(name_of(what_.kind));
    outcome = MPI_SUCCESS;
    running = start_on(what_, *channel_->on, chosen_, whose_arguments::the_callers);
    check_mpi(PMPI_Start(&request_), "MPI_Start");
    state_ = state::active;
    add_in_flight(*this);
  }
  /// As soon as the message is sent, another thread may free this object or start it again.
  void complete() noexcept override {
    running = {};
    const int tag = tag_;
    const bool good = outcome == MPI_SUCCESS, was_freed = state_.exchange(state::idle) == state::freed;
    show_ended_request();
    notices::here().tell(tag, good);
    if (was_freed) delete this;
  }
  /// Frees the request for the program; the object is deleted when it is no longer active.
  static void free(std::unique_ptr<persistent_request> one) {
    const int freed = PMPI_Request_free(&one->request_);
    if (one->state_.exchange(state::freed) == state::active) static_cast<void>(one.release());
    check_mpi(freed, "MPI_Request_free");
  }

 private:
  kept_arguments kept_;
  const call what_;
  std::shared_ptr<persistent_channel> channel_;
  selection chosen_;
  int tag_ = 0;
  MPI_Request request_ = MPI_REQUEST_NULL;
  enum class state : std::uint8_t { idle, active, freed };  // the later of `complete` and `free` deletes the object
  std::atomic<state> state_{state::idle};
};

struct all_requests {
  std::mutex guard;
  std::unordered_map<MPI_Request, std::unique_ptr<persistent_request>> known;
  std::atomic<std::size_t> count{0};
};
/// Never destroyed, because MPI may still use requests that the program does not free.
all_requests& all() {
  static auto* const one = new all_requests;
  return *one;
}

persistent_request* find(MPI_Request request) {
  auto& requests = all();
  if (requests.count.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(requests.guard);
  const auto place = requests.known.find(request);
  return place != requests.known.end() ? place->second.get() : nullptr;
}

const implementation& row_of(const selection& chosen) {
  return implementations()[static_cast<std::size_t>(chosen.implementation)];
}

bool is_mpis(const selection& chosen) { return row_of(chosen).wants == implementation::needs::users_call; }

}  // namespace

detail::begun_request detail::make_persistent_request(const call& what) {
  auto& users = communicator_state::of(what.comm);
  const auto wanted = select(what, users);
  const bool alone = users.comm.size() == 1;  // with one rank the order of MPI's own calls cannot differ
  if (is_mpis(wanted) && !alone) return {MPI_REQUEST_NULL, implementations()[mpi_itself].name};
  auto channel = users.persistent.take(users);
  selection chosen{};
  std::unique_ptr<persistent_request> made;
  try {
    chosen = ready(wanted, what, *channel->on);
    if (!is_mpis(chosen) || alone) made = std::make_unique<persistent_request>(what, channel, chosen);
  } catch (...) {
    channel->taken.store(false, std::memory_order_release);
    throw;
  }
  if (made == nullptr) {
    channel->taken.store(false, std::memory_order_release);
    return {MPI_REQUEST_NULL, implementations()[mpi_itself].name};
  }
  const auto request = made->request();
  auto& requests = all();
  const std::lock_guard lock(requests.guard);
  requests.known[request] = std::move(made);
  requests.count = requests.known.size();
  return {request, row_of(chosen).name};
}

bool detail::is_persistent_request(MPI_Request request) { return find(request) != nullptr; }

int detail::start_persistent(MPI_Request request) {
  auto* const one = find(request);
  if (one == nullptr) return MPI_ERR_REQUEST;
  try {
    one->start();
    return MPI_SUCCESS;
  } catch (const std::exception& failure) {
    return detail::give_to_handler(failure, one->handler());
  }
}

void detail::free_persistent(MPI_Request& request) {
  auto& requests = all();
  std::unique_ptr<persistent_request> one;
  {
    const std::lock_guard lock(requests.guard);
    const auto place = requests.known.find(request);
    if (place == requests.known.end()) return;
    one = std::move(place->second);
    requests.known.erase(place);
    requests.count = requests.known.size();
  }
  request = MPI_REQUEST_NULL;
  persistent_request::free(std::move(one));
}

}  // namespace wherry::collective
