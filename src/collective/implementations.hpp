// The table of implementations. To add one: a function that does the call as a task, and its row in
// implementations.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "invocation.hpp"
#include "shape_of_call.hpp"
#include "task.hpp"

namespace wherry::collective {

struct implementation {
  std::string_view name;
  std::string_view what;  ///< one line for people
  /// Why it cannot do such a call on this communicator; empty: it can.
  std::string_view (*obstacle)(const implementation& self, const shape_of_call& shape, const communicator_state& on);
  task (*start)(const implementation& self, invocation& call);
  /// Whether results of reductions are the same bits on all ranks, for vectors of all lengths, run after run.
  bool reproducible;
  enum class needs : std::uint8_t {
    users_call,  ///< the call as the user has made it
    dense_call,
    dense_call_and_tag  ///< and a number for messages of ours
  } wants;
  /// Collective, when it has been chosen: makes what it keeps with a communicator, unless it is there, of a size for
  /// vectors of so many bytes (0: as usual). What cannot be made is an obstacle afterwards. Null: it keeps nothing.
  void (*prepare)(const implementation& self, communicator_state& on, std::int64_t bytes) = nullptr;
  /// Collective. @throws error(state) while calls by it are under way
  void (*give_back)(const implementation& self, communicator_state& on) = nullptr;
  /// A shorter way for a call that waits for its end, where there is one. Null: there is none.
  brief_way (*shorter)(const call& what, const shape_of_call& shape, const communicator_state& on) = nullptr;
};

/// The first one is MPI's own, which can do everything.
std::span<const implementation> implementations();
inline constexpr int mpi_itself = 0;
/// Place in the table, or -1.
int implementation_named(std::string_view name);

}  // namespace wherry::collective
