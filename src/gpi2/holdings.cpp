#include "holdings.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "wherry/core/error.hpp"

#include "core/collective.hpp"
#include "core/communicator_attribute.hpp"
#include "flight/companions.hpp"

namespace wherry::gpi2 {
namespace {

constexpr const char* in_holdings = "transport 'gpi2'";

/// True if a holding that no exchange uses is complete. If GASPI answers with an error, it never is.
bool is_over(holding& h, int rank) {
  const caller who{in_holdings, rank};
  try {
    return std::all_of(h.stages.begin(), h.stages.end(),
                       [&](auto& part) { return part.places.is_settled(who, part.starts); }) &&
           std::all_of(h.last_requests.begin(), h.last_requests.end(),
                       [](const auto& r) { return r.first->is_done(r.second) == GASPI_SUCCESS; });
  } catch (const error&) {
    return false;
  }
}

}  // namespace

std::shared_ptr<holdings> holdings::of(const communicator& comm) {
  using attribute = communicator_attribute<std::shared_ptr<holdings>>;
  if (const auto* kept = attribute::find(comm.private_handle())) return *kept;
  auto made = std::make_shared<holdings>();
  comm.at_end([made](const communicator& ending) { made->settle_at_end(ending); });
  return attribute::set(comm.private_handle(), std::make_unique<std::shared_ptr<holdings>>(made));
}

void holdings::make_room(const communicator& comm, const std::function<bool()>& has_room) {
  using clock = std::chrono::steady_clock;
  std::optional<clock::time_point> limit;  // set when all ranks have come
  for (;;) {
    const auto round = free_settled(comm, has_room(), !limit || clock::now() < *limit);
    if (round.had_room || !round.has_time || !(round.freed || round.awaits)) return;
    if (!limit) limit = clock::now() + std::chrono::seconds(1);
    if (!round.freed) sched_yield();
  }
}

holdings::outcome holdings::free_settled(const communicator& comm, bool has_room, bool has_time) {
  auto* const running = runtime::now();
  const auto count = list_.size();
  std::vector<unsigned char> on_all{has_room, has_time};
  for (const auto& h : list_) {
    const bool is_unused = h->is_unused.load(std::memory_order_acquire);
    on_all.push_back(is_unused);
    on_all.push_back(is_unused && running != nullptr && is_over(*h, comm.rank()));
  }
  on_all = patient::allreduce(comm, in_holdings, on_all, patient::least);
  outcome round{.had_room = on_all[0] != 0, .has_time = on_all[1] != 0};
  for (std::size_t i = count; i-- > 0;) {
    const bool is_unused = on_all[2 + 2 * i] != 0, over = on_all[3 + 2 * i] != 0;
    round.freed |= over;
    round.awaits |= is_unused && !over;
    if (!over) continue;
    for (auto& part : list_[i]->stages) part.places.give_back(*running);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return round;
}

/// Gives back all parts that no exchange uses. Parts that an exchange on any rank still holds are never given back.
void holdings::settle_at_end(const communicator& ending) {
  if (runtime::now() == nullptr) return;  // on all ranks alike: MPI_Finalize has begun
  patient::barrier(ending, in_holdings);  // by then all messages for which others wait have been sent
  companions::progress();
  make_room(ending, [] { return false; });
}

}  // namespace wherry::gpi2
