// Carries out the stages of a classic algorithm by messages. It is no `carrier`: a collective call binds no schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "agreed_messages.hpp"
#include "algorithms/algorithm.hpp"
#include "invocation.hpp"
#include "messages.hpp"
#include "task.hpp"

namespace wherry::collective {

/// The ranks of a communicator that take part in a call, and their numbers in it.
struct participants {
  const communicator& comm;
  const int* ranks = nullptr;  ///< null: all
  int rank_of(int place) const { return ranks != nullptr ? ranks[place] : place; }
};

/// Memory of `carry`, kept for the next call.
struct carrier_room {
  explicit carrier_room(scratch_pool& pool) : messages(pool) {}
  stage now;
  agreed_messages<stage_messages> messages;
  std::vector<std::int64_t> places;
  struct piece {
    std::byte* at;
    std::int64_t bytes;
  };
  std::vector<piece> leaving, arrived;  // the pieces of each transfer
};

/// Runs a call by an algorithm that can do it. The ranks in the call are places in `who`. `messages` are
/// `stage_messages`, or an object with the same functions; they have begun. All arguments outlive the task.
template <class Messages>
task carry(const algorithm& how, participants who, const dense_call& call, Messages& messages, scratch_pool& pool,
           carrier_room& room);

/// The reason why this algorithm cannot do such a call; empty if it can.
std::string_view obstacle_of(const algorithm& how, kind what, int size, bool commutative);

}  // namespace wherry::collective
