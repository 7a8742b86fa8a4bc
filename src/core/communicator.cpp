#include "wherry/core/communicator.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/core/settings.hpp"

#include "collective.hpp"
#include "communicator_attribute.hpp"
#include "consensus_mail.hpp"
#include "crowding.hpp"
#include "finalize.hpp"
#include "patience.hpp"
#include "rank_lives.hpp"
#include "reserved_tags.hpp"

namespace wherry {

struct communicator::state {
  MPI_Comm handle = MPI_COMM_NULL, users = MPI_COMM_NULL;
  detail::unique_comm comm;                  // empty if the handle is the user's
  MPI_Request arranging = MPI_REQUEST_NULL;  // one collective at a time: the duplication, then the first tag
  bool tags_begun = false, ready = false;
  int rank = 0, size = 1;
  std::vector<int> node_ranks;
  std::unique_ptr<detail::node_arena> arena;
  rank_lives lives;
  std::uint64_t serial = 0;
  std::string shortfall;
  int tag_limit = 16383;
  std::int64_t tags_before = 0, tags_used = 0;
  std::vector<std::function<void(const communicator&)>> last_works;
};

/// The user frees the communicator. Objects of Wherry's may refer to its state for a while.
void communicator::end(const std::shared_ptr<state>& ending) noexcept {
  if (std::uncaught_exceptions() > 0 || detail::is_forked_child()) return;  // the other ranks will not come
  if (ending->lives.survives_a_death()) return;
  const communicator self(ending);
  try {
    for (const auto& last : std::exchange(ending->last_works, {})) last(self);
  } catch (const error& failure) {  // an exception must not pass through MPI
    std::fprintf(stderr, "%s\n", failure.what());
  }
}

void communicator::at_end(std::function<void(const communicator&)> last) const {
  state_->last_works.push_back(std::move(last));
}

namespace {

using state_pointer = std::shared_ptr<communicator::state>;

/// The value that the user's communicator keeps.
struct kept_with_users {
  state_pointer ours;

