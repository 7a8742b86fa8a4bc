#include "implementations.hpp"

#include <array>

#include "mpi_implementations.hpp"
#include "shared.hpp"

namespace wherry::collective {
namespace {

std::string_view nothing(const shape_of_call&, const communicator_state&) { return {}; }

std::string_view without_shared_memory(const shape_of_call& shape, const communicator_state& on) {
  if (pattern_of(shape.what) == pattern::neighbors) return "it knows nothing of neighbourhoods";
  if (!on.one_node) return "not all ranks share memory";
  if (on.board == nullptr) return "there is no shared memory for it";
  const auto room =
      pattern_of(shape.what) == pattern::reduce_scatter ? on.board->slot() / on.board->members() : on.board->slot();
  return shape.element > room ? "one element is larger than a slot" : std::string_view();
}

task start_shared(invocation& call) { return shared::run(*call.on.board, call.dense); }

const auto& table() {
  using needs = implementation::needs;
  static constexpr std::array rows{
      implementation{"mpi", "MPI's own collective", nothing, start_mpi, false, needs::users_call},
      implementation{"nonblocking", "MPI's non-blocking collective, and a wait", nothing, start_nonblocking, false,
                     needs::users_call},
      implementation{"shared", "by the memory that the ranks of a node share", without_shared_memory, start_shared,
                     true, needs::dense_call},
  };
  static_assert(rows.size() <= most_implementations);
  return rows;
}

}  // namespace

std::span<const implementation> implementations() { return table(); }

int implementation_named(std::string_view name) {
  const auto all = implementations();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace wherry::collective
