// Carries the stages of a classic algorithm by messages.
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

/// Which of a communicator's ranks take part in a call, and how they are numbered there.
struct participants {
  const communicator& comm;
  const int* ranks = nullptr;  ///< null: all
  int rank_of(int place) const { return ranks != nullptr ? ranks[place] : place; }
};

/// What carrying needs besides, kept for the next call.
struct carrier_room {
  explicit carrier_room(scratch_pool& pool) : messages(pool) {}
  stage now;
  agreed_messages<stage_messages> messages;
  std::vector<std::int64_t> places;
  struct piece {
    std::byte* at;
    std::int64_t bytes;
  };
  std::vector<piece> leaving, arrived;  // of each transfer
};

/// The call's ranks are places among `who`. `how` can do it. `messages` are `stage_messages`, or what sends and
/// receives like them; they have begun, and outlive it as the others do.
template <class Messages>
task carry(const algorithm& how, participants who, const dense_call& call, Messages& messages, scratch_pool& pool,
           carrier_room& room);

/// Why this algorithm cannot do such a call; empty: it can.
std::string_view obstacle_of(const algorithm& how, kind what, int size, bool commutative);

}  // namespace wherry::collective
