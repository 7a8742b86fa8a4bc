#include "own_bytes.hpp"

#include <algorithm>
#include <vector>

#include "datatypes.hpp"
#include "dense_call.hpp"
#include "neighborhood.hpp"

namespace wherry::collective {
namespace {

/// One of a call's two buffers.
struct side {
  std::int64_t count;
  const count_list& counts;
  MPI_Datatype type;
  const MPI_Datatype* types;

  /// The bytes of this many blocks, or of the blocks of neighbours, some of which may be missing.
  std::int64_t bytes(int blocks, const int* ranks = nullptr) const {
    std::int64_t all = 0;
    for (int b = 0; b < blocks; ++b) {
      if (ranks != nullptr && ranks[b] == MPI_PROC_NULL) continue;
      const auto objects = counts != nullptr ? counts[b] : count;
      if (objects > 0) all += objects * facts_of(types != nullptr ? types[b] : type).size;
    }
    return all;
  }
};

}  // namespace

std::int64_t own_bytes(const call& what, int rank, int size, const neighborhood* around) {
  const side sends{what.send_count, what.send_counts, what.send_type, what.send_types};
  const side receives{what.receive_count, what.receive_counts, what.receive_type, what.receive_types};
  const bool root = rank == what.root;
  switch (pattern_of(what.kind)) {
    case pattern::gather:
      return root ? receives.bytes(size) : sends.bytes(1);
    case pattern::scatter:
      return root ? sends.bytes(size) : receives.bytes(1);
    case pattern::neighbor_allgather:
    case pattern::neighbor_alltoall: {
      if (around == nullptr) return 0;
      const auto& to = around->destinations();
      const auto& from = around->sources();
      const auto sent = what.send_counts == nullptr && pattern_of(what.kind) == pattern::neighbor_allgather
                            ? sends.bytes(1)
                            : sends.bytes(static_cast<int>(to.size()), to.data());
      return std::max(sent, receives.bytes(static_cast<int>(from.size()), from.data()));
    }
    default:
      return std::max(what.send == MPI_IN_PLACE ? 0 : sends.bytes(size), receives.bytes(size));
  }
}

}  // namespace wherry::collective
