// The table of implementations. To add one, write a function that does the call as a task, and its row in
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
  std::string_view what;  ///< a description in one line
  /// The reason why it cannot do such a call on this communicator; empty if it can.
  std::string_view (*obstacle)(const implementation& self, const shape_of_call& shape, const communicator_state& on);
  task (*start)(const implementation& self, invocation& call);
  /// True if reductions give the same bits on all ranks, for vectors of all lengths, in all runs.
  bool reproducible;
  enum class needs : std::uint8_t {
    users_call,  ///< the call as the user has made it
    dense_call,
    dense_call_and_tag  ///< a dense call, and a tag for messages of ours
  } wants;
  /// Makes the memory that the implementation keeps with a communicator, unless it is there, for vectors of this many
  /// bytes (0: the usual size). Collective, when the implementation has been chosen. If the memory cannot be made,
  /// `obstacle` says so afterwards. Null: it keeps no memory.
  void (*prepare)(const implementation& self, communicator_state& on, std::int64_t bytes) = nullptr;
  /// Frees this memory. Collective.
  /// @throws error(state) while calls by it are in flight
  void (*give_back)(const implementation& self, communicator_state& on) = nullptr;
  /// The shorter path for a blocking call. Null: there is none.
  brief_way (*shorter)(const call& what, const shape_of_call& shape, const communicator_state& on) = nullptr;
};

/// All implementations. The first is MPI's own, which can do everything.
std::span<const implementation> implementations();
inline constexpr int mpi_itself = 0;
/// The place of an implementation in the table, or -1.
int implementation_named(std::string_view name);
/// The names of all implementations, with commas between them.
std::string names_of_implementations();
/// The place of an implementation whose name the user has given to the call `where`.
/// @throws error(argument) for an unknown name
int implementation_named(std::string_view name, std::string_view where, int rank = -1);

}  // namespace wherry::collective
