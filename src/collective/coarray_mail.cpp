#include "coarray_mail.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "coarray_library.hpp"
#include "core/collective.hpp"

namespace wherry::collective {
namespace {

constexpr int signals = 2 * mail_memory::slots;  // for each pair of ranks: come, taken

/// One communicator's share of the coarray. Its counters only grow, whichever communicator has it.
struct lot {
  bool in_use = false;
  std::vector<int> told;  // the last value of the counter at each process
};

/// The state of this process. Never destroyed, because it is used when communicators are freed, even at the very end.
struct world {
  std::mutex guard;       // because OpenCoarrays is not thread-safe
  std::mutex being_made;  // because all processes make one coarray, in whichever thread comes first
  const coarray_library* by = nullptr;
  std::string_view why_not;
  int rank = 0, size = 1;
  std::int64_t slot = 0;
  std::array<lot, 4> lots;
  std::byte* bytes = nullptr;
  int* counters = nullptr;

  std::int64_t first_counter(std::size_t of) const { return static_cast<std::int64_t>(of) * signals * size; }
  std::int64_t first_byte(std::size_t of) const {
    return static_cast<std::int64_t>(of) * mail_memory::slots * size * slot;
  }
};

/// True while this thread is in Fortran's run-time library: a preloaded Wherry may get the MPI calls that it makes.
thread_local bool makes_coarray = false;

world& the_world() {
  static auto* const one = new world;
  return *one;
}

/// The ranks in MPI_COMM_WORLD of all ranks of the communicator; MPI_UNDEFINED for a rank that is not in it.
std::vector<int> world_ranks(const communicator& comm) {
  std::vector<int> ranks(static_cast<std::size_t>(comm.size())), there(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group ours = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
  check_mpi(PMPI_Comm_group(comm.private_handle(), &ours), "MPI_Comm_group");
  check_mpi(PMPI_Comm_group(MPI_COMM_WORLD, &all), "MPI_Comm_group");
  check_mpi(PMPI_Group_translate_ranks(ours, comm.size(), ranks.data(), all, there.data()),
            "MPI_Group_translate_ranks");
  PMPI_Group_free(&ours);
  PMPI_Group_free(&all);
  return there;
}

/// Tests whether MPI makes the kinds of windows that OpenCoarrays needs, because OpenCoarrays ignores errors, and MPI's
/// own handler would end the job.
bool gives_windows(MPI_Comm comm) {
  const auto works = [](MPI_Win& window, int status) {
    return status == MPI_SUCCESS && PMPI_Win_free(&window) == MPI_SUCCESS;
  };
  int word = 0;
  void* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  if (!works(window, PMPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, comm, &window))) return false;
  if (!works(window, PMPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window))) return false;
  return works(window, PMPI_Win_allocate(64, 1, MPI_INFO_NULL, comm, &memory, &window));
}

bool all_say(const communicator& comm, bool mine) {
  return patient::allreduce(comm, "coarrays", std::vector{mine ? 1 : 0}, patient::least).front() != 0;
}

void make_coarray(world& all, const communicator& comm, std::int64_t slot) {
  const std::lock_guard lock(all.being_made);
  if (all.by != nullptr || !all.why_not.empty()) return;
  const auto* const by = load_coarrays();
  if (!all_say(comm, by != nullptr)) {
    all.why_not = "libwherry_coarrays.so, or a library that it needs, is not found";
    return;
  }
  if (!all_say(comm, gives_windows(comm.private_handle()))) {
    all.why_not = "this MPI gives no windows here";
    return;
  }
  check_mpi(PMPI_Comm_rank(MPI_COMM_WORLD, &all.rank), "MPI_Comm_rank");
  check_mpi(PMPI_Comm_size(MPI_COMM_WORLD, &all.size), "MPI_Comm_size");
  all.slot = slot;
  for (auto& one : all.lots) one.told.assign(static_cast<std::size_t>(signals * all.size), 0);
  makes_coarray = true;
  const int status = by->make(all.first_byte(all.lots.size()), all.first_counter(all.lots.size()));
  makes_coarray = false;
  if (!all_say(comm, status == 0)) {
    all.why_not = "there is no room for a coarray";
    return;
  }
  all.bytes = static_cast<std::byte*>(by->bytes());
  all.counters = static_cast<int*>(by->counters());
  all.by = by;
}

class coarray_mail final : public mail_memory {
 public:
  coarray_mail(world& all, std::size_t which, const communicator& comm)
      : all_(all), which_(which), world_(world_ranks(comm)), seen_(static_cast<std::size_t>(signals * all.size)) {
    // Signals to the last owner of this share are no longer expected.
    for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] = counter(i).load(std::memory_order_acquire);
  }
  ~coarray_mail() override {
    const std::lock_guard lock(all_.guard);
    all_.lots[which_].in_use = false;
  }

