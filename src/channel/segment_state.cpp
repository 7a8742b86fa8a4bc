// How a segment reaches memory that is not shared: through the kernel, or by MPI's passive-target puts, gets and
// atomics.
#include "segment_state.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "core/called.hpp"
#include "process_memory.hpp"
#include "statistics_report.hpp"

namespace wherry {

/// Open MPI 4.1's osc/rdma crashes in MPI_Compare_and_swap on a rank's own window over shared memory (btl vader has no
/// way to the rank itself). On one machine it carries out the operations of other ranks by atomic instructions of the
/// processor, so that our own instruction can replace it. Between machines it uses other parts.
bool must_swap_own_words([[maybe_unused]] const communicator& comm) {
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
  MPI_Comm machine = MPI_COMM_NULL;
  check_mpi(PMPI_Comm_split_type(comm.private_handle(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
            "MPI_Comm_split_type");
  const detail::unique_comm until_then(machine);
  int ranks = 0;
  check_mpi(PMPI_Comm_size(machine, &ranks), "MPI_Comm_size");
  return ranks == comm.size();
#else
  return false;
#endif
}

byte_segment::state::state(const communicator& where, const std::string& name)
    : comm(where), called(full_name("segment", name)) {}

void byte_segment::state::resize(std::size_t ranks) {
  is_unflushed.resize(ranks);
  across.resize(ranks);
  to_node = std::make_unique<long_writes_to[]>(comm.node_ranks().size());
  staged.resize(ranks);
  tables.resize(ranks);
  own_puts = std::vector<put_count>(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) arrivals.push_back({this, static_cast<int>(rank)});
}

void byte_segment::state::open_windows(std::span<std::byte> memory, std::span<std::byte> notifications) {
  auto pool = window_pool::of(comm);
  data = pool->make(comm, memory, block);
  words = pool->make(comm, notifications, block);
  swaps_own_words = must_swap_own_words(comm);
  windows = std::move(pool);
}

byte_segment::state::~state() {
  if (detail::is_forked_child()) return;
  close_staging();
  for (const auto& writer : staged)
    if (writer) writer->retire(block_is_gone);
  if (counts) report_statistics(called, transport, comm.rank(), comm.size(), statistics_of(*counts));
  if (windows) {
    windows->give_back(data);
    windows->give_back(words);
  }
  detach();
  for (auto* const count : departed) count->fetch_add(1, std::memory_order_release);
}

exchange_statistics statistics_of(const detail::segment_counts& counts) {
  return {counts.notified,
          0 + counts.written,
          0 + counts.read,
          0,
          1e-9 * static_cast<double>(counts.nanoseconds_waiting),
          1e-9 * static_cast<double>(counts.nanoseconds_copying)};
}

void byte_segment::state::write_through_kernel(int to, std::size_t at, std::span<const std::byte> bytes) const {
  const auto& part = across[static_cast<std::size_t>(to)];
  if (const auto* const why = write_to_process(part.process, part.address + at, bytes); *why != '\0')
    throw error(error_kind::state, called, detail::text("the memory of rank ", to, " cannot be written to: ", why),
                comm.rank(), {to});
}

void byte_segment::state::read_through_kernel(int from, std::size_t at, std::span<std::byte> into) const {
  const auto& part = across[static_cast<std::size_t>(from)];
  if (const auto* const why = read_from_process(part.process, part.address + at, into); *why != '\0')
    throw error(error_kind::state, called, detail::text("the memory of rank ", from, " cannot be read: ", why),
                comm.rank(), {from});
}

void byte_segment::state::detach() noexcept {
  for (auto* const memory : attached) space->detach(memory);
  attached.clear();
}

void byte_segment::state::put(int to, std::size_t at, std::span<const std::byte> bytes) {
  require_alive(to);
  for (std::size_t done = 0; done < bytes.size(); done += limit) {
    const int count = static_cast<int>(std::min(limit, bytes.size() - done));
    check_mpi(PMPI_Put(bytes.data() + done, count, MPI_BYTE, to, data_of(to) + static_cast<MPI_Aint>(at + done), count,
                       MPI_BYTE, data.handle),
              "MPI_Put");
  }
  note_puts(to);
}

void byte_segment::state::get(int from, std::size_t at, std::span<std::byte> into) {
  require_alive(from);
  for (std::size_t done = 0; done < into.size(); done += limit) {
    const int count = static_cast<int>(std::min(limit, into.size() - done));
    check_mpi(PMPI_Get(into.data() + done, count, MPI_BYTE, from, data_of(from) + static_cast<MPI_Aint>(at + done),
                       count, MPI_BYTE, data.handle),
              "MPI_Get");
  }
  note_puts(from);
}

// An aligned word arrives whole on any hardware. MPI guarantees that for MPI_Accumulate only, but MPICH 4.0 lets the
// target carry that out, so that a computing target would delay this rank.
void byte_segment::state::put_word(int to, int id, const std::uint32_t& value) {
  require_alive(to);
  check_mpi(PMPI_Put(&value, 1, MPI_UINT32_T, to, words_of(to) + static_cast<MPI_Aint>(sizeof value) * id, 1,
                     MPI_UINT32_T, words.handle),
            "MPI_Put");
}

void byte_segment::state::flush_words(int to) {
  require_alive(to);
  check_mpi(PMPI_Win_flush(to, words.handle), "MPI_Win_flush");
}

std::uint64_t byte_segment::state::fetch_add(int on, std::size_t at, std::uint64_t value) {
  require_alive(on);
  std::uint64_t before = 0;
  check_mpi(PMPI_Fetch_and_op(&value, &before, MPI_UINT64_T, on, data_of(on) + static_cast<MPI_Aint>(at), MPI_SUM,
                              data.handle),
            "MPI_Fetch_and_op");
  flush_puts(on);  // the operation went by MPI, whatever way data goes there
  return before;
}

std::uint64_t byte_segment::state::compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired) {
  if (swaps_own_words && on == comm.rank()) {
    detail::progress_mpi(
        comm.private_handle());  // a rank that tries again and again must let the operations of others in
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(data.memory + at)).compare_exchange_strong(expected, desired);
    return expected;
  }
  require_alive(on);
  std::uint64_t before = 0;
  check_mpi(PMPI_Compare_and_swap(&desired, &expected, &before, MPI_UINT64_T, on,
                                  data_of(on) + static_cast<MPI_Aint>(at), data.handle),
            "MPI_Compare_and_swap");
  flush_puts(on);  // the operation went by MPI, whatever way data goes there
  return before;
}

// Puts are counted after they are begun, and are done up to the count that was read before the flush. So another thread
// either sees its own puts as not done, or they are done.
void byte_segment::state::note_puts(int target) {
  (*puts)[static_cast<std::size_t>(target)].begun.fetch_add(1, std::memory_order_release);
}

void byte_segment::state::flush_puts(int target) {
  require_alive(target);
  auto& count = (*puts)[static_cast<std::size_t>(target)];
  const auto begun = count.begun.load(std::memory_order_acquire);
  check_mpi(PMPI_Win_flush(target, data.handle), "MPI_Win_flush");
  auto done = count.done.load(std::memory_order_relaxed);
  while (done < begun && !count.done.compare_exchange_weak(done, begun, std::memory_order_release)) {
  }
}

bool byte_segment::state::has_new_puts(int target) const {
  const auto& count = (*puts)[static_cast<std::size_t>(target)];
  return count.done.load(std::memory_order_acquire) < count.begun.load(std::memory_order_acquire);
}

std::optional<std::uint64_t> byte_segment::state::within(const call_mark& which, double seconds,
                                                         const std::function<std::uint64_t()>& call) {
  std::shared_ptr<limited_call> under_way;
  const auto is_it = [&](const auto& known) { return known.first == which; };
  {
    const std::lock_guard lock(guard);
    const auto known = std::find_if(calls.begin(), calls.end(), is_it);
    under_way = known != calls.end() ? known->second : limited_call::begin(call);
    if (known == calls.end()) calls.emplace_back(which, under_way);
    number_of_calls.store(static_cast<int>(calls.size()), std::memory_order_relaxed);
  }
  if (!under_way->is_over_in(seconds)) return std::nullopt;
  {
    const std::lock_guard lock(guard);
    std::erase_if(calls, is_it);
    number_of_calls.store(static_cast<int>(calls.size()), std::memory_order_relaxed);
  }
  return under_way->answer();
}

bool byte_segment::state::is_under_way(const call_mark& which) {
  if (!has_calls_under_way()) return false;
  const std::lock_guard lock(guard);
  return std::any_of(calls.begin(), calls.end(), [&](const auto& known) { return known.first == which; });
}

void byte_segment::state::note_cut_short(const call_mark& which) {
  const std::lock_guard lock(guard);
  cut_short.push_back(which);
  number_cut_short.store(static_cast<int>(cut_short.size()), std::memory_order_relaxed);
}

bool byte_segment::state::take_cut_short(const call_mark& which) {
  if (!has_cut_short()) return false;
  const std::lock_guard lock(guard);
  const auto found = std::find(cut_short.begin(), cut_short.end(), which);
  if (found == cut_short.end()) return false;
  cut_short.erase(found);
  number_cut_short.store(static_cast<int>(cut_short.size()), std::memory_order_relaxed);
  return true;
}

void byte_segment::state::forget_reads_cut_short() {
  if (!has_cut_short()) return;
  const std::lock_guard lock(guard);
  std::erase_if(cut_short, [](const call_mark& which) { return which.what == call_mark::read; });
  number_cut_short.store(static_cast<int>(cut_short.size()), std::memory_order_relaxed);
}

bool byte_segment::state::flush_within(const std::shared_ptr<state>& self, int target, double seconds) {
  self->bring_staged(target);
  const auto flushes = [self, target] {
    self->flush_puts(target);
    return std::uint64_t{0};
  };
  while (!self->is_through_kernel(target) && self->has_new_puts(target))
    if (!self->within({call_mark::flush, target}, seconds, flushes)) return false;
  return true;
}

}  // namespace wherry
