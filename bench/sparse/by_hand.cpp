#include "sparse/by_hand.hpp"

#include <cstddef>
#include <map>
#include <numeric>

namespace bench::sparse {
namespace {

constexpr int data_tag = 7;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::vector<int> offsets(counts.size(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  return offsets;
}

int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// The counts that arrive, where they begin, and memory for the elements.
sorted make_room(MPI_Comm comm, const sorted& out) {
  sorted in;
  in.counts.resize(out.counts.size());
  MPI_Alltoall(out.counts.data(), 1, MPI_INT, in.counts.data(), 1, MPI_INT, comm);
  in.offsets = offsets_of(in.counts);
  in.all.resize(at(in.offsets.back() + in.counts.back()));
  return in;
}

}  // namespace

sorted sort_by_destination(std::span<const int> to, const values& mine, int ranks) {
  sorted out;
  out.counts.assign(at(ranks), 0);
  for (const int rank : to) ++out.counts[at(rank)];
  out.offsets = offsets_of(out.counts);
  out.all.resize(mine.size());
  auto next = out.offsets;
  for (std::size_t i = 0; i < mine.size(); ++i) out.all[at(next[at(to[i])]++)] = mine[i];
  return out;
}

values by_counts(MPI_Comm comm, std::span<const int> to, const values& mine) {
  const int ranks = size_of(comm);
  const auto out = sort_by_destination(to, mine, ranks);
  auto in = make_room(comm, out);
  std::vector<MPI_Request> requests;
  for (int r = 0; r < ranks; ++r)
    if (in.counts[at(r)] > 0)
      MPI_Irecv(in.all.data() + in.offsets[at(r)], in.counts[at(r)], MPI_DOUBLE, r, data_tag, comm,
                &requests.emplace_back());
  for (int r = 0; r < ranks; ++r)
    if (out.counts[at(r)] > 0)
      MPI_Isend(out.all.data() + out.offsets[at(r)], out.counts[at(r)], MPI_DOUBLE, r, data_tag, comm,
                &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return std::move(in.all);
}

values by_alltoallv(MPI_Comm comm, std::span<const int> to, const values& mine) {
  const auto out = sort_by_destination(to, mine, size_of(comm));
  auto in = make_room(comm, out);
  MPI_Alltoallv(out.all.data(), out.counts.data(), out.offsets.data(), MPI_DOUBLE, in.all.data(), in.counts.data(),
                in.offsets.data(), MPI_DOUBLE, comm);
  return std::move(in.all);
}

values by_consensus(MPI_Comm comm, std::span<const int> to, const values& mine) {
  const int ranks = size_of(comm);
  // Ranks may be one exchange apart, so the next one has another tag.
  static int exchanges = 0;
  const int tag = data_tag + 1 + exchanges++ % 2;
  const auto out = sort_by_destination(to, mine, ranks);
  std::vector<MPI_Request> requests;
  for (int r = 0; r < ranks; ++r)
    if (out.counts[at(r)] > 0)
      MPI_Issend(out.all.data() + out.offsets[at(r)], out.counts[at(r)], MPI_DOUBLE, r, tag, comm,
                 &requests.emplace_back());
  std::map<int, values> received;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool entered = false;
  for (int done = 0; done == 0;) {
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &found, &status);
    if (found != 0) {
      int count = 0;
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      auto& list = received[status.MPI_SOURCE];
      list.resize(at(count));
      MPI_Recv(list.data(), count, MPI_DOUBLE, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
    }
    if (entered) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      int sent = 0;
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent != 0) MPI_Ibarrier(comm, &barrier);
      entered = sent != 0;
    }
  }
  values all;
  for (const auto& [from, list] : received) all.insert(all.end(), list.begin(), list.end());
  return all;
}

namespace {

/// Two counters a rank, used in turns: ranks may be one exchange apart. Made once and never freed.
struct counters {
  MPI_Win window = MPI_WIN_NULL;
  int* mine = nullptr;

  explicit counters(MPI_Comm comm) {
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &mine, &window);
    mine[0] = mine[1] = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    MPI_Win_sync(window);
    MPI_Barrier(comm);
  }
  /// The value of a counter of this rank, which is 0 afterwards.
  int take(int which, int rank) const {
    const int zero = 0;
    int value = 0;
    MPI_Fetch_and_op(&zero, &value, MPI_INT, rank, which, MPI_REPLACE, window);
    MPI_Win_flush(rank, window);
    return value;
  }
};

}  // namespace

values by_counters(MPI_Comm comm, std::span<const int> to, const values& mine) {
  static const auto* const kept = new counters(comm);
  static int exchanges = 0;
  const int ranks = size_of(comm), which = exchanges++ % 2, tag = data_tag + 3 + which;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto out = sort_by_destination(to, mine, ranks);
  const int one = 1;
  std::vector<MPI_Request> requests;
  for (int r = 0; r < ranks; ++r) {
    if (out.counts[at(r)] == 0) continue;
    MPI_Accumulate(&one, 1, MPI_INT, r, which, 1, MPI_INT, MPI_SUM, kept->window);
    MPI_Isend(out.all.data() + out.offsets[at(r)], out.counts[at(r)], MPI_DOUBLE, r, tag, comm,
              &requests.emplace_back());
  }
  MPI_Win_flush_all(kept->window);
  MPI_Barrier(comm);
  std::map<int, values> received;
  for (int coming = kept->take(which, rank); coming > 0; --coming) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status);
    int count = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    auto& list = received[status.MPI_SOURCE];
    list.resize(at(count));
    MPI_Recv(list.data(), count, MPI_DOUBLE, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  values all;
  for (const auto& [from, list] : received) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace bench::sparse