  std::int64_t slot() const override { return all_.slot; }

  void put(int to, int slot, std::span<const std::byte> data) override {
    const std::lock_guard lock(all_.guard);
    const auto bytes = static_cast<std::int64_t>(data.size());
    if (bytes > 0) all_.by->put(in_world(to), place(all_.rank, slot), data.data(), bytes);
    tell(to, slot);
  }
  bool has_come(int from, int slot) override { return take(from, slot); }
  const std::byte* content(int from, int slot) const override { return all_.bytes + place(in_world(from), slot); }
  void tell_taken(int from, int slot) override {
    const std::lock_guard lock(all_.guard);
    tell(from, slots + slot);
  }
  bool was_taken(int to, int slot) override { return take(to, slots + slot); }

 private:
  int in_world(int rank) const { return world_[static_cast<std::size_t>(rank)]; }
  std::int64_t place(int from, int slot) const { return all_.first_byte(which_) + (from * slots + slot) * all_.slot; }
  std::atomic_ref<int> counter(std::size_t i) const {
    return std::atomic_ref(all_.counters[static_cast<std::size_t>(all_.first_counter(which_)) + i]);
  }
  static std::size_t index(int peer, int signal) { return static_cast<std::size_t>(peer * signals + signal); }

  /// Counts wrap around.
  static int next(int count) { return static_cast<int>(static_cast<unsigned>(count) + 1); }

  void tell(int to, int signal) {
    auto& told = all_.lots[which_].told[index(in_world(to), signal)];
    told = next(told);
    all_.by->count(in_world(to), all_.first_counter(which_) + all_.rank * signals + signal, told);
  }
  /// Reads the counter as memory: a Fortran atomic_ref is an MPI call, and ranks that wait would take the cores from
  /// ranks that work.
  bool take(int from, int signal) {
    const auto i = index(in_world(from), signal);
    const int awaited = next(seen_[i]);
    if (counter(i).load(std::memory_order_acquire) != awaited) return false;
    seen_[i] = awaited;
    return true;
  }

  world& all_;
  std::size_t which_;
  std::vector<int> world_;  // ranks in MPI_COMM_WORLD
  std::vector<int> seen_;
};

unsigned free_lots(world& all) {
  const std::lock_guard lock(all.guard);
  unsigned free = 0;
  for (std::size_t i = 0; i < all.lots.size(); ++i) free |= all.lots[i].in_use ? 0U : 1U << i;
  return free;
}

bool reserve(world& all, std::size_t which) {
  const std::lock_guard lock(all.guard);
  return !std::exchange(all.lots[which].in_use, true);
}

/// Takes a share of the coarray that is free on all ranks. Threads may take shares for other communicators at the same
/// time, in another order on each rank: then it tries again, a few times. Null, on all ranks alike, if there is none.
std::unique_ptr<coarray_mail> take_lot(world& all, const communicator& comm) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto common =
        patient::allreduce(comm, "coarrays", std::vector{free_lots(all)}, std::bit_and<unsigned>()).front();
    if (common == 0) break;
    const auto lowest = static_cast<std::size_t>(std::countr_zero(common));
    // No rank writes there now: the last owners have freed the share, and the next ones wait for each other below.
    auto mine = reserve(all, lowest) ? std::make_unique<coarray_mail>(all, lowest, comm) : nullptr;
    if (all_say(comm, mine != nullptr)) return mine;
  }
  return nullptr;
}

}  // namespace

std::string_view no_coarrays_for(const communicator& comm) {
  if (const auto never = built_without_coarrays(); !never.empty()) return never;
  int processes = 0;
  check_mpi(PMPI_Comm_size(MPI_COMM_WORLD, &processes), "MPI_Comm_size");
  constexpr std::string_view of_all =
      "a coarray belongs to all processes, and this communicator does not have them all";
  if (comm.size() != processes) return of_all;
  for (const int rank : world_ranks(comm))
    if (rank == MPI_UNDEFINED) return of_all;
  // And Open MPI 4.1 makes no window for one process.
  if (processes == 1) return "one process has no other to write to";
  return {};
}

made_coarray_mail make_coarray_mail(const communicator& comm, std::int64_t slot) {
  if (makes_coarray) return {nullptr, "it is in use for making a coarray"};
  auto& all = the_world();
  make_coarray(all, comm, slot);
  if (all.by == nullptr) return {nullptr, all.why_not};
  auto mail = take_lot(all, comm);
  if (mail == nullptr) return {nullptr, "other communicators have all parts of the coarray"};
  return {std::move(mail), {}};
}

}  // namespace wherry::collective
