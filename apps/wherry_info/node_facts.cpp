#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "wherry/core/node_arena.hpp"

#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "report.hpp"

namespace info {
namespace {

std::string in_bytes(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", bytes < 10 && unit > 0 ? 1 : 0, bytes, units[unit]);
  return text;
}

std::string development_shm() {
  struct statvfs space{};
  if (statvfs("/dev/shm", &space) != 0) return "not there";
  const auto block = static_cast<double>(space.f_frsize);
  return in_bytes(block * static_cast<double>(space.f_bavail)) + " free of " +
         in_bytes(block * static_cast<double>(space.f_blocks));
}

/// Every rank stores its number in its own arena. True if all ranks of its node see it.
bool neighbours_see_it(const wherry::communicator& comm, wherry::detail::node_arena& arena) {
  auto* mine = static_cast<int*>(arena.allocate(sizeof(int)));
  *mine = comm.rank();
  std::vector<unsigned long long> offsets(static_cast<std::size_t>(comm.size()));
  const auto offset = static_cast<unsigned long long>(*arena.offset_of(mine));
  MPI_Allgather(&offset, 1, MPI_UNSIGNED_LONG_LONG, offsets.data(), 1, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD);
  bool right = true;
  for (const int other : comm.node_ranks()) {
    int seen = -1;
    std::memcpy(&seen, arena.address(comm.node_index(other), offsets[static_cast<std::size_t>(other)]), sizeof seen);
    right = right && seen == other;
  }
  MPI_Barrier(MPI_COMM_WORLD);  // no rank frees memory that others still read
  arena.deallocate(mine);
  return right;
}

/// "0-3, 8".
std::string ranges(const std::vector<int>& ascending) {
  std::string result;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    result += bench::text(result.empty() ? "" : ", ", ascending[i]);
    if (last > i) result += bench::text("-", ascending[last]);
    i = last;
  }
  return result;
}

}  // namespace

rows memory_facts(const wherry::communicator& comm) {
  wherry::detail::node_arena* arena = comm.arena();
  int without = arena == nullptr ? 1 : 0, blind = 0;
  MPI_Allreduce(MPI_IN_PLACE, &without, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (without == 0) {
    blind = neighbours_see_it(comm, *arena) ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &blind, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  std::string state = bench::text("works on all ", comm.size(), comm.size() == 1 ? " rank" : " ranks");
  if (without > 0) state = bench::text("none on ", without, " of ", comm.size(), " ranks: fields live on the heap");
  if (blind > 0)
    state = bench::text("BROKEN: ", blind, " of ", comm.size(), " ranks do not see their neighbours' memory");
  rows result{{"node-shared arena", state}};
  if (arena != nullptr)
    result.push_back({"address space a rank",
                      in_bytes(static_cast<double>(arena->capacity())) + " reserved; memory is taken when it is used"});
  if (!comm.shared_memory_shortfall().empty()) result.push_back({"what is missing", comm.shared_memory_shortfall()});
  result.push_back({"/dev/shm", development_shm()});
  return result;
}

rows node_map(const wherry::communicator& comm) {
  struct place {
    int first = 0;  // lowest rank of the node
    char host[64] = "";
  };
  place mine;
  mine.first = comm.node_ranks().front();
  std::snprintf(mine.host, sizeof mine.host, "%s", bench::host_name().c_str());
  std::vector<place> all(static_cast<std::size_t>(comm.size()));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);

  std::map<int, std::vector<int>> nodes;
  for (std::size_t rank = 0; rank < all.size(); ++rank) nodes[all[rank].first].push_back(static_cast<int>(rank));
  rows result;
  for (const auto& [first, ranks] : nodes)
    result.push_back(
        {all[static_cast<std::size_t>(first)].host, (ranks.size() == 1 ? "rank " : "ranks ") + ranges(ranks)});
  return result;
}

}  // namespace info