  explicit kept_with_users(state_pointer fresh) : ours(std::move(fresh)) {}
  kept_with_users(const kept_with_users&) = delete;
  kept_with_users& operator=(const kept_with_users&) = delete;
  ~kept_with_users() {
    communicator::end(ours);
    ours->users = MPI_COMM_NULL;
    if (ours->arranging != MPI_REQUEST_NULL) new state_pointer(ours);  // leaked: MPI may still write to it
  }
};

/// Predefined communicators are never freed, so their states are kept here and dropped when MPI_Finalize begins. The
/// list is never destroyed, because a child of fork() must end nothing of its parent's.
std::vector<std::pair<MPI_Comm, state_pointer>>& predefined_states() {
  static auto* const states = new std::vector<std::pair<MPI_Comm, state_pointer>>;
  return *states;
}

void forget_predefined_states() {
  for (const auto& [comm, kept] : predefined_states()) communicator::end(kept);
  predefined_states().clear();
}

bool is_predefined(MPI_Comm comm) { return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF; }

state_pointer find_state(MPI_Comm users) {
  if (is_predefined(users)) {
    for (const auto& [comm, kept] : predefined_states())
      if (comm == users) return kept;
    return nullptr;
  }
  const auto* kept = communicator_attribute<kept_with_users>::find(users);
  return kept != nullptr ? kept->ours : nullptr;
}

void keep_state(MPI_Comm users, const state_pointer& fresh) {
  if (!is_predefined(users)) {
    communicator_attribute<kept_with_users>::set(users, std::make_unique<kept_with_users>(fresh));
    return;
  }
  predefined_states().emplace_back(users, fresh);
}

/// The ranks that share memory with this one. `WHERRY_NODE_SIZE` cuts them into groups of consecutive ranks.
MPI_Comm split_by_node(MPI_Comm comm, int rank, int node_size) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  if (node_size == 0) return node;
  MPI_Comm group = MPI_COMM_NULL;
  check_mpi(PMPI_Comm_split(node, rank / node_size, rank, &group), "MPI_Comm_split");
  PMPI_Comm_free(&node);
  return group;
}

/// Collective. A shortfall is reported once for the job: by one rank, and by no rank that has taken part in a report
/// before.
void say_once(MPI_Comm comm, int rank, const std::string& shortfall) {
  static std::atomic<bool> heard{false};
  int mine[2] = {shortfall.empty() ? std::numeric_limits<int>::max() : rank, heard ? 0 : 1}, least[2] = {};
  check_mpi(PMPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if (least[0] == std::numeric_limits<int>::max()) return;
  if (least[0] == rank && least[1] != 0) std::fprintf(stderr, "wherry: %s\n", shortfall.c_str());
  heard = true;
}

void await_arranging(const communicator& view, communicator::state& fresh) {
  if (fresh.arranging == MPI_REQUEST_NULL) return;  // SimGrid 3.32's MPI_Test reports nothing for it
  patience patient(view, "communicator", "arranging");
  for (int done = 0;;) {
    check_mpi(PMPI_Test(&fresh.arranging, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    patient.pause();
  }
}

/// Begins the duplication, or continues one that an earlier call has given up, so that a late rank finds the same
/// duplicate.
void duplicate(MPI_Comm users, const communicator& view, communicator::state& fresh) {
  if (fresh.handle == MPI_COMM_NULL) {
#if defined(SMPI_H)
    check_mpi(PMPI_Comm_dup(users, &fresh.handle), "MPI_Comm_dup");
#else
    check_mpi(PMPI_Comm_idup(users, &fresh.handle, &fresh.arranging), "MPI_Comm_idup");
#endif
  }
  await_arranging(view, fresh);
  if (fresh.comm) return;
  fresh.comm = detail::unique_comm(fresh.handle);
  check_mpi(PMPI_Comm_set_errhandler(fresh.handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

/// Counted over all communicators of this process. MPIs give the identity of a freed communicator to the next one, with
/// the messages that were never received, so no tag may come again.
std::atomic<std::int64_t> tags_used_by_process{0};

void begin_tags(const communicator& view, communicator::state& fresh) {
  if (!std::exchange(fresh.tags_begun, true)) {
    fresh.tags_before = tags_used_by_process;  // not in place, where SimGrid 3.32 returns noise
#if defined(SMPI_H)                            // see start_allgather
    check_mpi(PMPI_Allreduce(&fresh.tags_before, &fresh.tags_used, 1, MPI_INT64_T, MPI_MAX, fresh.handle),
              "MPI_Allreduce");
#else
    check_mpi(
        PMPI_Iallreduce(&fresh.tags_before, &fresh.tags_used, 1, MPI_INT64_T, MPI_MAX, fresh.handle, &fresh.arranging),
        "MPI_Iallreduce");
#endif
  }
  await_arranging(view, fresh);
}

void find_processes(MPI_Comm node, communicator::state& fresh) {
  const auto& own = process_identity::own();
  std::vector<process_identity> all(fresh.node_ranks.size());
  auto request = detail::start_allgather(&own, all.data(), sizeof own, node);
  patient::complete(request);
  fresh.lives.know(fresh.node_ranks, all, fresh.rank);
}

/// Once all ranks have agreed here, all of them have come, so that the following calls may block.
void find_node(const communicator& duplicate, communicator::state& fresh) {
  // Ranks may have been started with different environments. Values that must be equal are taken from rank 0.
  const auto first = [](std::size_t ours, std::size_t) { return ours; };
  const auto shape = patient::allreduce(
      duplicate, "communicator",
      std::vector<std::size_t>{static_cast<std::size_t>(current_settings().node_size), current_settings().arena_size},
      first);
  // MPIs have few communicators (MPICH about 2,000), so this one is freed at the end.
  const MPI_Comm node = split_by_node(fresh.handle, fresh.rank, static_cast<int>(shape[0]));
  const detail::unique_comm until_then(node);
  int count = 1;
  check_mpi(PMPI_Comm_size(node, &count), "MPI_Comm_size");
  fresh.node_ranks.resize(static_cast<std::size_t>(count));
  auto request = detail::start_allgather(&fresh.rank, fresh.node_ranks.data(), sizeof fresh.rank, node);
  patient::complete(request);
  note_ranks_of_node(count);
  if constexpr (!detail::ranks_share_a_process) find_processes(node, fresh);

  auto [arena, shortfall] = detail::node_arena::make(node, shape[1]);
  fresh.arena = std::move(arena);
  fresh.shortfall = std::move(shortfall);
  say_once(fresh.handle, fresh.rank, count > 1 ? fresh.shortfall : std::string());
}

void set_tag_limit(communicator::state& fresh) {
  int* limit = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&limit), &found);
  if (found != 0) fresh.tag_limit = *limit / 2;  // byte streams have the upper half
}

state_pointer bare_state(MPI_Comm users) {
  auto bare = std::make_shared<communicator::state>();
  bare->handle = bare->users = users;
  check_mpi(PMPI_Comm_rank(users, &bare->rank), "MPI_Comm_rank");
  check_mpi(PMPI_Comm_size(users, &bare->size), "MPI_Comm_size");
  bare->node_ranks = {bare->rank};
  return bare;
}

std::mutex& registry_guard() {
  static std::mutex guard;
  return guard;
}

state_pointer kept_state(MPI_Comm users) {
  const std::lock_guard lock(registry_guard());
  return find_state(users);
}

void check_users(MPI_Comm users) {
  detail::require_mpi("communicator");
  if (!detail::mpi_is_running())
    throw error(error_kind::state, "communicator", "MPI is not running (before MPI_Init or after MPI_Finalize)");
  [[maybe_unused]] static const bool watched = (at_finalize(forget_predefined_states), true);
  if (users == MPI_COMM_NULL) throw error(error_kind::argument, "communicator", "'comm' is MPI_COMM_NULL");
  int inter = 0;
  check_mpi(PMPI_Comm_test_inter(users, &inter), "MPI_Comm_test_inter");
  if (inter != 0)
    throw error(error_kind::argument, "communicator",
                "'comm' is an inter-communicator, expected an intra-communicator");
}

}  // namespace

communicator::communicator(MPI_Comm users) {
  check_users(users);
  state_ = kept_state(users);
  if (state_ && state_->ready) return;
  const communicator view(bare_state(users));
  if (!state_) {
    state_ = std::make_shared<state>();
    state_->users = users;
    state_->rank = view.rank();
    state_->size = view.size();
    set_tag_limit(*state_);
    const std::lock_guard lock(registry_guard());
    keep_state(users, state_);  // before it is complete, so that a later call can continue
  }
  duplicate(users, view, *state_);
  begin_tags(view, *state_);
  find_node(*this, *state_);
  state_->serial = consensus_mail::of(*this).serial();
  state_->ready = true;
}

communicator communicator::for_messages(MPI_Comm users) {
  check_users(users);
  if (auto kept = kept_state(users); kept && kept->ready) return communicator(std::move(kept));
  return communicator(bare_state(users));
}

int communicator::rank() const { return state_->rank; }
int communicator::size() const { return state_->size; }

MPI_Comm communicator::private_handle() const {
  detail::require_mpi("communicator", state_->rank);
  return state_->handle;
}

MPI_Comm communicator::users_handle() const {
  detail::require_mpi("communicator", state_->rank);
  if (state_->users == MPI_COMM_NULL)
    throw error(error_kind::state, "communicator", "the user's communicator was freed", state_->rank);
  return state_->users;
}

const std::vector<int>& communicator::node_ranks() const { return state_->node_ranks; }
detail::node_arena* communicator::arena() const { return state_->arena.get(); }
const std::string& communicator::shared_memory_shortfall() const { return state_->shortfall; }

rank_lives& communicator::lives() const { return state_->lives; }
std::uint64_t communicator::serial() const { return state_->serial; }

int communicator::node_index(int rank) const {
  const auto& ranks = state_->node_ranks;
  const auto place = std::lower_bound(ranks.begin(), ranks.end(), rank);
  return place != ranks.end() && *place == rank ? static_cast<int>(place - ranks.begin()) : -1;
}

int communicator::next_tag() const {
  constexpr int first = reserved_tag::first_free;
  const auto used = ++state_->tags_used;
  auto most = tags_used_by_process.load();
  while (most < used && !tags_used_by_process.compare_exchange_weak(most, used)) {
  }
  return first + static_cast<int>(used % (state_->tag_limit - first));
}

}  // namespace wherry
